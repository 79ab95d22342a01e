"""The command line. It is an extra of the distribution: typer and rich are loaded when a command runs."""
