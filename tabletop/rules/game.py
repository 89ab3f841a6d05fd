"""The declaration of a game at the top of its file, and the result of a match."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tabletop.core.errors import InputError
from tabletop.rules.names import folded, quoted
from tabletop.rules.options import AnyOption, Presets, Value, rules_option, settled

Colours = Literal["any", "two", "each"]
# Whether the dice must have different colours: not at all, to tell two dice apart, or to show their owners.
COLOURS: tuple[Colours, ...] = get_args(Colours)
Layout = Literal["totals", "boxes", "track", "crossings", "counters", "lives", "beetle", "tiles", "frames", "holes"]
# How large screens draw the score sheet; rows not drawn by a layout are shown in a table.
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
Counts = Literal["points", "lives", "chips", "dice"]
COUNTS: tuple[Counts, ...] = get_args(Counts)
CALLED = "called"  # a match option: the name it was begun under, if that is not the game's own name
MOST_PLAYERS = 10  # if the rule text sets none (docs/commands.md)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. winners: their seats, empty only if it was abandoned. why: one line for users."""

    winners: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Game:
    """The declaration of a game, at the top of its file.

    id: the file's name, with hyphens for underscores. source: the rule texts followed. dice: how many the table needs.
    dice_each: whether each player needs this many of their own. colours: how the dice must differ, see COLOURS.
    presets: for each text that describes the game, the settings that differ from the defaults; the first is the default
    of `rules`. help: the object of the game, a turn, scoring and the end, in our own words. joining: whether new
    players may join during a match. fewest_win: whether the lowest score wins. fewest_left: the fewest players for a
    match to continue after somebody has left, None for min_players. fewest_with: flags that allow fewer players than
    min_players, with that number. nearest_to: names of unsupported games that resemble this one most. former_presets:
    old or alternative names of presets, each with the current name. layout: how large screens draw the sheet, see
    LAYOUTS; None for totals only. counts: what the score counts. renamed: rows of the sheet shown under another name;
    an empty name hides a row that only the referee needs. upper_goals: the totals of ones to sixes that earn a bonus,
    lowest first; an option `goal` replaces them.
    """

    id: str
    name: str
    source: str
    dice: int
    presets: Presets
    help: str
    options: tuple[AnyOption, ...] = ()
    other_names: tuple[str, ...] = ()
    min_players: int = 2
    max_players: int = MOST_PLAYERS
    joining: bool = False
    dice_each: bool = False
    fewest_win: bool = False
    fewest_left: int | None = None
    fewest_with: Mapping[str, int] = field(default_factory=dict)
    nearest_to: tuple[str, ...] = ()
    former_presets: Mapping[str, str] = field(default_factory=dict)
    colours: Colours = "any"
    layout: Layout | None = None
    counts: Counts = "points"
    renamed: Mapping[str, str] = field(default_factory=dict)
    upper_goals: tuple[int, ...] = ()

    @property
    def all_options(self) -> tuple[AnyOption, ...]:
        """`rules` first, then the game's own."""
        return (rules_option(self.presets, self.former_presets), *self.options)

    def settled(self, given: Iterable[tuple[str, object]]) -> dict[str, Value]:
        """Return a value for every option, and `called` if it is given and not the game's own name.

        given: in order, as for `options.settled`. Raises InputError.
        """
        pairs = list(given)
        values = settled(self.all_options, self.presets, [pair for pair in pairs if pair[0] != CALLED])
        called = dict(pairs).get(CALLED, self.name)
        if not isinstance(called, str) or called not in self.names:
            raise InputError(f"expected a name of {self.name} ({', '.join(self.names)}), got {quoted(str(called))}")
        return values if called == self.name else {**values, CALLED: called}

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the game, its own name first, each with the preset it implies, empty for none."""
        presets = {folded(word): preset for word, preset in self.former_presets.items()}
        presets |= {folded(preset): preset for preset in self.presets}
        return {self.name: "", **{name: presets.get(folded(name), "") for name in self.other_names}}

    def called_by(self, preset: object) -> str:
        """Return the name of the game when played by this preset, empty if it has none."""
        return next((name for name, asked in self.names.items() if asked == preset), "")

    def fewest_players(self, options: Mapping[str, Value]) -> int:
        """Return how many players are needed to begin a match with these options."""
        return min([self.min_players, *(fewest for flag, fewest in self.fewest_with.items() if options[flag])])

    def to_json(self) -> dict[str, Any]:
        """Return the declaration as `tabletop games --json` prints it, with the settings of each preset."""
        return {
            "id": self.id,
            "name": self.name,
            "other_names": list(self.other_names),
            "players": {"min": self.min_players, "max": self.max_players},
            "dice": self.dice,
            "dice_each": self.dice_each,
            "colours": self.colours,
            "options": [option.to_json() for option in self.all_options],
            "presets": list(self.presets),
            "preset_values": {name: dict(values) for name, values in self.presets.items()},
            "source": self.source,
        }
