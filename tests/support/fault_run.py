"""A match that is killed again and again while every part of the table fails: run by `unshare --mount`, as root or not.

    fault_run.py FOLDER SEED KILLS EVENTS

plays Pig, with an even seed Two-dice Pig, by a script on a card of its own, in one process after the other, each ended
by SIGKILL at a random moment.
Prints one JSON line: the log of the match as stored, that of the referee alone with the same faces, and what happened.
"""

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import IO

import cv2
from fault_table import PLACES, FaultTable, Scene, make_room, picture

from tabletop.core.errors import StoreError
from tabletop.rules import Match
from tabletop.rules.events import Event
from tabletop.session.match.journal import load_match
from tabletop.store import Store

CARD_MIB = 24
GAMES = {"two-dice-pig": 2, "pig": 1}  # dice; by an even seed and by an odd one
HOLD_AT = 20  # points at stake from which the players bank
STEP = 50  # points; the target is as many of them as make the match long enough
KILL_S = 0.05  # the longest from the event that was waited for to the kill
PATIENT = 0.5  # how often somebody presses BANK for dice that lie there unread, instead of throwing again
LOOK_S, PATIENCE_S = 0.6, 5.0  # the tray lies empty for so long; then people throw again
LONGEST_S = 40_000.0  # of simulated time: a match that does not end has failed
MOST_THROWS = 5000  # of a match
LOST, STUCK = 3, 4  # exit status: the store could not be opened; the match does not go on


def game_of(seed: int) -> str:
    """Return what is played."""
    return tuple(GAMES)[seed % len(GAMES)]


