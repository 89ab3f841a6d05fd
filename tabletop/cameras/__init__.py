"""Cameras that need nothing but files or a plain USB device: a film, photographs, `usb:N`.

The simulated camera is `tabletop.simulator`'s; those of a Raspberry Pi are found through the entry points
`tabletop.cameras`.
"""
