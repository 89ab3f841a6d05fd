"""Simulated players: they look at the screen and at the tray, and do what people do: throw, set dice aside, press.

Call `act` on every tick of the table, after its frame was read. It does at most one thing, and nothing while something
moves or while people would still be looking. Nothing goes to the referee directly, only through camera and buttons.
"""

from collections import Counter
from random import Random

from tabletop.core.errors import TabletopError
from tabletop.core.geometry import SAME_DIE_EDGES, point_distance_in_edges
from tabletop.core.ports import ButtonName
from tabletop.core.values import Reading
from tabletop.interpret.offers import BACK, ROLL_ON, STOPS
from tabletop.rules import Choose, Keep, Match
from tabletop.simulator.players.own_dice import own_dice
from tabletop.simulator.players.policy import Faces, Wish, dice_due, wished_option, wished_part
from tabletop.simulator.tray.die import TrueDie
from tabletop.simulator.tray.tray import Tray
from tabletop.views.snapshot import Snapshot

LOOK_S = 0.35  # people look at the dice and the screen before they do anything: longer than a rest needs to be taken
PATIENCE_S = 1.2  # if a throw was not taken by then, the table shows a hint about it
MOST_TRIES = 15  # nudges and new throws for one answer before something must be wrong
WALKS = 2  # presses for each thing that can be chosen, where they stand in groups that must be opened and left
SPARE_PRESSES = 4  # presses more than a walk through all that can be chosen


class StuckError(TabletopError):
    """The simulated players cannot get the table to understand them."""


