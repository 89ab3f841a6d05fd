"""The reader: from a frame's pixels to a reading. Start with `tabletop.vision.reader`."""
