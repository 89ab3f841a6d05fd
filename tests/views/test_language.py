"""Languages: what is looked up and what stays, files that people write, and which one is spoken."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.core.errors import InputError
from tabletop.core.message import join, say
from tabletop.core.toml_file import read_toml
from tabletop.dialogs.mistakes import LEAVE_IT, TAKE_BACK
from tabletop.rules.names import checked_name
from tabletop.views.i18n import catalogue
from tabletop.views.i18n.catalogue import ENGLISH, KINDS, SECTIONS, Language, load_language, of_environment
from tabletop.views.i18n.translate import phrases, translated
from tabletop.views.oled.screen import layout
from tabletop.views.snapshot import Asking, Entry, MenuView, Option, Snapshot, Spelling

WORDS = Path(__file__).parents[2] / "tabletop" / "views" / "i18n" / "words"
FRENCH = """language = "Français"
[buttons]
"keep" = "garder"
"bank" = ""
[sheet]
"chance" = "chance !"
"ones" = "as"
[said]
"{name} writes {n} for {box}" = "{box} : {n} pour {name}"
"{name} pays {name2} {n}" = "{name2} reçoit {n} de {name}"
"{name} draws {boxes}" = "{name} dessine {boxes}"
"{names} are tied" = "égalité : {names}"
"{name} is {text}" = "{name} est {text}"
"{name} is out" = "{name} sort"
"{name} scores {n}" = "{n} points pour {name}"
"{name} scores 1" = "un point pour {name}"
[screen]
"and" = "et"
"{names} wins" = "{names} gagne"
[titles]
"done" = "terminé"
[menus]
"done" = "fini"
[notes]
"done" = "c'est fini"
"""
OUT = say("{name} is out", name="Ann")
THREE = join(", ", ("ones", "chance", "tail"))


@pytest.fixture
def french(tmp_path: Path) -> Language:
    path = tmp_path / "fr.toml"
    path.write_text(FRENCH, encoding="utf-8")
    return load_language(str(path))


@pytest.mark.parametrize(
    ("english", "told"),
    [
        (say("{name} writes {n} for {box}", name="Ann", n=25, box="chance"), "chance ! : 25 pour Ann"),
        (say("{name} writes {n} for {box}", name="Ann", n=25, box="home rule"), "home rule : 25 pour Ann"),
        (say("{name} writes {n} for {box}", name="chance", n=3, box="ones"), "as : 3 pour chance"),
        (say("{name} pays {name2} {n}", name="Ann", name2="Ben", n=7), "Ben reçoit 7 de Ann"),
        (say("{name} draws {boxes}", name="Ben", boxes=THREE), "Ben dessine as, chance !, tail"),
        (say("{names} are tied", names=join(" and ", ("Ann, Ben", "Cid"))), "égalité : Ann, Ben et Cid"),
        (OUT, "Ann sort"),
        (say("{name} is {text}", name="Ann", text="out of luck"), "Ann est out of luck"),
        (
            join("; ", (OUT, say("{name} pays {name2} {n}", name="Ben", name2="Ann", n=3))),
            "Ann sort; Ann reçoit 3 de Ben",
        ),
        (join("; ", (OUT, say("{name} grumbles", name="Ben"))), "Ann sort; Ben grumbles"),
        (say("{name} scores {n}", name="Ann", n=1), "un point pour Ann"),
        (say("{name} scores {n}", name="Ann", n=2), "2 points pour Ann"),
        ("Ben grumbles", "Ben grumbles"),
        ("Ann is out", "Ann is out"),
        ("ones", "ones"),
        ("", ""),
    ],
)
def test_what_was_said_is_told_by_its_line(french: Language, english: str, told: str) -> None:
    """Boxes inside a message are translated, names never; a plain text is matched with nothing and stays."""
    assert french.translate(english, ("said",)) == told


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=12), st.integers(-99999, 99999))
def test_no_name_is_translated(name: str, points: int) -> None:
    """A player may be called whatever the table allows: the German text has that very name."""
    try:
        checked_name(name)
    except InputError:
        return
    german = load_language("de")
    banked = say("{name} banks {n}", name=name, n=points)
    assert german.translate(banked, ("said",)) == f"{name} sichert {points}"
    won = say("{names} win the round", names=join(" and ", (name, "bank")))
    assert german.translate(won, ("said",)) == f"{name} und bank gewinnen die Runde"


def test_only_texts_of_the_table_change(french: Language) -> None:
    """Players, winners, what is spelled and what people named stay; a line left empty stays English."""
    table = Snapshot("Pig", ("chance", "ones"), (1, 2), "chance", hold=say("keep"), bank=say("bank"), winners=("ones",))
    done = say("done")
    menu = MenuView(done, ("ones", "done", done), 1, done, given=frozenset((1,)))
    cells = (join(": ", ("ones", "-")), join(": ", ("chance", "ones")))
    rows = translated(Snapshot(menu=MenuView("Ann: 3", cells, sheet=True)), french).menu
    assert rows == MenuView("Ann: 3", ("as: -", "chance !: as"), sheet=True)
    spelling = Spelling(done, "done", (done, "d"))
    seen = translated(replace(table, thrower="ones", menu=menu, spelling=spelling), french)
    assert (seen.players, seen.asked, seen.winners, seen.thrower) == (("chance", "ones"), "chance", ("ones",), "ones")
    assert (seen.hold, seen.bank) == ("garder", "bank")
    assert seen.menu == MenuView("terminé", ("as", "done", "fini"), 1, "c'est fini", given=frozenset((1,)))
    assert seen.spelling == Spelling("terminé", "done", ("fini", "d"))
    assert seen.phrases == replace(table.phrases, joined="et", wins="{names} gagne") == phrases(french)
    assert translated(table, ENGLISH) is table


def test_no_text_of_a_snapshot_is_forgotten() -> None:
    """Each field with words is translated, or holds names; the author of a new one decides which."""
    names = {"players", "asked", "winners", "thrower"}
    texts = {"game", "ask", "offer", "question", "hint", "hold", "bank", "why"}
    texts |= {"sheet", "menu", "spelling", "entry", "phrases", "happened", "asking", "language", "cheer"}
    others = {"scores", "at_stake", "thrown", "kept", "paused", "covered", "awaited", "unread", "question_number"}
    others |= {"reading", "between", "cursor", "pressed", "held", "fewest_win", "tray", "answers", "registering"}
    others |= {"layout", "drawn", "kinds", "counts", "course", "goal", "number", "highlights", "told", "welcome"}
    others |= {"rules"}  # in the words of the game's author
    others |= {"pattern", "scan"}  # drawn with the words of its menu
    others |= {"record"}  # events, put into words by those that show them
    assert {field.name for field in fields(Snapshot)} == names | texts | others
    one, x = ("x",), say("x")
    filled = Snapshot(
        "x", one, (1,), "x", x, 0, x, hint=x, hold=x, bank=x, why=x, thrower="x", winners=one, happened=(x,)
    )
    menu, spelling = MenuView(x, (x,), note=x), Spelling(x, "x", (say("xx"), "x"))
    filled = replace(
        filled, question=x, sheet=(("x", "x"),), menu=menu, spelling=spelling, entry=Entry(say("y"), (), 1)
    )
    filled = replace(filled, asking=Asking((1, 0), "choose", options=(Option("x", x, group=x),)), cheer=x)
    everywhere = Language("zz", "Z", {section: {"x": "z", "xx": "zz", "y": "w"} for section in SECTIONS})
    seen = translated(filled, everywhere)
    assert {name for name in texts - {"phrases"} if getattr(seen, name) == getattr(filled, name)} == set()
    assert all(getattr(seen, name) == getattr(filled, name) for name in names | others)


def test_whose_die_is_told() -> None:
    """A player's name stays, whatever it is; a die that lies somewhere is told in the language."""
    german = load_language("de")
    somewhere = say("die {place}", place=say("at the top left"))
    told = Snapshot(players=("die", "Ann"), entry=Entry(somewhere, (), 1))
    assert translated(told, german).entry == Entry("Würfel oben links", (), 1)
    theirs = replace(told, entry=Entry("die", (2,), 3))
    assert translated(theirs, german).entry == Entry("die", (2,), 3)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('"keep" = 3', 'line 2: expected words in "quotes", got 3'),
        ('"{n} players" = "{m} joueurs"', "line 2: expected in braces one of"),
        ('"{n} players" = "joueurs"', "line 2: expected {n} on both sides, got 'joueurs'"),
        ('"start" = "{n}"', "line 2: expected no braces on both sides, got '{n}'"),
        ('"start" = "100 {"', "line 2: expected braces only around a word"),
        ('"start" = "go', "line 2: expected key = value"),
    ],
)
def test_a_broken_file_is_told_by_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    """A translator reads which line is wrong, and what belongs there."""
    path = tmp_path / "xx.toml"
    path.write_text(f"[menus]\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_language(str(path))
    assert f"{path}, {complaint}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("word", ["xx", "../en", "", "no/such.toml"])
def test_a_language_that_is_not_there_is_told(word: str) -> None:
    """One line says which there are, or that there is no such file."""
    with pytest.raises(InputError, match=r"expected a (language \(.*Deutsch.*\) or a )?file"):
        load_language(word)


def test_a_section_that_is_not_known_is_told(tmp_path: Path) -> None:
    """A slip in the name of a section would leave all its lines unused."""
    path = tmp_path / "xx.toml"
    path.write_text('[bottons]\n"keep" = "x"\n')
    with pytest.raises(InputError, match="line 1: expected a known key, got bottons; did you mean buttons"):
        load_language(str(path))


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "de-CH"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_DE"}, "de"),
        ({"LANG": "de_DE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "eo.UTF-8"}, "en"),
        ({"LANG": "../de"}, "en"),
    ],
)
def test_the_environment_chooses(environ: dict[str, str], code: str) -> None:
    """LC_ALL before LC_MESSAGES before LANG, as POSIX has it; a language that is not there is English."""
    assert of_environment(environ) == code


def test_each_language_has_its_own_name() -> None:
    """English is the first, others follow, each as its speakers call it."""
    assert catalogue.languages() == {"en": "English", "de": "Deutsch"}
    assert next(iter(catalogue.languages())) == "en"


def test_the_readme_explains_all_braces() -> None:
    """Whatever a line may have in braces, and the sections that it looks into, stand in the README for translators."""
    text = (WORDS / "README.md").read_text(encoding="utf-8")
    for kind, sections in KINDS.items():
        (line,) = (line for line in text.splitlines() if line.startswith("| `{") and f"`{{{kind}}}`" in line)
        assert sections == () or any(f"`[{section}]`" in line for section in sections)


@pytest.mark.parametrize("path", sorted(WORDS.glob("*.toml")), ids=lambda path: path.stem)
def test_no_label_is_cut_off(path: Path) -> None:
    """Each label of the bottom line stands there letter for letter, with a capital at its beginning."""
    for label in catalogue.of_file(read_toml(path)).sections["buttons"].values():
        for height in (64, 32):
            (page,) = layout(Snapshot(hold=label, bank=label), height=height)
            assert [box.text for box in page[-2:]] == [label[0].upper() + label[1:]] * 2


def test_an_english_text_is_changed_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The right side of en.toml is what the table says in English; every other text stays."""
    words = (WORDS / "en.toml").read_text(encoding="utf-8")
    before = load_language("en").translate(LEAVE_IT, ())
    changed = re.sub(r'^"Take back\?" = .*$', r'"Take back?" = "Undo \\"what\\"?"', words, flags=re.MULTILINE)
    (tmp_path / "en.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    english = load_language("en")
    said = [english.translate(say(text), ()) for text in (TAKE_BACK, LEAVE_IT)]
    assert said == ['Undo "what"?', before]
