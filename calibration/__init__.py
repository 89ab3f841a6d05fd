"""Calibration: make the profile of a table."""
