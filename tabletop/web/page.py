"""The table's side of the web page: a view, commands from phones, a line for the display, and the server's thread."""

import logging
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import uvicorn

from tabletop.broadcast.hub import Hub
from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.dialogs.commands import Inbox
from tabletop.store import FILE_NAME as STORE
from tabletop.store.first_steps import FirstSteps
from tabletop.views.oled.screen import Door, Modules
from tabletop.views.snapshot import Scan, Snapshot
from tabletop.views.terminal.tray_picture import WHOLE, Crop
from tabletop.web import app, guards, pairing, payload, throws, tokens, tray
from tabletop.web.api import POSTS, Api, application
from tabletop.web.feed import Feed
from tabletop.web.listening import Listening
from tabletop.web.setup import SetupSource

KEEP_ALIVE_S = 5  # an idle connection is closed after this long
LAST_S = 1  # how long open streams have at the end
LOGGERS = ("asyncio", "uvicorn")
JOIN_S = 3.0  # and then the thread


def server_of(api: Api, listening: Listening) -> uvicorn.Server:
    """Return the server of the page and its API, with its guards."""
    guarded: Any = guards.Guard(application(api), listening, POSTS, lambda: api.site.shown.phrases.other_name)
    for name in LOGGERS:  # the terminal shows the table: a stranger's broken request must not be written into it
        logging.getLogger(name).addHandler(logging.NullHandler())
    config = uvicorn.Config(
        guarded,
        loop="asyncio",
        http=guards.Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=guards.MOST_CONNECTIONS,
        backlog=guards.MOST_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=LAST_S,
        h11_max_incomplete_event_size=guards.LONGEST_HEAD,
    )
    return uvicorn.Server(config)


ADDRESS_S = 15.0  # long enough to type an address
LOOK_EVERY_S = 2.0  # at the network: a tenth of a millisecond each time
DEVICES = "devices"  # that file, beside the store; deleting it disconnects all devices at the next start


