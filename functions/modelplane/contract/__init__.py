"""The vocabulary that every room shares: labels, names, ports, paths, conditions and their reasons."""
