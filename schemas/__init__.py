"""Typed models of what the functions compose: our own kinds (generated) and others' (only the fields that we write).

Nothing is imported here: a function imports the module of the kind that it writes, for each costs memory.
"""
