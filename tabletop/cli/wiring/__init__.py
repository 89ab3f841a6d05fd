"""Assembles the parts of a table for `tabletop play`."""
