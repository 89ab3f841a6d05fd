"""What a random match needs: options, players and answers, legal and illegal, drawn from a chance passed in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from tabletop.rules.options import AnyOption, Choice, Flag, Value
from tabletop.rules.requests import Answer, Choose, Faces, Keep, Request, Throw

Drawn = TypeVar("Drawn")
WRONG_PARTS = 30  # how many parts that may not be kept are tried at one question
MOST_DICE = 6  # a throw of a wrong number of dice has at most this many


class Chance(Protocol):
    """What is used of `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""

    def randint(self, a: int, b: int, /) -> int:
        """Return a whole number from a to b."""

    def choice(self, seq: Sequence[Drawn], /) -> Drawn:
        """Return one of these."""


def random_options(options: tuple[AnyOption, ...], chance: Chance) -> dict[str, Value]:
    """Draw a value for each option; a number up to its default, or it would be a long match."""
    drawn: dict[str, Value] = {}
    for option in options:
        match option:
            case Choice():
                drawn[option.name] = chance.choice(option.choices)
            case Flag():
                drawn[option.name] = chance.choice((True, False))
            case _:
                drawn[option.name] = chance.randint(option.at_least, max(option.at_least, option.default))
    return drawn


def random_faces(count: int, chance: Chance) -> Faces:
    """Throw this many dice."""
    return tuple(chance.randint(1, 6) for _ in range(count))


def random_answer(request: Request, chance: Chance) -> Answer:
    """Draw a legal answer."""
    if request.kind == "keep":
        return Keep(chance.choice(request.legal))
    if request.options:
        return Choose(chance.choice(request.options))
    if isinstance(request.dice, int):
        return Throw(random_faces(request.dice, chance))
    return Throw({name: random_faces(count, chance) for name, count in request.dice.items()})


def illegal_answers(request: Request, chance: Chance) -> Iterator[Answer]:
    """Yield answers of every kind that the request does not allow."""
    yield from (Choose("no such option"), Choose(""), Throw((7,)), Throw({"P0": (3,), "nobody": (3,)}))
    if request.kind != "keep":
        yield from (Keep(()), Keep((1,)))
    else:
        yield from _wrong_parts(request, chance)
    if request.kind != "choose":
        yield from (Choose("roll"), Choose("bank"))
    if request.kind != "roll":
        yield from (Throw((3,) * count) for count in range(MOST_DICE + 1))
    elif isinstance(request.dice, int):
        yield from (Throw((3,) * (request.dice + 1)), Throw((3,) * (request.dice - 1)), Throw((0,) * request.dice))
    else:
        yield from _wrong_joint_throws(request.dice)


def _wrong_parts(request: Request, chance: Chance) -> Iterator[Answer]:
    """Draw parts of any size up to one die too many, half of them a legal part with one die more, fewer or changed."""
    size = request.dice if isinstance(request.dice, int) else 0
    for _ in range(WRONG_PARTS):
        part = random_faces(chance.randint(0, size + 1), chance)
        if chance.random() < 0.5:  # noqa: PLR2004 - half of them
            near = chance.choice(request.legal)
            part = near[chance.randint(0, 1) :] + random_faces(chance.randint(0, 1), chance)
        if tuple(sorted(part)) not in request.legal:
            yield Keep(part)


def _wrong_joint_throws(dice: Mapping[str, int]) -> Iterator[Answer]:
    """Yield throws with a player too few, with one too many, and with a die too few."""
    right = {name: (3,) * count for name, count in dice.items()}
    first = next(iter(right))
    yield Throw({name: faces for name, faces in right.items() if name != first})
    yield Throw(right | {"nobody": (3,)})
    yield Throw(right | {first: right[first][1:]})
    yield Throw((3,) * sum(dice.values()))
