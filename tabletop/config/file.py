"""The configuration file: defaults for `tabletop play`, so that the appliance starts without a command line.

systemd/tabletop.toml explains every key. All values are checked when the file is read: an error names the line and the
expected value, and for a misspelt key the closest one.
"""

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from tabletop.config import mqtt
from tabletop.config.hooks import TABLE as HOOKS
from tabletop.config.hooks import Hook, configured_hooks
from tabletop.config.profile import SETUP_NAME
from tabletop.core.errors import InputError
from tabletop.core.ports import BUTTON_NAMES, CONTACT_NAMES, FREE_PINS, PINS
from tabletop.core.toml_file import TomlFile, read_toml, where
from tabletop.rules.catalog import Named, named
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
BUZZER = "buzzer"  # a view that is heard; its pin stands beside those of the buttons
VOICE = ("volume", "engine", "sounds", "card")  # what the view `voice` can be told
NAMES = ("game", "players", *KINDS, "profile", "record", "listen", "pictures", "host", "language", "both_buttons")
NAMES += ("throw_pictures", "name", "set", "dice", "pins", "voice", mqtt.TABLE, HOOKS)
TABLES = {"learn": "dice", **dict.fromkeys((*CONTACT_NAMES, BUZZER), "pins"), **dict.fromkeys(NAMES, "")}
TABLES |= dict.fromkeys(VOICE, "voice") | dict.fromkeys(mqtt.KEYS, mqtt.TABLE)
"""The tables in which keys belong, "" for the top level."""
FILE_OF_WORDS = ".toml"  # so ends a language that is a file
LONGEST_NAME, LONGEST_PATH = 255, 2000  # bytes: NAME_MAX of Linux, and less than half of its PATH_MAX
LONGEST_TABLE = 40  # letters of the table's name: one line on a phone
MOST_PLAYERS = 99  # the game itself knows its limit; here only the names are looked at
LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"  # RFC 1123, 2.1; other letters as browsers send them (xn--...)
SITE = re.compile(rf"(?:(?P<scheme>https?)://)?(?P<name>{LABEL}(?:\.{LABEL})*)(?P<port>:[1-9]\d{{0,4}})?/?")
HIGHEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Configuration:
    """The content of the file, as command-line words; None or empty if not set.

    settings: "option=value" words of `game`, useless for another one. profile, record, and a language that is a file:
    relative to the configuration's folder; a profile may also be the name of a set-up. buttons: with its pins if the
    file sets any, as in "gpio:bank=17,hold=27". switches_off: whether holding both buttons switches the table off.
    views: parts of the table that are views, as in "buzzer:pin=12". broker: from [mqtt]. hooks: from [[hooks]].
    throw_pictures: whether throws keep their pictures. name: of the table, empty without one. places: the location of
    each key, for errors.
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
    switches_off: bool = False
    throw_pictures: bool = True
    name: str = ""
    views: tuple[str, ...] = ()
    broker: mqtt.Broker | None = None
    hooks: tuple[Hook, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict, compare=False)


def configuration(asked: Path | None = None) -> Configuration:
    """Return the configuration in this file, else in the platform's configuration folder, else an empty one.

    Raises InputError if the requested file is missing, and naming the line of the first mistake.
    """
    if asked is not None:
        return load_configuration(asked)
    usual = default_path()
    there = os.path.exists(usual)  # noqa: PTH110 - unlike Path.exists, no error where the folder may not be entered
    return load_configuration(usual) if there else Configuration()


def default_path() -> Path:
    """Return the default path of the file."""
    return user_config_path("tabletop", appauthor=False) / FILE_NAME


def load_configuration(path: Path) -> Configuration:
    """Read and validate a file; raises InputError naming the line and the expected value."""
    file = read_toml(path)
    game = _game(file)
    options = () if game is None else (option.name for option in game.game.all_options)
    file.check_names(NAMES, elsewhere={**dict.fromkeys(options, "set"), **TABLES})
    file.check_names(("learn",), "dice", TABLES)  # a key of earlier versions, without effect
    of_name = () if game is None else map("=".join, game.settings.items())
    pins = _pins(file)
    return Configuration(
        path=path,
        game=None if game is None else game.game.id,
        settings=(*of_name, *_settings(file, None if game is None else game.game)),
        players=_players(file),
        camera=_device(file, "camera"),
        buttons=_with_pins(file, _device(file, "buttons"), pins),
        screen=_device(file, "screen"),
        profile=_profile(file),
        record=_beside(file, "record"),
        listen=_word(file, "listen", LISTEN),
        pictures=_word(file, "pictures", PICTURES),
        host=_host(file),
        language=_language(file),
        views=(*((f"{BUZZER}:pin={pins[BUZZER]}",) if BUZZER in pins else ()), *_voice(file)),
        broker=mqtt.configured_broker(file),
        hooks=configured_hooks(file),
        switches_off=_word(file, "both_buttons", BOTH_BUTTONS) == BOTH_BUTTONS[1],
        throw_pictures=_flag(file, "throw_pictures"),
        name=_name(file),
        places={name: file.place(name) for name in file.values},
    )


def _word(file: TomlFile, name: str, known: Collection[str] = ()) -> str | None:
    """Return the value of this key, None without one. known: the allowed values, empty for any."""
    if name not in file.values:
        return None
    word = file.values[name]
    if not isinstance(word, str) or not word or not word.isprintable() or word.startswith("-"):
        raise file.wrong(name, 'a word in "quotes"', word)
    if known and word not in known:
        raise file.wrong(name, " or ".join(known), word)
    if len(word.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in word.split("/")):
        raise file.wrong(name, f"a name of at most {LONGEST_NAME} bytes", word)
    return word


def _flag(file: TomlFile, name: str) -> bool:
    """Return the value of a switch that is on unless the file switches it off."""
    value = file.values.get(name, True)
    if not isinstance(value, bool):
        raise file.wrong(name, "true or false", value)
    return value


def _name(file: TomlFile) -> str:
    """Return the name of the table, empty without one."""
    name = _word(file, "name") or ""
    if len(name) > LONGEST_TABLE:
        raise file.wrong("name", f"at most {LONGEST_TABLE} letters", name)
    return name


def _language(file: TomlFile) -> str | None:
    """Return a language's code, or the path of its file, which must be there."""
    word = _word(file, "language")
    return str(_existing(file, "language")) if word is not None and word.endswith(FILE_OF_WORDS) else word


