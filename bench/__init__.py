"""Benchmarks: `python -m bench` prints one JSON object. Figures are medians; limits stand beside them in the README."""
