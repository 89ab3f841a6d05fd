"""Snapshots for tests of the small screen, wider than any game makes them, and what their pages say."""

import unicodedata
from itertools import combinations

from hypothesis import strategies as st

from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.views.oled.boxes import Box
from tabletop.views.oled.font import can_draw
from tabletop.views.oled.screen import layout
from tabletop.views.oled.text import ink
from tabletop.views.snapshot import DieInTray, Entry, MenuView, Snapshot, Spelling, TrayDrawing

HEIGHTS_PX = (64, 32)
LATIN = "".join(chr(code) for code in (*range(0x21, 0x7F), *range(0xC0, 0x180)) if chr(code) not in ",=")
OTHER_SCRIPTS = "АБВГДЖЗИЙКЛЩЮЯабвгджзийклщюяЂђЉљЇїΑΒΓΔΩάβγώΐאבגדלםץק"
SYSTEM_FONT = "山川大木김민준서😀🎲❤Գառნია"  # what the font of `bitmap_font` has, where a test uses it

names = st.one_of(
    st.text(LATIN, min_size=1, max_size=12),
    st.text(LATIN[:80] + OTHER_SCRIPTS, min_size=1, max_size=12),
    st.text(SYSTEM_FONT + OTHER_SCRIPTS + "abcW4", min_size=1, max_size=12),
    st.sampled_from(("Ann", "Jörg", "Bartholomew", "WWWWWWWWWWWW", "@@@@@@@@@@@@", "Śćgjpqy", "太郎")),
)
sentences = st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789,;:", min_size=1, max_size=11), max_size=12).map(
    lambda words: " ".join(words)[:60].strip()
)
labels = st.text("abcdefghijklmnopqrstuvwxyz äöü", max_size=9).map(str.strip)
scores = st.integers(-99999, 99999)

cells = st.sampled_from(("", "0", "7", "25", "xx", "6/5", "3-6"))
sheet_labels = st.sampled_from(("ones", "three of a kind", "yahtzee bonus", "12", "round 10", "now", "claimed"))


parts = st.floats(0.0, 1.0)
drawings = st.builds(
    TrayDrawing,
    st.floats(0.3, 4.0),
    st.lists(st.builds(DieInTray, parts, parts, st.integers(0, 6), st.booleans()), min_size=1, max_size=12).map(tuple),
)
trays = st.one_of(st.none(), drawings)


@st.composite
def matches(draw_value: st.DrawFn) -> Snapshot:
    """Snapshots of matches, wider than any game makes them."""
    players = tuple(draw_value(st.lists(names, min_size=1, max_size=10, unique=True)))
    thrown = tuple(draw_value(st.lists(st.integers(1, 6), max_size=6)))
    return Snapshot(
        game="Pig",
        players=players,
        scores=tuple(draw_value(scores) for _ in players),
        asked=draw_value(st.sampled_from(("", *players))),
        ask=draw_value(st.sampled_from((THROW_ONE, "throw 6 dice", "keep which?", ROLL_OR_BANK, "choose"))),
        at_stake=draw_value(st.one_of(st.just(0), scores)),
        offer=draw_value(st.sampled_from(("", "keep 1 5, bank", "three of a kind 25", "keep 1 1 1 5 5 5, bank"))),
        thrown=thrown,
        kept=tuple(draw_value(st.booleans()) for _ in thrown),
        hint=draw_value(st.one_of(st.just(""), sentences)),
        hold=draw_value(labels),
        bank=draw_value(labels),
        paused=draw_value(st.booleans()),
        winners=tuple(draw_value(st.lists(st.sampled_from(players), max_size=3, unique=True))),
        why=draw_value(st.one_of(st.just(""), sentences)),
        tray=draw_value(trays),
        thrower=draw_value(st.sampled_from(("", "", *players))),
        between=draw_value(st.booleans()),
        cursor=draw_value(st.one_of(st.none(), st.integers(0, len(thrown) - 1))) if thrown else None,
        sheet=tuple(
            (label, *(draw_value(cells) for _ in players)) for label in draw_value(st.lists(sheet_labels, max_size=7))
        ),
    )


