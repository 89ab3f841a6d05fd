"""Pictures for people to look at: every screen of the table, and the pictures of the README."""
