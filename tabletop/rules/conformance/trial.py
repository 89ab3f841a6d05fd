"""One check on one game: its matches, and where in the game's file to look when something is not as it must be."""

from collections.abc import Mapping
from typing import Any

from tabletop.core.errors import TabletopError
from tabletop.rules.catalog import load
from tabletop.rules.conformance.draws import Chance, random_answer, random_options
from tabletop.rules.match import Match
from tabletop.rules.requests import Answer, Request, answer_text

LONGEST_MATCH = 4000  # answers of a random match; a game that needs more has no end
USUAL_PLAYERS = 4  # at most, where a match is played to its end
LONGEST_TOLD = 300  # characters of what came


class UnmetError(TabletopError):
    """Something is not as it must be. about: a fact of `GAME` (no match is to blame), or an empty text."""

    def __init__(self, expected: str, got: object, *, about: str = "") -> None:
        super().__init__(f"expected {expected}, got {str(got)[:LONGEST_TOLD]}")
        self.about = about


class Trial:
    """What a check is given. match: the one begun last. last: the newest answer given to it, None before the first."""

    def __init__(self, game_id: str, chance: Chance) -> None:
        self.game, self.play = load(game_id)
        self.chance = chance
        self.match: Match | None = None
        self.last: Answer | None = None

    def begin(self, least: int = 1, most: int = USUAL_PLAYERS) -> Match:
        """Begin a match with random options and as many players as the game takes, within these limits if it can."""
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
        """Play on to the end."""
        while not match.over:
            if match.event >= LONGEST_MATCH:
                raise UnmetError(f"an end within {LONGEST_MATCH} answers", f"none, but the question: {match.request}")
            self.answer(match)

    def where(self) -> str:
        """Tell the match in which it happened."""
        if self.match is None:
            return ""
        options = " ".join(f"{name}={_word(value)}" for name, value in self.match.options.items())
        after = f" after {answer_text(self.last)}" if self.last else ""
        return f"in a match of {len(self.match.seated)} with {options}{after}"

    def _ask(self, match: Match) -> None:
        """Raise where no answer could be drawn."""
        request = match.request
        if request.kind == "over" and not match.over:
            raise UnmetError("play to return Result(winners, why)", "None")
        if wrong := unanswerable(request):
            raise UnmetError(*wrong)


def unanswerable(request: Request) -> tuple[str, str] | None:
    """Return what is expected and what came where a question has no answer, else None."""
    if request.kind == "keep" and not request.legal:
        return "at least one legal part, () for nothing", "a keep without any"
    if request.kind in ("choose", "claim") and not request.options:
        return ("at least one option", "a choice without any") if request.kind == "choose" else _NO_CLAIM
    counts = request.dice.values() if isinstance(request.dice, Mapping) else (request.dice,)
    if request.kind in ("roll", "hide") and not (counts and all(type(count) is int and count >= 1 for count in counts)):
        return "one die or more to be thrown", f"{request.dice!r}"
    return None


_NO_CLAIM = ("at least one claim", "none to claim")


def difference(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Name the first key of two states at which they differ, with both values."""
    for key in {**was, **now}:
        if was.get(key) != now.get(key):
            return f"{key} {now.get(key)!r} for {was.get(key)!r}"
    return "no difference"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
