"""Pages of the display: what each kind of snapshot looks like."""
