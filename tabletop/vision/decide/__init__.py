"""Which candidates are dice, and which dice are sure."""
