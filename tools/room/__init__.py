"""A living room around the simulated tray, with all that goes wrong there; begin with `world`."""
