"""Labelled photographs as scenes to learn from, and collages of their dice."""
