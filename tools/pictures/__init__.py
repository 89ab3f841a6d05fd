"""Pictures for people to look at: every screen of the table, and what the README shows."""
