"""The simulated tray in a living room; begin with `world`."""
