"""Cameras that need only files or a plain USB device: a film, photographs, `usb:N`.

The simulated camera is in `tabletop.simulator`; those of a Raspberry Pi are found through the entry points
`tabletop.cameras`.
"""
