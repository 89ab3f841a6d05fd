"""`tabletop calibrate score`: how well this very table reads these very dice, measured roll by roll."""
