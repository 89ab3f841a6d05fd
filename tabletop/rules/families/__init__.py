"""What several games share; a game imports it, the referee does not."""
