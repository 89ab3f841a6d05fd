"""Tools for developers that measure and draw the table; never installed, and never imported by the product."""
