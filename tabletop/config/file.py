"""The configuration file: defaults for `tabletop play`, so that the appliance starts without a command line.

    game = "pig"                  # any name of a game; left out, the table asks
    players = ["Ann", "Ben"]
    camera = "usb:0"              # and buttons, screen, profile, record: as after --camera and so on
    listen = "lan"                # or "local": the page in a browser, for the network or this machine only
    host = "dice.fritz.box"       # another name of the page, or "https://dice.example.org" behind a proxy
    pictures = "paired"           # pictures of the camera only for devices that were let in; else "all"
    language = "de"               # or a file of words, "my/fr.toml"; left out, as the system has it
    both_buttons = "switch off"   # what holding both does; else "nothing"
    [set]
    target = 50                   # options of that game
    [pins]
    bank = 17                     # GPIO numbers of the buttons; with menu there are three
    hold = 27

Every word is checked when the file is read: a mistake is told with its line and the nearest value that would be right.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from tabletop.config.checked_pins import BUZZER, checked_pins
from tabletop.config.nearest import (
    nearest_device,
    nearest_file,
    nearest_names,
    nearest_truth,
    nearest_value,
    nearest_word,
)
from tabletop.config.page_host import HOSTS, checked_host, nearest_host
from tabletop.config.profile import NAME
from tabletop.core.errors import InputError
from tabletop.core.ports import CONTACT_NAMES
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.rules.catalog import Named, game_ids, named
from tabletop.rules.game import Game
from tabletop.rules.names import checked_players
from tabletop.rules.options import settled

FILE_NAME = "tabletop.toml"
KINDS = {"camera": ("sim", "usb", "none"), "buttons": ("auto", "keys", "none"), "screen": ("auto", "terminal", "none")}
NUMBERED = ("usb",)  # of these, what may have something behind a colon
GROUPS = {"camera": "tabletop.cameras", "buttons": "tabletop.buttons", "screen": "tabletop.screens"}
BOTH_BUTTONS = ("nothing", "switch off")  # what holding both does
LISTEN = ("local", "lan")  # who may open the page
PICTURES = ("all", "paired")  # who sees pictures of the camera on the page
FILES = {"profile": ("tray.toml",), "record": ("evening.avi",)}  # with what they are called in the examples
LANGUAGES = ("en", "de")  # of those that come with the table; which there are is looked up when one is used
NAMES = ("game", "players", *KINDS, *FILES, "listen", "pictures", "host", "language", "both_buttons")
NAMES += ("set", "dice", "pins")
LEARN = "dice.learn"  # a key of earlier versions, in which the table learned dice in play
ELSEWHERE = {"learn": "dice", **dict.fromkeys((*CONTACT_NAMES, BUZZER), "pins")}  # the tables in which keys belong
FILE_OF_WORDS = ".toml"  # so ends a language that is a file
LONGEST_NAME, LONGEST_PATH = 255, 2000  # bytes: NAME_MAX of Linux, and less than half of its PATH_MAX
MOST_PLAYERS = 99  # the game itself knows its limit; here only the names are looked at


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the file says, in the words of the command line; None or empty where it says nothing.

    settings: "option=value" words of `game`, of no use for another one. profile, record, and a language that is a file:
    from the configuration's own folder on; a profile may also be the name of a set-up. buttons: with the pins behind it
    where the file names any, as in "gpio:bank=17,hold=27". learn: a key of earlier versions, without effect.
    switches_off: whether holding both buttons switches the table off. views: parts of the table that are
    views, as in "buzzer:pin=12". places: where each key stands, for complaints.
    """

    path: Path | None = None
    game: str | None = None
    settings: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    camera: str | None = None
    buttons: str | None = None
    screen: str | None = None
    profile: Path | None = None
    record: Path | None = None
    listen: str | None = None
    pictures: str | None = None
    host: str | None = None
    language: str | None = None
    learn: bool | None = None
    switches_off: bool = False
    views: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict, compare=False)


