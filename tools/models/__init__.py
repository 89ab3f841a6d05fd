"""The printable parts as solids, out of the same measures as the drawings."""
