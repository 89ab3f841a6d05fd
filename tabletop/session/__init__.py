"""Owns a match while it is played; start reading at `table_loop` and `match_session`."""
