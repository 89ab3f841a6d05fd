"""The accuracy of a table: figures from scored rolls, and of the first throws at a table."""
