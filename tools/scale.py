"""Fill a store with matches that were played by the rules, and measure it: `python -m tools.scale 100 1000 10000`.

At most `PLAYED` different matches are played, with random answers, undos and corrections; further ones are the same at
other times, with the players' names changed. `measure` asks the page of a running table, as a phone does.
"""

import argparse
import sys
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tabletop.rules import Match, game_ids, load
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.journal import ending_of
from tabletop.store import Store
from tabletop.store.clock import BUILT, written
from tabletop.store.erasing import renamed

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
    return 0


if __name__ == "__main__":
    sys.exit(main())