def configuration(asked: Path | None = None) -> Configuration:
    """Return the configuration of this file, else of the platform's configuration folder, else an empty one.

    Raises InputError if the file asked for is missing, and naming the line of the first mistake.
    """
    if asked is not None:
        return load_configuration(asked)
    usual = default_path()
    there = os.path.exists(usual)  # noqa: PTH110 - unlike Path.exists, no error where the folder may not be entered
    return load_configuration(usual) if there else Configuration()


def default_path() -> Path:
    """Return where the file is looked for when nobody names one."""
    return user_config_path("tabletop", appauthor=False) / FILE_NAME


def load_configuration(path: Path) -> Configuration:
    """Read and check one file; raises InputError naming the line and what belongs there."""
    file = read_toml(path)
    game = _game(file)
    options = [] if game is None else [option.name for option in game.game.all_options]
    file.check_names(NAMES, elsewhere={**dict.fromkeys(options, "set"), **ELSEWHERE})
    preset = (f"rules={game.preset}",) if game is not None and game.preset else ()
    return Configuration(
        path=path,
        game=None if game is None else game.game.id,
        settings=(*preset, *_settings(file, None if game is None else game.game)),
        players=_players(file),
        camera=_device(file, "camera"),
        buttons=_with_pins(file, _device(file, "buttons")),
        screen=_device(file, "screen"),
        profile=_profile(file),
        record=_beside(file, "record"),
        listen=_one_of(file, "listen", LISTEN),
        pictures=_one_of(file, "pictures", PICTURES),
        host=_host(file),
        language=_language(file),
        learn=_learns(file),
        views=_views(file),
        switches_off=_one_of(file, "both_buttons", BOTH_BUTTONS) == BOTH_BUTTONS[1],
        places={name: file.place(name) for name in (*file.values, LEARN)},
    )


def _word(
    file: TomlFile, name: str, known: Iterable[str] = (), near: Callable[[object, Iterable[str]], str] = nearest_word
) -> str | None:
    if name not in file.values:
        return None
    value = file.values[name]
    if not isinstance(value, str) or not value or not value.isprintable() or value.startswith("-"):
        words = list(known)
        raise file.wrong(name, 'a word in "quotes"', value, near(value, words) if words else "")
    if _too_long(value):
        raise file.wrong(name, f"a name of at most {LONGEST_NAME} bytes", value, nearest_word(value, [*known]))
    return value


def _one_of(file: TomlFile, name: str, words: tuple[str, ...]) -> str | None:
    word = _word(file, name, words)
    if word is not None and word not in words:
        raise file.wrong(name, " or ".join(words), word, nearest_word(word, words))
    return word


def _language(file: TomlFile) -> str | None:
    """Return a language's code, or the path of its file, which must be there."""
    word = _word(file, "language", LANGUAGES)
    if word is None or not word.endswith(FILE_OF_WORDS):
        return word
    return str(_existing(file, "language"))


def _host(file: TomlFile) -> str | None:
    word = _word(file, "host", HOSTS)
    if word is None:
        return None
    with file.telling("host", nearest_host(word)):
        return checked_host(word)


def _game(file: TomlFile) -> Named | None:
    """Return the game, and the preset, that a name in the file stands for, None if it names none."""
    name = _word(file, "game", game_ids())
    if name is None:
        return None
    with file.telling("game"):
        return named(name)


def _settings(file: TomlFile, game: Game | None) -> tuple[str, ...]:
    """Check the options of a game as the command line would; each complaint with its line."""
    asked = file.table("set")
    if game is None:
        if asked:
            raise InputError(f'{file.place("set")}: expected a line game = "..." for these options, there is none')
        return ()
    words, known = [], {option.name: option for option in game.all_options}
    for name, value in asked.items():
        if name not in known and name in (*NAMES, *ELSEWHERE):
            belongs = f"below the line [{ELSEWHERE[name]}]" if name in ELSEWHERE else "above the first line in brackets"
            raise InputError(
                f"{file.place(f'set.{name}')}: expected an option of {game.name}, got {name}; it belongs {belongs}"
            )
        if not isinstance(value, str | int) or (isinstance(value, str) and not value):
            near = nearest_value(known[name], value) if name in known else ""
            raise file.wrong(f"set.{name}", 'a whole number, true, false or a word in "quotes"', value, near)
        word = str(value).lower() if isinstance(value, bool) else str(value)
        with file.telling(f"set.{name}", nearest_value(known[name], value) if name in known else ""):
            settled(game.all_options, game.presets, [(name, word)])
        words.append(f"{name}={word}")
    return tuple(words)


