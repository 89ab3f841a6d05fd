"""What happens at the table, as events for other programs; see `vocabulary` and `hub`."""
