"""One-line messages about camera problems; `camera` is the camera's word, such as `usb:0`."""

from tabletop.core.message import Message, say


def absent(camera: str) -> Message:
    """Return the message for a camera that is not connected."""
    return say("expected a camera at {text}, got none: plug it in, or try another number", text=camera)


def busy(camera: str, program: str = "") -> Message:
    """Return the message for a camera in use by another program. program: its name, if known."""
    if program:
        return say("camera {text} is used by {text2}: close that program", text=camera, text2=program)
    return say("camera {text} is used by another program: close it", text=camera)


def denied(camera: str) -> Message:
    """Return the message for a camera that this user may not open."""
    return say("no permission to open camera {text}: add this user to the group video", text=camera)


def forbidden(camera: str) -> Message:
    """Return the message for a camera that the service may not open, because its driver was loaded later (EPERM)."""
    return say("the service has no permission to open camera {text}: sudo systemctl restart tabletop", text=camera)


def frozen(camera: str) -> Message:
    """Return the message for a camera that repeats one frame."""
    return say("camera {text} repeats one picture: unplug it, wait, plug it in", text=camera)


def unfocused(camera: str, distance_mm: int) -> Message:
    """Return the message for a camera that could not focus. distance_mm: the distance for which the lens was set."""
    return say("camera {text} found nothing to focus on: set for {n} mm", text=camera, n=distance_mm)


def lost(camera: str) -> Message:
    """Return the message for a camera that has stopped sending frames."""
    return say("camera {text} stopped answering: check its cable", text=camera)


def wrong_mode(camera: str, given: str, asked: str) -> Message:
    """Return the message for a camera with the wrong frame size. given, asked: such as `640x480`."""
    return say("camera {text} sends {text2}, not {text3}", text=camera, text2=given, text3=asked)


def slow(camera: str, fps: int) -> Message:
    """Return the message for a camera with a low frame rate."""
    return say("camera {text} is slow, {n} pictures a second: try another port", text=camera, n=fps)


def not_held(camera: str) -> Message:
    """Return the message for a camera whose exposure jumps when locked, because it reports wrong values."""
    return say("camera {text} cannot hold its exposure: it keeps adjusting", text=camera)


def failed(camera: str, why: str) -> Message:
    """Return the message for a camera whose driver failed in an unknown way. why: the driver's own words."""
    return say("camera {text} failed: {text2}", text=camera, text2=why)
