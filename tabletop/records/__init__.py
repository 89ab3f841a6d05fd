"""Players and records: what the results of finished matches add up to."""
