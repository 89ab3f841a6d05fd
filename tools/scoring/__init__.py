"""How well a table reads: figures of measured rolls, and of the first throws at a table."""
