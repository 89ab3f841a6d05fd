"""Code shared by several games; imported by games, not by the referee."""
