"""Cameras of the real world, USB or Raspberry Pi: what recovers them is the same for all."""
