"""Modelplane's shared library; the rooms and who may import whom are in the README."""
