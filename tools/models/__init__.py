"""The printable parts as solids, with the same dimensions as the drawings."""
