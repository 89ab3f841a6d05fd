"""The state of a match setup: the context, the questions answered so far, and the entered values.

Going back drops the newest question with its answer. Answers that took some effort are kept and offered again: spelled
names, an unfinished name, the list of players, the options of each game. Options are shown only if they differ from the
defaults, as one sentence each.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tabletop.core import InputError, join, say
from tabletop.dialogs import commands, entries
from tabletop.rules import CALLED, RULES, AnyOption, Choice, Flag, Game, Value, Whole
from tabletop.views.i18n.house_rules import sentence

Settings = tuple[tuple[str, Value], ...]
"""The options that are not as usual, `rules` first, each with its value, `called` last; () is as usual."""
NamedGame = tuple[Game, str]
"""A game, and the preset whose name people have for it; empty for the game as it is."""

TOGETHER = "together"  # decided by laying dice before the match: never offered here
FEW = 24  # values offered one by one
LEADING = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8)  # numbers that people like, with any number of zeros
NOTE_LETTERS = 44  # two lines of the small screen, below the selected line in large type
UNUSUAL = say("with house rules")
AROUND = 10  # numbers from a tenth of the default to ten times as many are offered
MOST_ZEROS = 7  # beyond what any option allows


def choosable(game: Game) -> tuple[AnyOption, ...]:
    """Return the options to offer: `rules` if the presets differ, then the game's own."""
    differ = any(preset != next(iter(game.presets.values())) for preset in game.presets.values())
    return tuple(option for option in game.all_options if option.name != TOGETHER and (differ or option.name != RULES))


def values(game: Game, settings: Iterable[tuple[str, object]]) -> dict[str, Value]:
    """Return a value for every option; raises InputError for a wrong one."""
    return game.settled(settings)


def unusual(game: Game, given: Mapping[str, object]) -> Settings:
    """Return the options that differ from the defaults, such as those of a stored match.

    Options that the game no longer has, and values it no longer accepts, are dropped.
    """
    known = {option.name: option for option in game.all_options if option.name != TOGETHER}
    read: dict[str, Value] = {}
    for name, value in given.items():
        if name in known:
            try:
                read[name] = known[name].read(value)
            except InputError:
                continue
    rules = read.get(RULES, game.all_options[0].default)
    usual = values(game, [(RULES, rules)])
    first: Settings = ((RULES, rules),) if rules != game.all_options[0].default else ()
    called: Settings = ((CALLED, name),) if (name := str(given.get(CALLED, ""))) in game.other_names else ()
    changed = ((name, value) for name, value in read.items() if name != RULES and value != usual[name])
    return (*first, *changed, *called)


def changed(game: Game, settings: Settings, name: str, value: Value) -> Settings:
    """Return the settings with this option set; a preset brings its own values and its name for the game."""
    if name == RULES:
        old, name_of_old = dict(settings), game.called_by(dict(settings).get(RULES))
        called = game.called_by(value) or (old.get(CALLED, "") if old.get(CALLED) != name_of_old else "")
        others = [setting for setting in settings if setting[0] not in (RULES, CALLED)]
        return unusual(game, {**values(game, [*others, (RULES, value)]), CALLED: called})
    return unusual(game, {**values(game, settings), name: value})


def title(game: Game, settings: Settings) -> str:
    """Return the name of the game with these settings."""
    return str(dict(settings).get(CALLED, game.name))


def house_rules(game: Game, settings: Settings) -> tuple[str, ...]:
    """Return the differences from the defaults as sentences: "Greed", "Wins at 50 or more"; omits the title."""
    options = {option.name: option for option in game.all_options}
    called = dict(settings).get(CALLED)
    return tuple(
        sentence(game, options[name], value)
        for name, value in settings
        if name != CALLED and not (name == RULES and game.called_by(value) == called)
    )


