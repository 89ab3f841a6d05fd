"""German tells everything that the table shows: random matches of every game, and every text of the sources."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from oled_snapshots import apart
from shown_texts import evening, menus

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import SECTIONS, Language, load_language
from tabletop.views.i18n.strings import ENGLISH, Strings
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import WIDTH_PX, layout
from tabletop.views.snapshot import Snapshot

pytestmark = pytest.mark.uncounted

ROOT = Path(__file__).parents[2] / "tabletop"
SAYING = (
    *(
        "core",
        "games",
        "rules",
        "interpret",
        "dialogs",
        "session",
        "perception",
        "views",
        "vision",
        "cameras",
        "replay",
    ),
    "store.py",
)
OPEN, CLOSE = "⟦", "⟧"
INNER = re.compile("⦅([^⦅⦆]*)⦆")  # what stands for a placeholder that is looked up itself
GERMAN = load_language("de")
MARKED = Language(
    "xx", "marked", {s: {k: f"{OPEN}{v}{CLOSE}" for k, v in GERMAN.sections[s].items()} for s in SECTIONS}
)
PLAYERS = ("Chance", "bank", "ones", "Pig", "Ann", "Ben")  # names, some of them words of the table as well
NAMES = "|".join(
    (*PLAYERS, "Cleo", "Dan", "Eve", "Finn", r"[^a-z\s,][^\s,]{0,2}")
)  # the last one: spelled by random presses
AS_IS = re.compile(
    rf"[-+\d/ ]*|[x-]{{1,2}}|\d+-6|(?:{NAMES})(?:, (?:{NAMES}))*"
)  # figures, faces, boxes of Everest, the mark of who has left, names
MATCHES, MORE_MATCHES = 1, 5  # of each game
SCREENS = 8  # of each game
MENU_PRESSES, MANY_MENU_PRESSES = 3000, 20_000


def texts(snapshot: Snapshot) -> tuple[str, ...]:
    """Return all texts that are no names."""
    now = snapshot
    items = [item for at, item in enumerate(now.menu.items) if at not in now.menu.given] if now.menu else []
    if now.menu and now.menu.sheet:
        items = [part for item in items for part in item.split(": ")]
    menu = (now.menu.title, *items, now.menu.note) if now.menu else ()
    spelled = [now.spelling.title, *(one for one in now.spelling.letters if len(one) > 1)] if now.spelling else []
    cells = (cell for row in now.sheet for cell in row)
    return (now.game, now.ask, now.offer, now.hint, now.hold, now.bank, now.why, *cells, *menu, *spelled)


def untold(game_id: str, matches: int) -> dict[str, str]:
    """Play random matches; return the texts that are not told."""
    game, _ = load(game_id)
    found: dict[str, str] = {}
    for number in range(matches):
        chance = Random(f"{game_id} {number} told")
        count = chance.randint(game.min_players, max(game.min_players, min(game.max_players, len(PLAYERS))))
        found |= not_whole(evening(game, PLAYERS[:count], chance))
    return found


def not_whole(snapshots: Iterable[Snapshot]) -> dict[str, str]:
    """Return the texts that no line tells, or that only a part of was told."""
    found: dict[str, str] = {}
    for snapshot in snapshots:
        pairs = zip(texts(snapshot), texts(translated(snapshot, MARKED)), strict=True)
        found |= {english: told for english, told in pairs if not whole(told)}
    return found


def whole(told: str) -> bool:
    """Tell whether each part of a text was told by a line, and what stands for its placeholders as well."""
    while inner := INNER.search(told):
        if not all(whole(part) for part in inner[1].split(", ")):
            return False
        told = told[: inner.start()] + told[inner.end() :]
    parts = re.split(rf"(?<={CLOSE}); (?={OPEN})", told)
    return bool(AS_IS.fullmatch(told)) or all(part.startswith(OPEN) and part.endswith(CLOSE) for part in parts)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_is_told_in_german(game_id: str) -> None:
    """Asks, offers, hints, what is said, the sheet, the end: each has its line."""
    assert untold(game_id, MATCHES) == {}


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_many_matches_are_told_in_german(game_id: str) -> None:
    """The same for many matches with other options."""
    assert untold(game_id, MORE_MATCHES) == {}


def test_setting_a_match_up_is_told_in_german() -> None:
    """Whatever HOLD and BANK lead to before a match: titles, lines, notes, what the rules refuse."""
    assert not_whole(menus(MENU_PRESSES, PLAYERS, Random("menus"))) == {}


@pytest.mark.slow
def test_setting_many_matches_up_is_told_in_german() -> None:
    """The same for long."""
    assert not_whole(menus(MANY_MENU_PRESSES, PLAYERS, Random("many menus"))) == {}


@pytest.mark.parametrize("game_id", game_ids())
def test_games_and_their_options_are_told_in_german(game_id: str) -> None:
    """Name, options, their values and help, presets: whatever a menu shows of a game."""
    game, _ = load(game_id)
    lines = GERMAN.sections
    assert game.name in lines["games"]
    for option in game.all_options:
        assert option.help in lines["help"]
        assert option.name.replace("_", " ") in lines["options"]
        values = [str(value) for value in option.to_json()["choices"] if isinstance(value, str)]
        assert [value for value in values if not value.isdigit() and value not in lines["options"]] == []


def test_views_own_words_are_told_in_german() -> None:
    """What views say of their own accord, the lines of keys included."""
    own = [getattr(ENGLISH, name) for name in Strings.__dataclass_fields__]
    words = [line for words in own for line in ([words] if isinstance(words, str) else words)]
    assert set(words) == set(GERMAN.sections["screen"])


TELLING = (
    *("interpret/hints.py", "interpret/unreadable.py", "core/wording.py", "dialogs/menu.py"),
    *("dialogs/score_pages.py", "dialogs/setup/game.py", "dialogs/setup/options.py", "dialogs/setup/players.py"),
    *("dialogs/text_entry.py", "dialogs/correction/undo.py", "dialogs/correction/missed_bank.py"),
    *("dialogs/correction/correct.py", "dialogs/correction/lost_answers.py", "session/manual_entry.py"),
    "session/dice_registration.py",
)


@pytest.mark.parametrize("name", TELLING)
def test_what_a_module_says_is_told_in_german(name: str) -> None:
    """Each text of some words in a module that talks to people stands in a line, or is a part of one."""
    known = "\n".join(filled_in(text) for section in SECTIONS for text in GERMAN.sections[section])
    said = [
        pattern
        for pattern in literals(ROOT / name, errors=False)
        if " " in pattern.replace(r"\ ", " ").strip() and "|" not in pattern
    ]
    assert [pattern for pattern in said if not re.search(pattern, known)] == []


# The other way round: no line without a text

COMPOSED = ("roll or bank?", "roll or stop?")  # of what the game offers
FEWEST_LETTERS = 3  # a pattern with fewer of its own would match anything


def test_every_line_is_a_text_of_the_sources() -> None:
    """A line whose words stand nowhere in the program is dead: the text was changed, and the line was not."""
    found = {pattern for path in sources() for pattern in literals(path)}
    patterns = [re.compile(pattern) for pattern in found if ".*" in pattern]
    pieces = "\n".join(found)
    lines = {text for section in SECTIONS for text in GERMAN.sections[section] if text not in COMPOSED}
    built = {text for text in lines if re.escape(text) not in found}
    built = {text for text in built if not any(one.fullmatch(filled_in(text)) for one in patterns)}
    assert [text for text in sorted(built) if not all(piece in pieces for piece in own_pieces(text))] == []


def own_pieces(text: str) -> list[str]:
    """Return what stands between the placeholders of a text, as it would be in a pattern."""
    return [re.escape(piece.strip(" :,;")) for piece in re.split(r"\{[a-z]+\d*\}", text)]


def sources() -> list[Path]:
    """Return the modules in which texts for players stand."""
    return sorted(
        path
        for name in SAYING
        for path in (ROOT.joinpath(name), *ROOT.joinpath(name).rglob("*"))
        if path.suffix == ".py"
    )


def filled_in(text: str) -> str:
    """Return the text with something for each placeholder."""
    return re.sub(r"\{[a-z]+\d*\}", "\0", text)


def literals(path: Path, *, errors: bool = True) -> Iterator[str]:
    """Yield patterns of all texts of a module, of its errors too or not: what the program puts in may be anything."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    no_texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    if not errors:
        no_texts |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and id(node) not in no_texts:
            for pattern in patterns_of(node):
                if ".*" not in pattern or len(re.sub(r"\W|\.\*", "", pattern)) >= FEWEST_LETTERS:
                    yield pattern


