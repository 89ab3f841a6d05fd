"""The page as the table sees it: a view, a pair of buttons, and a line for the display to let somebody in by."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.tray_picture import WHOLE, Crop
from tabletop.web.actions import Actions
from tabletop.web.app import Site
from tabletop.web.feed import Feed
from tabletop.web.listening import Listening
from tabletop.web.page_buttons import PageButtons
from tabletop.web.pairing import DIGITS, Pairing
from tabletop.web.payload import encoded, still
from tabletop.web.server import Server
from tabletop.web.tray import TrayFeed

TOKEN_BYTES = 32
ADDRESS_S = 15.0  # long enough to type an address
PRIVATE = 0o600  # the mode of the file with the devices
DEVICES = "devices"  # that file, beside the store; whoever deletes it sends all devices away at the next start


class Page:
    """Shows the table to browsers and presses its buttons for those that were let in.

    clock: that of the table, in seconds. devices: the file with the hashes of the devices that were let in. simulated:
    whether there are simulated dice to throw. crop: the part of a frame that shows the tray.
    """

    def __init__(
        self,
        listening: Listening,
        clock: Callable[[], float],
        devices: Path,
        *,
        simulated: bool = False,
        crop: Crop = WHOLE,
    ) -> None:
        self._devices = devices
        self._shown: Snapshot | None = None
        self._begun_s: float | None = None
        self.address = listening.address
        self.buttons = PageButtons(clock)
        self.actions = Actions(self.buttons, simulated=simulated)
        digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        self.pairing = Pairing(digits, lambda: secrets.token_urlsafe(TOKEN_BYTES), self._read())
        self.feed, self.tray = Feed(encoded), TrayFeed(clock, crop)
        self._server = Server(Site(self.feed, self.tray, self.actions, self.pairing, clock, self._keep), listening)

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:
        """Show a snapshot to everybody who looks; returns at once."""
        self.tray.put(frame, snapshot)
        now = still(snapshot)
        self.actions.see(now, now_s)
        if now != self._shown:
            self._shown = now
            self.feed.put(self.actions.asks, now)

    def notice(self, now_s: float) -> str:
        """Return a line for screens and terminal, never for the page; an empty one most of the time.

        The digits while somebody is to be let in; at first where the page is, since a terminal covers what was printed.
        """
        self._begun_s = now_s if self._begun_s is None else self._begun_s
        if self.pairing.shown(now_s):
            return say("page code: {text}", text=self.pairing.digits)
        return say("page: {text}", text=self.address) if now_s - self._begun_s < ADDRESS_S else ""

    def close(self) -> None:
        """End the page. Closing twice does nothing."""
        self._server.close()
        self.buttons.close()

    def _read(self) -> list[str]:
        try:
            return self._devices.read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError):
            return []

    def _keep(self, known: tuple[str, ...]) -> None:
        with suppress(OSError):  # where nothing can be written, devices are let in until the table is switched off
            self._devices.touch(PRIVATE)
            self._devices.write_text("".join(f"{device}\n" for device in known), encoding="utf-8")
