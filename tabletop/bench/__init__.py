"""What `tabletop bench` measures; begin with `suite`."""