@st.composite
def menus(draw_value: st.DrawFn) -> Snapshot:
    items = tuple(
        draw_value(st.lists(sentences.filter(bool).map(lambda text: text[:48].strip()), min_size=1, max_size=34))
    )
    at = draw_value(st.integers(0, len(items) - 1))
    title = draw_value(sentences.filter(bool).map(lambda text: text[:30].strip()))
    menu = MenuView(title, items, at, draw_value(sentences))
    return Snapshot(hold="next", bank="take", menu=menu, tray=draw_value(trays))


@st.composite
def askings(draw_value: st.DrawFn) -> Snapshot:
    """Snapshots of names being spelled and faces being told."""
    if draw_value(st.booleans()):
        letters = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ -", "back", "done")
        at = draw_value(st.integers(0, len(letters) - 1))
        text = draw_value(st.text(LATIN, max_size=12))
        return Snapshot(hold="next", bank="take", spelling=Spelling("New name", text, letters, at))
    due = draw_value(st.integers(1, 10))
    told = tuple(draw_value(st.lists(st.integers(0, 6), max_size=due - 1)))
    who = draw_value(names)
    entry = Entry(who, told, due, draw_value(st.integers(0, 6)))
    at_stake, hint = draw_value(st.one_of(st.just(0), scores)), draw_value(st.one_of(st.just(""), sentences))
    tray = draw_value(trays)
    return Snapshot(
        players=(who,), scores=(0,), at_stake=at_stake, hint=hint, hold="count up", bank="take", entry=entry, tray=tray
    )


snapshots = st.one_of(matches(), menus(), askings())
WIDEST = Snapshot("Pig", ("@" * 12, "Ann"), (-4320, 0), "@" * 12, THROW_ONE, hold="pause")
# Beside a drawn tray a name too long for one line, and too high in two: letters with marks above.
HIGHEST = Snapshot(
    "",
    entry=Entry("00000000Ř0Ů", (), 1, 0),
    hold="count up",
    bank="take",
    tray=TrayDrawing(2.0, (DieInTray(0.0, 0.0, 0, asked=False),)),
)


def check_boxes(snapshot: Snapshot, height: int) -> None:
    """Boxes lie apart and within the margins (two columns, two rows, against burning in); the ink of each has room."""
    for page in layout(snapshot, height=height):
        for box in page:
            assert box.x >= 2
            assert box.y >= 0
            assert box.x + box.width <= 124
            assert box.y + box.height <= (61 if height == 64 else 32)
            drawn = ink(box.text, box.size)
            assert not box.text or box.inset[0] + drawn.width <= box.width
            assert not box.text or box.inset[1] + drawn.height <= box.height
        assert [pair for pair in combinations(page, 2) if not apart(*pair)] == []


def texts(snapshot: Snapshot, height: int) -> str:
    """Return all that the pages say above their bottom line, without blanks, in the order in which it stands there."""
    bar = [bare(text) for text in (snapshot.hold, snapshot.bank) if text]
    every = layout(snapshot, height=height)
    assert all([bare(box.text) for box in page[len(page) - len(bar) :]] == bar for page in every)
    return bare("".join(box.text for page in every for box in page[: len(page) - len(bar)]))


def told(snapshot: Snapshot, name: str, height: int) -> str:
    """Return what stands for a player's name: the seat, where the screen cannot draw a letter of it."""
    too_high = height == min(HEIGHTS_PX) and not set(name).isdisjoint(SYSTEM_FONT)
    return f"player {snapshot.players.index(name) + 1}" if too_high or not can_draw(name) else name


def bare(text: str) -> str:
    """Return a text as it is drawn, without blanks and capitals: the display begins a line with one."""
    return unicodedata.normalize("NFC", text).replace(" ", "").casefold()


def apart(one: Box, other: Box) -> bool:
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return beside or one.y + one.height <= other.y or other.y + other.height <= one.y
