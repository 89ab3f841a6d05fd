"""The simulator: rendered dice on rendered grounds, with the ground truth of every picture."""