class SimulatedPlayers:
    """Everybody at a simulated tray.

    chance: draws how bold they are in games they do not know. rail: whether they carry kept dice to the rail (the table
    can only tell it from a throw if a profile says where the rail is) or leave them lying.
    """

    def __init__(self, tray: Tray, chance: Random, *, rail: bool = False) -> None:
        self._tray = tray
        self._chance = chance
        self._rail = rail
        self._ready_s = self._patient_s = 0.0
        self._asked = (-1, "")
        self._begin_answer()

    def act(self, match: Match, snapshot: Snapshot) -> None:
        """Do the next thing, if it is time for it. snapshot: what the screen shows now.

        Raises StuckError if presses or throws lead nowhere.
        """
        if match.over or snapshot.menu or self._tray.busy or self._tray.now_s < self._ready_s:
            return
        asked = (len(match.log), snapshot.asked if snapshot.registering else "")
        if asked != self._asked:
            self._asked = asked
            self._begin_answer()
        if snapshot.paused:
            self._press("hold", match, snapshot)
        elif self._thrown:
            if self._tray.now_s >= self._patient_s:
                self._mend(match, snapshot)
        elif snapshot.registering:
            self._throw_own([match.players.index(snapshot.asked)])
        elif own := own_dice(match):
            self._throw_own(own)
        elif match.request.kind == "roll":
            self._throw(match, dice_due(match, None), match.kept)
        elif match.request.kind == "keep":
            self._keep(match, snapshot)
        else:
            self._choose(match, snapshot)

    def _begin_answer(self) -> None:
        self._wish: Wish | None = None
        self._option: str | None = None
        self._thrown = False
        self._presses = 0
        self._tries = 0
        self._opened: set[str] = set()

    def _keep(self, match: Match, snapshot: Snapshot) -> None:
        self._wish = self._wish or wished_part(match, self._chance)
        part = self._wish.part
        due = dice_due(match, part) if self._wish.roll_on else None
        hand = match.request.dice if isinstance(match.request.dice, int) else 0
        kept = part if hand > len(match.thrown) else (*match.kept, *part)
        if due is not None and len(part) < hand and not Counter(kept) - Counter(self._tray.lying_faces):
            self._throw(match, due, kept)
            return
        # All dice kept, the turn ends here, or the dice are not there (a match that was resumed): there are none to
        # be sorted, so the screen has to say it.
        shown = snapshot.answers[:1] == (Keep(part),)
        if shown and due is None:
            self._press("bank", match, snapshot)
        elif shown and self._presses:
            self._throw(match, due, ())
        elif snapshot.cursor is not None and _wants(part, snapshot, match.kept if hand <= len(match.thrown) else ()):
            self._press("bank", match, snapshot)
        else:
            self._press("hold", match, snapshot)

    def _choose(self, match: Match, snapshot: Snapshot) -> None:
        self._option = self._option or wished_option(match, self._chance)
        if self._option == ROLL_ON and any(stop in match.request.options for stop in STOPS):
            if (due := dice_due(match, None)) is None:
                self._press("hold", match, snapshot)  # others decide or throw first: HOLD twice rolls on
            else:
                self._throw(match, due, match.kept)
        elif ROLL_ON in match.request.options or snapshot.answers == (Choose(self._option),):
            self._press("bank", match, snapshot)
        elif (
            not snapshot.answers and snapshot.offer not in self._opened
        ):  # a group, or the entry that leads back out of it
            self._opened |= {snapshot.offer} - {BACK}
            self._press("bank", match, snapshot)
        else:
            self._press("hold", match, snapshot)

    def _throw(self, match: Match, due: int | None, kept: Faces) -> None:
        """Set the dice to be kept aside if some stay while others are thrown, and throw the dice that are due."""
        if due is None:
            raise StuckError(f"simulated players: expected a throw to be due, got {match.request}")
        if kept and len(kept) + due == self._tray.count:
            self._tray.sort_out(kept, leave=not self._rail)  # in a match that was resumed they may not lie there
        self._tray.throw(due)
        self._thrown = True
        self._look()

    def _throw_own(self, which: list[int]) -> None:
        """Throw these dice, each its player's own, and leave the others where they lie."""
        self._tray.throw(which=which)
        self._thrown = True
        self._look()

    def _mend(self, match: Match, snapshot: Snapshot) -> None:
        """Nudge the dice that the screen does not show as read; if all are, throw again."""
        self._tries += 1
        if self._tries > MOST_TRIES:
            raise StuckError(
                f"simulated players: expected their throw to be taken, got {snapshot.hint or 'no hint'!r} while the "
                f"table waits for {match.request}: look at the reader"
            )
        dice = self._tray.truth().dice
        loose = [die for die in dice if not die.aside]
        # A kept die that lies among the others would seem thrown again if nudged: of the kept, nudge those on the rail.
        movable = [die for die in dice if not die.aside or self._tray.layout.rail.holds(die.x, die.y)]
        unread = [die for die in movable if not _is_read(die, snapshot.reading)]
        for die in unread:
            self._tray.nudge(die.index)
        if not unread:
            own = [match.players.index(snapshot.asked)] if snapshot.registering else own_dice(match)
            self._tray.throw(None if own else len(loose), which=own)
        self._look()

    def _look(self) -> None:
        self._ready_s = self._tray.busy_until_s + LOOK_S
        self._patient_s = self._tray.busy_until_s + PATIENCE_S

    def _press(self, button: ButtonName, match: Match, snapshot: Snapshot) -> None:
        self._presses += 1
        request = match.request
        if self._presses > WALKS * (len(request.legal) + len(request.options)) + SPARE_PRESSES:
            wanted = self._wish.part if self._wish else self._option
            raise StuckError(
                f"simulated players: expected BANK to offer {wanted} at some time, got {snapshot.offer!r} after "
                f"{self._presses - 1} presses while the table waits for {request}"
            )
        self._ready_s = self._tray.press(button) + LOOK_S


def _wants(part: Faces, snapshot: Snapshot, stays: Faces) -> bool:
    """Return whether the die that is asked about belongs to the part. stays: kept before, and not asked about."""
    face = snapshot.thrown[snapshot.cursor or 0]
    kept_count = sum(kept for thrown, kept in zip(snapshot.thrown, snapshot.kept, strict=True) if thrown == face)
    return part.count(face) > kept_count - stays.count(face)


def _is_read(die: TrueDie, reading: Reading | None) -> bool:
    """Return whether the screen shows a face for this die."""
    dice = reading.dice if reading else ()
    return any(point_distance_in_edges(read.x, read.y, die) < SAME_DIE_EDGES for read in dice)
