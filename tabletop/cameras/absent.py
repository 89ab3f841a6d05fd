"""No camera: nobody watches the tray, and people enter the faces with the buttons."""

from tabletop.core.ports import Frame


class Absent:
    """A camera that has no frames."""

    live = True

    def read(self) -> Frame | None:
        """Return None: there is nothing to see, now or later."""
        return None

    def close(self) -> None:
        """Do nothing."""
