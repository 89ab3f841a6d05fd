"""Liar's Dice: everybody has dice under a cup, and players make claims about all of them.

Source: the rules of the common hand from Wikipedia ("Liar's dice"), and of Perudo (Paul Lamond Games).
"""

from dataclasses import dataclass

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families.cup import DOUBT, last_one, loses, next_playing, playing
from tabletop.rules.families.order import first_player, order_option

DICE = 5  # each
MOST_PLAYERS = 6
DICE_FOR_FIRST = 2
WILD_FACE = 1
FACES = range(1, 7)
RAISE, EXACT = "raise", "exact"

Claim = tuple[int, int]  # (count, face): at least this many dice show this face

DICE_EACH = Whole("dice", DICE, "dice each player starts with", 1, DICE)
WILD = Flag("wild", False, "ones count as any face; a claim of ones needs half as many")
SPOT_ON = Flag("exact", False, "a player may call a claim exactly right, and gets a die back if it is")
PALIFICO = Flag(
    "palifico",
    False,
    "the first round with one die: no wild ones, no exact calls, and only players with one die change the face",
)
SHOWN = Choice("reveal", "each", "how dice are shown: each player's in turn, or all in the tray", ("each", "together"))
ORDER = order_option()

GAME = Game(
    id="liars-dice",
    name="Liar's Dice",
    other_names=("Bluff", "Liar Dice", "Call My Bluff", "Pirate's Dice", "Perudo", "Dudo", "Lügenwürfeln"),
    source="Liar's dice as Wikipedia tells it; Perudo (Paul Lamond Games)",
    dice=DICE,
    layout="lives",
    counts="dice",
    dice_each=True,
    max_players=MOST_PLAYERS,
    options=(DICE_EACH, WILD, SPOT_ON, PALIFICO, SHOWN, ORDER),
    presets={
        "usual": {},
        "perudo": {"wild": True, "exact": True, "palifico": True},
        "dudo": {"wild": True, "palifico": True},
    },
    help="""\
What it is about: be the last player who has dice. Everyone has five, under their own cup.
A round: all throw under their cups and look. In turn, players make a claim about all the dice together: "4 x 5" means
that at least four of them are fives. Each claim names more dice than the one before, or as many of a higher number.
Doubting: instead of a higher claim, the next player may doubt the last one. Then all lift their cups, one after the
other, and lay their dice into the tray; take them out before the next player's go in. With fewer dice than claimed, the
claimer loses a die; with as many or more, the doubter.
The end: the last player with dice wins. The loser of a round begins the next one; a player who is out leaves that to
the left.
House rules: if ones count as any number, they are claimed by half as many dice, rounded up, but never first. After them
another number needs twice as many and one more. A claim may be called exactly right by the next player. If it is, they
get a lost die back; if not, they lose one. A player with only one die left, for the first time, begins a round without
wild ones, if three or more play. In it only players with one die may change the number, and no claim may be called
exactly right. Perudo has these three rules, Dudo the first and the third. All dice may go into the tray at once.
Coming and going: the dice of a player who leaves go too. If the last claim was theirs, it costs no die.""",
)


