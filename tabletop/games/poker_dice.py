"""Poker Dice: up to three throws for the best hand; the first player sets how many. Source: Wikipedia, "Poker dice".

In the source the 1 of an ordinary die is the ace, and hands of one kind are compared by their dice and then by the
others. Commercial sets rank the same hands (woodentoysuk.com, "Poker Dice Rules": a full house beats a straight; three
rounds). Straights rank higher if hands are ordered by probability; on bar dice they are 1 to 5 and 2 to 6, and other
dice do not break a tie (rpasmd.org, "Poker").
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, faces_text, say
from tabletop.rules.families import boxes, keep_order
from tabletop.rules.families.order import write_order
from tabletop.rules.families.rounds import DUE, rounds_option

DICE = 5
USUAL_THROWS, MOST_THROWS = 3, 10
CARDS = {"1": (2, 3, 4, 5, 6, 1), "6": (1, 2, 3, 4, 5, 6)}  # the faces from nine to ace, lowest first
PIP_STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
HANDS: Mapping[tuple[int, ...], str] = {  # keyed by the counts of equal dice, most first
    (5,): "five of a kind",
    (4, 1): "four of a kind",
    (3, 2): "full house",
    (3, 1, 1): "three of a kind",
    (2, 2, 1): "two pairs",
    (2, 1, 1, 1): "one pair",
    (1, 1, 1, 1, 1): "high card",
}
STRAIGHT = "straight"

ROUNDS = rounds_option(3)
THROWS = Whole("throws", USUAL_THROWS, "how often the first player may throw", at_least=1, at_most=MOST_THROWS)
ACE = Choice("ace", "1", "which pip is the ace: 1, with 2 to 6 as nine to king, or 6, with 1 as nine", ("1", "6"))
STRAIGHTS = Choice(
    "straights",
    "cards",
    "which five are a straight: nine to king and ten to ace, or pips 1-5 and 2-6",
    ("cards", "pips"),
)
STRAIGHT_IS = Choice(
    "straight",
    "below",
    "where a straight ranks: below a full house, above it, or nowhere",
    ("below", "above", "nothing"),
)
OTHERS = Flag("others", True, "the remaining dice break a tie")
PICK_UP = Flag("pick_up", True, "dice set aside may be thrown again later in the turn")
LEADS = Choice("leads", "left", "who leads the next round: the left neighbour, or the winner", ("left", "winner"))

GAME = Game(
    id="poker-dice",
    name="Poker Dice",
    other_names=("Dice Poker", "Würfelpoker", "Pokerwürfel"),
    source='Wikipedia, "Poker dice"',
    dice=DICE,
    layout="totals",
    min_players=1,
    options=(ROUNDS, THROWS, ACE, STRAIGHTS, STRAIGHT_IS, OTHERS, PICK_UP, LEADS),
    presets={"wikipedia": {}, "bar-dice": {"straights": "pips", "others": False}},
    help="""\
