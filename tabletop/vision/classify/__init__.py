"""What is at a place: a die, how it lies, its face."""
