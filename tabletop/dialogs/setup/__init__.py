"""A match set up with two buttons; begin with `flow`."""