def patterns_of(node: ast.AST) -> Iterator[str]:
    """Yield a pattern for each way in which an expression may turn out."""
    match node:
        case ast.Constant(value=str(text)):
            plain = text.replace("_", " ") if re.fullmatch(r"[a-z_]+", text) else text  # the names of options
            yield ".*".join(map(re.escape, re.split(r"\{\w*\}", plain)))
        case ast.JoinedStr(values=parts):
            for ways in product(*(list(patterns_of(part)) for part in parts)):
                yield "".join(ways)
        case ast.FormattedValue(value=ast.IfExp() | ast.JoinedStr() | ast.BoolOp() as value):
            yield from patterns_of(value)
        case ast.IfExp(body=body, orelse=orelse):
            yield from patterns_of(body)
            yield from patterns_of(orelse)
        case ast.BoolOp(values=ways):
            for way in ways:
                yield from patterns_of(way)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for ways in product(patterns_of(left), patterns_of(right)):
                yield "".join(ways)
        case _:
            yield ".*"


# On the small screen


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("height", [64, 32])
def test_german_has_room_on_the_small_screen(game_id: str, height: int) -> None:
    """Its words are longer: all the same every box lies on the screen, apart from the others, and no label is cut."""
    chance = Random(f"{game_id} {height} German")
    game, _ = load(game_id)
    shown = list(evening(game, ("Bartholomäus", "Wilhelmina", "Jo")[: max(2, game.min_players)], chance))
    for snapshot in chance.sample(shown, min(len(shown), SCREENS)):
        german = translated(snapshot, GERMAN)
        for page in layout(german, height=height):
            assert all(box.x >= 0 and box.x + box.width <= WIDTH_PX for box in page)
            assert all(box.y >= 0 and box.y + box.height <= height for box in page)
            assert all(apart(one, other) for one, other in combinations(page, 2))
            assert {german.hold, german.bank} - {""} <= {box.text for box in page}
