"""The port of a view: anything that shows the table besides its screen and its terminal.

A custom view is found by name through the entry points `tabletop.views` and selected with `tabletop play --view
NAME[:OPTIONS]`. An entry point is a callable that takes one string (the text after the colon, `""` if there is none)
and returns an open view, or raises `DeviceError` with a remedy. The name contains no colon; the options may be any
text.
"""

from typing import Protocol

from tabletop.core.ports import Frame
from tabletop.views.snapshot import Snapshot


class View(Protocol):
    """Something that shows the table."""

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:
        """Show a snapshot: its texts are in the language of the table, and its reading belongs to the frame.

        frame: None until the camera has delivered one. now_s: in seconds of `time.monotonic`, or of the film. Called
        some 20 times a second, mostly with an equal snapshot, in the thread that plays the match: return within a few
        milliseconds. Snapshots are frozen, so slow work (a network, a large picture) can be done in the view's own
        thread. A view that cannot show it tries again later; it never raises here.
        """

    def close(self) -> None:
        """Release all resources. Closing twice does nothing."""
