"""Roll Your Luck: claim a face by banking on it; anyone who throws it later pays you. Source: roll-your-luck.txt.

The text is untitled; the game is published elsewhere under this name.
"""

from tabletop.rules import Choice, Flag, Game, Result, Table, say
from tabletop.rules.families.rounds import rounds_option

DICE = 1  # each
ROUNDS_OF_THE_TEXT = 5
HIGHEST_FACE = 6
LEAST_ACCEPTED = (1, 2, 3, 4, 5)  # in rounds 1 to 5; the 5 and the 6 in any further ones too

ROUNDS = rounds_option(ROUNDS_OF_THE_TEXT)
REFUSED = Choice("refused", "wipes", "a wrong number wipes out the running total, or ends the turn", ("wipes", "ends"))
TOGETHER = Flag("together", True, "everyone throws at once, with dice of different colours; otherwise in turn")

GAME = Game(
    id="roll-your-luck",
    name="Roll Your Luck",
    other_names=("Würfelglück",),
    source="roll-your-luck.txt",
    dice=DICE,
    layout="totals",
    renamed={"die": "", "total": "this round"},
    dice_each=True,
    colours="each",
    joining=True,
    options=(ROUNDS, REFUSED, TOGETHER),
    presets={"roll-your-luck": {}},
    help="""\
What it is about: bank in time and claim numbers; the most points after five rounds win.
A step: everyone has a die of their own colour, and all who are still in the round throw. Then, in seat order, each
decides: roll on, or bank the running total.
The numbers: round 1 accepts all of them, round 2 those from 2 up, round 3 from 3, round 4 from 4, round 5 the 5 and the
6. An accepted number is added to your running total. A wrong one wipes the total out, and you have to throw again.
Claims: when you bank, you claim the number on your die, from the next step to the end of the round. A player who then
throws it loses the running total and is out of the round; each player who claimed it scores its value at once.
The score: points banked, and points for claimed numbers. They cannot be lost.
The end: after five rounds; a tie is shared. If a player leaves, their claims end. A new player joins in the next round.
House rules: A wrong number ends the turn. Players throw one after the other, and decide when all have thrown.""",
)

Claims = dict[int, list[int]]  # face -> the seats that claimed it


async def play(table: Table) -> Result:
    """Play the rounds; each accepts fewer faces."""
    for number in range(1, table.option(ROUNDS) + 1):
        least = LEAST_ACCEPTED[min(number, len(LEAST_ACCEPTED)) - 1]
        table.write_all("round", number)
        table.write_all("accepts", f"{least}-{HIGHEST_FACE}")
        await play_round(table, least)
    return table.highest(say("all rounds are played"))


async def play_round(table: Table, least: int) -> None:
    """Let all throw and decide, step by step, until all are out of the round."""
    totals = dict.fromkeys(table.seats(), 0)
    table.sheet |= {"die": {}, "total": dict(totals), "now": dict.fromkeys(totals, "in"), "claimed": {}}
    claims: Claims = {}
    while totals:
        deciding = {}
        thrown = await throw(table, totals)
        lift_claims(table, claims)
        for player, face in thrown.items():
            table.write("die", player, face)
            if player in table.gone:
                leave_round(table, totals, player, "out")
            elif claimants := claims.get(face):
                pay(table, player, face, claimants)
                leave_round(table, totals, player, "out")
            elif face < least:
                refuse(table, totals, player, face)
            else:
                totals[player] += face
                deciding[player] = face
                table.write("total", player, totals[player])
        for player, face in deciding.items():
            if player not in table.gone and await table.turn(player, decide(table, player, totals[player])) == "bank":
                bank(table, player, totals[player])
                claims.setdefault(face, []).append(player)
                table.write("claimed", player, face)
                leave_round(table, totals, player, "banked")
        for player in table.gone & totals.keys():
            leave_round(table, totals, player, "out")


async def throw(table: Table, totals: dict[int, int]) -> dict[int, int]:
    """Let all players in the round throw; return the faces of those who have not left in the meantime."""
    if table.option(TOGETHER):
        faces = await table.roll_together(dict.fromkeys(totals, DICE))
        return {player: face for player, (face,) in faces.items()}
    thrown = {}
    table.sheet["die"] |= dict.fromkeys(totals)
    for player, total in totals.items():
        if player in table.gone:
            continue
        own = await table.turn(player, table.roll(player, DICE), at_stake=total)
        if own is not None:
            (thrown[player],) = own
            table.write("die", player, thrown[player])
    return thrown


def lift_claims(table: Table, claims: Claims) -> None:
    """Lift the claims of players who have left."""
    for claimants in claims.values():
        for player in table.gone.intersection(claimants):
            claimants.remove(player)
            table.write("claimed", player, None)


def pay(table: Table, player: int, face: int, claimants: list[int]) -> None:
    """Give the face to each player who claimed it; the thrower loses the running total."""
    for other in claimants:
        table.scores[other] += face
    name, names = table.names[player], table.names_of(claimants)
    table.say("{name} throws the claimed {n} and is out: {n2} for {names}", name=name, n=face, n2=face, names=names)


def refuse(table: Table, totals: dict[int, int], player: int, face: int) -> None:
    """Reset the running total after a face that is not accepted, or end the turn."""
    if table.option(REFUSED) == "ends":
        table.say("{name} throws a {n}, which is not accepted, and is out", name=table.names[player], n=face)
        leave_round(table, totals, player, "out")
        return
    table.say("{name} throws a {n}, which is not accepted: back to 0", name=table.names[player], n=face)
    totals[player] = 0
    table.write("total", player, 0)


async def decide(table: Table, player: int, total: int) -> str:
    """Let the player roll on, or bank the running total and claim the face."""
    table.at_stake = total
    return await table.choose(player, "roll", "bank", gives={"bank": total})


def bank(table: Table, player: int, total: int) -> None:
    """Add the running total to the score."""
    table.scores[player] += total
    table.say("{name} banks {n}", name=table.names[player], n=total)


def leave_round(table: Table, totals: dict[int, int], player: int, now: str) -> None:
    """Remove the player from the round."""
    del totals[player]
    table.write("total", player, None)
    table.write("now", player, now)
