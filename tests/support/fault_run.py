"""A match that is killed again and again while every part of the table fails: run by `unshare --mount`, as root or not.

    fault_run.py FOLDER SEED KILLS EVENTS

plays Yahtzee, Pig or Two-dice Pig by a script at `tabletop play`, on a card of its own, in one process after the other,
each ended by SIGKILL at a random moment, the last one by holding both buttons.
Prints one JSON line: the log of the match as stored, that of the referee alone with the same faces, and what happened.
"""

import faulthandler
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections import Counter
from pathlib import Path
from random import Random

import cv2
from fault_players import Laid, Player, undisturbed
from fault_table import Faults, Machine, draw_all, make_room, offer_view
from notify_listener import NotifyListener
from virtual_time import real_sleep

from tabletop.cli.wiring import attended, devices  # before the forks: a second for each of them
from tabletop.rules import Match
from tabletop.rules.events import Event
from tabletop.service.service_manager import POWER_OFF_STATUS
from tabletop.session.journal import load_match
from tabletop.store import Store

CARD_MIB = 24
KILL_S = 0.05  # the longest from the event that was waited for to the kill
STUCK = 4  # exit status: the match does not go on
PRELOADED = attended, devices
HUNG_S = 1500.0  # seconds for one process; then it says where it hangs


def configured(match: Match) -> str:
    target = match.options.get("target")
    lines = f'game = "{match.game.id}"\nplayers = {json.dumps(match.seated)}\n'
    return lines + (f"[set]\ntarget = {target}\n" if target is not None else "")


def _told(event: Event) -> dict[str, object]:
    """Return an event as JSON, the faces of a throw in order: dice that lie there have none."""
    told = event.to_json()
    return told | ({"faces": sorted(told["faces"])} if event.kind == "throw" else {})


class Table:
    """The table in a process of its own. out: what happens is told there, a line each. heard: a byte for each event."""

    def __init__(self, folder: Path, card: Path, out: int, heard: int) -> None:
        self._machine, self._out, self._heard = Machine(folder, card), out, heard

    def run(self, seed: int, chance: Random, wanted: Match, laid: Laid) -> int:
        """Switch it on and play until the plug is pulled; return the exit status."""
        faulthandler.dump_traceback_later(HUNG_S, exit=True)
        Faults(self._machine, chance, lambda part: self._say(f"fails {part}")).begin()
        player = Player(self._machine, seed, chance, laid, self._say, self._goes_on)
        threading.Thread(target=self._play, args=(player,), daemon=True).start()
        return self._machine.play(configured(wanted), "--view", "people")

    def _play(self, player: Player) -> None:
        try:
            player.play()
        except Exception as error:  # noqa: BLE001 - a process of its own: its parent tells
            self._say(f"stuck {type(error).__name__} {error}")
            traceback.print_exc()
            os._exit(STUCK)

    def _goes_on(self) -> None:
        os.read(self._heard, 1)  # however busy the machine is, the plug is pulled before the next event

    def _say(self, line: str) -> None:
        os.write(self._out, f"{line}\n".encode())


class Evening:
    """The one who pulls the plug.

    told: what went wrong. failed: how often each part did. ready: how often the table started.
    """

    def __init__(self, folder: Path, seed: int, kills: int, match: Match) -> None:
        self._folder, self._seed, self._chance, self._match = folder, seed, Random(f"kills {seed}"), match
        self._pulled = False  # the plug, in this run
        self._left = sorted(self._chance.sample(range(1, len(match.log) - 2 * kills), kills))
        self.laid, self.runs, self.kills, self.ready = Laid(), 0, 0, 0
        self.told: list[str] = []
        self.failed = Counter[str]()

    def play(self) -> None:
        status = -signal.SIGKILL
        while status == -signal.SIGKILL:
            status = self._one_run()
        if status != POWER_OFF_STATUS:
            self.told.append(f"ended with {status}")

    def _one_run(self) -> int:
        self.runs += 1
        self._pulled = False
        folder = self._folder / str(self.runs)
        folder.mkdir()
        manager = NotifyListener(str(folder / "notify"))
        reading, writing = os.pipe()
        heard, hearing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.close(hearing)
            status = 1
            try:
                table = Table(folder, self._folder / "card", writing, heard)
                status = table.run(self._seed, Random(f"{self._seed} {self.runs}"), self._match, self.laid)
            except Exception:  # noqa: BLE001 - a process of its own: its parent tells
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        os.close(writing)
        os.close(heard)
        with os.fdopen(reading) as lines:
            heard_lines = []
            for line in lines:
                self._hear(line.split(), child, hearing)
                heard_lines += manager.heard()  # else the service waits for room there
        os.close(hearing)
        _, status = os.waitpid(child, 0)
        self.ready += any("READY=1" in lines for lines in (*heard_lines, *manager.heard()))
        manager.socket.close()
        return os.waitstatus_to_exitcode(status)

    def _hear(self, words: list[str], child: int, hearing: int) -> None:
        if words[0] == "lies":
            dice = [tuple(map(int, die.split(":"))) for die in words[2:]]
            self.laid = Laid(tuple((face, place) for face, place in dice), int(words[1]))
        elif words[0] == "events" and self._pulled:
            return  # said before the kill, read after it
        elif words[0] == "events":
            os.write(hearing, b".")
            if self._left and int(words[1]) >= self._left[0]:
                real_sleep(self._chance.uniform(0.0, KILL_S))
                os.kill(child, signal.SIGKILL)
                self._pulled = True
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
    offer_view(folder)
    wanted = undisturbed(seed, events)
    draw_all()
    evening = Evening(folder, seed, kills, wanted)
    evening.play()
    make_room(folder / "card")
    with Store(folder / "card" / "tabletop.db") as store:
        (stored,) = store.matches()
        match = load_match(store, stored)
    seen = {
        "game": match.game.id,
        "stored": [_told(event) for event in match.events],
        "wanted": [_told(event) for event in wanted.events],
        "scores": [dict(match.scores), dict(wanted.scores)],
        "taken_back": sum(event.kind == "undo" for event in match.log),
        "over": match.over,
        "ending": stored.ending,
        "kills": evening.kills,
        "runs": evening.runs,
        "ready": evening.ready,
        "told": evening.told,
        "failed": evening.failed,
    }
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
