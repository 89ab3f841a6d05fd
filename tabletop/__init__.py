"""The dice table companion: reads real dice, referees the game, says what to do next."""

__version__ = "0.1.0"
