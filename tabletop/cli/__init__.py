"""The command line: `main.py` finds the command, one module for each; `wiring` assembles a table."""
