"""The parts of the Raspberry Pi: its buttons and its screen, behind the ports of `tabletop`."""
