"""From the edges of two buttons to presses."""
