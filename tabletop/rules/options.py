"""Options of a game: typed values. A preset sets several at once; a later setting overrides it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from tabletop.core.errors import InputError
from tabletop.rules.names import nearest

Value = int | bool | str
RULES = "rules"  # the option whose values are the presets
Got = TypeVar("Got", int, bool, str)


@dataclass(frozen=True, slots=True)
class Option(Generic[Got]):
    """Base of all options. help: one line. `read` takes a value or its text, and raises InputError."""

    kind: ClassVar[str]
    name: str
    default: Got
    help: str

    def read(self, given: object) -> Got:
        """Return the validated value."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return the option as `tabletop games --json` prints it; `min` and `max` are null unless it is a number."""
        return {
            "name": self.name,
            "type": self.kind,
            "default": self.default,
            "choices": list(getattr(self, "choices", ())),
            "min": getattr(self, "at_least", None),
            "max": getattr(self, "at_most", None),
            "help": self.help,
        }

    def _refuse(self, expected: str, given: object) -> InputError:
        return InputError(f"option {self.name}: expected {expected}, got {given!r}")


@dataclass(frozen=True, slots=True)
class Whole(Option[int]):
    """A whole number from at_least to at_most, both inclusive."""

    kind = "int"
    at_least: int
    at_most: int

    def read(self, given: object) -> int:
        """Accept an int (not a bool) or its decimal digits."""
        value: object = given
        if isinstance(given, str) and given.isascii() and given.removeprefix("-").isdigit() and len(given) < 20:  # noqa: PLR2004 - int() of endless digits is slow
            value = int(given)
        if isinstance(value, int) and not isinstance(value, bool) and self.at_least <= value <= self.at_most:
            return value
        raise self._refuse(f"a whole number from {self.at_least} to {self.at_most}", given)


@dataclass(frozen=True, slots=True)
class Flag(Option[bool]):
    """Yes or no, written `true` and `false`."""

    kind, choices = "bool", (True, False)

    def read(self, given: object) -> bool:
        """Accept a bool, or `true` or `false`."""
        if isinstance(given, bool):
            return given
        if given in ("true", "false"):
            return given == "true"
        raise self._refuse("true or false", given)


@dataclass(frozen=True, slots=True)
class Choice(Option[str]):
    """One of several words. former: (old word, current word) pairs, for stored matches."""

    kind = "choice"
    choices: tuple[str, ...]
    former: tuple[tuple[str, str], ...] = ()

    def read(self, given: object) -> str:
        """Accept one of the words."""
        given = dict(self.former).get(given, given) if isinstance(given, str) else given
        if isinstance(given, str) and given in self.choices:
            return given
        raise self._refuse(f"one of {', '.join(self.choices)}", given)


COACH = Flag("coach", default=False, help="the page shows the best play at each decision; no records, no rating")
AnyOption = Whole | Flag | Choice
Presets = Mapping[str, Mapping[str, Value]]


def rules_option(presets: Presets, former: Mapping[str, str]) -> Choice:
    """Return the option `rules` of a game: its first preset is the default. former: as in `Game.former_presets`."""
    names = tuple(presets)
    return Choice(RULES, names[0], "which rule text to follow", names, tuple(former.items()))


def settled(options: tuple[AnyOption, ...], presets: Presets, given: Iterable[tuple[str, object]]) -> dict[str, Value]:
    """Return a value for every option, `rules` first, from settings given in order; raises InputError for a wrong one.

    A preset applies at its place in the order and changes only the options it names.
    """
    known: dict[str, AnyOption] = {option.name: option for option in options}
    preset_names = {name for preset in presets.values() for name in preset}
    values: dict[str, Value] = {name: option.default for name, option in known.items()}
    values |= presets[str(values[RULES])]
    for name, value in given:
        if name not in known:
            raise InputError(f"expected one of the options {', '.join(known)}, got {name!r}{nearest(name, known)}")
        values[name] = known[name].read(value)
        if name == RULES:
            values |= {touched: known[touched].default for touched in preset_names} | dict(presets[str(values[name])])
    return values