def throws_of(seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the throws of a match, without end."""
    chance, dice = Random(f"faces {seed}"), GAMES[game_of(seed)]
    while True:
        yield tuple(chance.randint(1, 6) for _ in range(dice))


def undisturbed(seed: int, events: int) -> Match:
    """Return the match as the referee alone has it, of at least so many events."""
    target = 0
    while True:
        target += STEP
        match, faces = Match(game_of(seed), ["Ann", "Ben"], target=target), throws_of(seed)
        while not match.over:
            if match.request.kind == "roll":
                match.throw(next(faces))
            else:
                match.choose("bank" if match.at_stake >= HOLD_AT else "roll")
        if len(match.log) >= events:
            return match


@dataclass(slots=True)
class Laid:
    """What lies in the tray. throw: which throw of the match it is, from 0."""

    scene: Scene = None
    throw: int = -1


class Player:
    """Both players: they throw by the script, throw the same face again when asked, and bank from 20 points on."""

    def __init__(self, table: FaultTable, seed: int, laid: Laid, out: IO[str], heard: int) -> None:
        self._table, self._laid, self._out, self._chance, self._heard = table, laid, out, table.chance, heard
        self._faces = list(islice(throws_of(seed), MOST_THROWS))

    def play(self) -> bool:
        """Play on to the end; False if the match does not go on any more."""
        match = self._table.session.match
        while not match.over:
            if self._table.world.now_s > LONGEST_S:
                return False
            before = len(match.log)
            if match.request.kind == "roll" or match.at_stake < HOLD_AT:
                self._throw(match)
            else:
                self._press(match)
            if len(match.log) > before:
                _say(self._out, f"events {len(match.log)}")
                os.read(self._heard, 1)  # however busy the machine is, the plug is pulled before the next event
        return True

    def _throw(self, match: Match) -> None:
        """Throw once; the die that lies there since before the plug was pulled may be taken instead."""
        known = throws(match)
        faces = self._faces[known]
        unread = self._laid.scene is not None and self._laid.throw == known and match.request.kind == "roll"
        if unread and self._chance.random() < PATIENT:  # they press, also as the dice are just taken by themselves
            self._table.press()
            if self._table.run(PATIENCE_S, lambda: throws(match) > known):
                return
        self._lay(Laid(None, known))
        if self._table.run(LOOK_S, lambda: throws(match) > known):
            return
        self._lay(Laid((faces, self._chance.randrange(len(PLACES))), known))
        self._table.run(PATIENCE_S, lambda: throws(match) > known)

    def _press(self, match: Match) -> None:
        before = len(match.log)
        self._table.press()
        self._table.run(PATIENCE_S, lambda: len(match.log) > before)

    def _lay(self, laid: Laid) -> None:
        self._laid = laid
        faces, place = laid.scene or ((), 0)
        _say(self._out, f"lies {laid.throw} {place} {' '.join(map(str, faces))}")
        self._table.world.scene = laid.scene


def _say(out: IO[str], line: str) -> None:
    out.write(line + "\n")
    out.flush()


def _told(event: Event) -> dict[str, object]:
    """Return an event as JSON, the faces of a throw in order: dice that lie there have none."""
    told = event.to_json()
    return told | ({"faces": sorted(told["faces"])} if event.kind == "throw" else {})


def throws(match: Match) -> int:
    """Return how many throws stand in the log."""
    return sum(event.kind == "throw" for event in match.log)


def sit_down(folder: Path, seed: int, run: int, target: int, laid: Laid, out: IO[str], heard: int) -> int:
    """Switch the table on and play until the plug is pulled; return the exit status. heard: a byte for each event."""
    (folder / str(run)).mkdir()
    chance = Random(f"{seed} {run}")
    try:
        table = FaultTable(folder / str(run), folder / "card", chance, lambda part: _say(out, f"fails {part}"))
        wanted = Match(game_of(seed), ["Ann", "Ben"], target=target)
        session = table.matches.continued(wanted) or table.matches.begin(wanted)
    except StoreError as error:
        _say(out, f"lost {error}")
        return LOST
    table.world.scene = laid.scene
    table.begin(session)
    done = Player(table, seed, laid, out, heard).play()
    if not done:
        _say(out, f"stuck {table.shown.hint!r} {table.shown.ask!r} {session.match.request}")
    return 0 if done else STUCK


class Evening:
    """The one who pulls the plug. told: what went wrong. failed: how often each part did."""

    def __init__(self, folder: Path, seed: int, kills: int, match: Match) -> None:
        self._folder, self._seed, self._chance = folder, seed, Random(f"kills {seed}")
        self._target = int(match.options["target"])
        events = len(match.log)
        self._left = sorted(self._chance.sample(range(1, events - 2 * kills), kills))
        self.laid, self.runs, self.kills = Laid(), 0, 0
        self.told: list[str] = []
        self.failed = Counter[str]()

    def play(self) -> None:
        """Play one process after the other to the end of the match."""
        status = -signal.SIGKILL
        while status in (-signal.SIGKILL, LOST):
            status = self._one_run()
            if status == LOST:
                make_room(self._folder / "card")  # people free some space; the service starts again
        if status:
            self.told.append(f"ended with {status}")

    def _one_run(self) -> int:
        self.runs += 1
        reading, writing = os.pipe()
        heard, hearing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.close(hearing)
            status = 1
            try:
                with os.fdopen(writing, "w") as out:
                    status = sit_down(self._folder, self._seed, self.runs, self._target, self.laid, out, heard)
            except Exception:  # noqa: BLE001 - a process of its own: its parent tells
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        os.close(writing)
        os.close(heard)
        with os.fdopen(reading) as lines:
            for line in lines:
                self._hear(line.split(), child, hearing)
        os.close(hearing)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    def _hear(self, words: list[str], child: int, hearing: int) -> None:
        if words[0] == "lies":
            throw, place, *faces = map(int, words[1:])
            self.laid = Laid((tuple(faces), place) if faces else None, throw)
        elif words[0] == "events":
            os.write(hearing, b".")
            if self._left and int(words[1]) >= self._left[0]:
                time.sleep(self._chance.uniform(0.0, KILL_S))
                os.kill(child, signal.SIGKILL)
                self.kills += 1
                self._left.pop(0)
        elif words[0] == "fails":
            self.failed[words[1]] += 1
        else:
            self.told.append(" ".join(words))


def main(folder: Path, seed: int, kills: int, events: int) -> None:
    """Play, and print what came of it."""
    cv2.setNumThreads(0)  # no thread before a fork
    (folder / "card").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={CARD_MIB}m", "card", folder / "card"], check=True)
    wanted = undisturbed(seed, events)
    for place in range(len(PLACES)):
        for faces in product(range(1, 7), repeat=GAMES[game_of(seed)]):
            picture((faces, place))
    evening = Evening(folder, seed, kills, wanted)
    evening.play()
    make_room(folder / "card")
    with Store(folder / "card" / "tabletop.db") as store:
        (stored,) = store.matches()
        match = load_match(store, stored)
    seen = {
        "stored": [_told(event) for event in match.log],
        "wanted": [_told(event) for event in wanted.log],
        "scores": [dict(match.scores), dict(wanted.scores)],
        "over": match.over,
        "ending": stored.ending,
        "kills": evening.kills,
        "runs": evening.runs,
        "told": evening.told,
        "failed": evening.failed,
    }
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
