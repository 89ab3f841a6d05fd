"""The port of a view: anything that shows the table beside its screen and its terminal.

Your own view is found by name through the entry points `tabletop.views` and asked for with
`tabletop play --view NAME[:OPTIONS]`. An entry point is a callable that takes one string (what stands after the colon,
`""` if nothing does) and returns an open view, or raises `DeviceError` saying what to do. The name holds no colon; the
options may be any text.
"""

from typing import Protocol

from tabletop.core.ports import Frame
from tabletop.views.snapshot import Snapshot


class View(Protocol):
    """A place where the table is shown."""

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:
        """Show a snapshot: its texts are in the language of the table, and its reading belongs to the frame.

        frame: None as long as the camera has given none. now_s: in seconds of `time.monotonic`, or of the film. Called
        some 20 times a second, mostly with an equal snapshot, in the thread that plays the match: return within a few
        milliseconds.
        Snapshots are frozen, so slow work (a network, a large picture) is done by a thread of the view's own. A view
        that cannot show tries again later; it never raises here.
        """

    def close(self) -> None:
        """Let everything go. Closing twice does nothing."""
