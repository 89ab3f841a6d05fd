"""How many presses each answer takes, by pressing HOLD and BANK in all orders."""

from collections import deque
from collections.abc import Mapping
from functools import cache

from table_play import nothing_more

from tabletop.core.ports import Press
from tabletop.core.values import FACES, Rest
from tabletop.dialogs.entries import FaceEntry
from tabletop.dialogs.event_text import all_faces
from tabletop.interpret import TableMemory, labels, offer, on_press
from tabletop.interpret.dice_state import aside
from tabletop.interpret.press_table import LONGEST_LABEL
from tabletop.rules import Answer, Choose, Keep, Request
from tabletop.rules.requests import checked_answer

Faces = tuple[int, ...]

MOST_PRESSES = 8  # the design: any decision is within 8 presses

BEGUN = TableMemory()

BUTTONS = (Press("hold"), Press("bank"))


def presses_to(
    request: Request, begin: TableMemory = BEGUN, rest: Rest | None = None, thrown: Faces = ()
) -> Mapping[Answer, int]:
    """Press HOLD and BANK in all orders, and return how many presses each answer takes from when it is asked.

    rest: what lies there, with dice that were set aside. thrown: the throw last taken.
    """
    seen_aside = aside(rest, begin, request, thrown) if rest else None
    presses, waiting = {begin: 0}, deque([begin])
    found: dict[Answer, int] = {}
    while waiting:
        memory = waiting.popleft()
        hold, bank = labels(request, memory, offer(request, memory, seen_aside, nothing_more), lying=False)
        assert 1 <= len(hold) <= LONGEST_LABEL
        assert 1 <= len(bank) <= LONGEST_LABEL
        for press in BUTTONS:
            outcome = on_press(request, memory, press, rest, thrown, nothing_more)
            if outcome.answers:
                found.setdefault(outcome.answers[0], presses[memory] + 1)
            elif outcome.memory not in presses:
                presses[outcome.memory] = presses[memory] + 1
                waiting.append(outcome.memory)
    return found


def check_reach(request: Request) -> None:
    """Every legal answer can be given, and no other, within eight presses; the first BANK takes what gives most."""
    if request.kind == "roll":
        check_told(request)
    if request.kind not in ("keep", "choose"):
        return
    farthest, answers, first = reached(request.kind, request.legal, request.options, tuple(request.gives.items()))
    assert farthest <= MOST_PRESSES, request
    assert answers == {*map(Keep, request.legal), *map(Choose, request.options)}
    if request.kind == "keep":
        assert first == Keep(request.legal[0])  # the game tells the best part first
    elif not {"bank", "stop"} & {*request.options}:
        assert isinstance(first, Choose)
        assert request.gives.get(first.option, 0) == max(request.gives.get(option, 0) for option in request.options)


def check_told(request: Request) -> None:
    """Where a throw is due and nobody watches the tray, any face of any die is within eight presses."""
    each = request.dice if isinstance(request.dice, int) else tuple(request.dice.items())
    _check_told_dice(request.player, each)


@cache
def _check_told_dice(player: str | None, each: int | tuple[tuple[str, int], ...]) -> None:
    """Check a throw of so many dice, or of so many for each name, once in this process."""
    request = Request("roll", player, each if isinstance(each, int) else dict(each))
    entering = FaceEntry.of(request)
    told = list[int]()
    while not entering.complete:
        presses = 0
        for face in FACES:  # HOLD counts up to each; the last one is taken
            while entering.face != face:
                entering, presses = entering.press(BUTTONS[0]), presses + 1
            assert presses + 1 <= MOST_PRESSES
        entering = entering.press(BUTTONS[1])
        told.append(FACES[-1])
    assert sorted(all_faces(entering.throw.faces)) == told
    assert checked_answer(request, entering.throw) == entering.throw


@cache
def reached(
    kind: str, legal: tuple[Faces, ...], options: tuple[str, ...], gives: tuple[tuple[str, int], ...]
) -> tuple[int, set[Answer], Answer]:
    """Return the presses to the farthest answer, all answers, and the one that BANK takes at once."""
    assert kind in ("keep", "choose")
    dice = max(map(len, legal)) if legal else 0
    found = presses_to(Request("keep" if kind == "keep" else "choose", "Ann", dice, legal, options, dict(gives)))
    return max(found.values()), set(found), min(found, key=lambda answer: found[answer])


def all_hands(dice: int) -> list[Faces]:
    hands: list[Faces] = [()]
    for _ in range(dice):
        hands = [(*hand, face) for hand in hands for face in range(hand[-1] if hand else 1, 7)]
    return hands
