"""Learning what the dice of this table look like: from play, and from a die that is shown face by face."""
