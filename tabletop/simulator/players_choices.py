"""What simulated players want: which dice to keep, and which option to take. Sensible family play, not optimal play.

Three games have a way of their own. In the others that fill boxes, dice that are alike or in a row are kept; all the
rest are played by what `gives` and the order of `legal` tell.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tabletop.errors import RefusedError
from tabletop.interpret.offers import ROLL_ON, STOPS
from tabletop.rules import Choose, Keep, Match, Request

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
PAIR, THREE, FOUR, HAND = 2, 3, 4, 5

# Yacht and its kin: the boxes for numbers and for chance bring as much there, by the number of dice; what the others
# bring differs from game to game, and as a rule of thumb is this.
OPEN_BOXES = (*UPPER, "chance")
PATTERN_PAR = 12.0
STRAIGHTS = {"little straight": frozenset({1, 2, 3, 4, 5}), "big straight": frozenset({2, 3, 4, 5, 6})}
ANY_STRAIGHT = frozenset({1, 2, 3, 4, 5, 6})

CAUTION = 0.4  # how often players of a game that they do not know stop when they may


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player wants at a keep: this part, and whether to throw on after it where the game lets one choose."""

    part: Faces
    roll_on: bool


def wished_part(match: Match, chance: Random) -> Wish:
    """Return what the player asked wants to keep."""
    request = match.request
    if match.game.id == "yahtzee":
        part = _yahtzee_part(max(request.legal, key=len), _open_boxes(match))
        return Wish(part, roll_on=len(part) < HAND)
    part = _box_part(request.legal, gives) if (gives := _gives_if_all_are_kept(match)) else request.legal[0]
    try:
        after = match.foresee(Keep(part))
    except RefusedError:  # another order of questions than we know: keep the best, and see
        return Wish(part, roll_on=False)
    return Wish(part, roll_on=after.kind == "roll" or (_can_roll(after) and _dares(match, after, part, chance)))


def wished_option(match: Match, chance: Random) -> str:
    """Return the option that the player asked wants."""
    request = match.request
    if _can_roll(request):
        stop = next(option for option in request.options if option != ROLL_ON)
        return ROLL_ON if _dares(match, request, (), chance) else stop
    if match.game.id == "yahtzee":
        return max(request.options, key=lambda box: request.gives.get(box, 0) - BOX_PAR.get(box, 0.0))
    if any(option in OPEN_BOXES for option in request.options):
        scale = match.game.dice / HAND
        return max(request.options, key=lambda box: request.gives.get(box, 0) - scale * _par(box))
    return max(request.options, key=lambda option: request.gives.get(option, 0))


def dice_due(match: Match, part: Faces | None) -> int | None:
    """Return how many dice are thrown if the player keeps this part (None: nothing to keep) and rolls on.

    None where no throw of the same player would follow.
    """
    first = () if part is None else (Keep(part),)
    after = match.foresee(*first)
    if _can_roll(after):
        after = match.foresee(*first, Choose(ROLL_ON))
    if after.kind != "roll" or after.player != match.request.player:
        return None
    return after.dice if isinstance(after.dice, int) else sum(after.dice.values())


def _can_roll(request: Request) -> bool:
    return request.kind == "choose" and ROLL_ON in request.options and any(stop in request.options for stop in STOPS)


def _dares(match: Match, request: Request, part: Faces, chance: Random) -> bool:
    """Tell whether the player rolls on. request: the choice, which may still lie ahead, after keeping `part`."""
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


def _gives_if_all_are_kept(match: Match) -> Mapping[str, int]:
    """Return what each open box would give for the whole hand; empty where it may not be kept, or no box follows."""
    request = match.request
    hand = max(request.legal, key=len)
    if len(hand) != request.dice:
        return {}
    after = match.foresee(Keep(hand))
    boxes = after.kind == "choose" and ROLL_ON not in after.options and set(after.options) == set(after.gives)
    return after.gives if boxes else {}


def _box_part(legal: Sequence[Faces], gives: Mapping[str, int]) -> Faces:
    """Keep what is worth more than its spots; else a row of four, two pairs for a full house, or what is most alike.

    legal: the parts that may be kept, the whole hand among them. gives: what each open box would give for that.
    """
    hand = max(legal, key=len)
    if max(gives.values()) > sum(hand):
        return hand
    wanted = _wanted_dice(hand, gives)
    return min((part for part in legal if not Counter(wanted) - Counter(part)), key=len)


def _wanted_dice(hand: Faces, gives: Mapping[str, int]) -> Faces:
    counts, run = Counter(hand), _longest_run(hand)
    numbers_only = set(gives) <= set(UPPER)
    if len(run) >= FOUR and any("straight" in box and STRAIGHTS.get(box, ANY_STRAIGHT) >= set(run) for box in gives):
        return run

    def value(face: int) -> tuple[bool, int, bool, int]:
        is_open = UPPER[face - 1] in gives
        return (numbers_only and is_open, counts[face], is_open, face)

    best, *others = sorted(counts, key=value, reverse=True)
    if numbers_only and UPPER[best - 1] not in gives:
        return ()  # none of these numbers is wanted any more
    if "full house" in gives and others and counts[best] >= PAIR and counts[others[0]] >= PAIR:
        return tuple(sorted((best,) * counts[best] + (others[0],) * counts[others[0]]))
    return (best,) * counts[best]


def _par(box: str) -> float:
    return BOX_PAR[box] if box in OPEN_BOXES else PATTERN_PAR


def _open_boxes(match: Match) -> frozenset[str]:
    name = match.request.player or ""
    return frozenset(box for box in BOX_PAR if match.sheet.get(box, {}).get(name) is None)


def _yahtzee_part(hand: Faces, empty: frozenset[str]) -> Faces:
    """Keep what is made; else a run of four, three or more alike, two pairs for a full house, a pair, a high die."""
    counts = Counter(hand)
    run = _longest_run(hand)
    made = (
        (len(run) == HAND and "large straight" in empty)
        or (sorted(counts.values()) == [PAIR, THREE] and "full house" in empty)
        or len(counts) == 1
        or (len(run) >= FOUR and "small straight" in empty and "large straight" not in empty)
    )
    if made:
        return hand
    if len(run) >= FOUR and empty & {"small straight", "large straight"}:
        return run
    wanted = sorted(counts, key=lambda face: (counts[face], UPPER[face - 1] in empty, face), reverse=True)
    best = wanted[0]
    if counts[best] == PAIR and counts[wanted[1]] == PAIR and "full house" in empty:
        return tuple(sorted((best, best, wanted[1], wanted[1])))
    if counts[best] >= PAIR or len(run) < THREE or not empty & {"small straight", "large straight"}:
        return (best,) * counts[best]
    return run


def _longest_run(hand: Faces) -> Faces:
    best: Faces = ()
    for low in sorted(set(hand)):
        run: Faces = (low,)
        while run[-1] + 1 in hand:
            run = (*run, run[-1] + 1)
        best = max(best, run, key=len)
    return best
