"""MQTT: tells a broker each event and the table's state, and Home Assistant what the table is.

One thread owns the connection. Each connection begins behind the last event that the broker has acknowledged, so what
was cut off is sent again with the same ids. The table subscribes to nothing, so nothing published reaches it.
"""

import json
import select
import socket
import ssl
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from random import uniform
from zlib import crc32

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from tabletop import __version__
from tabletop.broadcast import history, home_assistant, hooks, vocabulary
from tabletop.broadcast.hub import Follower, Hub
from tabletop.broadcast.receivers import Receivers
from tabletop.config.mqtt import NAME, Broker
from tabletop.core.errors import InputError

KEEPALIVE_S = 15  # a broker that is silent for twice this long is gone
MOST_IN_FLIGHT = 20  # events that the broker has not acknowledged
RETRY_S, LONGEST_RETRY_S = 1.0, 60.0
SAVE_S = LOOK_S = 1.0  # between two writings of the place, and two looks at the connection without news
REPEAT_S = 2.0  # a broker that dies may lose what it acknowledged in its last moments: it is sent again
SETTLE_S = 2.5  # before events go on after a broken connection: their readers come back first
RINGS = 4096  # heard at once
FIRST_S = 3.0  # before it describes itself: it may not know its players yet
DESCRIBE_S = 5.0  # between two descriptions: Home Assistant loses parts of one that comes while it works at another
AVAILABILITY, ONLINE, OFFLINE = "availability", "online", "offline"
ENDING = ".mqtt"  # of the file with the place
QOS = 1
HARDLY_SOON = ("refuses", "certificate")  # tried again slowly


class Mqtt:
    """An outlet to one broker."""

    def __init__(self, broker: Broker, receivers: Receivers) -> None:
        self._broker, self._receivers = broker, receivers
        self._ending, self._ends_s = threading.Event(), 0.0
        self.thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def start(self, hub: Hub) -> None:
        """Begin behind what was acknowledged before, or with what is new if nothing ever was."""
        self._hub, self._kept = hub, _KeptPlace(hub.path.with_suffix(ENDING))
        self._bell, self._ringing = socket.socketpair()
        self._bell.setblocking(False)
        self._ringing.setblocking(False)
        self._place = min(self._kept.place or hub.place, hub.place)  # a store that was put back may have less
        self._kept.keep(self._place, at_once=True)
        hub.call(self._ring)
        self.thread.start()

    def end(self, ends_s: float) -> None:
        """Send what is left; a broker that cannot be reached is tried once more."""
        self._ends_s = ends_s
        self._ending.set()
        self._ring()

    def _ring(self) -> None:
        with suppress(OSError):  # full: it rings already; closed: the thread has ended
            self._ringing.send(b"!")

    def _run(self) -> None:
        last, delay_s, settle_s = False, RETRY_S / 2, 0.0
        with self._bell, self._ringing:
            while not last:
                last = self._ending.is_set()
                connection = _Connection(self._broker, self._hub, self._place, settle_s)
                why = self._follow(connection)
                self._kept.keep(self._place, at_once=True)
                if connection.over:
                    break
                self._receivers.note(NAME, why)
                if connection.follower:
                    self._place, delay_s, settle_s = connection.flight.safe, RETRY_S, SETTLE_S
                else:
                    delay_s = min(2 * delay_s, LONGEST_RETRY_S)
                delay_s = LONGEST_RETRY_S if why in HARDLY_SOON else delay_s
                self._ending.wait(delay_s * uniform(0.5, 1.0))  # noqa: S311 - not all tables come back at once

    def _follow(self, connection: "_Connection") -> str:
        """Publish until the connection ends; return why it did."""
        client, works = connection.client, False
        try:
            connection.connect()
            while (wire := client.socket()) is not None:
                if self._ending.is_set() and time.monotonic() >= self._ends_s:
                    wire.close()
                    break
                held = isinstance(wire, ssl.SSLSocket) and wire.pending()
                select.select([wire, self._bell], [wire] if client.want_write() else [], [], 0 if held else LOOK_S)
                with suppress(BlockingIOError):
                    self._bell.recv(RINGS)
                client.loop_read()
                client.loop_write()
                client.loop_misc()
                if connection.follower:
                    if not works:
                        self._receivers.note(NAME, "")
                    works = True
                    connection.publish(ending=self._ending.is_set())
                self._place = connection.flight.place
                self._kept.keep(self._place)
        except Exception as error:  # noqa: BLE001 - whatever answers there may be no broker
            return connection.why(error)
        return connection.why(None)


class _Flight:
    """What the broker has not acknowledged yet. place: of the last event that it has acknowledged without a gap.

    safe: of the one that it had acknowledged `REPEAT_S` before that.
    """

    def __init__(self, place: history.Place) -> None:
        self.place = self.safe = place
        self.waiting = dict[int, history.Place | None]()  # by the number of the message
        self._acknowledged, self._recent = set[int](), deque[tuple[float, history.Place]]()

    def arrived(self, number: int, now_s: float) -> None:
        """Note an acknowledgement."""
        self._acknowledged.add(number)
        while self.waiting and (first := next(iter(self.waiting))) in self._acknowledged:
            self._acknowledged.discard(first)
            self.place = self.waiting.pop(first) or self.place
        self._recent.append((now_s, self.place))
        while self._recent[0][0] < now_s - REPEAT_S:
            self.safe = self._recent.popleft()[1]


