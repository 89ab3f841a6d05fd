"""Everest: cross off two rows of twelve numbers with three dice. Source: dice-play.txt, "Everest"."""

from collections.abc import Iterator
from functools import lru_cache

from tabletop.rules import Faces, Flag, Game, Result, Table, say
from tabletop.rules.families import combinations, race

DICE = 3
NUMBERS = range(1, 13)
ROWS = 2
BOXES = ROWS * len(NUMBERS)

PARTIAL = Flag("partial", True, "a player may cross off fewer numbers than the dice allow")
MAY_PASS = Flag("may_pass", True, "a player may pass even if a number fits")

GAME = Game(
    id="everest",
    name="Everest",
    other_names=("Matterhorn",),
    source="dice-play.txt",
    dice=DICE,
    layout="crossings",
    min_players=1,
    joining=True,
    options=(PARTIAL, MAY_PASS),
    presets={"dice-play": {}},
    help="""\
What it is about: cross off two rows of numbers, one from 1 to 12 and one from 12 to 1. Any order will do.
A turn: throw three dice once, and choose which numbers to cross off. A number is one die or the sum of two or three,
and every die counts once only: 2, 3 and 5 make 2 3 5, or 5 5, or 2 8, or 3 7, or 10, or fewer of them. One throw can
cross off a number twice, once in each row. The row from 1 to 12 is filled first.
The score: how many of the 24 boxes are crossed off.
The end: the first player to cross off all 24 wins at once; there are no ties.
House rules: if as many numbers as possible are crossed off, no further number may be left beside them. Passing may be
allowed only if no number fits.""",
)


async def play(table: Table) -> Result:
    """Play until a player has crossed off all twenty-four numbers."""
    crossed: dict[int, list[int]] = {}  # seat -> number -> rows in which it is crossed off
    for player in table.seats():
        show(table, player, crossed.setdefault(player, new_rows()))
    await race.play_until(
        table, lambda _, player: turn(table, player, crossed.setdefault(player, new_rows())), lambda done: done == BOXES
    )
    return table.highest(say("all twenty-four numbers are crossed off"))


def new_rows() -> list[int]:
    """Return a list that counts, at each number's index, the rows in which it is crossed off."""
    return [0] * (len(NUMBERS) + 1)


async def turn(table: Table, player: int, crossed: list[int]) -> None:
    """Throw, and cross off any of the numbers that the dice make."""
    show(table, player, crossed)
    thrown = await table.roll(player, DICE)
    ways = {" ".join(map(str, numbers)): numbers for numbers in open_ways(table, tuple(sorted(thrown)), crossed)}
    options = [*ways, "pass"] if table.option(MAY_PASS) or not ways else list(ways)
    gives = {way: len(numbers) for way, numbers in ways.items()}
    chosen = await table.choose(player, *options, gives=gives, question=say("cross off which?"))
    for number in ways.get(chosen, ()):
        crossed[number] += 1
        table.scores[player] += 1
    show(table, player, crossed)
    if chosen == "pass":
        table.say("{name} passes", name=table.names[player])
    else:
        table.say("{name} crosses off {faces}", name=table.names[player], faces=chosen)


def open_ways(table: Table, thrown: Faces, crossed: list[int]) -> list[Faces]:
    """Return the sets of numbers that may be crossed off, most boxes first."""
    ways = [
        numbers
        for numbers in combined(thrown)
        if all(crossed[number] + numbers.count(number) <= ROWS for number in numbers)
    ]
    if table.option(PARTIAL):
        return ways
    return [numbers for numbers in ways if not any(is_part(numbers, larger) for larger in ways)]


@lru_cache(maxsize=combinations.MOST_THROWS)
def combined(thrown: Faces) -> tuple[Faces, ...]:
    """Return every set of numbers that the dice make, using each die at most once, most numbers first."""
    ways = {tuple(sorted(numbers)) for numbers in _grouped(thrown) if numbers and set(numbers) <= set(NUMBERS)}
    return tuple(sorted(ways, key=lambda numbers: (-len(numbers), -sum(numbers), numbers)))


def _grouped(thrown: Faces) -> Iterator[Faces]:
    """Yield the sums of all ways to put dice together, or to leave them out."""
    if not thrown:
        yield ()
        return
    *others, last = thrown
    for sums in _grouped(tuple(others)):
        yield sums
        yield (*sums, last)
        for place, total in enumerate(sums):
            yield (*sums[:place], total + last, *sums[place + 1 :])


def is_part(numbers: Faces, larger: Faces) -> bool:
    """Whether these numbers are a proper part of the larger set."""
    return len(numbers) < len(larger) and all(numbers.count(number) <= larger.count(number) for number in numbers)


def show(table: Table, player: int, crossed: list[int]) -> None:
    """Write both boxes of each number."""
    for number in NUMBERS:
        table.write(str(number), player, "x" * crossed[number] + "-" * (ROWS - crossed[number]))
