"""What the menu of the running table can do beyond the match: check, calibrate, test the display."""