def note(players: Iterable[str], game: Game, settings: Settings) -> str:
    """Return the players and the house rules, in a line or two; if too long, only that there are house rules."""
    who, ways = ", ".join(players), join("; ", house_rules(game, settings))
    if ways and len(who) + len(ways) > NOTE_LETTERS:
        ways = UNUSUAL
    return join("; ", (who, ways))


def label(name: str) -> str:
    """Return an option's name in readable form."""
    return name.replace("_", " ")


def value_text(game: Game, option: AnyOption, value: Value) -> str:
    """Return a number as it is, any other value as a sentence."""
    return str(value) if isinstance(option, Whole) else sentence(game, option, value)


def offered(option: AnyOption, now: Value) -> tuple[Value, ...]:
    """Return the values that HOLD counts through, including the current one."""
    if isinstance(option, Flag):
        return (True, False)
    if isinstance(option, Choice):
        return option.choices
    return tuple(sorted({*_numbers(option), option.default, *([now] if isinstance(now, int) else [])}))


def _numbers(option: Whole) -> Iterable[int]:
    if option.at_most - option.at_least < FEW:
        return range(option.at_least, option.at_most + 1)
    usual = option.default or option.at_most // AROUND
    least, most = max(option.at_least, usual // AROUND), min(option.at_most, usual * AROUND)
    liked = (int(leading * 10**zeros) for zeros in range(MOST_ZEROS) for leading in LEADING)
    named = (int(digits) for digits in re.findall(r"\d{1,9}", option.help))  # such as "36 is played as well"
    return {
        option.at_least,
        *(number for number in liked if least <= number <= most),
        *(number for number in named if option.at_least <= number <= option.at_most),
    }


Asked = Literal[
    "first", "settings", "off?", "open", "games", "kinds", "group", "who", "names", "more", "name", "start", "seats",
    "options", "value", "again", "joins", "joins?",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A stored match. settings: its options that differed from the defaults. open: it can be resumed."""

    number: int
    game: Game
    players: tuple[str, ...]
    settings: Settings
    open: bool


@dataclass(frozen=True, slots=True)
class OwnPreset:
    """A saved preset. settings: as in `PlayedMatch`."""

    name: str
    game: Game
    players: tuple[str, ...]
    settings: Settings


@dataclass(frozen=True, slots=True)
class MatchSeats:
    """The players of the current match. left: those who may return. joining: whether new players may join."""

    present: tuple[str, ...]
    left: tuple[str, ...]
    joining: bool


@dataclass(frozen=True, slots=True)
class SetupContext:
    """The facts about the store and the command line that the setup needs.

    games: all playable games, the `recent` ones played last first, then the others by name. played: stored matches,
    newest first. names: known names, most recently played first. seated: players named on the command line. calibrates:
    whether the camera can be set up from the menu. phones: whether the table can be shown on phones. presets: saved
    last first. seats: of the current match, None without one, or once it is over. same: merged name -> the name it
    stands for. unreadable: the number of damaged matches. standing: the scores of the newest open match besides the
    current one, () if not requested. quits: whether quitting ends the program instead of switching the machine off.
    popular: well-known games.
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
    standing: tuple[int, ...] = ()
    quits: bool = False
    popular: tuple[NamedGame, ...] = ()

    @property
    def unreadable_text(self) -> str:
        """A line about damaged matches in the store; empty if there are none."""
        if self.unreadable == 1:
            return say("1 match cannot be read any more")
        return say("{n} matches cannot be read any more", n=self.unreadable) if self.unreadable else ""


@dataclass(frozen=True, slots=True)
class Step:
    """One question. detail: its subject: an option, a name, a number of dice. at: the position of HOLD.

    seats: players who have their new seats already. at None: the default line.
    """

    asked: Asked
    game: Game | None = None
    players: tuple[str, ...] = ()
    detail: str = ""
    seats: tuple[str, ...] = ()
    at: int | None = None
    writing: entries.TextEntry | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """Values that going back does not lose.

    settings: by game, the chosen options. names: spelled here, newest first. unfinished_name: partly spelled. seating:
    the latest list of players.
    """

    settings: Mapping[str, Settings] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    unfinished_name: str = ""
    seating: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetupState:
    """The questions from the first to the current one, never empty."""

    known: SetupContext
    trail: tuple[Step, ...]
    draft: Draft = field(default_factory=Draft)

    @property
    def step(self) -> Step:
        """The current question."""
        return self.trail[-1]

    @property
    def game(self) -> Game:
        """The game in question; only after one was chosen."""
        if self.step.game is None:
            raise ValueError(f"expected a question about a game, got {self.step.asked!r}")  # a bug in this program
        return self.step.game

    @property
    def names(self) -> tuple[str, ...]:
        """The names to offer, without seated players: spelled just now, from the command line, known."""
        there = dict.fromkeys((*self.draft.names, *self.known.seated, *self.known.names))
        return tuple(name for name in there if name not in self.step.players)

    @property
    def settings(self) -> Settings:
        """The options of this game that differ from the defaults: as chosen here, else as last played."""
        chosen = self.draft.settings.get(self.game.id)
        if chosen is not None:
            return chosen
        same = (match for match in self.known.played if match.game.id == self.game.id)
        return next((match.settings for match in same if set(match.players) == set(self.step.players)), ())

    def at(self, at: int | None) -> "SetupState":
        """Select this line, None for the default line."""
        return self._with(replace(self.step, at=at))

    def go(
        self,
        asked: Asked,
        *,
        game: Game | None = None,
        players: tuple[str, ...] | None = None,
        detail: str = "",
        seats: tuple[str, ...] = (),
        writing: entries.TextEntry | None = None,
    ) -> "SetupState":
        """Ask this next, about the same game and players unless others are given."""
        now = self.step
        seated = now.players if players is None else players
        return replace(self, trail=(*self.trail, Step(asked, game or now.game, seated, detail, seats, None, writing)))

    def back(self) -> "SetupState | None":
        """Return to the previous question, None if this is the first."""
        if len(self.trail) == 1:
            return None
        state = replace(self, trail=self.trail[:-1])
        if self.step.writing is None:
            return state
        text = self.step.writing.text
        return state.keep(unfinished_name="" if text in self.draft.names else text)  # a complete name is offered anyway

    def back_to(self, asked: Asked) -> "SetupState":
        """Return to the newest question of this kind, at its default line; it must have been asked."""
        last = max(place for place, step in enumerate(self.trail) if step.asked == asked)
        return replace(self, trail=self.trail[: last + 1]).at(None)

    def seat(self, players: tuple[str, ...]) -> "SetupState":
        """Set the players of the current question."""
        return self._with(replace(self.step, players=players)).keep(seating=players)

    def keep(self, **new: Any) -> "SetupState":  # noqa: ANN401 - fields of Draft, each of its own type
        """Set values that going back does not lose: fields of `Draft`."""
        return replace(self, draft=replace(self.draft, **new))

    def set(self, settings: Settings) -> "SetupState":
        """Set the options for this game."""
        return self.keep(settings={**self.draft.settings, self.game.id: settings})

    def write(self, writing: entries.TextEntry) -> "SetupState":
        """Set the text being entered."""
        return self._with(replace(self.step, writing=writing))

    def _with(self, step: Step) -> "SetupState":
        return replace(self, trail=(*self.trail[:-1], step))


@dataclass(frozen=True, slots=True)
class SetupLine:
    """One answer.

    target: the next question, or a decision. given: the label is a name, which is never translated. faces: see
    `MenuView`.
    """

    label: str
    target: SetupState | commands.Decision
    note: str = ""
    given: bool = False
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A titled list of answers, never empty. at: the likeliest."""

    title: str
    lines: tuple[SetupLine, ...]
    at: int = 0
