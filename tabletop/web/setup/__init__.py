"""A match set up on the page: what its form offers, and what it decides."""
