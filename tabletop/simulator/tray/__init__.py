"""The simulated tray, its camera and its buttons; begin with `tray`."""
