"""Messages: every id of the program is in every language file, and nothing else is; a third language is one file."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from shown_texts import evening, menus
from terminal_pictures import plain

from tabletop.core.errors import InputError
from tabletop.core.message import Joined, Message, join, say
from tabletop.core.toml_file import read_toml
from tabletop.dialogs.setup import FAMILY
from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import (
    ENGLISH_PHRASES,
    SECTIONS,
    WORDS,
    Language,
    Strings,
    load_language,
    placeholders,
)
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import layout
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.board import board
from tabletop.views.terminal.panel import beside, keys_line, told

ROOT = Path(__file__).parents[2] / "tabletop"
OTHERS = (ROOT.parent / "calibration", ROOT.parent / "hardware")  # packages beside it that say something
WORDS_FILE = ROOT / "views" / "i18n" / "words" / "en.toml"
RULES = ("rules", "games", "vision")  # where the words of the rules stand, and those for colours
COMPOSED = {
    "rules/families/rounds.py": 1,
    "rules/table.py": 1,
    "views/i18n/house_rules.py": 2,
}  # `say` with an id that is given to the function
PLAYERS = ("ANN", "BEN", "CLEO", "DAN")  # in capitals: what is left in small letters is a leak
EXAMPLES = re.compile("|".join((*FAMILY, "Kniffel", "Farkle")))  # names that a new store offers, of players and games
LETTER = re.compile(r"[^\W\d_]")
LEAK = re.compile(r"[a-wyz]")  # an x alone is a cross on a sheet
SCREENS = 5  # of each match: what they say of their own is on each
MENU_PRESSES = 300


# Made of parts


def test_a_message_is_its_english_text() -> None:
    """It compares, hashes and prints like it, and keeps what it was made of."""
    text = say("{name} banks {n}", name="Ann", n=35)
    assert (text, hash(text), f"{text}") == ("Ann banks 35", hash("Ann banks 35"), "Ann banks 35")
    assert (text.id, text.arguments) == ("{name} banks {n}", {"name": "Ann", "n": 35})
    assert say("a {brace} of an author's own") == "a {brace} of an author's own"


def test_an_error_keeps_its_message() -> None:
    """What an error says can be told in another language, though nobody knows it was an error."""
    text = say("expected {n} to {n2} players, got {n3}", n=2, n2=10, n3=1)
    assert str(InputError(text)) is text


def test_joined_messages_keep_their_parts() -> None:
    """Empty ones are left out; one alone is itself."""
    one, other = say("{name} has left", name="Ann"), say("corrected")
    both = join("; ", (one, "", other))
    assert isinstance(both, Joined)
    assert (both, both.parts) == ("Ann has left; corrected", (one, other))
    assert join("; ", ("", one)) is one
    assert join("; ", ()) == ""


# Every text has its line, every line its text


def calls(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what is said: the first argument of each call of `say`, of the table's as well."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name == "say":
                yield node.args[0]


def texts_of(node: ast.expr) -> list[str] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        either, other = texts_of(node.body), texts_of(node.orelse)
        return None if either is None or other is None else either + other
    return None


def modules(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    packages = (ROOT, *(() if folders else OTHERS))
    for path in sorted(path for package in packages for path in package.rglob("*.py")):
        place = path.relative_to(next(package for package in packages if package in path.parents))
        if not folders or place.parts[0] in folders:
            yield place.as_posix(), ast.parse(path.read_text(encoding="utf-8"))


@cache
def said() -> tuple[tuple[str, ast.expr], ...]:
    """Return what each module of the program says, with the module's place."""
    return tuple((place, node) for place, tree in modules() for node in calls(tree))


def said_ids() -> set[str]:
    rules = read_toml(ROOT / "views" / "i18n" / "house_rules.toml").values
    told = {text for game in rules.values() for option in game.values() for text in option.values()}
    return {text for _, node in said() for text in texts_of(node) or ()} | told


def lines() -> dict[str, set[str]]:
    """Return the English sides of en.toml: section -> those with a translation."""
    file = read_toml(WORDS_FILE)
    return {section: {text for text, line in file.table(section).items() if line} for section in SECTIONS}


def test_every_id_can_be_read_off_the_source() -> None:
    """An id put together at run time could miss its line."""
    assert Counter(place for place, node in said() if texts_of(node) is None) == COMPOSED


def test_every_message_has_its_line() -> None:
    """A text that en.toml lacks fails here; what other languages lack of en.toml is found by their check."""
    assert sorted(said_ids() - set(chain(*lines().values()))) == []


