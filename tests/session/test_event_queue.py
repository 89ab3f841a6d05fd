"""Presses and rests come out in the order of their times, whatever order they were put in."""

from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.ports import Press
from tabletop.core.values import Reading, Rest
from tabletop.session.table_events import TUMBLE_S, EventQueue, SeenRest

LYING = Rest(Reading(0.0, 640, 480), ())
TIMES = st.floats(0.0, 10.0)
EVENTS = st.lists(
    st.one_of(
        st.builds(SeenRest, TIMES, st.sampled_from([None, LYING])),
        st.builds(Press, st.sampled_from(["bank", "hold"]), time_s=TIMES),
    )
)


@given(first=EVENTS, second=EVENTS)
def test_the_oldest_comes_first(first: list[Press | SeenRest], second: list[Press | SeenRest]) -> None:
    """Put in two lots, all come out once, sorted; then the queue is empty."""
    queue = EventQueue()
    queue.put(first)
    queue.put(second)
    given_out = list(queue)
    times = [event.time_s for event in given_out]
    assert times == sorted(event.time_s for event in (*first, *second))
    assert list(queue) == []


def drain(*events: Press | SeenRest) -> list[str]:
    """Put back each BANK the first time that it comes, and return what came out, in words."""
    queue, seen = EventQueue(), list[str]()
    queue.put(events)
    for event in queue:
        if isinstance(event, SeenRest):
            seen.append("dice lie" if event.rest else "dice move")
            continue
        assert isinstance(event, Press)
        seen.append(event.button)
        if event.button == "bank" and seen.count("bank") == 1:
            queue.put_back = event
    return seen


def test_a_press_that_was_put_back_comes_behind_the_dice() -> None:
    """BANK while dice move waits until they lie, and HOLD pressed meanwhile replaces it."""
    bank, hold = Press("bank", time_s=1.0), Press("hold", time_s=1.2)
    moving, lying = SeenRest(1.1, None), SeenRest(1.5, LYING)
    assert drain(lying, bank, moving) == ["bank", "dice move", "dice lie", "bank"]
    assert drain(lying, bank, moving, hold) == ["bank", "dice move", "hold", "dice lie"]


def test_a_press_that_was_put_back_does_not_wait_for_ever() -> None:
    """Dice tumble for no longer than 1.5 s: what moves after that is no throw."""
    bank, late = Press("bank", time_s=1.0), SeenRest(1.0 + TUMBLE_S + 0.1, None)
    assert drain(bank, SeenRest(2.0, None), late) == ["bank", "dice move", "dice move", "bank"]
