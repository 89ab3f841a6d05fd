"""Fill a store with matches that were played by the rules, and measure it: `python -m tools.scale 100 1000 10000`.

At most `PLAYED` different matches are played, with random answers, undos and corrections; further ones are the same at
other times, with the players' names changed. `measure` asks the page of a running table, as a phone does.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from tabletop.dialogs.setup_state import SetupContext
from tabletop.records.deriving import derive_missing
from tabletop.rules import Match, game_ids, load
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.journal import ending_of
from tabletop.store import Store
from tabletop.store.clock import BUILT, written
from tabletop.store.erasing import renamed
from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

ADDRESSES = (
    *("/past", "/past?player=Ann", "/past?game=yahtzee&since=2026-11-02", "/played/1", "/players", "/players?name=Ann"),
    *("/export?format=csv&match=1", "/api/v1/matches?limit=100", "/api/v1/matches/1"),
)
TIMES = 5
PLAYED = 400
MOST_ANSWERS = 300  # of a long game
UNDONE, CORRECTED = 0.02, 0.02  # shares of the answers
NAMES = tuple(
    f"{first}{last}" for first in ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn") for last in ("", "a", "o", "i")
)


def play(seed: int) -> Match:
    """Play a match of a random game with random answers."""
    chance = Random(seed)
    game, _ = load(chance.choice(sorted(game_ids())))
    count = min(max(game.min_players, chance.randint(2, 4)), game.max_players)
    match = Match(game.id, chance.sample(NAMES, count))
    for _ in range(MOST_ANSWERS):
        if match.over:
            break
        which = chance.random()
        if match.event and which < UNDONE:
            match.undo()
        elif match.event and which < UNDONE + CORRECTED:
            number = chance.randint(1, match.event)
            request = [event.request for event in match.events if event.request is not None][number - 1]
            match.correct(number, random_answer(request, chance))
        else:
            match.apply(*match.draft(random_answer(match.request, chance)))
    return match


def fill(path: Path, count: int, seed: int = 1) -> None:
    """Fill a new store with this many matches, an hour apart, in one order for each seed."""
    matches = [play(seed * PLAYED + number) for number in range(min(count, PLAYED))]
    chance = Random(seed)
    with Store(path) as store:
        store._database.execute("PRAGMA synchronous=OFF")  # noqa: SLF001 - nobody's matches
        for number in range(count):
            match, begun = matches[number % len(matches)], BUILT + timedelta(hours=number / 10)
            new = dict(zip(match.seated, chance.sample(NAMES, len(match.seated)), strict=True))
            at = store.begin(match.game.id, [new[name] for name in match.seated], dict(match.options), written(begun))
            bodies = [renamed(event.to_json(), new, chosen=match.game.id == "lcr") for event in match.log]
            times = (written(begun + timedelta(seconds=5 * n)) for n in range(len(bodies)))
            store.append(at, 1, zip(times, bodies, strict=True))
            store.end(at, ending_of(match) or "left")
        for _ in derive_missing(store):
            pass


def asked(page: Page) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each address, with the median milliseconds until its answer is here, and those that a processor worked."""
    with closing(HTTPConnection(page.address)) as table:
        headers = {"Origin": f"http://{page.address}", "Content-Type": "application/json"}
        table.request("POST", "/pair", json.dumps({"digits": page.pairing.digits}), headers)
        answer = table.getresponse()
        answer.read()
        cookie = {"Cookie": str(answer.getheader("set-cookie")).partition(";")[0]}
        for address in ADDRESSES:
            spent, worked = [], []
            for _ in range(TIMES):
                began_s, idle_s = time.perf_counter(), time.process_time()
                table.request("GET", address, headers=cookie)
                answer = table.getresponse()
                answer.read()
                spent.append(1000 * (time.perf_counter() - began_s))
                worked.append(1000 * (time.process_time() - idle_s))
                assert answer.status == HTTPStatus.OK, address
            yield address, (round(median(spent)), round(median(worked)))


def measure(path: Path) -> dict[str, object]:
    """Return how large a store is, how long its pages take (`asked`), and `stats` in seconds, at first and again."""
    page = Page(listen("local", 0), time.monotonic, path.with_name(DEVICES))
    page.offer(lambda _: SetupContext(()), lambda: None, tuple, path)
    page.show(Snapshot(), None, 0.0)
    try:
        found: dict[str, object] = {"matches": path.parent.name, "bytes": path.stat().st_size, **dict(asked(page))}
    finally:
        page.close()
    for run in ("first stats", "stats"):
        began_s = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "tabletop", "stats", "--store", path], stdout=subprocess.DEVNULL, check=True
        )
        found[run] = round(time.perf_counter() - began_s, 1)
    return found


def main() -> int:
    """Fill stores of several sizes and print what was measured, a line of JSON each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[100, 1_000, 10_000])
    parser.add_argument("--folder", type=Path, help="keep the stores here")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        for count in options.counts:
            path = (options.folder or Path(folder)) / f"{count}" / "tabletop.db"
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                fill(path, count)
            sys.stdout.write(f"{json.dumps(measure(path))}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
