"""Simulated players: they look at the screen and at the tray, and throw, set dice aside and press like people.

Call `act` on every tick of the table, after its frame was read. It does at most one thing, and nothing while something
moves or while people would still be looking. They play as a family would: they keep the first part offered by the game.
Three games have special policies; all others follow the points in `gives`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tabletop.core import errors, ports, values
from tabletop.interpret.offers import BACK, ROLL_ON, STOPS
from tabletop.rules import Choose, Keep, Match, Request
from tabletop.rules.families.cup import DOUBT
from tabletop.simulator.scene import Look
from tabletop.simulator.tray import Tray, TrueDie
from tabletop.views.snapshot import Snapshot

Faces = tuple[int, ...]


# Pig: holding at 20 is the known rule of thumb (Neller and Presser, "Optimal Play of the Dice Game Pig", 2004).
PIG_HOLD = 20

# Ten Thousand: the stake that is worth banking, by the number of dice left to throw; with few dice a throw that scores
# nothing is likely (one die 2/3, two 4/9, three 5/18), so less is enough.
BANK_FROM = {1: 300, 2: 300, 3: 350, 4: 600, 5: 1000, 6: 2000}

# Yahtzee: what a box brings on average in the best solitaire play (T. Verhoeff, "Optimal Solitaire Yahtzee
# Strategies", 1999). A box that brings more than this now is a good one to fill.
BOX_PAR: Mapping[str, float] = {
    "ones": 2.11,
    "twos": 5.28,
    "threes": 8.57,
    "fours": 12.16,
    "fives": 15.69,
    "sixes": 19.19,
    "three of a kind": 21.66,
    "four of a kind": 13.10,
    "full house": 22.59,
    "small straight": 29.46,
    "large straight": 32.71,
    "yahtzee": 16.87,
    "chance": 22.01,
}
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
HAND = 5

# Yacht and its kin: the boxes for numbers and for chance bring the same there, scaled by the number of dice; what the
# others bring differs from game to game; this is a rule of thumb.
OPEN_BOXES = (*UPPER, "chance")
PATTERN_PAR = 12.0

# Dice under a cup are invisible at a simulated tray, too, so a claim is a guess.
BOLDEST = 4  # claims from the lowest that they choose among
DOUBTS = 0.3  # how often they do not believe it

CAUTION = 0.4  # how often players stop when they may, in a game that they do not know


@dataclass(frozen=True, slots=True)
class Wish:
    """A player's wish at a keep: this part, and whether to roll on afterwards if the game offers the choice."""

    part: Faces
    roll_on: bool


def wished_part(match: Match, chance: Random) -> Wish:
    """Return the part that the player asked wants to keep."""
    request = match.request
    part = request.legal[0]
    try:
        after = match.foresee(Keep(part))
    except errors.RefusedError:  # an unknown order of questions: keep the best
        return Wish(part, roll_on=False)
    return Wish(part, roll_on=after.kind == "roll" or (_can_roll(after) and _dares(match, after, part, chance)))


def wished_option(match: Match, chance: Random) -> str:
    """Return the option that the player asked wants."""
    request = match.request
    if _can_roll(request):
        stop = next(option for option in request.options if option != ROLL_ON)
        return ROLL_ON if _dares(match, request, (), chance) else stop
    if request.kind == "claim":
        return chance.choice(request.options[:BOLDEST])
    if DOUBT in request.options:
        return DOUBT if chance.random() < DOUBTS else request.options[0]
    if match.game.id == "yahtzee":
        return max(request.options, key=lambda box: request.gives.get(box, 0) - BOX_PAR.get(box, 0.0))
    if any(option in OPEN_BOXES for option in request.options):
        par = dict.fromkeys(request.options, PATTERN_PAR) | {box: BOX_PAR[box] for box in OPEN_BOXES}
        scale = match.game.dice / HAND
        return max(request.options, key=lambda box: request.gives.get(box, 0) - scale * par[box])
    return max(request.options, key=lambda option: request.gives.get(option, 0))


