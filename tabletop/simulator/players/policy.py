"""What simulated players want: which dice to keep, and which option to take. Sensible family play, not optimal play.

They keep the part that the game names first. Three games have a policy of their own; all others follow what `gives`
promises.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tabletop.core.errors import RefusedError
from tabletop.interpret.offers import ROLL_ON, STOPS
from tabletop.rules import Choose, Keep, Match, Request
from tabletop.rules.families.cup import DOUBT

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

# Dice under a cup: nobody sees them at a simulated tray either, so what is claimed is a guess.
BOLDEST = 4  # claims from the lowest that they choose among
DOUBTS = 0.3  # how often they do not believe it

CAUTION = 0.4  # how often players stop when they may, in a game that they do not know


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player wants at a keep: this part, and whether to roll on afterwards if the game offers the choice."""

    part: Faces
    roll_on: bool


def wished_part(match: Match, chance: Random) -> Wish:
    """Return what the player asked wants to keep."""
    request = match.request
    part = request.legal[0]
    try:
        after = match.foresee(Keep(part))
    except RefusedError:  # an unknown order of questions: keep the best
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
        scale = match.game.dice / HAND
        return max(request.options, key=lambda box: request.gives.get(box, 0) - scale * _par(box))
    return max(request.options, key=lambda option: request.gives.get(option, 0))


def dice_due(match: Match, part: Faces | None) -> int | None:
    """Return how many dice are thrown if the player keeps this part (None: nothing to keep) and rolls on.

    None if no throw of the same player would follow.
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


def _par(box: str) -> float:
    return BOX_PAR[box] if box in OPEN_BOXES else PATTERN_PAR
