"""One check of one game: matches with random options, players and answers, and the location of a fault."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tabletop.core.errors import TabletopError
from tabletop.rules.catalog import load
from tabletop.rules.match import Match
from tabletop.rules.options import AnyOption, Choice, Flag, Value
from tabletop.rules.requests import Answer, Choose, Faces, Keep, Request, Throw, answer_text

WRONG_PARTS = 30  # illegal keeps tried at one question
MOST_DICE = 6  # for throws with a wrong number of dice


def random_options(options: tuple[AnyOption, ...], chance: Random) -> dict[str, Value]:
    """Draw a value for each option; numbers only up to their default, because larger ones make long matches."""
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


def random_faces(count: int, chance: Random) -> Faces:
    """Throw this many dice."""
    return tuple(chance.randint(1, 6) for _ in range(count))


def random_answer(request: Request, chance: Random) -> Answer:
    """Draw a random legal answer."""
    if request.kind == "keep":
        return Keep(chance.choice(request.legal))
    if request.options:
        return Choose(chance.choice(request.options))
    if isinstance(request.dice, int):
        return Throw(random_faces(request.dice, chance))
    return Throw({name: random_faces(count, chance) for name, count in request.dice.items()})


def illegal_answers(request: Request, chance: Random) -> Iterator[Answer]:
    """Yield illegal answers of every kind for a request."""
    dice = request.dice
    yield from (Choose("no such option"), Choose(""), Throw((7,)), Throw({"P0": (3,), "nobody": (3,)}))
    if request.kind != "choose":
        yield from (Choose("roll"), Choose("bank"))
    if request.kind != "roll":
        yield from (Throw((3,) * count) for count in range(MOST_DICE + 1))
    elif isinstance(dice, int):
        yield from (Throw((3,) * (dice + 1)), Throw((3,) * (dice - 1)), Throw((0,) * dice))
    else:
        right = {name: (3,) * count for name, count in dice.items()}
        first = next(iter(right))
        yield from (Throw(right | {"nobody": (3,)}), Throw(right | {first: right[first][1:]}))
        yield Throw((3,) * sum(dice.values()))
    if request.kind != "keep":
        yield from (Keep(()), Keep((1,)))
    elif isinstance(dice, int):
        parts = (random_faces(chance.randint(0, dice + 1), chance) for _ in range(WRONG_PARTS))
        yield from (Keep(part) for part in parts if tuple(sorted(part)) not in request.legal)


LONGEST_MATCH = 4000  # answers of a random match; a game that needs more does not end
USUAL_PLAYERS = 4  # at most, in a match played to its end
LONGEST_TOLD = 300  # characters quoted of an actual value


class UnmetError(TabletopError):
    """A requirement is not met. about: the fact of `GAME` at fault, or empty if a match shows the fault."""

    def __init__(self, expected: str, got: object, *, about: str = "") -> None:
        super().__init__(f"expected {expected}, got {str(got)[:LONGEST_TOLD]}")
        self.about = about


class Trial:
    """The context of a check. match: the newest match. last: the newest answer given to it, None before the first."""

    def __init__(self, game_id: str, chance: Random) -> None:
        self.game, self.play = load(game_id)
        self.chance = chance
        self.match: Match | None = None
        self.last: Answer | None = None

    def begin(self, least: int = 1, most: int = USUAL_PLAYERS) -> Match:
        """Begin a match with random options and a random number of players, within these limits if the game allows."""
        fewest = min(max(self.game.min_players, least), self.game.max_players)
        count = self.chance.randint(fewest, max(fewest, min(most, self.game.max_players)))
        options = random_options(self.game.all_options, self.chance)
        self.last = None
        self.match = Match(self.game.id, [f"P{seat}" for seat in range(count)], **options)
        self._ask(self.match)
        return self.match

    def give(self, match: Match, answer: Answer) -> None:
        """Give the match an answer."""
        self.last = answer
        match.apply(*match.draft(answer))
        self._ask(match)

    def answer(self, match: Match) -> None:
        """Give the match a random legal answer."""
        self.give(match, random_answer(match.request, self.chance))

    def finish(self, match: Match) -> None:
        """Play to the end with random answers."""
        while not match.over:
            if match.event >= LONGEST_MATCH:
                raise UnmetError(f"an end within {LONGEST_MATCH} answers", f"none, but the question: {match.request}")
            self.answer(match)

    def where(self) -> str:
        """Describe the match in which the fault occurred."""
        if self.match is None:
            return ""
        options = " ".join(f"{name}={word(value)}" for name, value in self.match.options.items())
        after = f" after {answer_text(self.last)}" if self.last else ""
        return f"in a match of {len(self.match.seated)} with {options}{after}"

    def _ask(self, match: Match) -> None:
        """Raise where no answer could be drawn."""
        if wrong := unanswerable(match.request):
            raise UnmetError(*wrong)


def unanswerable(request: Request) -> tuple[str, str] | None:
    """Return (expected, got) if a question cannot be answered, else None."""
    if request.kind == "keep" and not request.legal:
        return "at least one legal part, () for nothing", "a keep without any"
    if request.kind in ("choose", "claim") and not request.options:
        return "at least one option", "a choice without any"
    counts = request.dice.values() if isinstance(request.dice, Mapping) else (request.dice,)
    if request.kind in ("roll", "hide") and not (counts and all(type(count) is int and count >= 1 for count in counts)):
        return "one die or more to be thrown", f"{request.dice!r}"
    return None


def difference(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Describe the first key at which two states differ, with both values."""
    for key in {**was, **now}:
        if was.get(key) != now.get(key):
            return f"{key} {now.get(key)!r} for {was.get(key)!r}"
    return "no difference"


def word(value: object) -> str:
    """Return an option's value as users write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
