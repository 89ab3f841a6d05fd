"""What `make bench` measures; begin with `suite`."""
