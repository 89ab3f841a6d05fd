"""Where dice may be in a frame."""
