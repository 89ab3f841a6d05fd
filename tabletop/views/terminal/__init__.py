"""Snapshots in a terminal; begin with `view`."""
