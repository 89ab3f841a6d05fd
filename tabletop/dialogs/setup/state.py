"""How far a match has been set up: what is known beforehand, the questions answered so far, and what was entered.

Going back drops the newest question with its answer. What took people some effort stays all the same and is offered
again: names that were spelled, a name begun, the players put together, the options of each game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tabletop.core.message import say
from tabletop.dialogs.decisions import Decision
from tabletop.dialogs.option_values import Settings
from tabletop.dialogs.text_entry import TextEntry
from tabletop.rules.game import Game

Asked = Literal[
    "first", "off?", "open", "games", "group", "who", "names", "more", "name", "forget", "forget?", "start", "seats",
    "options", "value", "number", "again", "joins", "joins?",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of the store. settings: its options that were not as usual. open: it can go on."""

    number: int
    game: Game
    players: tuple[str, ...]
    settings: Settings
    open: bool


@dataclass(frozen=True, slots=True)
class OwnPreset:
    """A match that people begin often, under a name of their own. settings: as those of `PlayedMatch`."""

    name: str
    game: Game
    players: tuple[str, ...]
    settings: Settings


@dataclass(frozen=True, slots=True)
class MatchSeats:
    """Who sits at the match that is played. left: who may come back. joining: whether somebody new may sit down."""

    present: tuple[str, ...]
    left: tuple[str, ...]
    joining: bool


@dataclass(frozen=True, slots=True)
class SetupContext:
    """What the store and the command line know.

    games: all that can be played, those last played first, by as many as `recent` says, then the others by name.
    played: newest first. names: remembered, most recently played first. seated: players that the command line named.
    calibrates: whether the camera can be set up from the menu. phones: whether the table can be seen on phones.
    presets: kept last first. seats: of the match that is played, None without one, or once it is over.
    same: for a name that was merged, the one that stands for it. unreadable: how many matches are damaged.
    """

    games: tuple[Game, ...]
    recent: int = 0
    played: tuple[PlayedMatch, ...] = ()
    names: tuple[str, ...] = ()
    seated: tuple[str, ...] = ()
    calibrates: bool = False
    phones: bool = False
    presets: tuple[OwnPreset, ...] = ()
    seats: MatchSeats | None = None
    same: Mapping[str, str] = field(default_factory=dict)
    unreadable: int = 0

    @property
    def unreadable_text(self) -> str:
        """Say that matches of the store cannot be read any more; empty if all can."""
        if self.unreadable == 1:
            return say("1 match cannot be read any more")
        return say("{n} matches cannot be read any more", n=self.unreadable) if self.unreadable else ""


@dataclass(frozen=True, slots=True)
class Step:
    """One question. detail: what it is about: an option, a name, how many dice. at: where HOLD has stepped to.

    seats: players who have their new seats already. at None: where the question begins.
    """

    asked: Asked
    game: Game | None = None
    players: tuple[str, ...] = ()
    detail: str = ""
    seats: tuple[str, ...] = ()
    at: int | None = None
    writing: TextEntry | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What going back does not lose.

    settings: by game, what was chosen. names: spelled here, newest first. unfinished_name: spelled in part.
    seating: the players put together last. forgotten: names that are not to be offered any more.
    """

    settings: Mapping[str, Settings] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    unfinished_name: str = ""
    seating: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetupState:
    """The questions from the first to the one that is asked now, never empty."""

    known: SetupContext
    trail: tuple[Step, ...]
    draft: Draft = field(default_factory=Draft)

    @property
    def step(self) -> Step:
        """The question that is asked now."""
        return self.trail[-1]

    @property
    def game(self) -> Game:
        """The game it is about; only for questions behind the choice of one."""
        if self.step.game is None:
            raise ValueError(f"expected a question about a game, got {self.step.asked!r}")  # a slip of this program
        return self.step.game

    @property
    def names(self) -> tuple[str, ...]:
        """The names to offer, of those who do not sit yet: spelled just now, of the command line, remembered."""
        there = dict.fromkeys((*self.draft.names, *self.known.seated, *self.known.names))
        return tuple(name for name in there if name not in (*self.draft.forgotten, *self.step.players))

    @property
    def settings(self) -> Settings:
        """The options of this game that are not as usual: as chosen here, else as these players had them last."""
        chosen = self.draft.settings.get(self.game.id)
        if chosen is not None:
            return chosen
        same = (match for match in self.known.played if match.game.id == self.game.id)
        return next((match.settings for match in same if set(match.players) == set(self.step.players)), ())

    def at(self, at: int | None) -> "SetupState":
        """Step to this line, None for where the question begins."""
        return self._with(replace(self.step, at=at))

    def go(
        self,
        asked: Asked,
        *,
        game: Game | None = None,
        players: tuple[str, ...] | None = None,
        detail: str = "",
        seats: tuple[str, ...] = (),
        writing: TextEntry | None = None,
    ) -> "SetupState":
        """Ask this next, about the same game and players unless others are given."""
        now = self.step
        seated = now.players if players is None else players
        return replace(self, trail=(*self.trail, Step(asked, game or now.game, seated, detail, seats, None, writing)))

    def back(self) -> "SetupState | None":
        """Return to the question before, None if this is the first."""
        if len(self.trail) == 1:
            return None
        state = replace(self, trail=self.trail[:-1])
        if self.step.writing is None or self.step.asked != "name":
            return state
        text = self.step.writing.text
        return state.keep(unfinished_name="" if text in self.draft.names else text)  # a whole name is offered anyway

    def back_to(self, asked: Asked) -> "SetupState":
        """Return to where the newest question of this kind begins; it must have been asked."""
        last = max(place for place, step in enumerate(self.trail) if step.asked == asked)
        return replace(self, trail=self.trail[: last + 1]).at(None)

    def seat(self, players: tuple[str, ...]) -> "SetupState":
        """Put these players at the question asked now."""
        return self._with(replace(self.step, players=players)).keep(seating=players)

    def keep(self, **new: Any) -> "SetupState":  # noqa: ANN401 - fields of Draft, each of its own type
        """Note what going back is not to lose: new values for fields of `Draft`."""
        return replace(self, draft=replace(self.draft, **new))

    def set(self, settings: Settings) -> "SetupState":
        """Note the options chosen for this game."""
        return self.keep(settings={**self.draft.settings, self.game.id: settings})

    def write(self, writing: TextEntry) -> "SetupState":
        """Note what is being written."""
        return self._with(replace(self.step, writing=writing))

    def _with(self, step: Step) -> "SetupState":
        return replace(self, trail=(*self.trail[:-1], step))


@dataclass(frozen=True, slots=True)
class SetupLine:
    """One answer.

    leads: the question behind it, or what it decides. forgets: a name that the store forgets first. given: the label is
    what people named, the same in every language.
    """

    label: str
    target: SetupState | Decision
    note: str = ""
    forgets: str = ""
    given: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A titled list of answers, never empty. at: the likeliest."""

    title: str
    lines: tuple[SetupLine, ...]
    at: int = 0
