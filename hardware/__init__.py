"""Raspberry Pi hardware: buttons, screen, camera and buzzer, behind the ports of `tabletop`."""
