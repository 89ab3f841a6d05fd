"""Presses on their way to the match."""
