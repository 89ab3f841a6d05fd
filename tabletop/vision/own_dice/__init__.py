"""What a table has learnt of its own dice, and how that changes what is read."""
