"""The words of a table page, and how texts become lines."""

from dataclasses import dataclass

from tabletop.views.oled.boxes import Box
from tabletop.views.oled.measure import Shape, below, beside, heaps, line, lines, lit, page
from tabletop.views.oled.text import SMALL, TALL, Size, wrapped
from tabletop.views.snapshot import Snapshot

THREW_GAP = 4  # columns before that word


@dataclass(frozen=True, slots=True)
class Said:
    """What a table page says.

    name: whose turn it is, or who threw while that is news; where everybody or nobody is asked, what is asked. score:
    of that player, may be empty; unit: both in a few letters, for a row of small ones. stake: with its sign, empty
    if nothing is at stake. first: the message that matters most: that it is paused, a hint, what BANK takes, what is
    asked, in this order. second: the next of these, may be empty. others: the other players with their scores. is_hint:
    whether the first message is one. gives: whether the second one is what BANK takes. threw: the word after the name
    of who threw, else empty.
    """

    name: str
    score: str
    unit: str
    stake: str
    first: str
    second: str
    others: tuple[str, ...]
    paused: bool = False
    is_hint: bool = False
    gives: bool = False
    threw: str = ""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Said":
        """Take the words out of a snapshot."""
        scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
        name, ask = (snapshot.asked, snapshot.ask) if snapshot.asked else (snapshot.ask or snapshot.game, "")
        player = snapshot.asked
        threw = bool(snapshot.thrower) and not snapshot.paused
        if threw:
            ask = snapshot.ask if snapshot.asked in {"", snapshot.thrower} else f"{snapshot.asked}: {snapshot.ask}"
            player = snapshot.thrower
            name = player
        next_turn = threw and snapshot.asked != snapshot.thrower  # that is said rather than what BANK takes
        offer = f"{snapshot.offer}?" if snapshot.question else snapshot.offer
        asks = (ask,) if next_turn else (offer or ask, snapshot.question)
        texts = [text for text in (snapshot.hint, *asks) if text]
        first, second = (snapshot.phrases.paused, snapshot.hint) if snapshot.paused else [*texts, "", ""][:2]
        score = str(scores[player]) if player in scores else ""
        return cls(
            name=name,
            score=score,
            unit=f"{player} {score}" if score else "",
            stake=f"{snapshot.at_stake:+d}" if snapshot.at_stake else "",
            first=first,
            second=second,
            others=tuple(f"{other} {score}" for other, score in scores.items() if other != player),
            paused=snapshot.paused,
            is_hint=bool(snapshot.hint) and not snapshot.paused,
            gives=bool(second) and second in (offer, snapshot.question),
            threw=snapshot.phrases.threw if threw else "",
        )


def named(said: Said, size: Size) -> Shape:
    """Return the name, and where it is that of who threw, that word after it."""
    name = line(said.name, size)
    if not said.threw:
        return name
    after = line(said.threw, SMALL if size == SMALL else TALL)
    return beside(name, after, name.width + THREW_GAP + after.width, THREW_GAP) or name


def message(said: Said, size: Size, width: int) -> tuple[Shape, int]:
    """Return the message that matters most and in how many lines; that it is paused stands in a lit box."""
    if said.paused:
        return lit(said.first, size), 1
    return lines(said.first, size, width), len(wrapped(said.first, width, size))


def text_pages(text: str, width: int, height: int) -> tuple[tuple[Box, ...], ...]:
    """Return a text alone, on as many pages as it needs, none if it is empty."""
    return tuple(page([below(*heap)], height) for heap in heaps((line(part) for part in wrapped(text, width)), height))
