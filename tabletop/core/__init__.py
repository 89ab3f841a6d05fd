"""Values, ports, errors and geometry shared by all packages."""