What it is about: win the most of three rounds, each with the best poker hand.
The dice: on ordinary dice 1 is the ace, then come 6 king, 5 queen, 4 jack, 3 ten, 2 nine.
A turn: throw five dice. Set aside what you like and throw the others again, twice at most; keeping all five ends the
turn. The first player of a round may throw up to three times, the others at most as often as the first has.
The hands, best first: five of a kind, four of a kind, full house, straight (nine to king, ten to ace), three of a kind,
two pairs, one pair, and the high card. Of two equal hands the one with the higher dice wins: first compare the dice of
the combination, the larger group first, then the remaining dice.
The end of a round: the best hand wins it. Tied players play off by the same rules, in seat order. The player to the
left begins the next round.
The end: the player with the most rounds wins, as soon as no one can catch up. A tie is played off.
Bar dice: 1 to 5 and 2 to 6 are the straights, and the remaining dice do not break a tie.
House rules: The 6 is the ace and the 1 the nine. A straight beats a full house, or is worth nothing. Dice set aside
stay there. The winner of a round begins the next.""",
)

Rank = tuple[int, ...]


async def play(table: Table) -> Result:
    """Play the rounds until the leader is out of reach; players tied at the end have a play-off."""
    rounds, first = table.option(ROUNDS), -1
    for number in range(1, rounds + 1):
        first = next(table.seats(first + 1))
        table.write_all("round", number)
        table.sheet |= {"hand": {}, "dice": {}, "play-off": {}}
        seats = list(table.seats(first))
        winners = await best_of(table, seats, await play_round(table, seats, tied=False))
        for player in winners:
            table.scores[player] += 1
            table.say("{name} wins the round", name=table.names[player])
        if table.option(LEADS) == "winner" and winners:
            first = winners[0] - 1
        if decided(table, rounds - number):
            break
    result = table.highest(say("nobody can catch up" if number < rounds else "all rounds are played"))
    if len(result.winners) == 1:
        return result
    table.say("{names} are tied and play off", names=table.names_of(result.winners))
    found = await table.among(result.winners, play_round(table, result.winners, tied=True))
    (winner,) = await best_of(table, result.winners, found or {})
    return Result((winner,), say("{why}, and {name} wins the play-off", why=result.why, name=table.names[winner]))


def decided(table: Table, left: int) -> bool:
    """Whether one of several players leads by more rounds than are left."""
    best, *others = sorted((table.scores[player] for player in table.seats()), reverse=True)
    return bool(others) and best > others[0] + left


async def play_round(table: Table, seats: Sequence[int], *, tied: bool) -> dict[int, Rank]:
    """Let these seats play a turn each; return the rank of each hand. tied: whether this is a play-off.

    The first player to finish a turn sets the number of throws.
    """
    found: dict[int, Rank] = {}
    throws = table.option(THROWS)
    table.write_all("allowed", throws)
    if tied:
        table.sheet["play-off"] = dict.fromkeys(seats, DUE)
    else:
        write_order(table, seats)
    for player in seats:
        hand = None if player in table.gone else await table.turn(player, turn(table, player, throws))
        if hand is None:
            continue
        if not found:
            throws = hand.throws
            table.write_all("allowed", throws)
        name, found[player] = ranked(table, hand.dice)
        table.write("play-off" if tied else "hand", player, name)
        table.write("dice", player, faces_text(hand.dice))
        table.say("{name} has {box}: {faces}", name=table.names[player], box=name, faces=faces_text(hand.dice))
    return {player: rank for player, rank in found.items() if player not in table.gone}


async def turn(table: Table, player: int, throws: int) -> boxes.BoxHand:
    """Throw up to this many times; return the hand."""

    def gives(hand: boxes.BoxHand) -> Mapping[str, int]:
        made, _ = ranked(table, hand.dice)
        return {name: int(name == made) for name in (*HANDS.values(), STRAIGHT)}

    aims = keep_order.Aims(
        whole=frozenset({"five of a kind", "full house", STRAIGHT}),
        straights={STRAIGHT: straights(table)},
        house="full house",
    )
    parts = keep_order.likely_first(boxes.parts_allowed(pick_up=table.option(PICK_UP)), gives, aims)
    return await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), throws, parts)


async def best_of(table: Table, seats: Sequence[int], found: Mapping[int, Rank]) -> tuple[int, ...]:
    """Return the seat with the best hand, after play-offs for ties; empty if all of them have left."""
    staying = [player for player in seats if player not in table.gone]
    while found:
        best = max(found.values())
        staying = [player for player in found if found[player] == best and player not in table.gone]
        if len(staying) <= 1:
            break
        staying.sort()
        table.say("{names} are tied and play off", names=table.names_of(staying))
        found = await table.among(staying, play_round(table, staying, tied=True)) or {}
        staying = [player for player in staying if player not in table.gone]
    return tuple(staying) if len(staying) == 1 else ()


# The hands


def straights(table: Table) -> tuple[Faces, ...]:
    """Return the faces of the straights, sorted, the lower first; empty if there are none."""
    if table.option(STRAIGHT_IS) == "nothing":
        return ()
    if table.option(STRAIGHTS) == "pips":
        return PIP_STRAIGHTS
    cards = CARDS[table.option(ACE)]
    return tuple(tuple(sorted(cards[low : low + DICE])) for low in range(len(cards) - DICE + 1))


def ranked(table: Table, dice: Faces) -> tuple[str, Rank]:
    """Return the name of a sorted hand, and its rank: the greater rank wins."""
    order = [*HANDS.values()][::-1]
    place = order.index("full house")
    order.insert(place + 1 if table.option(STRAIGHT_IS) == "above" else place, STRAIGHT)
    ways = straights(table)
    if dice in ways:
        return STRAIGHT, (order.index(STRAIGHT), ways.index(dice))
    cards = CARDS[table.option(ACE)]
    groups = sorted(((count, cards.index(face)) for face, count in Counter(dice).items()), reverse=True)
    name = HANDS[tuple(count for count, _ in groups)]
    if not table.option(OTHERS):
        groups = [group for group in groups if group[0] > 1] or groups[:1]
    return name, (order.index(name), *(card for _, card in groups))
