"""Values, ports, errors and geometry that all parts share."""
