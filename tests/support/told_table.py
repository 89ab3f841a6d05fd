"""A store with its hub and an MQTT outlet, and answers given at once: what others are told, without a camera."""

import random
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tabletop.broadcast.hub import Hub, close_all
from tabletop.broadcast.mqtt import Mqtt
from tabletop.broadcast.receivers import Receivers
from tabletop.config.mqtt import NAME, Broker
from tabletop.core.values import Moment
from tabletop.rules import Answer, Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.match_library import MatchLibrary
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store

TABLE = "dice-table"
ANSWERS_OF_A_MATCH = 120


class Table:
    """A store with its hub and an outlet: answers are given at once, without a camera."""

    def __init__(self, folder: Path, to: Broker) -> None:
        self.path = folder / "a.db"
        self.receivers = Receivers(folder / "receivers.json")
        self.hub, self.outlet = Hub(self.path), Mqtt(to, self.receivers)
        self._store, self._chance = Store(self.path), random.Random(1)
        self.hub.start(self._store.newest_sequence())
        self.outlet.start(self.hub)
        self.library = MatchLibrary(self._store, lambda: Moment("2026-11-28T18:00:00.000Z"), self.hub.stored)
        self.session = self.library.begin(Match("ten-thousand", ["Ann", "Ben"], target=100_000))
        self.delays_s, self.stored_s = list[float](), 0.0

    def play(self, answers: int) -> None:
        for _ in range(answers):
            if len(self.session.match.log) > ANSWERS_OF_A_MATCH:
                self.session = self.library.begin(Match("ten-thousand", ["Ann", "Ben"], target=100_000))
            begun_s = time.monotonic()
            self.session.give(random_answer(self.session.match.request, self._chance))
            self.stored_s = time.monotonic()
            self.hub.show(snapshot(self.session, None), None, begun_s)
            self.delays_s.append(time.monotonic() - begun_s)

    def show(self) -> None:
        self.hub.show(snapshot(self.session, None), None, 0.0)

    def answer(self, *answers: Answer) -> None:
        for one in answers:
            self.session.give(one)
            self.show()

    def why(self) -> str:
        return self.receivers.failing().get(NAME, {"why": ""})["why"]

    def close(self, within_s: float = 30.0) -> None:
        self._store.close()
        self.hub.close()
        close_all([self.outlet], within_s)


@contextmanager
def table(folder: Path, to: Broker) -> Iterator[Table]:
    with closing(Table(folder, to)) as own:
        yield own


def at(port: int, **more: Any) -> Broker:  # noqa: ANN401 - the fields of a broker
    return Broker("127.0.0.1", port, table=TABLE, **more)
