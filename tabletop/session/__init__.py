"""The one place that owns a match while it is played; begin with `table_loop` and `match.match_session`."""
