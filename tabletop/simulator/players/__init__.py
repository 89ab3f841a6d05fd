"""Simulated players, and what they want."""
