"""What fingers do, what bad contacts make of it, and what people mean by it: an oracle that knows no contacts."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from tabletop.core.ports import ButtonName, Edge, Press

# in tenths of a millisecond, so that the oracle counts in whole numbers; as people are told
MS = 10
LONG, REPEAT, TOGETHER, STUCK = 600 * MS, 200 * MS, 100 * MS, 10_000 * MS
CHATTER = 12 * MS  # the worst contact that is promised to work

AGAIN = Press("hold", long=True, repeat=True)


@dataclass(frozen=True)
class Finger:
    """What a finger does: a button is down from one time to another."""

    button: ButtonName
    down: int
    up: int

    def down_at(self, now: int) -> bool:
        return self.down <= now < self.up


def meant(fingers: Sequence[Finger]) -> list[tuple[int, Press]]:
    """Return what people mean, and when it is clear, without contacts. Spoilt: a finger that counts for nothing."""
    spoilt, spoken, told = set[Finger](), set[Finger](), list[tuple[int, Press]]()
    moments = {finger.up for finger in fingers} | {finger.down + LONG for finger in fingers}
    moments |= {now for finger in fingers for now in range(finger.down + LONG, finger.up, REPEAT)}
    for now in sorted(moments):
        for finger in fingers:
            others = {other for other in fingers if other.button != finger.button and other.down_at(now)}
            silent = others - spoilt - spoken
            if now == finger.down + LONG and finger.down_at(now) and finger not in spoilt:
                if silent:
                    spoilt |= {finger, *silent}
                else:
                    spoken.add(finger)
                    told.append((now, Press(finger.button, long=True)))
            elif now == finger.up and finger not in spoilt | spoken:
                at_once = {other for other in silent if abs(other.down - finger.down) <= TOGETHER}
                if at_once:
                    spoilt |= {finger, *at_once}
                else:
                    told.append((now, Press(finger.button)))
            elif finger in spoken and finger.button == "hold" and finger.down_at(now):
                bank_came = any(other.button == "bank" and finger.down + LONG < other.down < now for other in fingers)
                held = now - finger.down
                if held > LONG and (held - LONG) % REPEAT == 0 and held < STUCK and not bank_came:
                    told.append((now, AGAIN))
    return told


def burst(chance: Random, pairs: int, longest: int = CHATTER) -> list[int]:
    """Return when a contact changes after its first change: an even number of times, so that it ends as it began."""
    return sorted(chance.sample(range(1, longest + 1), 2 * pairs))


def contact(finger: Finger, chance: Random) -> list[Edge]:
    """Return what a bad contact makes of a finger: chatter when it closes and opens, gaps while it is held."""
    changes = [(finger.down, True), *((finger.down + after, None) for after in burst(chance, chance.randint(0, 5)))]
    start = finger.down + 15 * MS
    while chance.random() < 0.6 and start + 16 * MS < finger.up:
        gap = [0, *burst(chance, chance.randint(0, 3), CHATTER - 1), CHATTER]  # opens first, closes last
        changes += [(start + after, None) for after in gap]
        start += chance.randint(30 * MS, 300 * MS)
    changes += [(finger.up, False), *((finger.up + after, None) for after in burst(chance, chance.randint(0, 5)))]
    edges, closed = list[Edge](), False
    for time, change in changes:
        closed = not closed if change is None else change
        edges.append(Edge(time / (1000 * MS), finger.button, closed))
    return edges


def length(least_ms: int, most_ms: int) -> st.SearchStrategy[int]:
    """Draw for how long a button is down: not ending just when something is told."""
    return st.integers(least_ms, most_ms).filter(lambda held_ms: held_ms % 200).map(lambda held_ms: held_ms * MS)


TAP, HELD = length(20, 598), length(602, 3000)


@st.composite
def one_hand(draw: st.DrawFn, button: ButtonName, most_ms: int = 400) -> list[Finger]:
    """Draw what one finger does. The two buttons never change at the very same time."""
    fingers, now = [], draw(st.integers(0, 300)) * MS + (5 if button == "hold" else 0)
    for _ in range(draw(st.integers(0, 5))):
        fingers.append(Finger(button, now, now + draw(TAP | HELD)))
        now = fingers[-1].up + draw(st.integers(20, most_ms)) * MS
    return fingers


SEEDS = st.integers(0, 2**32)


def chattering(fingers: Sequence[Finger], seed: int) -> list[Edge]:
    """Return all edges, oldest first."""
    chance = Random(seed)
    return sorted((edge for finger in fingers for edge in contact(finger, chance)), key=lambda edge: edge.time_s)
