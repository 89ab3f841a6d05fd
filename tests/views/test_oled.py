"""The small screen: nothing cut off, nothing over another, everything said, the important things large.

The system has a bitmap font here, with a few of the letters that the display has no pictures for.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from bitmap_font import forget_letters, use_font
from hypothesis import example, given, settings
from oled_examples import GOLDEN, SCREENS, pictures
from oled_snapshots import (
    HEIGHTS_PX,
    HIGHEST,
    SYSTEM_FONT,
    WIDEST,
    askings,
    bare,
    check_boxes,
    matches,
    menus,
    snapshots,
    texts,
    told,
)
from PIL import Image

from tabletop.core.values import Reading
from tabletop.session.snapshotting import THROW_ONE
from tabletop.views.oled.boxes import CROSSED
from tabletop.views.oled.scores import ranking
from tabletop.views.oled.screen import draw, layout, pages
from tabletop.views.snapshot import Entry, MenuView, Snapshot

PICTURES = dict(pictures())


@pytest.fixture(scope="module", autouse=True)
def _font(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        use_font(patch, tmp_path_factory.mktemp("system"), SYSTEM_FONT)
        yield
    forget_letters()


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=40, deadline=None)
@given(snapshot=matches())
@example(snapshot=WIDEST)
@example(snapshot=Snapshot("Pig", ("444444444Გაა",), (0,), "", THROW_ONE, thrower="444444444Გაა"))
def test_a_match_is_told_whole(height: int, snapshot: Snapshot) -> None:
    """Name, request, stake, hint, labels and all scores stand on the pages, none over another; what to do comes first.

    The dice of some page are the throw, in its order, each lit as it is kept; where a stake of five figures leaves less
    room for them, dots stand for the last ones.
    """
    check_boxes(snapshot, height)
    said, every = texts(snapshot, height), layout(snapshot, height=height)
    for player, score in zip(snapshot.players, snapshot.scores, strict=True):
        assert names(told(snapshot, player, height), said)
        assert str(score) in said
    if snapshot.winners:
        assert bare(snapshot.why) in said
        return
    for label, *cells in (row for row in snapshot.sheet if snapshot.asked or any(row[1:])):
        assert all(bare(text) in said for text in (label, *cells))
    assert bare(snapshot.hint) in said
    assert not snapshot.at_stake or str(abs(snapshot.at_stake)) in said
    if snapshot.paused:
        assert "paused" in said
    elif not snapshot.hint:
        asks = snapshot.thrower in {"", snapshot.asked} and snapshot.offer
        assert bare(asks or snapshot.ask) in said
    check_first_page(snapshot, height)
    thrown = list(zip(snapshot.thrown, snapshot.kept, strict=True))
    shown = [[(box.face, box.inverse) for box in page if box.face] for page in every]
    assert thrown in shown
    assert all(faces == thrown[: len(faces)] for faces in shown if snapshot.cursor is None)


def check_first_page(snapshot: Snapshot, height: int) -> None:
    """Check that it says whose turn it is, who threw while that is news, or a hint: people act before a page turns."""
    pages_of = [bare("".join(box.text for box in page)) for page in layout(snapshot, height=height)]
    if snapshot.hint and not snapshot.paused:
        letters = 10 if height == 32 and snapshot.tray else 20  # two short lines beside the drawing of the tray
        assert bare(snapshot.hint)[:letters] in pages_of[0]
    elif snapshot.asked or not snapshot.paused:
        ask = (not snapshot.thrower and snapshot.offer) or snapshot.ask
        who = snapshot.asked and told(snapshot, snapshot.asked, height)
        assert names(who, pages_of[0]) if who else bare(ask) in pages_of[0]
    if snapshot.thrower and not snapshot.paused and not snapshot.hint:
        said = "".join(pages_of[: 1 if height == 64 else 2])  # on two lines a name with high accents takes too much
        assert names(told(snapshot, snapshot.thrower, height), said)
        assert "threw" in said


def names(name: str, said: str) -> bool:
    """Return whether a name is said, or as much of it as there was room for."""
    whole = bare(name)
    return whole in said or any(f"{whole[:most]}…" in said for most in range(1, len(whole)))


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=40, deadline=None)
@given(snapshot=menus())
def test_a_menu_shows_the_chosen_item_lit_and_its_note(height: int, snapshot: Snapshot) -> None:
    """The item that BANK would take begins the first page lit, and goes on lit where it is long; the note follows."""
    check_boxes(snapshot, height)
    assert snapshot.menu is not None
    every = layout(snapshot, height=height)
    lit = "".join(box.text for page in every for box in page if box.inverse and box.text not in ("Next", "Take"))
    assert any(box.inverse and bare(lit).startswith(bare(box.text)) for box in every[0])
    assert bare(lit) == bare(snapshot.menu.items[snapshot.menu.at])
    assert bare(snapshot.menu.note) in texts(snapshot, height)


@settings(max_examples=30, deadline=None)
@given(snapshot=snapshots)
def test_a_picture_depends_on_the_snapshot_alone(snapshot: Snapshot) -> None:
    """Equal snapshots give equal pictures of the right shape, whatever the camera sees."""
    seen = replace(snapshot, reading=Reading(width=640, height=480, time_s=3.0))
    for height in HEIGHTS_PX:
        one, other = draw(snapshot, height=height), draw(seen, height=height)
        assert one.shape == (height, 128)
        assert one.dtype == np.bool_
        assert np.array_equal(one, other)


def test_names_are_large() -> None:
    """Capitals of two millimetres and a half are read at two metres (1 mm is 6 pixels of a 0.96 inch screen).

    The commonest slip is that BANK was forgotten: the name of who threw is as large, with what was thrown.
    """
    for name, screen, height in (
        ("Ann", "pig-choice", 64),
        ("Bartholomew", "pig-choice-long", 64),
        ("Ann", "pig-choice", 32),
        ("Ann", "thrower", 64),
    ):
        page = layout(SCREENS[screen], height=height)[0]
        assert next(box.height for box in page if box.text == name) >= 14
    assert [box.face for box in layout(SCREENS["thrower"])[0] if box.face] == [6]


def test_the_die_that_is_asked_about_has_an_arrow_below_it() -> None:
    """One arrow, right below that die, in the middle of it."""
    asked = SCREENS["die-by-die"]
    for height in HEIGHTS_PX:
        page = next(page for page in layout(asked, height=height) if any(box.face for box in page))
        dice = [box for box in page if box.face]
        (arrow,) = (box for box in page if box.arrow)
        die = dice[4]
        assert 0 <= arrow.y - (die.y + die.height) <= 2
        assert abs(2 * arrow.x + arrow.width - 2 * die.x - die.width) <= 1


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=40, deadline=None)
@given(snapshot=askings())
@example(HIGHEST)
@example(
    Snapshot(
        players=("0",),
        scores=(0,),
        at_stake=1,
        hint="a word underneath it",
        hold="count up",
        bank="take",
        entry=Entry("0", (), 10, 0),
    )
)
@example(Snapshot(players=("0",), scores=(0,), at_stake=1, hold="count up", bank="take", entry=Entry("0", (), 10, 0)))
def test_what_is_spelled_or_told_stands_there(height: int, snapshot: Snapshot) -> None:
    """The letter stepped to is lit and larger than its neighbours; the faces told are lit, the next one is not."""
    check_boxes(snapshot, height)
    first, *_ = layout(snapshot, height=height)
    if snapshot.spelling is not None:
        spelling = snapshot.spelling
        (lit,) = (box for box in first if box.inverse and box.text not in ("Next", "Take"))
        assert lit.text == spelling.letters[spelling.at].replace(" ", "␣")
        assert lit.height > max((box.height for box in first if box.text == "A" and not box.inverse), default=9)
        assert bare(spelling.text) in texts(snapshot, height)
        return
    entry = snapshot.entry
    assert entry is not None
    said = texts(snapshot, height)
    assert names(told(snapshot, entry.who, height) if snapshot.players else entry.who, said)
    assert bare(snapshot.hint) in said
    assert not snapshot.at_stake or str(abs(snapshot.at_stake)) in said
    if not snapshot.hint:
        assert (bare(f"die {len(entry.faces) + 1} of {entry.due}") in said) == (entry.due > 1)
    assert (entry.face or CROSSED) in [box.face for box in first if box.face and not box.inverse]


def test_what_came_of_a_throw_stands_beside_its_dice() -> None:
    """In two lines, the first beside the dice: those of the throw stay on the screen with whose they are."""
    lost = replace(SCREENS["thrower-lost"], hint="Ann throws a 1 and scores nothing")
    first, *_ = layout(lost)
    assert [box.face for box in first if box.face] == [1]
    assert bare("".join(box.text for box in first)).startswith(bare(f"Ann threw {lost.scores[0]} {lost.hint}"))


@pytest.mark.parametrize("height", HEIGHTS_PX)
def test_a_hint_longer_than_a_page_is_told_while_it_is_paused_too(height: int) -> None:
    """A full disk takes many words: all of them stand there, and that it is paused."""
    hint = "expected room for the matches, got none: " + "free some space, then go on " * 4
    table = Snapshot("Pig", ("Ann", "Ben"), (3, 4), "Ann", THROW_ONE, hint=hint, hold="go on", paused=True)
    said = texts(table, height)
    assert bare(hint) in said
    assert "paused" in said
    assert "ann" in said


def test_a_name_in_another_script_is_told_by_its_seat() -> None:
    """Large and clear, in hints as well, rather than boxes that nobody can tell apart."""
    table = Snapshot("Pig", ("太郎", "Ann", "花子"), (3, 4, 5), "花子", THROW_ONE, hint="waiting for 花子")
    first = layout(table)[0]
    assert {"player 3", "Waiting for player 3"} <= {box.text for box in first}
    end = replace(table, winners=("花子",), why="花子 reached 5", hint="", ask="", asked="")
    assert {"player 3", "Wins", "Player 3 reached 5"} <= {box.text for page in layout(end, 256) for box in page}
    for snapshot in (table, replace(table, thrower="太郎"), end):
        assert not any(ord(letter) > 0x2FFF for page in layout(snapshot) for box in page for letter in box.text)


def test_an_item_in_another_script_says_so() -> None:
    """One clear line stands below the boxes; an item that can be drawn has none."""
    names = Snapshot(hold="next", bank="take", menu=MenuView("Who?", ("太郎", "Jörg"), 0))
    assert "Cannot show these letters" in {box.text for box in layout(names)[0]}
    assert names.menu is not None
    other = replace(names, menu=replace(names.menu, at=1))
    assert "Cannot show these letters" not in {box.text for box in layout(other)[0]}


def table(scores: tuple[int, ...], winners: tuple[str, ...] = (), *, fewest_win: bool = False) -> Snapshot:
    players = ("Ann", "Ben", "Cid", "Dora")[: len(scores)]
    return Snapshot("Pig", players, scores, winners=winners, fewest_win=fewest_win)


@pytest.mark.parametrize(
    ("shown", "places"),
    [
        (table((100, 61, 100), ("Ann", "Cid")), "1 Ann, 1 Cid, 3 Ben"),  # two share the first place: the next is third
        (table((75, 70, 81, 72), ("Ben",), fewest_win=True), "1 Ben, 2 Dora, 3 Ann, 4 Cid"),  # golf: after 70 comes 72
        (table((10, 100, 10, 5), ("Ben",)), "1 Ben, 2 Ann, 2 Cid, 4 Dora"),  # tied losers share a place
        (table((7, 5, 6), fewest_win=True), "1 Ben, 2 Cid, 3 Ann"),  # long before anybody has won
        (table((7, 5, 6)), "1 Ann, 2 Cid, 3 Ben"),
    ],
)
def test_equal_scores_share_a_place_and_winners_are_first(shown: Snapshot, places: str) -> None:
    """From the first to the last, the fewest first where they win."""
    assert ", ".join(f"{place} {name}" for place, name, _ in ranking(shown)) == places


@pytest.mark.parametrize("height", HEIGHTS_PX)
def test_tied_winners_are_named_in_full(height: int) -> None:
    """Before the ranking, however long their names are and however many they are."""
    names = ("Wilhelmina-A", "Bartholomäus", "Maximilianus", "Konstantin-B")
    end = Snapshot("Pig", names, (12, 12, 12, 12), winners=names, hold="new game", bank="again")
    first = "".join(box.text for page in layout(end, height=height)[:2] for box in page)
    assert all(name in first for name in names)


def test_a_long_title_of_a_list_stands_on_two_lines() -> None:
    """Where only its last word has no room, it is cut, and one more item is seen."""
    menu = MenuView("Ship, Captain, Mate, and Crew: options", ("Default", "Standard"), 0)
    shown = [box.text for box in layout(Snapshot(hold="next", bank="take", menu=menu))[0]]
    assert shown[:3] == ["Ship, Captain, Mate,", "1/2", "and Crew: options"]
    menu = replace(menu, title="Help Your Neighbour: options")
    shown = [box.text for box in layout(Snapshot(hold="next", bank="take", menu=menu))[0]]
    assert {"Help Your Neighbour: o…", "Standard"} <= {text.replace("...", "…") for text in shown}


def test_pages_go_round() -> None:
    """After the last page comes the first again."""
    ten = SCREENS["ten-players"]
    assert pages(ten) == 4
    assert np.array_equal(draw(ten, page=4), draw(ten))
    assert not np.array_equal(draw(ten, page=1), draw(ten))


def test_pictures_are_those_that_were_looked_at() -> None:
    """After a wanted change: `make golden`, and look at what changed."""
    changed = list[str]()
    for name, picture in PICTURES.items():
        with Image.open(GOLDEN / f"{name}.png") as golden:
            changed += [name] * (not np.array_equal(np.asarray(golden), np.asarray(picture)))
    assert changed == []


def test_every_golden_picture_has_its_screen() -> None:
    """No file is left over from a screen that is gone."""
    assert {file.stem for file in GOLDEN.glob("*.png")} == set(PICTURES)