def dice_due(match: Match, part: Faces | None) -> int | None:
    """Return how many dice the player throws after keeping this part (None: nothing to keep) and rolling on.

    None if the same player would not throw next.
    """
    first = () if part is None else (Keep(part),)
    after = match.foresee(*first)
    if _can_roll(after):
        after = match.foresee(*first, Choose(ROLL_ON))
    if after.kind != "roll" or after.player != match.request.player:
        return None
    return after.dice if isinstance(after.dice, int) else sum(after.dice.values())


def _can_roll(request: Request) -> bool:
    stops = request.options == (ROLL_ON,) or any(stop in request.options for stop in STOPS)
    return request.kind == "choose" and ROLL_ON in request.options and stops


def _dares(match: Match, request: Request, part: Faces, chance: Random) -> bool:
    """Return whether the player rolls on. request: the choice, which may still lie ahead, after keeping `part`."""
    stake = max((request.gives.get(stop, 0) for stop in STOPS), default=0)
    target = match.options.get("target")
    score = match.scores.get(request.player or "", 0)
    if match.game.id == "pig":
        most = PIG_HOLD
    elif match.game.id == "ten-thousand":
        due = dice_due(match, part or None)
        most = BANK_FROM.get(due or 1, BANK_FROM[1])
    else:
        return chance.random() >= CAUTION
    if isinstance(target, int) and score + stake > target:
        return False
    return stake < most


LIGHT, DARK = (240, 240, 240), (24, 22, 20)  # pips
# Bodies in BGR, different enough that no light makes two of the first five look alike: white, red, blue, black, green.
LOOKS = (
    Look(),
    Look(body=(40, 40, 190), pip=LIGHT),
    Look(body=(170, 80, 30), pip=LIGHT),
    Look(body=(30, 28, 28), pip=LIGHT),
    Look(body=(60, 150, 40), pip=LIGHT),
    Look(body=(150, 50, 110), pip=LIGHT),
    Look(body=(30, 110, 235), pip=DARK),
)


def bring_own_dice(tray: Tray, match: Match) -> None:
    """Provide one die for each player of this match, in seat order, of different colours if there are enough."""
    tray.own(len(match.players))
    for index, piece in enumerate(tray.pieces):
        piece.look = LOOKS[index % len(LOOKS)]


def own_dice(match: Match) -> list[int]:
    """Return the indices of the dice due in a joint throw, empty for any other, and under a cup."""
    due = match.request.dice
    return [] if isinstance(due, int) or match.request.kind == "hide" else [match.players.index(name) for name in due]


LOOK_S = 0.35  # people look at the dice and the screen before they do anything: longer than a rest needs to be taken
PATIENCE_S = 1.2  # if a throw was not taken by then, the table shows a hint about it
MOST_TRIES = 15  # nudges and new throws for one answer before something must be wrong
WALKS = 2  # presses for each thing that can be chosen, where they stand in groups that must be opened and left
SPARE_PRESSES = 4  # presses more than a walk through all that can be chosen


class StuckError(errors.TabletopError):
    """The simulated players make no progress with the table."""


class SimulatedPlayers:
    """All players at a simulated tray.

    chance: draws how bold they are in games without a policy. rail: whether they carry kept dice to the rail (the table
    can only tell it from a throw if a profile has the rail's position) or leave them lying.
    """

    def __init__(self, tray: Tray, chance: Random, *, rail: bool = False) -> None:
        self._tray = tray
        self._chance = chance
        self._rail = rail
        self._ready_s = self._patient_s = 0.0
        self._asked = (-1, "")
        self._begin_answer()

    def act(self, match: Match, snapshot: Snapshot) -> None:
        """Do the next thing, if it is due. snapshot: what the screen shows now.

        Raises StuckError if presses or throws have no effect.
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
        # All dice are kept, the turn ends here, or the dice are gone (a resumed match): none can be sorted, so use the
        # buttons.
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
        if kept and len(kept) + due == len(self._tray.pieces):
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

    def _press(self, button: ports.ButtonName, match: Match, snapshot: Snapshot) -> None:
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


def _is_read(die: TrueDie, reading: values.Reading | None) -> bool:
    dice = reading.dice if reading else ()
    return any(values.point_distance_in_edges(read.x, read.y, die) < values.SAME_DIE_EDGES for read in dice)
