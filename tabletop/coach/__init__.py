"""The exact coach: after a match, which decisions cost most, compared with the best play there is."""