def _host(file: TomlFile) -> str | None:
    """Return a name of the page, or http(s)://NAME[:PORT], as browsers write it."""
    word = _word(file, "host")
    if word is None:
        return None
    found = SITE.fullmatch(word.lower())
    if found is None or (found["port"] and not found["scheme"]) or int((found["port"] or ":1")[1:]) > HIGHEST_PORT:
        raise file.wrong("host", "a name such as dice.fritz.box or https://dice.example.org", word)
    usual = {"http": ":80", "https": ":443"}.get(found["scheme"] or "")
    port = "" if found["port"] in (None, usual) else found["port"]
    return f"{found['scheme']}://{found['name']}{port}" if found["scheme"] else found["name"]


def _game(file: TomlFile) -> Named | None:
    """Return the game, and the preset, that a name in the file stands for, None if it names none."""
    name = _word(file, "game")
    if name is None:
        return None
    with file.telling("game"):
        return named(name)


def _settings(file: TomlFile, game: Game | None) -> tuple[str, ...]:
    """Check the options of a game as the command line would; each error with its line."""
    asked = file.table("set")
    if game is None:
        if asked:
            raise InputError(f'{file.place("set")}: expected a line game = "..." for these options, there is none')
        return ()
    words, known = [], {option.name for option in game.all_options}
    for name, value in asked.items():
        place = f"set.{name}"
        if name not in known and name in TABLES:
            belongs = f"it belongs {where(TABLES[name])}"
            raise InputError(f"{file.place(place)}: expected an option of {game.name}, got {name}; {belongs}")
        if not isinstance(value, str | int) or value == "":
            raise file.wrong(place, 'a whole number, true, false or a word in "quotes"', value)
        word = str(value).lower() if isinstance(value, bool) else str(value)
        with file.telling(place):
            settled(game.all_options, game.presets, [(name, word)])
        words.append(f"{name}={word}")
    return tuple(words)