class Page:
    """Shows the table to browsers, and takes the commands of paired devices.

    clock: that of the table, in seconds. devices: the file with the hashes of paired devices. simulated: whether there
    are simulated dice to throw. crop: the part of a frame that shows the tray. private: only paired devices may see
    camera pictures. renewed: called from `notice` when the digits or the address have changed. inbox: takes the
    commands, a new one if None. address_s: for how long `notice` shows the address at first. name: of the table.
    config: the configuration file, None for the usual one. hub: tells programs what happens.
    """

    def __init__(
        self,
        listening: Listening,
        clock: Callable[[], float],
        devices: Path,
        *,
        simulated: bool = False,
        crop: Crop = WHOLE,
        private: bool = False,
        renewed: Callable[[], None] = lambda: None,
        inbox: Inbox | None = None,
        address_s: float = ADDRESS_S,
        name: str = "",
        config: Path | None = None,
        hub: Hub | None = None,
    ) -> None:
        self._devices = devices
        self._begun_s: float | None = None
        self.address, self._listening = listening.address, listening
        self._looked_s, self._reachable = float("-inf"), False
        self._address_s = address_s
        self.pairing = pairing.Pairing(_digits, partial(secrets.token_urlsafe, tokens.TOKEN_BYTES), self._read())
        self._renewed, self._digits = renewed, self.pairing.digits
        self.feed, self.tray = (
            Feed(lambda count, shown: payload.packed(payload.page_of(count, shown))),
            tray.TrayFeed(clock, crop),
        )
        site = app.Site(
            self.feed,
            self.tray,
            inbox or Inbox(clock),
            self.pairing,
            clock,
            self._keep,
            simulated=simulated,
            private=private,
            name=name,
            config=config,
        )
        self._api = Api(site, tokens.Tokens(devices.with_name(tokens.FILE_NAME)), hub or Hub(devices.with_name(STORE)))
        self._server = server_of(self._api, listening)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listening.socket]}, name="page", daemon=True
        )
        self._thread.start()

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:  # noqa: ARG002 - as every view
        """Show a snapshot to all viewers; returns at once."""
        self.tray.put(frame, snapshot)
        now = payload.still(snapshot)
        if snapshot.number and self._site.first is not None:
            self._site.first.is_new = False
        if now != self._site.shown or not self.feed.count:
            self._site.shown = now
            self.feed.put(now)
            self._site.past.put(now)

    @property
    def _site(self) -> app.Site:
        return self._api.site

    @property
    def inbox(self) -> Inbox:
        """The inbox for commands."""
        return self._site.inbox

    @property
    def shown(self) -> Snapshot:
        """The snapshot that browsers show now."""
        return self._site.shown

    def offer(
        self,
        setup: SetupSource,
        profile: tray.ProfileSource,
        check: app.CheckSource,
        store: Path | None = None,
        held: throws.Held | None = None,
        recall: app.Recall | None = None,
        first: FirstSteps | None = None,
    ) -> None:
        """Enable setup on the page, calibration hints for a tray without markers, the checks, and posting a match.

        store: where the matches are. held: the frames of the newest throw, if pictures of throws are kept. recall: past
        matches as they stand. first: the first steps.
        """
        self._site.first = first
        self._site.setup, self._site.arm.profile, self._site.check = setup, profile, check
        self._site.store, self._site.held, self._site.recall = store, held, recall

    @property
    def link(self) -> str:
        """The address that pairs a device."""
        return f"{self.address if '://' in self.address else f'http://{self.address}'}/#{self.pairing.digits}"

    @property
    def scan(self) -> Scan:
        """The same as a code."""
        return Scan(self.link, (self.address, self.pairing.digits))

    def notice(self, now_s: float) -> str:
        """Return a line for screens and terminal, never for the page; mostly empty.

        It shows the digits during pairing, and the page's address at first and whenever it has changed, because a
        terminal view covers printed text.
        """
        self._begun_s = now_s if self._begun_s is None else self._begun_s
        self._look(now_s)
        if self._digits != self.pairing.digits:
            self._digits = self.pairing.digits
            self._renewed()
        if self.pairing.shown(now_s):
            return say("page code: {text}", text=self.pairing.digits)
        if now_s - self._begun_s >= self._address_s:
            return ""
        return say("page: {text}", text=self.address) if self._reachable else say("page: no network yet")

    def door(self, now_s: float) -> Door | None:
        """Return how to connect a phone while `notice` shows it; None otherwise, or if the page is local only."""
        if not (self._listening.word == "lan" and self.notice(now_s) and self._reachable):
            return None
        return self._door

    @property
    def _door(self) -> Door:
        address, digits = self.address, self.pairing.digits
        return Door(qr_code(address, digits), address, digits)

    def welcome(self) -> Door | None:
        """Return how to connect the first phone ever to a table without a match, None once that was done or put off."""
        first = self._site.first
        if first is None or not first.opens or first.welcomed or self._devices.exists():
            return None
        return self._door if self._listening.word == "lan" and self._reachable else None

    def devices(self) -> int:
        """Return the number of paired devices."""
        return len(self.pairing.known)

    def show_code(self) -> None:
        """Show for a while on the table's own display how to pair a device."""
        self._looked_s = float("-inf")
        self.pairing.show(self._site.clock())

    def send_away(self) -> None:
        """Revoke all paired devices; the digits are renewed."""
        self.pairing.send_away()
        self._keep(self.pairing.known)
        self._api.bell.ring()  # their streams of events end

    def close(self) -> None:
        """Stop the server, its streams and its thread. Closing twice does nothing."""
        self._server.should_exit = True
        for feed in (self.feed, self._site.past, self.tray, self._api):
            feed.close()
        self._thread.join(JOIN_S)
        self._listening.socket.close()

    def _look(self, now_s: float) -> None:
        """Follow the network. An address that goes and comes back is no news."""
        if now_s - self._looked_s < LOOK_EVERY_S:
            return
        self._looked_s, here = now_s, self._listening.here()
        self._reachable = bool(here)
        if here and here != self.address:
            self.address, self._begun_s = here, now_s
            self._renewed()

    def _read(self) -> list[str]:
        try:
            return self._devices.read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError):
            return []

    def _keep(self, known: tuple[str, ...]) -> None:
        with suppress(OSError):  # where nothing can be written, devices are let in until the table is switched off
            self._devices.touch(tokens.PRIVATE)
            self._devices.write_text("".join(f"{device}\n" for device in known), encoding="utf-8")


def _digits() -> str:
    return f"{secrets.randbelow(10**pairing.DIGITS):0{pairing.DIGITS}}"


@lru_cache(maxsize=2)
def qr_code(address: str, digits: str) -> Modules:
    """Return the QR code that opens the page and pairs a device. address: with or without http://.

    The scheme is in lower case: some phones treat HTTP:// as text. The rest is encoded separately, since a host name in
    lower case may need a larger code than the equivalent one in upper case; a numeric address never does. So an IPv4
    address gives 25 modules a side, which a display of 64 rows shows with two pixels for each.
    """
    import segno  # noqa: PLC0415 - only a table that is open to phones needs it

    scheme, _, rest = address.rpartition("://")
    texts = (f"{rest}/{digits}", f"{rest.upper()}/{digits}")
    parts: Any = [[f"{scheme or 'http'}://", text] for text in texts]  # segno's types do not know that it takes parts
    made = [segno.make(part, micro=False, error="l") for part in parts]
    code = min(made, key=lambda code: len(code.matrix))
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)
