"""Names that the small screen has no letters for: replaced by the seat, so that everybody knows who is meant."""

from dataclasses import replace

from tabletop.views.oled.font import can_draw
from tabletop.views.oled.text import extent
from tabletop.views.snapshot import Snapshot

FLAT_PX = 48  # a screen less high than this shows two lines at a time
FLAT_LETTER_PX = 10  # rows above the line there: letters of the system's font are higher


def readable(snapshot: Snapshot, height: int) -> Snapshot:
    """Return the snapshot with names that can be drawn: "player 2" stands for another one.

    height: of the screen, in pixels. In a menu a letter that cannot be drawn is a box; a line below the item says so.
    """
    menu = snapshot.menu
    if menu is not None and not menu.note and not can_draw(menu.items[menu.at]):
        snapshot = replace(snapshot, menu=replace(menu, note=snapshot.phrases.no_letters))
    seats = replaced_seats(snapshot.players, height)
    if not seats:
        return snapshot
    instead = {
        name: snapshot.phrases.seat.format(n=seat) if seat in seats else name
        for seat, name in enumerate(snapshot.players, start=1)
    }

    def drawable(text: str) -> str:
        for name in sorted(instead, key=len, reverse=True):
            text = text.replace(name, instead[name])
        return text

    entry = snapshot.entry and replace(snapshot.entry, who=drawable(snapshot.entry.who))
    return replace(
        snapshot,
        players=tuple(instead.values()),
        asked=drawable(snapshot.asked),
        thrower=drawable(snapshot.thrower),
        winners=tuple(map(drawable, snapshot.winners)),
        ask=drawable(snapshot.ask),
        hint=drawable(snapshot.hint),
        why=drawable(snapshot.why),
        entry=entry,
    )


def replaced_seats(players: tuple[str, ...], height: int) -> tuple[int, ...]:
    """Return the seats, counted from 1, of players whose name a screen of this height cannot draw."""
    return tuple(seat for seat, name in enumerate(players, start=1) if not _fits(name, height))


def _fits(name: str, height: int) -> bool:
    return can_draw(name) and (height >= FLAT_PX or extent(name).above <= FLAT_LETTER_PX)
