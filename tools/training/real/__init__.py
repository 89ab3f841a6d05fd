"""Labelled photographs as training scenes, and collages of their dice."""
