"""The reader: from a frame's pixels to a reading. `tabletop.vision.reader` is the way in."""
