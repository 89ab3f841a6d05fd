"""The command line: `main.py` finds the command, one module each; `wiring` puts a table together."""
