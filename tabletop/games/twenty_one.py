"""Twenty One: throw one die as often as you like, up to 21 and not over it. Source: dice-play.txt, "Twenty One".

The text's two variations are the options `dice` and `target`.
"""

from tabletop.rules import Game, Result, Table, Whole, say
from tabletop.rules.families.rounds import leaders, play_off, play_round

USUAL_DICE, MOST_DICE = 1, 2

TARGET = Whole("target", 21, "the total that nobody may exceed; 36 is also common", at_least=6, at_most=1000)
DICE = Whole("dice", USUAL_DICE, "how many dice are thrown; two make a faster game", at_least=1, at_most=MOST_DICE)
DISCARD = Whole("discard", 14, "with two dice, the total from which only one is thrown", at_least=2, at_most=1000)

GAME = Game(
    id="twenty-one",
    name="Twenty One",
    other_names=("Einundzwanzig", "21"),
    source="dice-play.txt",
    dice=USUAL_DICE,
    layout="totals",
    min_players=1,
    options=(TARGET, DICE, DISCARD),
    presets={"dice-play": {}},
    help="""\
What it is about: come as near to 21 as you can, but not over it.
A turn: throw the die; the numbers are added up. After each throw choose: roll again, or stop. With more than 21 you are
bust: the turn ends and you are out. You must throw at least once.
Score: your total; 0 if you are bust. Everyone can see the totals of those before them.
The end: when everyone has had a turn, the highest total wins. Tied players play off by the same rules, in seat order,
until one is ahead. If everyone is bust, the round is played again.
House rules: A longer game goes to 36. A faster one has two dice: throw both until you have 14 or more, then one.""",
)


async def play(table: Table) -> Result:
    """Play a round, and play-offs while several players are equally near."""
    while True:
        table.scores = [0] * len(table.names)
        table.sheet |= {"total": {}, "play-off": {}}
        totals = await play_round(table, table.seats(), turn, "total", scored=True)
        not_bust = {player: total for player, total in totals.items() if total}
        winners = await play_off(table, leaders(not_bust), turn)
        if winners:
            (winner,) = winners
            name, target = table.names[winner], table.option(TARGET)
            if winner in table.sheet["play-off"]:
                return Result(winners, say("{name} is nearest to {n} after a play-off", name=name, n=target))
            return Result(winners, say("{name} is nearest to {n}", name=name, n=target))
        table.say("everybody is bust: the round is played again")


async def turn(table: Table, player: int) -> int:
    """Throw until the player stops or goes bust; return the total, 0 for a bust."""
    target, dice = table.option(TARGET), table.option(DICE)
    while True:
        thrown = await table.roll(player, dice)
        table.at_stake += sum(thrown)
        if table.at_stake > target:
            table.say("{name} has {n} and is bust", name=table.names[player], n=table.at_stake)
            return 0
        if await table.choose(player, "roll", "stop", gives={"stop": table.at_stake}) == "stop":
            table.say("{name} stops at {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake
        if table.at_stake >= table.option(DISCARD):
            dice = 1
