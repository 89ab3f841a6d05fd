"""From button edges to presses."""
