"""The simulator: rendered dice on rendered grounds, with the truth beside every picture."""