def _players(file: TomlFile) -> tuple[str, ...]:
    if "players" not in file.values:
        return ()
    names = file.values["players"]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise file.wrong("players", 'names in brackets, ["Ann", "Ben"]', names)
    with file.telling("players"):
        return checked_players(names, 1, MOST_PLAYERS)


def _device(file: TomlFile, name: str) -> str | None:
    """Check a device by what stands before its colon; a camera may also be a film, a photograph or a folder."""
    word = _word(file, name)
    if word is None:
        return None
    known = [*KINDS[name], *sorted(point.name for point in entry_points(group=GROUPS[name]))]
    kind, colon, _ = word.partition(":")
    if colon and kind in KINDS[name] and kind not in NUMBERED:
        raise file.wrong(name, f"{kind}, with nothing behind it", word)
    if kind in known:
        return word
    if name == "camera" and (path := file.path.parent / word).exists():
        return str(path)
    also = ", a film or a folder of photographs" if name == "camera" else ""
    raise file.wrong(name, f"one of {', '.join(known)}{also}", word)


def _pins(file: TomlFile) -> dict[str, int]:
    """Return the GPIO numbers that the file gives, by part; none is there twice."""
    pins = dict(file.table("pins"))
    file.check_names((*CONTACT_NAMES, BUZZER), "pins", TABLES)
    usual = BUTTON_NAMES if file.values.get("buttons") == "gpio" else ()
    taken: dict[str, Any] = {name: PINS[name] for name in usual} | pins
    for name, pin in pins.items():
        if type(pin) is not int or pin not in FREE_PINS:
            raise file.wrong(f"pins.{name}", f"the GPIO number of a pin, {FREE_PINS[0]} to {FREE_PINS[-1]}", pin)
        if other := next((other for other in taken if other != name and taken[other] == pin), None):
            raise file.wrong(f"pins.{name}", f"another pin than that of {other}", pin)
    return pins


def _with_pins(file: TomlFile, buttons: str | None, pins: Mapping[str, int]) -> str | None:
    pairs = ",".join(f"{name}={pin}" for name, pin in pins.items() if name != BUZZER)
    if not pairs:
        return buttons
    if buttons != "gpio":
        got = f"got {buttons!r}" if buttons else "there is none"
        raise InputError(f'{file.place("pins")}: expected a line buttons = "gpio" for these pins, {got}')
    return f"gpio:{pairs}"


def _voice(file: TomlFile) -> tuple[str, ...]:
    """Return the view that speaks, with its settings; it is there if the file has its table."""
    settings = dict(file.table("voice"))
    file.check_names(VOICE, "voice", TABLES)
    for name, value in settings.items():
        if type(value) not in (int, str) or not str(value).isprintable() or "," in str(value):
            raise file.wrong(f"voice.{name}", 'a number, or words in "quotes" without a comma', value)
        if name == "sounds":
            settings[name] = file.path.parent / str(value)
    return (
        (f"voice:{','.join(f'{name}={value}' for name, value in settings.items())}",) if "voice" in file.values else ()
    )


def _profile(file: TomlFile) -> Path | None:
    """Return the profile's file, or the name of a set-up as it is, which is looked for when it is used."""
    word = _word(file, "profile")
    if word is not None and SETUP_NAME.fullmatch(word) and not (file.path.parent / word).exists():
        return Path(word)
    return _existing(file, "profile")


def _existing(file: TomlFile, name: str) -> Path | None:
    path = _beside(file, name)
    if path is not None and not path.is_file():
        raise file.wrong(name, f"a file that is there ({path} is not)", file.values[name])
    return path


def _beside(file: TomlFile, name: str) -> Path | None:
    word = _word(file, name)
    return None if word is None else file.path.parent / word
