"""Mutation testing: do the tests of a game detect small faults? See README.md."""
