"""Mia: throw two dice under a cup, claim a value, and let the next player believe or doubt it.

Source: the rules from Wikipedia ("Mia (game)", "Mäxchen"); each variation mentioned there is an option.
"""

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, faces_text, say
from tabletop.rules.families.cup import DOUBT, last_one, loses, next_playing, playing
from tabletop.rules.families.order import first_player, order_option

DICE = 2
MIA = "21"
PLAIN = [f"{high}{low}" for high in range(3, 7) for low in range(1, high)]
DOUBLES = [f"{face}{face}" for face in range(1, 7)]
CLAIMS = (*PLAIN, *DOUBLES, MIA)  # from the lowest to the highest
MOST_LIVES = 20

BELIEVE, PASS_ON, GIVE_IN = "believe", "pass on unseen", "give in"

LIVES = Whole("lives", 6, "lives each player starts with", 1, MOST_LIVES)
DOUBLE = Flag("double_mia", False, "doubting a true Mia costs two lives, giving in unseen costs one")
UNSEEN = Flag("unseen", False, "the cup may be passed on unseen, with a higher claim")
EQUAL = Flag("equal", False, "a claim may repeat the one before it, except Mia")
BEGINS = Choice("begins", "next", "who begins the next round: the next player, or the loser", ("next", "loser"))
ORDER = order_option()

GAME = Game(
    id="mia",
    name="Mia",
    other_names=("Meier", "Meyer", "Mäxchen", "Maexchen", "Little Max", "Meiern", "Mäxle", "Lügenmax"),
    source="Mia as Wikipedia tells it (Mäxchen, Meiern)",
    dice=DICE,
    layout="lives",
    counts="lives",
    options=(LIVES, DOUBLE, UNSEEN, EQUAL, BEGINS, ORDER),
    presets={"usual": {}},
    help="""\
What it is about: do not be caught lying, and catch the others. Everyone has six lives.
A turn: throw both dice under the cup, look at them alone, and claim what they show, true or not. Each claim must be
higher than the one before.
The order: the higher die counts first. 31 is the lowest, then 32, 41, ... 65, the doubles 11 to 66, and 21, which is
Mia, the highest of all.
The answer: the next player believes the claim, takes the cup and throws; or doubts it and lifts the cup, for all to see
and for the camera to read. If the dice show less than was claimed, the claimer loses a life. If they show as much or
more, the doubter does. Nothing beats Mia: it can only be doubted.
The next round: the doubter begins if the claim was a lie, otherwise the next player after the doubter.
The end: a player with no lives left is out; the last one in wins. If the player with the cup leaves, the next one
starts the round again. If a player leaves after a claim, it stands, but a lie then costs no life.
House rules: Doubting a true Mia costs two lives; a player who would rather not look gives in for one. The cup may be
passed on unseen, with a higher claim. A claim may repeat the one before. The loser begins the next round.""",
)


async def play(table: Table) -> Result:
    """Play rounds until one player has lives left."""
    table.scores = [table.option(LIVES)] * len(table.names)
    first = await first_player(table, table.option(ORDER), DICE)
    while len(players := playing(table, first)) > 1:
        table.sheet["claim"] = {}
        begun = await table.among(players, play_round(table, players[0]))
        first = players[0] if begun is None else begun
    return last_one(table, say("only one has lives left"))


async def play_round(table: Table, player: int) -> int:
    """Play from an empty cup until lives are lost; return who begins the next round."""
    claimed, unseen = "", False
    while True:
        turn = claim_on(table, player, claimed) if unseen else throw_and_claim(table, player, claimed)
        told = await table.turn(player, turn)
        if told is None:
            return next_playing(table, player)
        claimer, claimed = player, told
        table.write("claim", claimer, claimed)
        answer = None
        while answer is None:
            player = next_playing(table, player)
            answer = await table.turn(player, answer_to(table, player, claimed))
        if answer == GIVE_IN:
            return lost(table, player, 1, next_playing(table, player))
        if answer == DOUBT:
            return await doubted(table, player, claimer, claimed)
        unseen = answer == PASS_ON


async def throw_and_claim(table: Table, player: int, claimed: str) -> str:
    """Throw under the cup, look, and claim something."""
    await table.roll_hidden({player: DICE})
    return await claim_on(table, player, claimed)


async def claim_on(table: Table, player: int, claimed: str) -> str:
    """Ask for a higher claim, true or not."""
    question = say("more than {text}?", text=claimed) if claimed else ""
    told = await table.claim(player, claims_above(claimed, equal=table.option(EQUAL)), question)
    table.say("{name} claims {text}", name=table.names[player], text=told)
    return told


def claims_above(claimed: str, *, equal: bool) -> tuple[str, ...]:
    """Return the claims allowed now, lowest first; nothing beats Mia. claimed: empty at the start of a round."""
    if not claimed:
        return CLAIMS
    return CLAIMS[CLAIMS.index(claimed) + (not equal or claimed == MIA) :]


async def answer_to(table: Table, player: int, claimed: str) -> str:
    """Ask whether the player believes a claim or doubts it."""
    if claimed == MIA:
        options = [GIVE_IN, DOUBT] if table.option(DOUBLE) else [DOUBT]
    else:
        options = [BELIEVE, DOUBT, *([PASS_ON] if table.option(UNSEEN) else [])]
    return await table.choose(player, *options, question=say("{text}: true?", text=claimed))


async def doubted(table: Table, doubter: int, claimer: int, claimed: str) -> int:
    """Lift the cup and take lives; return who begins the next round."""
    thrown = await table.turn(doubter, table.reveal(doubter, DICE))
    if thrown is None:
        return next_playing(table, doubter)
    table.say("under the cup: {faces}", faces=faces_text(thrown))
    if CLAIMS.index(worth(thrown)) < CLAIMS.index(claimed):
        return lost(table, claimer, 1, doubter)
    lives = 2 if claimed == MIA and table.option(DOUBLE) else 1
    return lost(table, doubter, lives, next_playing(table, doubter))


def lost(table: Table, loser: int, lives: int, after: int) -> int:
    """Take lives from the loser; return who begins the next round, `after` unless the loser does."""
    name = table.names[loser]
    if loses(table, loser, lives):
        table.say("{name} loses a life" if lives == 1 else "{name} loses {n} lives", name=name, n=lives)
    if table.option(BEGINS) == "loser":
        return loser if loser in playing(table) else next_playing(table, loser)
    return after


def worth(thrown: Faces) -> str:
    """Return the name of a throw of two dice, the higher digit first."""
    return f"{max(thrown)}{min(thrown)}"
