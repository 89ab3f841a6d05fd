"""All views together: what each of them gets, and what is drawn again when only a finger or the time goes on."""

from dataclasses import replace

import numpy as np
from glass import Glass

from tabletop.cli.wiring.presenter import Views
from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.core.values import Reading
from tabletop.dialogs.setup import WHICH_GAME
from tabletop.interpret.hints import ONE_MISSING
from tabletop.perception.pipeline import FrameResult
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.views.i18n.catalogue import Language, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, pages
from tabletop.views.snapshot import MenuView, Snapshot

TABLE = Snapshot("Pig", ("Ann", "Ben"), (43, 61), "Ann", ROLL_OR_BANK, 21, hold="roll", bank=say("bank"))
LONG = Snapshot(
    game="Yahtzee", players=("Ann", "Ben"), scores=(1, 2), asked="Ann", ask="throw 5 dice",
    sheet=tuple((f"box {n}", str(n), "") for n in range(13)), hold="pause",
)  # fmt: skip


def walled() -> tuple[Glass, Views]:
    wall = Glass()
    return wall, Views((wall,), None, load_language("en"))


def test_each_screen_gets_its_own_size() -> None:
    """A tall and a flat one beside each other, with one light."""
    tall, flat = Glass(), Glass(32)
    views = Views((tall, flat), None, Language())
    views.show(TABLE, None, 5.0, "dim")
    assert np.array_equal(tall.pictures[0], draw(TABLE))
    assert np.array_equal(flat.pictures[0], draw(TABLE, 128, 32))
    assert tall.lights == flat.lights == ["dim"]


def test_what_did_not_change_is_not_drawn_again() -> None:
    """The very same array is shown again, so that a turn of the loop costs nothing; a press makes a new one."""
    wall, views = walled()
    for _ in range(3):
        views.show(replace(TABLE), None, 5.0)
    first, *others = wall.pictures
    assert all(picture is first for picture in others)
    views.show(replace(TABLE, pressed="bank", held=0.5), None, 5.1)
    assert np.array_equal(wall.pictures[-1], draw(replace(TABLE, pressed="bank", held=0.5)))


def test_pages_turn_and_a_finger_does_not_turn_them_back() -> None:
    """Other pages come by themselves; pressing changes the label of the page that is there; news begin at the first."""
    assert pages(LONG) > 1
    wall, views = walled()
    views.show(LONG, None, 100.0)
    views.show(LONG, None, 107.0)
    assert np.array_equal(wall.pictures[-1], draw(LONG, page=1))
    views.show(replace(LONG, pressed="hold"), None, 107.1)
    assert np.array_equal(wall.pictures[-1], draw(replace(LONG, pressed="hold"), page=1))
    views.show(replace(LONG, hint=ONE_MISSING), None, 107.2)
    assert np.array_equal(wall.pictures[-1], draw(replace(LONG, hint=ONE_MISSING)))


def test_a_dark_screen_is_not_drawn_for() -> None:
    """Off is told, and nothing is drawn until there is light; then the newest picture comes before the light."""
    wall, views = walled()
    views.show(TABLE, None, 1.0, "off")
    assert (wall.pictures, wall.lights) == ([], ["off"])
    views.show(LONG, None, 2.0, "full")
    assert np.array_equal(wall.pictures[-1], draw(LONG))
    assert wall.lights[-1] == "full"


def test_the_picture_moves_with_the_time() -> None:
    """Over an hour a menu that stands still is in more than one place; at the beginning it is where it is drawn."""
    menu = Snapshot(hold="next", bank="take", menu=MenuView(WHICH_GAME, ("Pig", "Aces", "Crag"), 0))
    wall, views = walled()
    for minute in range(60):
        views.show(menu, None, 1000.0 + 60.0 * minute, "dim")
    assert np.array_equal(wall.pictures[0], draw(menu))
    places = {picture.tobytes() for picture in wall.pictures}
    assert len(places) >= 4
    assert {int(picture.sum()) for picture in wall.pictures} == {int(wall.pictures[0].sum())}


def test_another_language_is_shown_at_once() -> None:
    """Changed while the table stands still."""
    wall, views = walled()
    views.show(TABLE, None, 1.0)
    views.language = Language("de", "Deutsch", {"buttons": {"bank": "sichern"}})
    views.show(TABLE, None, 2.0)
    assert np.array_equal(wall.pictures[-1], draw(replace(TABLE, bank="sichern")))


def test_a_notice_is_for_screens_alone() -> None:
    """In the language of the table, before any hint and in menus, on the first page; other views get only the table."""
    wall, given = Glass(), list[tuple[Snapshot, Frame | None, float]]()
    frame, reading = Frame(np.zeros((4, 6, 3), np.uint8), 1.0), Reading(1.0, 6, 4)

    class Witness:
        def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:
            given.append((snapshot, frame, now_s))

        def close(self) -> None:
            """Nothing to close."""

    class Phones:
        link = "http://table:8080/#0427"

        def notice(self, now_s: float) -> str:
            return say("page code: {text}", text="0427") if now_s > 105.0 else ""

        def door(self, now_s: float) -> None:
            """Show no way in."""

        def welcome(self) -> None:
            """Show no way in here either."""

    views = Views((wall,), None, load_language("de"), (Witness(),), entry=Phones())
    hinted = replace(LONG, hint=ONE_MISSING, reading=reading)
    menu = Snapshot(menu=MenuView("Menu", ("play on",), note="a note"))
    for snapshot, now_s in ((hinted, 100.0), (hinted, 107.0), (menu, 108.0)):
        views.show(snapshot, FrameResult(frame, reading, reading, None), now_s)
    german = translated(hinted, load_language("de"))
    seen, seen_frame, at_s = given[0]
    assert (seen.ask, seen.hint, at_s) == (german.ask, german.hint, 100.0)
    assert seen_frame is frame
    assert seen.reading is reading
    assert np.array_equal(wall.pictures[1], draw(replace(german, hint="Code für die Seite: 0427")))
    in_menu = translated(menu, load_language("de"))
    assert in_menu.menu is not None
    noted = replace(in_menu, menu=replace(in_menu.menu, note="Code für die Seite: 0427"))
    assert np.array_equal(wall.pictures[2], draw(noted))
    assert [snapshot for snapshot, *_ in given if "0427" in repr(snapshot)] == []
