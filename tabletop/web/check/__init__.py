"""What `tabletop doctor` says of the table, on the page."""
