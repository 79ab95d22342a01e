"""Whole systems on real parts: the tools, the lab that runs them, and the stories that use it."""
