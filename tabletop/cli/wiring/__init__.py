"""How `tabletop play` puts the parts of the table together."""
