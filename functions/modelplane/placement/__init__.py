"""Placement: which cluster and which pools each replica gets, as a pure function of plain values."""
