"""The eye: from a frame's pixels to a reading. `tabletop.vision.eye` is the way in."""
