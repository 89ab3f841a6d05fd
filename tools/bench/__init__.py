"""The measurements of `make bench`; start with `suite`."""
