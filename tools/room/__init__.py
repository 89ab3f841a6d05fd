"""A living room around the simulated tray, with everything that goes wrong there; start with `world`."""