class _Connection:
    """One connection. follower: None until the broker has let the table in. settle_s: how long events wait at first.

    over: all was sent, and the connection was closed in order.
    """

    def __init__(self, broker: Broker, hub: Hub, place: history.Place, settle_s: float) -> None:
        self._broker, self._hub, self.flight = broker, hub, _Flight(place)
        self._settles_s = time.monotonic() + settle_s
        own = f"tabletop-{broker.table}-{crc32(str(hub.path.absolute()).encode()):08x}"  # takes its old one's place
        self.client = Client(CallbackAPIVersion.VERSION2, own, reconnect_on_failure=False)
        self._next = deque[history.Told]()
        self._state = vocabulary.Fields()
        self._state_id, self._described = 0, list[object]()
        self._describes_s = time.monotonic() + FIRST_S
        self.follower: Follower | None = None
        self._left = self._refused = self.over = False

    def connect(self) -> None:
        """Begin to connect; raises OSError or ValueError."""
        client, broker = self.client, self._broker
        client.on_connect, client.on_publish = self._answered, self._arrived
        client.max_inflight_messages_set(0)  # no limit: `publish` has its own
        client.username_pw_set(broker.user, broker.password)
        client.will_set(self._topic(AVAILABILITY), OFFLINE, QOS, retain=True)
        if broker.tls:
            client.tls_set_context(ssl.create_default_context(cafile=broker.ca))
        client.connect(broker.host, broker.port, KEEPALIVE_S)

    def publish(self, *, ending: bool) -> None:
        """Send what is due, as far as the broker keeps up. ending: nothing new will come."""
        state, now_s, table = self._hub.state, time.monotonic(), self._broker.table
        if state is not self._state and self._state_id not in self.flight.waiting:
            self._state, self._state_id = state, self._send(self._topic("state"), json.dumps(state), retain=True)
        made_of = [self._state.get(name) for name in ("players", "language")]
        if made_of != self._described and (ending or now_s >= self._describes_s):
            self._described, self._describes_s = made_of, now_s + DESCRIBE_S
            device = home_assistant.description(table, __version__, self._state)
            text = json.dumps(device) if self._broker.discovery else ""
            self._send(f"{self._broker.prefix}/device/{table}/config", text, retain=True)  # empty: it is forgotten
        settled = ending or now_s >= self._settles_s
        while settled and len(self.flight.waiting) < MOST_IN_FLIGHT and self.follower is not None:
            if not self._next:
                self._next.extend(self.follower.take())
            if not self._next:
                break
            told = self._next.popleft()
            self._send(self._topic("events"), json.dumps(told.data), told.place)
        if ending and not self._next and not self.flight.waiting:
            self.over = self._left
            if self._left:
                self.client.disconnect()
            else:
                self._left = True
                self._send(self._topic(AVAILABILITY), OFFLINE, retain=True)

    def why(self, error: Exception | None) -> str:
        """Return why the connection ended, or was none, as the file of receivers has it. error: what ended it."""
        if self._refused or error is None:
            return "refuses" if self._refused else "unreachable" if self.follower else "broker"
        return hooks.reason(error, self._broker.host)

    def _topic(self, name: str) -> str:
        return f"tabletop/{self._broker.table}/{name}"

    def _send(self, topic: str, text: str, place: history.Place | None = None, *, retain: bool = False) -> int:
        number = self.client.publish(topic, text, QOS, retain=retain).mid
        self.flight.waiting[number] = place
        return number

    def _answered(self, _client: Client, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        if reason.is_failure:
            self._refused = True
            return
        self.follower = Follower(self._hub, self.flight.place)
        self._send(self._topic(AVAILABILITY), ONLINE, retain=True)

    def _arrived(self, _client: Client, _data: object, number: int, _reason: object, _more: object) -> None:
        self.flight.arrived(number, time.monotonic())


class _KeptPlace:
    """The place of the last event acknowledged, in a file beside the store. place: None before the first one."""

    def __init__(self, path: Path) -> None:
        self._path, self._kept_s = path, 0.0
        self.place: history.Place | None = None
        with suppress(OSError, UnicodeDecodeError, InputError):
            self.place = history.Place.parse(path.read_text(encoding="ascii").strip())

    def keep(self, place: history.Place, *, at_once: bool = False) -> None:
        """Write it, if it is new and the last writing is long enough ago; without room, the next start tells more."""
        now_s = time.monotonic()
        if place == self.place or (now_s < self._kept_s + SAVE_S and not at_once):
            return
        self._kept_s = now_s
        with suppress(OSError):
            partial = self._path.with_name(f"{self._path.name}.new")
            partial.write_text(f"{place}\n", encoding="ascii")
            partial.replace(self._path)
            self.place = place
