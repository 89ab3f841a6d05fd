"""German tells everything that the table shows: random matches of every game, menus, and what views say themselves."""

import re
from collections.abc import Iterable
from random import Random

import pytest
from oled_snapshots import check_boxes
from shown_texts import evening, menus

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import KINDS, SECTIONS, Language, kind, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import layout
from tabletop.views.snapshot import Snapshot

OPEN, CLOSE = "⟦", "⟧"
WORD = re.compile(r"\{[a-z]+\d*\}")
TRANSLATED = re.compile(f"{OPEN}[^⟦⟧⦅⦆]*{CLOSE}")  # a line of the file, without what fills its placeholders
FILLED = re.compile("⦅([^⟦⟧⦅⦆]*)⦆")  # what fills a placeholder that is looked up itself
GERMAN = load_language("de")


def marked(translation: str) -> str:
    """Return a translation in brackets; in brackets of their own the placeholders that are looked up."""
    filled = WORD.sub(lambda place: f"⦅{place[0]}⦆" if KINDS[kind(place[0][1:-1])] else place[0], translation)
    return f"{OPEN}{filled}{CLOSE}"


MARKED = Language(
    "xx", "marked", {s: {k: marked(v) if v else "" for k, v in GERMAN.sections[s].items()} for s in SECTIONS}
)
PLAYERS = ("Chance", "bank", "ones", "Pig", "Ann", "Ben")  # names, some of them words of the table as well
NAMES = "|".join(
    (*PLAYERS, "Cleo", "Dan", "Eve", "Finn", r"[^a-z\s,][^\s,]{0,2}")
)  # the last one: spelled by random presses
AS_IS = re.compile(
    rf"[-+\d/ ]*|[x-]{{1,2}}|\d+-6|\d+ x(?: [1-6])?|(?:{NAMES})(?:, (?:{NAMES}))*"
)  # figures, faces, boxes of Everest, claims of Liar's Dice, the mark of who has left, names
MATCHES, MORE_MATCHES = 1, 5  # of each game
SCREENS = 8  # of each game
LOOKED_AT = 0.2  # of the questions of a match, among whose screens those are chosen
MENU_PRESSES, MANY_MENU_PRESSES = 3000, 20_000


def texts(snapshot: Snapshot) -> tuple[str, ...]:
    """Return all texts that are no names."""
    now = snapshot
    items = [item for at, item in enumerate(now.menu.items) if at not in now.menu.given] if now.menu else []
    menu = (now.menu.title, *items, now.menu.note) if now.menu else ()
    spelled = (
        [now.spelling.title, *(letter for letter in now.spelling.letters if len(letter) > 1)] if now.spelling else []
    )
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
    """Tell whether each part of a text was told by a line, and what fills its placeholders as well."""
    before = ""
    while told != before:
        before, told = told, TRANSLATED.sub("", told)
        if filled := FILLED.search(told):
            if not as_it_is(filled[1]):
                return False
            told = told[: filled.start()] + told[filled.end() :]
    return as_it_is(told)


def as_it_is(text: str) -> bool:
    """Tell whether a text is the same in every language: figures, faces, names, and what separates them."""
    return all(AS_IS.fullmatch(part.strip(" :,")) for part in text.split(";"))


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


# On the small screen


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("height", [64, 32])
def test_german_has_room_on_the_small_screen(game_id: str, height: int) -> None:
    """Its words are longer: all the same every box lies on the screen, apart from the others, and no label is cut."""
    chance = Random(f"{game_id} {height} German")
    game, _ = load(game_id)
    players = ("Bartholomäus", "Wilhelmina", "Jo")[: max(2, game.min_players)]
    look = Random(game_id)
    shown = list(evening(game, players, chance, lambda: look.random() < LOOKED_AT))
    for snapshot in chance.sample(shown, min(len(shown), SCREENS)):
        german = translated(snapshot, GERMAN)
        check_boxes(german, height)
        for page in layout(german, height=height):
            assert {german.hold, german.bank} - {""} <= {box.text for box in page}