def _players(file: TomlFile) -> tuple[str, ...]:
    value = file.values.get("players", [])
    if (
        not isinstance(value, list)
        or not all(isinstance(name, str) for name in value)
        or ("players" in file.values and not value)
    ):
        raise file.wrong("players", 'names in brackets, ["Ann", "Ben"]', value, nearest_names(value))
    if not value:
        return ()
    with file.telling("players", nearest_names(value)):
        return checked_players(value, 1, MOST_PLAYERS)


def _device(file: TomlFile, name: str) -> str | None:
    """Check a device by what stands before its colon; a camera may also be a film, a photograph or a folder."""
    known = [*KINDS[name], *sorted(point.name for point in entry_points(group=GROUPS[name]))]
    word = _word(file, name, known, nearest_device)
    if word is None:
        return None
    kind, colon, _ = word.partition(":")
    if colon and kind in KINDS[name] and kind not in NUMBERED:
        raise file.wrong(name, f"{kind}, with nothing behind it", word, f'"{kind}"')
    if kind in known:
        return word
    if name == "camera" and (path := file.path.parent / word).exists():
        return str(path)
    also = ", a film or a folder of photographs" if name == "camera" else ""
    near = nearest_device(word, [other for other in known if other != "none"])
    raise file.wrong(name, f"one of {', '.join(known)}{also}", word, near)


def _learns(file: TomlFile) -> bool | None:
    """Return the value of a key of earlier versions that has no effect any more, None if it is not there."""
    asked = file.table("dice")
    file.check_names(("learn",), "dice", ELSEWHERE, NAMES)
    learns = asked.get("learn")
    if learns is not None and not isinstance(learns, bool):
        raise file.wrong(LEARN, "true or false", learns, nearest_truth(learns))
    return learns


def _with_pins(file: TomlFile, buttons: str | None) -> str | None:
    """Return the buttons with the pins that the file names for them."""
    pins = {name: pin for name, pin in checked_pins(file, ELSEWHERE, NAMES).items() if name != BUZZER}
    if not pins:
        return buttons
    if buttons != "gpio":
        got = f"got {buttons!r}" if buttons else "there is none"
        raise InputError(f'{file.place("pins")}: expected a line buttons = "gpio" for these pins, {got}')
    return f"gpio:{_pairs(pins.items())}"


def _views(file: TomlFile) -> tuple[str, ...]:
    """Return the views that the file asks for: the buzzer, where it has a pin."""
    pins = checked_pins(file, ELSEWHERE, NAMES)
    return (f"{BUZZER}:pin={pins[BUZZER]}",) if BUZZER in pins else ()


def _pairs(items: Iterable[tuple[str, Any]]) -> str:
    return ",".join(f"{name}={value}" for name, value in items)


def _profile(file: TomlFile) -> Path | None:
    """Return the profile's file, or the name of a set-up as it is, which is looked for when it is used."""
    word = _word(file, "profile", FILES["profile"])
    if word is not None and NAME.fullmatch(word) and not (file.path.parent / word).exists():
        return Path(word)
    return _existing(file, "profile")


def _too_long(word: str) -> bool:
    """Return whether no file can have this name: the system would only say that it is too long."""
    return len(word.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in word.split("/"))


def _existing(file: TomlFile, name: str) -> Path | None:
    path = _beside(file, name)
    if path is not None and not path.is_file():
        near = nearest_file(str(path), path.parent, FILE_OF_WORDS)
        raise file.wrong(name, f"a file that is there ({path} is not)", file.values[name], near)
    return path


def _beside(file: TomlFile, name: str) -> Path | None:
    word = _word(file, name, FILES.get(name, ()))
    return None if word is None else file.path.parent / word