async def play(table: Table) -> Result:
    """Play rounds until one player has dice left."""
    table.scores = [table.option(DICE_EACH)] * len(table.names)
    first = await first_player(table, table.option(ORDER), DICE_FOR_FIRST)
    declared: set[int] = set()  # players who have had a palifico
    while len(players := playing(table, first)) > 1:
        table.sheet["claim"] = {}
        one = table.option(PALIFICO) and table.scores[players[0]] == 1 and table.option(DICE_EACH) > 1
        palifico = one and len(players) > len(("two", "players")) and players[0] not in declared
        if palifico:
            declared.add(players[0])
            table.say("{name} has one die: palifico", name=table.names[players[0]])
        rules = Rules(wild=table.option(WILD) and not palifico, palifico=palifico)
        begun = await table.among(players, play_round(table, players, rules))
        first = players[0] if begun is None else begun
    return last_one(table, say("only one has dice left"))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one round. wild: ones count as any face. palifico: only players with one die may change the face."""

    wild: bool
    palifico: bool


async def play_round(table: Table, players: list[int], rules: Rules) -> int:
    """Throw under the cups, claim until a player doubts, and show all dice; return who begins the next round."""
    await table.roll_hidden({player: table.scores[player] for player in players})
    player, claimer = next(iter(playing(table, players[0]))), players[0]
    claim: Claim | None = None
    while True:
        answer = await table.turn(player, answer_to(table, player, claim, rules))
        if isinstance(answer, tuple):
            claimer, claim = player, answer
        elif answer is not None and claim is not None:
            return await shown(table, player, claimer, claim, exact=answer == EXACT, wild=rules.wild)
        player = next_playing(table, player)


async def answer_to(table: Table, player: int, claim: Claim | None, rules: Rules) -> Claim | str:
    """Ask for a higher claim, a doubt, or a call that the claim is exactly right."""
    one_face = rules.palifico and table.scores[player] > 1
    higher = claims_above(claim, sum(table.scores[other] for other in playing(table)), rules, one_face=one_face)
    if claim is not None:
        spot_on = table.option(SPOT_ON) and not rules.palifico
        options = [*([RAISE] if higher else []), DOUBT, *([EXACT] if spot_on else [])]
        answer = await table.choose(player, *options, question=say("{text}: raise?", text=words(claim)))
        if answer != RAISE:
            table.say("{name}: {box}", name=table.names[player], box=answer)
            return answer
    groups: dict[str, list[str]] = {}
    for count, face in higher:  # wild ones stand alone, between two numbers of dice
        group = words((count, face)) if rules.wild and face == WILD_FACE else f"{count} x"
        groups.setdefault(group, []).append(words((count, face)))
    question = say("more than {text}?", text=words(claim)) if claim else ""
    told = await table.claim(player, groups, question)
    table.write("claim", player, told)
    table.say("{name} claims {text}", name=table.names[player], text=told)
    return next(claim for claim in higher if words(claim) == told)


def words(claim: Claim) -> str:
    """Return a claim as text: "4 x 5"."""
    return f"{claim[0]} x {claim[1]}"


def claims_above(claim: Claim | None, dice: int, rules: Rules, *, one_face: bool) -> list[Claim]:
    """Return the claims allowed now, lowest first.

    dice: the total number, the highest possible count. one_face: whether the face of the claim must stay.
    """
    every = sorted(
        ((count, face) for count in range(1, dice + 1) for face in FACES), key=lambda one: height(one, wild=rules.wild)
    )
    if claim is None:
        return [one for one in every if not (rules.wild and one[1] == WILD_FACE)]
    higher = [one for one in every if height(one, wild=rules.wild) > height(claim, wild=rules.wild)]
    return [one for one in higher if not one_face or one[1] == claim[1]]


def height(claim: Claim, *, wild: bool) -> Claim:
    """Return the sort key that a higher claim must exceed. Wild ones rank above all claims of twice as many dice."""
    count, face = claim
    return (2 * count, max(FACES) + 1) if wild and face == WILD_FACE else claim


async def shown(table: Table, caller: int, claimer: int, claim: Claim, *, exact: bool, wild: bool) -> int:
    """Lift the cups and take or give a die; return who begins the next round."""
    table.sheet["shown"] = {}
    found = await (together if table.option(SHOWN) == "together" else one_by_one)(table, caller, claim, wild)
    if found is None:
        return next_playing(table, caller)
    table.say("the claim was {text}, the dice show {n}", text=words(claim), n=found)
    if exact and found == claim[0]:
        table.scores[caller] = min(table.scores[caller] + 1, table.option(DICE_EACH))
        table.say("{name} is exactly right", name=table.names[caller])
        return caller
    loser = claimer if not exact and found < claim[0] else caller
    if loses(table, loser, 1):
        table.say("{name} loses a die", name=table.names[loser])
    return loser if loser in playing(table) else next_playing(table, loser)


async def one_by_one(table: Table, caller: int, claim: Claim, wild: bool) -> int:
    """Let each player show their dice, the doubter first; return how many count. Players who leave show none."""
    found = 0
    for player in playing(table, caller):
        if player not in table.gone:
            faces = await table.turn(player, table.reveal(player, table.scores[player], say("show your dice")))
            found += counting(table, player, faces or (), claim[1], wild=wild)
    return found


async def together(table: Table, caller: int, claim: Claim, wild: bool) -> int | None:
    """Ask for all dice in the tray at once; return how many count, None if the caller has left."""
    dice = sum(table.scores[player] for player in playing(table))
    faces = await table.turn(caller, table.reveal(caller, dice, say("all dice into the tray")))
    return None if faces is None else counting(table, caller, faces, claim[1], wild=wild)


def counting(table: Table, player: int, faces: Faces, face: int, *, wild: bool) -> int:
    """Write and return how many dice count for a claim about this face."""
    count = sum(shown in (face, WILD_FACE) if wild else shown == face for shown in faces)
    table.write("shown", player, count)
    return count
