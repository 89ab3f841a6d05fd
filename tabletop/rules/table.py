"""The table: how a game asks its players, and where it writes what they see.

A game is a coroutine that awaits questions: three kinds, and two more with dice under a cup. Players are seat numbers
from 0; the next seat is to the left.
"""

from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from tabletop.core.message import join, say
from tabletop.rules.game import Result
from tabletop.rules.options import Got, Option, Value
from tabletop.rules.requests import HIDDEN, Choose, Faces, Joint, Keep, Request, Throw

REVEAL = say("lift the cup")

Cell = int | str | None
TurnValue = TypeVar("TurnValue")


class LeftError(Exception):
    """The player asked has left; ends the turn in `Table.turn`. Never leaves this package."""

    def __init__(self, player: int) -> None:
        super().__init__(f"seat {player} has left")
        self.player = player


class AloneError(Exception):
    """Only one rival is left; ends the contest in `Table.among`. Never leaves this package."""


class _Asked:
    """A question on its way to the referee, which sends the checked answer back."""

    __slots__ = ("request",)

    def __init__(self, request: Request) -> None:
        self.request = request

    def __await__(self) -> Generator[Request, Any, Any]:
        return (yield self.request)


class Table:
    """A game's view of its match.

    scores: one for each seat; they decide the winner. at_stake: points of the current turn that are not safe yet.
    thrown: the last throw, in a joint throw for each name. kept: the dice set aside in this turn; kept_before: those
    set aside before the last throw. sheet: row label -> seat -> cell. said: the latest announcements, cleared before
    each answer. rivals: the seats that compete among themselves, empty if all play.
    """

    def __init__(self, names: Iterable[str], options: Mapping[str, Value]) -> None:
        self.names = list(names)
        self.gone: set[int] = set()
        self.rivals: frozenset[int] = frozenset()
        self.scores = [0] * len(self.names)
        self.at_stake = 0
        self.thrown: Faces | Joint = ()
        self.kept: Faces = ()
        self.kept_before: Faces = ()
        self.sheet: dict[str, dict[int, Cell]] = {}
        self._of_all: dict[str, Cell] = {}
        self.said: list[str] = []
        self._options = options

    def option(self, option: Option[Got]) -> Got:
        """Return the value of an option in this match."""
        return cast("Got", self._options[option.name])

    # The three questions

    async def roll(self, player: int, dice: int) -> Faces:
        """Ask the player to throw this many dice; return the faces in the order read."""
        answer: Throw = await _Asked(Request("roll", self.names[player], dice))
        self.thrown, self.kept_before = cast("Faces", answer.faces), self.kept
        return self.thrown

    async def roll_together(self, dice: Mapping[int, int]) -> dict[int, Faces]:
        """Ask several seats to throw at once, each this many dice; return the faces of those who have not left."""
        waiting = dict(dice)
        while waiting:
            due = {self.names[player]: waiting[player] for player in sorted(waiting)}
            try:
                answer: Throw = await _Asked(Request("roll", None, due))
            except LeftError as left:
                del waiting[left.player]
                continue
            self.thrown, self.kept_before = cast("Joint", answer.faces), ()
            return {self.names.index(name): faces for name, faces in self.thrown.items()}
        return {}

    async def keep(
        self, player: int, legal: Sequence[Faces], hand: Faces, beside: Faces = (), *, may_stop: bool = True
    ) -> Faces:
        """Ask the player to set aside one of these parts of their hand; return it, sorted.

        legal: best first, each sorted, never empty; () keeps nothing. beside: the dice of this turn that stay set aside
        in any case. may_stop: False if the game never asks right after this keep whether to roll on or to stop; this
        saves a trial run.
        """
        question = Request("keep", self.names[player], len(hand), tuple(legal), may_stop=may_stop)
        answer: Keep = await _Asked(question)
        self.kept = tuple(sorted(beside + answer.faces))
        return answer.faces

    async def choose(
        self, player: int, *options: str, gives: Mapping[str, int] | None = None, question: str = ""
    ) -> str:
        """Ask the player to choose one of these options.

        gives: the points that options would score now. question: what to choose, for users, as in "which box?"; not
        needed if the options are to roll on or to stop.
        """
        answer: Choose = await _Asked(Request("choose", self.names[player], 0, (), options, gives or {}, question))
        return answer.option

    # Dice under a cup

    async def roll_hidden(self, dice: Mapping[int, int]) -> None:
        """Ask these seats to throw under a cup, each this many dice; returns once they confirm that they have looked.

        The camera ignores these dice until `reveal` asks for them. Players who leave in the meantime do not throw.
        """
        waiting = dict(dice)
        while waiting:
            due = {self.names[player]: waiting[player] for player in sorted(waiting)}
            alone = next(iter(due)) if len(due) == 1 else None
            try:
                await _Asked(Request("hide", alone, due[alone] if alone else due, (), (HIDDEN,)))
            except LeftError as left:
                if len(dice) == 1:
                    raise
                del waiting[left.player]
            else:
                return

    async def claim(self, player: int, claims: Sequence[str] | Mapping[str, Sequence[str]], question: str = "") -> str:
        """Ask the player to claim what is under the cup, truthfully or not; return the claim.

        claims: all possible claims, lowest first, never empty. A mapping groups a long list: players choose the group
        first, then the claim. question: what to beat, for users.
        """
        groups = {name: tuple(own) for name, own in claims.items()} if isinstance(claims, Mapping) else {}
        options = tuple(one for own in groups.values() for one in own) or tuple(claims)
        request = Request("claim", self.names[player], 0, (), options, {}, question, groups)
        answer: Choose = await _Asked(request)
        return answer.option

    async def reveal(self, player: int, dice: int, question: str = REVEAL) -> Faces:
        """Ask the player to lift the cup over this many dice; return their faces. question: what to do, for users."""
        answer: Throw = await _Asked(Request("roll", self.names[player], dice, question=question))
        self.thrown, self.kept_before = cast("Faces", answer.faces), self.kept
        return self.thrown

    # Turns and the end

    async def turn(self, player: int, play: Coroutine[Any, Any, TurnValue], *, at_stake: int = 0) -> TurnValue | None:
        """Play one player's turn, starting with these points at stake and nothing kept; None if the player left."""
        self.at_stake, self.kept = at_stake, ()
        try:
            return await play
        except LeftError as left:
            if left.player != player:
                raise
            return None
        finally:
            self.at_stake = 0

    async def among(self, rivals: Iterable[int], play: Coroutine[Any, Any, TurnValue]) -> TurnValue | None:
        """Let two or more seats compete among themselves; None as soon as only one of them is left."""
        before, self.rivals = self.rivals, frozenset(rivals)
        try:
            return await play
        except AloneError:
            return None
        finally:
            self.rivals = before

    def seats(self, first: int = 0) -> Iterator[int]:
        """Yield each present seat once, clockwise from `first`; players may join or leave during the iteration."""
        seat = first
        while seat < len(self.names):  # read again each time: somebody may have joined
            if seat not in self.gone:
                yield seat
            seat += 1
        for seat in range(min(first, len(self.names))):
            if seat not in self.gone:
                yield seat

    def say(self, text: str, /, **arguments: str | int) -> None:
        """Announce something to the players, without a full stop; arguments as in `tabletop.core.message.say`."""
        self.said.append(say(text, **arguments))

    def names_of(self, players: Iterable[int]) -> str:
        """Return the names of these seats joined by "and", empty if there are none."""
        return join(" and ", (self.names[player] for player in players))

    def write(self, row: str, player: int, cell: Cell) -> None:
        """Write one cell of the score sheet; rows are ordered by their first cell."""
        self.names[player]  # an invalid seat fails here, at the author's line
        self.sheet.setdefault(row, {})[player] = cell

    def write_all(self, row: str, cell: Cell) -> None:
        """Write a value for the whole table, such as a pot: the same cell for every player."""
        self._of_all[row] = cell
        self.sheet[row] = dict.fromkeys(range(len(self.names)), cell)

    @property
    def shared_rows(self) -> frozenset[str]:
        """The rows with one value for the whole table."""
        return frozenset(self._of_all)

    def sit_down(self, name: str) -> None:
        """Seat a new player last, with no score; shared rows of the sheet are copied."""
        self.names.append(name)
        self.scores.append(0)
        for row, cell in self._of_all.items():
            self.sheet.setdefault(row, {})[len(self.names) - 1] = cell

    def highest(self, why: str) -> Result:
        """End the match with the highest score among those present; ties are shared."""
        return self._best(max, why)

    def lowest(self, why: str) -> Result:
        """End the match with the lowest score among those present; ties are shared."""
        return self._best(min, why)

    def _best(self, of: Callable[[Iterable[int]], int], why: str) -> Result:
        present = list(self.seats())
        best = of(self.scores[player] for player in present)
        return Result(tuple(player for player in present if self.scores[player] == best), why)


Play = Callable[[Table], Coroutine[Request, Any, Result]]
"""A game's coroutine: it asks players through the table, and returns how the match ended."""
