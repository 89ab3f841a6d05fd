"""Players who play by a script at a table that fails: they look at what it shows, throw real dice and press buttons.

They are a view of another package (`tabletop play --view people`) in a thread of their own. What they throw and what
they choose follows from the seed and from how far the match is, so that the referee alone can play the same match.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from fault_table import BANK_PIN, BOTH_S, HOLD_PIN, LONG_PRESS_S, PLACES, Machine, Scene, make_room

from tabletop.core.ports import Frame
from tabletop.interpret.offers import BACK
from tabletop.rules import Answer, Choose, Keep, Match
from tabletop.rules.requests import Faces
from tabletop.session.manual_entry import SET_DIE
from tabletop.views.snapshot import Snapshot

GAMES = ("yahtzee", "pig", "two-dice-pig")  # by the seed
NAMES = ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn", "Gus", "Hana")
HOLD_AT = 20  # points at stake from which the players bank
STEP = 50  # points; the target is as many of them as make the match long enough
FIRST = 0.6  # how often the part or the option is taken that stands first
BY_HAND = 0.7  # how often dice are kept by throwing the others, and not with the buttons
PATIENT = 0.5  # how often somebody presses BANK for dice that lie there unread, instead of throwing again
SORRY = 0.02  # how often somebody takes back what was just taken
ASKS_FACE = (SET_DIE, "accept")  # BANK would give a die in doubt a face; people nudge such a die, or throw again
MISSED_BANK = "banked first"  # the table may offer this before the newest step; nobody has missed it here
REACTION_S = 0.2  # before people press for what they have just seen
LOOK_S, PATIENCE_S, SEEN_S = 0.8, 3.0, 0.4  # the kept dice lie alone for so long; then people throw again
LONGEST_S = 40_000.0  # of simulated time: a match that does not end has failed


def game_of(seed: int) -> str:
    return GAMES[seed % len(GAMES)]


def thrown(seed: int, event: int, dice: int) -> Faces:
    """Return the faces of so many dice, when so many events stand."""
    chance = Random(f"faces {seed} {event}")
    return tuple(sorted(chance.randint(1, 6) for _ in range(dice)))


def wished(seed: int, match: Match) -> Answer:
    chance, request = Random(f"wish {seed} {match.event}"), match.request
    if request.kind == "keep":
        return Keep(request.legal[0] if chance.random() < FIRST else chance.choice(request.legal))
    if "roll" in request.options:
        return Choose("bank" if match.at_stake >= HOLD_AT else "roll")
    best = sorted(request.options, key=lambda option: -request.gives.get(option, 0))
    return Choose(best[0] if chance.random() < FIRST else chance.choice(best))


def undisturbed(seed: int, events: int) -> Match:
    """Return the match as the referee alone has it, of at least so many events."""
    game, size = game_of(seed), 0
    while True:
        size += 1
        match = Match(game, NAMES[:size]) if game == "yahtzee" else Match(game, NAMES[:2], target=STEP * size)
        while not match.over:
            request = match.request
            if request.kind == "roll":
                assert isinstance(request.dice, int)
                match.throw(thrown(seed, match.event, request.dice))
            elif isinstance(answer := wished(seed, match), Keep):
                match.keep(answer.faces)
            else:
                assert isinstance(answer, Choose)
                match.choose(answer.option)
        if len(match.log) >= events:
            return match


@dataclass(frozen=True, slots=True)
class Laid:
    """What lies in the tray. event: how many events stand when the dice thrown last are taken; -1 for none thrown."""

    scene: Scene = ()
    event: int = -1


class Eyes:
    """The view. shown: the newest snapshot."""

    def __init__(self) -> None:
        self.shown = Snapshot()
        self._changed = threading.Condition()

    def show(self, snapshot: Snapshot, _frame: Frame | None, _now_s: float) -> None:
        with self._changed:
            before, self.shown = self.shown, replace(snapshot, reading=None)
            if self.shown != before:
                self._changed.notify_all()

    def close(self) -> None:
        """Look no more."""

    def wait_for(self, true: Callable[[], bool], seconds: float) -> bool:
        """Look until something is so, for so long at most; return whether it is."""
        with self._changed:
            return self._changed.wait_for(true, seconds)


EYES = Eyes()


def open_eyes(_: str) -> Eyes:
    """Open the view `people`."""
    return EYES


class Player:
    """All players of a match. laid: what lies there as they sit down. says: is told what they do, a line each.

    goes_on: called after each event; returns when they may go on.
    """

    def __init__(
        self,
        machine: Machine,
        seed: int,
        chance: Random,
        laid: Laid,
        says: Callable[[str], None],
        goes_on: Callable[[], None],
    ) -> None:
        self._machine, self._seed, self._chance, self._laid, self._says = machine, seed, chance, laid, says
        self._goes_on = goes_on
        self._taken: Scene = ()  # what lay there when a throw was last taken: none of it is thrown to just so again
        self._match: Match | None = None
        self._opened: set[str] = set()  # the groups that were looked into for this answer
        machine.world.scene = laid.scene

    def play(self) -> None:
        while not EYES.wait_for(lambda: EYES.shown.record is not None, PATIENCE_S):
            if EYES.shown.hint:  # a table that cannot begin says why: people free some space
                make_room(self._machine.card)
        while not (match := self._look()).over:
            if time.monotonic() > LONGEST_S:
                shown = EYES.shown
                raise RuntimeError(f"{shown.hint!r} {shown.ask!r} {shown.offer!r} {match.request} {self._laid}")
            self._act(match)
        while True:
            self._machine.press(BANK_PIN, HOLD_PIN, seconds=BOTH_S)
            time.sleep(PATIENCE_S)

    def _look(self) -> Match:
        """Return the match as the table shows it, as it was last shown where a menu covers it."""
        record = EYES.shown.record
        if self._match is None:
            if record is None:
                raise RuntimeError("expected a match to be shown before it is played")
            self._match = Match.replay(record.game, record.seated, record.options, record.log)
        news = () if record is None else record.log[len(self._match.log) :]
        self._match.apply(*news)
        if news:
            self._opened.clear()
            self._says(f"events {len(self._match.log)}")
            self._goes_on()
        return self._match

    def _grows(self, seconds: float) -> bool:
        """Wait until there are new events, for so long at most; return whether there are."""
        assert self._match is not None
        known = len(self._match.log)
        return EYES.wait_for(lambda: EYES.shown.record is not None and EYES.shown.record.entries > known, seconds)

    def _act(self, match: Match) -> None:
        if (menu := EYES.shown.menu) is not None:
            self._press(HOLD_PIN if MISSED_BANK in menu.items[menu.at] else BANK_PIN)
        elif match.log and self._chance.random() < SORRY:
            self._press(BANK_PIN, seconds=LONG_PRESS_S)
        elif match.request.kind == "roll":
            self._throw(match, match.kept, match.request.dice, match.event)
        else:
            answer = wished(self._seed, match)
            after = match.foresee(answer)
            keeps = isinstance(answer, Keep)
            asks_face = EYES.shown.bank in ASKS_FACE
            by_hand = answer == Choose("roll") or (keeps and (self._chance.random() < BY_HAND or asks_face))
            kept = answer.faces if isinstance(answer, Keep) else match.kept
            if by_hand and after.kind == "roll" and len(self._stay(kept)) == len(kept):  # else picked up too early
                self._throw(match, kept, after.dice, match.event + 1)
            else:
                self._walk(answer)

    def _walk(self, answer: Answer) -> None:
        """Press once more on the way to an answer, and BANK when it is offered."""
        shown = EYES.shown
        group = not shown.answers and shown.cursor is None and shown.offer not in self._opened
        if shown.answers[:1] == (answer,) or group or self._wants(answer, shown):
            self._opened |= {shown.offer} - {BACK} if group else set()
            self._press(BANK_PIN)
        else:
            self._press(HOLD_PIN)

    def _wants(self, answer: Answer, shown: Snapshot) -> bool:
        """Return whether the die that is asked about is to be kept."""
        if shown.cursor is None or not isinstance(answer, Keep):
            return False
        face = shown.thrown[shown.cursor]
        kept = sum(kept for other, kept in zip(shown.thrown, shown.kept, strict=True) if other == face)
        return answer.faces.count(face) > kept

    def _press(self, pin: int, seconds: float | None = None) -> None:
        """Press for what is shown, if it still is when the finger gets there, and look what comes of it."""
        before = EYES.shown
        time.sleep(REACTION_S)
        if (EYES.shown.offer, EYES.shown.menu) != (before.offer, before.menu):
            return
        if seconds is None:
            self._machine.press(pin)
        else:
            self._machine.press(pin, seconds=seconds)
        EYES.wait_for(lambda: (EYES.shown.offer, EYES.shown.menu) != (before.offer, before.menu), SEEN_S)

    def _throw(self, match: Match, kept: Faces, dice: object, event: int) -> None:
        """Throw so many dice, and leave the kept ones lying; dice that lie there unread may be taken instead."""
        assert isinstance(dice, int)
        patient = match.request.kind == "roll" and EYES.shown.bank not in ASKS_FACE
        if patient and self._laid.event == event and self._chance.random() < PATIENT:
            self._machine.press(BANK_PIN)  # also as the dice are just taken by themselves
            if self._grows(PATIENCE_S):
                return
        before = self._laid.scene
        if self._laid.event not in (event, -1):
            self._taken = before
        lying = self._stay(kept)
        self._lay(Laid(lying))
        if self._grows(LOOK_S):
            return
        used = {place for _, place in (*before, *self._taken)}
        free = [place for place in range(len(PLACES)) if place not in used]
        new = zip(thrown(self._seed, event, dice), self._chance.sample(free, dice), strict=True)
        self._lay(Laid((*lying, *new), event))
        self._grows(PATIENCE_S)

    def _stay(self, kept: Faces) -> Scene:
        """Return the dice that stay; of those that should and do not lie there, none."""
        due, stay = Counter(kept), []
        for face, place in self._laid.scene:
            if due[face]:
                due[face] -= 1
                stay.append((face, place))
        return tuple(stay)

    def _lay(self, laid: Laid) -> None:
        self._laid = laid
        self._says(f"lies {laid.event} {' '.join(f'{face}:{place}' for face, place in laid.scene)}")
        self._machine.world.scene = laid.scene
