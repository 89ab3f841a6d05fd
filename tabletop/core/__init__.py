"""Values, ports, errors and geometry shared by all packages; here are those that nearly all of them need."""

from tabletop.core.errors import (
    DeviceError,
    InputError,
    RefusedError,
    ReplayError,
    StoreError,
    TabletopError,
    one_line,
    printable,
)
from tabletop.core.message import Message, join, reason_text, say
from tabletop.core.values import FACES, Die, Profile, Reading, Rest, Unsure, UnsureReason, distance_in_edges

__all__ = ["FACES", "DeviceError", "Die", "InputError", "Message", "Profile", "Reading", "RefusedError"]
__all__ += ["ReplayError", "Rest", "StoreError", "TabletopError", "Unsure", "UnsureReason", "distance_in_edges"]
__all__ += ["join", "one_line", "printable", "reason_text", "say"]
