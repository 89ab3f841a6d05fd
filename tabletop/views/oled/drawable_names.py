"""Names that the small screen has no letters for: told by the seat, so that everybody knows who is meant."""

from dataclasses import replace

from tabletop.views.oled.font import can_draw
from tabletop.views.snapshot import Snapshot


def readable(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with names that can be drawn: "player 2" stands for one of another script.

    In a menu a letter that cannot be drawn is a box; a line below the item says so.
    """
    menu = snapshot.menu
    if menu is not None and not menu.note and not can_draw(menu.items[menu.at]):
        snapshot = replace(snapshot, menu=replace(menu, note=snapshot.phrases.no_letters))
    if all(map(can_draw, snapshot.players)):
        return snapshot
    instead = {
        name: name if can_draw(name) else snapshot.phrases.seat.format(n=seat)
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