def test_every_line_is_said() -> None:
    """A line that nothing says is dead: the text was changed, and the line was not."""
    ids = said_ids()
    ids |= {text.replace("{n}", "1") for text in ids}  # a line of its own for one point, one token
    views = {line for name in Strings.__dataclass_fields__ for line in _lines_of(getattr(ENGLISH_PHRASES, name))}
    there = lines()
    assert there["screen"] == views
    dead = {(section, text) for section in SECTIONS if section not in (*WORDS, "screen") for text in there[section]}
    dead |= {(section, text) for section in WORDS for text in there[section] if text not in words(section)}
    assert sorted((section, text) for section, text in dead if text not in ids) == []


def _lines_of(words: str | tuple[str, ...] | dict[str, str]) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words.values() if isinstance(words, dict) else words)


@cache
def words(section: str) -> set[str]:
    """Return the words of the rules that a section may have."""
    games = [load(game_id)[0] for game_id in game_ids()]
    options = [option for game in games for option in game.all_options]
    if section == "games":
        return {game.name for game in games}
    if section == "help":
        return {option.help for option in options}
    if section == "options":
        return {option.name.replace("_", " ") for option in options} | {"yes", "no"}
    constants = {
        node.value
        for _, tree in modules(*RULES)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return constants | {f"{text}{number}" for text in constants if text == "move " for number in range(1, 8)}


@pytest.mark.parametrize("game_id", game_ids())
def test_games_and_their_options_are_told_in_german(game_id: str) -> None:
    """Name, options and their help: whatever a menu shows of a game besides house rules (`test_house_rules`)."""
    game, _ = load(game_id)
    german = load_language("de").sections
    assert game.name in german["games"]
    for option in game.all_options:
        assert option.help in german["help"]
        assert option.name.replace("_", " ") in german["options"]


# A third language is one file


def pseudo(text: str) -> str:
    names = [f"{{{name}}}" for name in placeholders(text)]
    parts = re.split(r"\{\w+\}", text)
    return "".join(chain(*zip((LETTER.sub("é", part) for part in parts), [*names, ""], strict=True)))


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Language:
    source = read_toml(WORDS_FILE)
    written = ['language = "Éééé"']
    for section in SECTIONS:
        written += [f"[{section}]", *(f'"{text}" = "{pseudo(text)}"' for text in source.table(section))]
    path = tmp_path_factory.mktemp("words") / "ee.toml"
    path.write_text("\n".join(written) + "\n", encoding="utf-8")
    return load_language(str(path))


def texts(snapshot: Snapshot) -> tuple[str, ...]:
    now = snapshot
    items = [item for at, item in enumerate(now.menu.items) if at not in now.menu.given] if now.menu else []
    menu = (now.menu.title, *items, now.menu.note) if now.menu else ()
    letters = now.spelling.letters if now.spelling else ()
    spelled = (now.spelling.title, *(letter for letter in letters if len(letter) > 1)) if now.spelling else ()
    cells = (cell for row in now.sheet for cell in row)
    return (now.game, now.ask, now.offer, now.hint, now.hold, now.bank, now.why, *cells, *menu, *spelled)


def screens(snapshot: Snapshot) -> Iterator[str]:
    for height in (64, 32):
        yield from (box.text for page in layout(snapshot, height=height) for box in page)
    bare = replace(snapshot, rules="")  # rule texts are files of their own
    yield from (told(snapshot), *plain(board(snapshot, 200, 90)), *plain(beside(bare, 200, 90)))
    yield keys_line(200, phrases=snapshot.phrases)


def leaks(shown: list[Snapshot], foreign: Language, chance: Random) -> set[str]:
    foreigners = [translated(snapshot, foreign) for snapshot in shown]
    found = {text for snapshot in foreigners for text in texts(snapshot)}
    found |= {line for snapshot in chance.sample(foreigners, min(SCREENS, len(shown))) for line in screens(snapshot)}
    return {line for line in found if LEAK.search(line)}


@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_in_a_third_language(game_id: str, foreign: Language) -> None:
    """No English is left on any screen of a match: names are all that stays."""
    chance, (game, _) = Random(f"{game_id} third"), load(game_id)
    players = PLAYERS[: max(game.min_players, min(game.max_players, len(PLAYERS)))]
    shown = list(evening(game, players, chance))
    assert leaks(shown, foreign, chance) == set()


def test_menus_in_a_third_language(foreign: Language) -> None:
    """Setting a match up, options and rematches: no English is left."""
    chance = Random("foreign menus")
    shown = [now for now in menus(MENU_PRESSES, PLAYERS, chance) if now.spelling is None]
    found = {line for snapshot in shown for line in screens(translated(snapshot, foreign))}
    assert {line for line in found if LEAK.search(EXAMPLES.sub("", line))} == set()


def test_a_message_without_a_line_is_shown_as_it_is(foreign: Language) -> None:
    """A game of your own is played in its author's words; names in them stay."""
    assert foreign.translate(say("{name} grumbles at {who}", name="Ann", who="Ben"), ("said",)) == "Ann grumbles at Ben"
    assert isinstance(say("{name} grumbles", name="Ann"), Message)
