"""Measuring how well this table reads: each roll is confirmed, or corrected die by die, with two buttons."""
