"""What measures and draws the table, and is never installed: the product imports nothing of it."""
