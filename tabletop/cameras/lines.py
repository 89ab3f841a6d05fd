"""The lines about a camera in trouble. camera: its word, such as `usb:0`."""

from tabletop.core.message import Message, say


def absent(camera: str) -> Message:
    """Say that nothing is plugged in there."""
    return say("expected a camera at {text}, got none: plug it in, or try another number", text=camera)


def busy(camera: str, program: str = "") -> Message:
    """Say that another program has it. program: its name where that can be found out."""
    if program:
        return say("camera {text} is used by {text2}: close that program", text=camera, text2=program)
    return say("camera {text} is used by another program: close it", text=camera)


def denied(camera: str) -> Message:
    """Say that this user may not open it."""
    return say("no permission to open camera {text}: add this user to the group video", text=camera)


def forbidden(camera: str) -> Message:
    """Say that the service may not open it: its driver came after the service had started (DeviceAllow, EPERM)."""
    return say("the service has no permission to open camera {text}: sudo systemctl restart tabletop", text=camera)


def frozen(camera: str) -> Message:
    """Say that all its pictures are the same one."""
    return say("camera {text} repeats one picture: unplug it, wait, plug it in", text=camera)


def unfocused(camera: str, distance_mm: int) -> Message:
    """Say that the lens was set without measuring. distance_mm: for which it is sharp."""
    return say("camera {text} found nothing to focus on: set for {n} mm", text=camera, n=distance_mm)


def lost(camera: str) -> Message:
    """Say that no frames come any more."""
    return say("camera {text} stopped answering: check its cable", text=camera)


def wrong_mode(camera: str, given: str, asked: str) -> Message:
    """Say that its pictures have another size. given, asked: such as `640x480`."""
    return say("camera {text} sends {text2}, not {text3}", text=camera, text2=given, text3=asked)


def slow(camera: str, fps: int) -> Message:
    """Say that too few frames come."""
    return say("camera {text} is slow, {n} pictures a second: try another port", text=camera, n=fps)


def not_held(camera: str) -> Message:
    """Say that its picture jumps as soon as its exposure is held: it names other values than it has."""
    return say("camera {text} cannot hold its exposure: it keeps adjusting", text=camera)


def failed(camera: str, why: str) -> Message:
    """Say that its driver failed in an unknown way. why: the driver's own words."""
    return say("camera {text} failed: {text2}", text=camera, text2=why)
