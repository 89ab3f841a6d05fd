"""Dice rendered in any pose over any ground; begin with `compose`."""
