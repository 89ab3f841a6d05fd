"""Ten Pins: bowling with two dice. Source: dice-play.txt, "Ten Pins".

A later edition of the text is at dice-play.com/Games/TenPin.htm; thatsdays.com/articles_suorfa.html describes the same
game with a spare on the second throw only, and a 6 that spoils its whole throw.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from tabletop.core.values import FACES
from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families.boxes import BoxHand, parts_allowed, throw_first, throw_on
from tabletop.rules.families.combinations import parts_of
from tabletop.rules.families.rounds import turns_due

DICE = 2
FRAMES = 10
THROWS = 3
OFF_THE_ALLEY = 6
ALL_PINS, ALL_PINS_SCORE = (5, 5), 10
SPARE_SCORE = ALL_PINS_SCORE + 5  # with the bonus: a throw of two dice makes 2 * (1 + 2 + 3 + 4 + 5) / 6 on average

OFF = Choice(
    "off_alley", "die", "what a 6 spoils: its own die, or the whole throw, which may then not be kept", ("die", "throw")
)
STRIKE_THROWS = Whole("strike_throws", 2, "how many throws a strike earns; the total after them is its bonus", 1, 2)
SPARE = Choice("spare", "later", "when 5-5 is a spare: on any later throw, or on the second only", ("later", "second"))
EXTRA_THROW = Flag("extra_throw", True, "a spare in the last frame earns one extra throw")
PICK_UP = Flag("pick_up", True, "a die that was left may be picked up again")

GAME = Game(
    id="ten-pins",
    name="Ten Pins",
    other_names=("Bowling",),
    source="dice-play.txt",
    dice=DICE,
    layout="frames",
    renamed={"due": ""},
    min_players=1,
    options=(OFF, STRIKE_THROWS, SPARE, EXTRA_THROW, PICK_UP),
    presets={"dice-play": {}},
    help="""\
What it is about: ten frames of bowling with two dice; the highest total wins.
A turn is a frame: throw both dice, then leave one or none and throw the rest again, twice at most. A die that was left
may be picked up again. Leaving both ends the frame.
Scoring: the total of both dice after the last throw; a 6 is off the alley and counts nothing.
Strike: 5-5 on the first throw is 10, plus the final total of two more throws, in which dice may be left as well.
Spare: 5-5 on a later throw is 10, plus the first throw of the next frame, or one extra throw after the last frame.
The end: after ten frames the highest total wins; a tie is shared.
House rules: A 6 spoils its whole throw, of which nothing may be left. A strike earns one bonus throw, with both dice.
5-5 on the third throw is 10 and no spare. A spare in the last frame earns no throw. A die that was left stays.""",
)


def frame_row(number: int) -> str:
    """Return the row of the sheet that shows this frame."""
    return say("frame {n}", n=number)


async def play(table: Table) -> Result:
    """Play ten frames; the highest total wins."""
    table.sheet |= {frame_row(number): {} for number in range(1, FRAMES + 1)}
    table.sheet["due"] = {}
    spares: dict[int, int] = {}  # seat -> frame with a pending bonus, kept while the player is away

    def played(player: int) -> int:
        return sum(player in table.sheet[frame_row(number)] for number in range(1, FRAMES + 1))

    for player in turns_due(table, FRAMES, played):
        await table.turn(player, frame(table, player, played(player) + 1, spares))
    return table.highest(say("all {n} frames are played", n=FRAMES))


async def frame(table: Table, player: int, number: int, spares: dict[int, int]) -> None:
    """Play one frame, and write its score."""
    first = await throw_first(table, player, DICE)
    write_bonus(table, player, first, spares)
    if first.dice == ALL_PINS:
        await strike(table, player, number)
        return
    parts = parts_left(table, THROWS, SPARE_SCORE)
    hand = await throw_on(table, player, first, THROWS, parts, all_pins, lambda hand: total(table, hand))
    write_frame(table, player, number, total(table, hand))
    if hand.dice == ALL_PINS and (hand.throws < THROWS or table.option(SPARE) == "later"):
        table.say("{name} has a spare", name=table.names[player])
        if number < FRAMES or table.option(EXTRA_THROW):
            spares[player] = number
            table.write("due", player, "spare")
        if number == FRAMES and player in spares:
            write_bonus(table, player, await throw_first(table, player, DICE), spares)


async def strike(table: Table, player: int, number: int) -> None:
    """Throw again after 5-5 on the first throw; write 10 plus the total of the last throw."""
    table.say("{name} has a strike", name=table.names[player])
    table.at_stake = ALL_PINS_SCORE
    throws = table.option(STRIKE_THROWS)
    parts = parts_left(table, throws, ALL_PINS_SCORE)
    first = await throw_first(table, player, DICE)
    hand = await throw_on(table, player, first, throws, parts, worth=lambda hand: ALL_PINS_SCORE + total(table, hand))
    write_frame(table, player, number, ALL_PINS_SCORE + total(table, hand))


def all_pins(hand: BoxHand) -> bool:
    """Whether all pins are down."""
    return hand.dice == ALL_PINS


def spoilt(table: Table, hand: BoxHand) -> bool:
    """Whether the last throw counts nothing at all."""
    return table.option(OFF) == "throw" and OFF_THE_ALLEY in hand.thrown


def total(table: Table, hand: BoxHand) -> int:
    """Return the total of the pips that count."""
    dice = hand.kept if spoilt(table, hand) else hand.dice
    return sum(face for face in dice if face != OFF_THE_ALLEY)


def parts_left(table: Table, throws: int, all_pins_score: int) -> Callable[[BoxHand], Sequence[Faces]]:
    """Return the dice that may be left, best average first for this many remaining throws."""
    usual = parts_allowed(pick_up=table.option(PICK_UP))

    def parts(hand: BoxHand) -> Sequence[Faces]:
        left = usual(hand)
        if spoilt(table, hand):
            left = parts_of(hand.kept) if table.option(PICK_UP) else (hand.kept,)
        return sorted(left, key=lambda part: promise(part, throws - hand.throws, all_pins_score), reverse=True)

    return parts


@cache
def promise(part: Faces, throws: int, all_pins_score: int) -> float:
    """Return the expected score of keeping these dice, with at most this many more throws and best play."""
    if part == ALL_PINS:
        return all_pins_score
    missing = DICE - len(part)
    if not missing or not throws:
        return sum(face for face in part if face != OFF_THE_ALLEY)
    hands = [tuple(sorted((*part, *thrown))) for thrown in product(FACES, repeat=missing)]
    return sum(max(promise(kept, throws - 1, all_pins_score) for kept in parts_of(hand)) for hand in hands) / len(hands)


def write_frame(table: Table, player: int, number: int, points: int) -> None:
    """Write the score of a frame, as far as it is known."""
    table.say("{name} scores {n}", name=table.names[player], n=points)
    table.write(frame_row(number), player, points)
    table.scores[player] += points


def write_bonus(table: Table, player: int, first: BoxHand, spares: dict[int, int]) -> None:
    """Add the first throw after a spare to the spare's frame."""
    if player not in spares:
        return
    row, bonus = frame_row(spares.pop(player)), total(table, first)
    table.say("the spare earns {n}", n=bonus)
    table.write(row, player, ALL_PINS_SCORE + bonus)
    table.write("due", player, None)
    table.scores[player] += bonus
