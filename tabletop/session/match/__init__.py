"""A match being played: its parts, and the flow between them in `match_session`."""
