"""The exact coach: after a match, which decisions cost most, compared with the best play there is."""

COVERED = ("pig", "two-dice-pig", "yahtzee", "yacht", "crag", "ten-thousand")  # unless house rules say otherwise
