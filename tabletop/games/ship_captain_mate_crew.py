"""Ship, Captain, Mate, and Crew: a 6, a 5 and a 4 in this order, then two dice that count. Source: dice-play.txt.

The text totals the crew as soon as the three are aside. In pubs remaining throws may be used for the crew: for both of
its dice (dice.toys/toy/ship-captain-crew, "Ship, Captain, Crew"; preset `pub`) or for either. The first player setting
the number of throws, several rounds, and a kitty that stays if nobody wins it are pub rules.
"""

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, say
from tabletop.rules.families import combinations, race, rounds

DICE = 5
THROWS = 3
SHIP, CAPTAIN, MATE = SEQUENCE = (6, 5, 4)
CREW = DICE - len(SEQUENCE)
KITTY_ROUNDS = 10

CREW_THROWN = Choice(
    "crew",
    "kept",
    "what the remaining throws may improve: nothing (kept), either die of the crew, or both together",
    ("kept", "either", "both"),
)
TIES = Choice("ties", "all", "who plays again if several have the highest crew", ("all", "tied"))
ROUNDS = rounds.rounds_option(1)
LEADER = Flag("leader", False, "nobody may throw more often than the first player of the round did")
KITTY = Flag(
    "kitty", False, "everyone pays a point into the pot each round; the highest crew takes it, and after a tie it stays"
)

GAME = Game(
    id="ship-captain-mate-crew",
    name="Ship, Captain, Mate, and Crew",
    other_names=(
        "Battleship",
        "Mariner",
        "Destroyer",
        "Ship",
        "Ship, Captain and Crew",
        "6-5-4",
        "Schiff, Kapitän, Maat",
        "Ship Captain Crew",
    ),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    options=(CREW_THROWN, TIES, ROUNDS, LEADER, KITTY),
    presets={
        "dice-play": {},
        "pub": {"crew": "both"},
        "ship-kitty": {"crew": "both", "kitty": True, "rounds": KITTY_ROUNDS},
    },
    help="""\
What it is about: throw a 6, a 5 and a 4, in this order, and then the highest crew.
A turn: throw five dice, three times at most. A 6 (the ship) is put aside; a 5 (the captain) only with the 6 or after
it; a 4 (the mate) only with the 5 or after it. The table puts them aside, and the others are thrown again. When all
three are there, the turn is over.
Scoring: with 6, 5 and 4 aside the other two dice, the crew, are added up; without them the turn scores 0.
The end: when everyone has had a turn, the highest crew wins. If there is a tie, or no one has a crew, all play the
round again.
Pub rules: you may throw both crew dice again while you have throws left. The new ones count, even if they are lower.
With a kitty: pub rules, and each round everyone puts a point into the pot. A single highest crew takes the pot;
otherwise it stays, and no round is played again. The most points win. If a pot is left after the last round, you play
on until it is won.
House rules: One or both dice of the crew may be thrown again. Only the tied players play off, in seat order. No one
throws more often than the first player of the round has. Over several rounds the player with the most rounds wins, and
a tie is shared; the player to the left begins the next round.""",
)


async def play(table: Table) -> Result:
    """Play one round, or several, until only one player has the highest crew."""
    if table.option(ROUNDS) > 1 or table.option(KITTY):
        return await play_series(table)
    number = 0
    while True:
        number += 1
        table.write_all("round", number)
        crews = await throw_for_crews(table, 0, scored=True)
        best = await leading(table, crews)
        if len(best) == 1:
            (winner,) = best
            name, crew = table.names[winner], crews[winner]
            if winner in table.sheet["play-off"]:
                return Result(best, say("{name} has the highest crew, {n}, after a play-off", name=name, n=crew))
            return Result(best, say("{name} has the highest crew, {n}", name=name, n=crew))
        table.say("no single highest crew: all play the round again")


async def throw_for_crews(table: Table, first: int, *, scored: bool) -> dict[int, int]:
    """Let everybody have a turn; return the crews of players who have one. scored: whether they become the scores."""
    if scored:
        table.scores = [0] * len(table.names)
    table.sheet |= {"throws": {}, "crew": {}, "play-off": {}}
    crews = await rounds.play_round(table, table.seats(first), limited_turn(table), "crew", scored=scored)
    return {player: crew for player, crew in crews.items() if crew}


async def leading(table: Table, crews: dict[int, int]) -> tuple[int, ...]:
    """Return the seats with the highest crew, after a play-off if tied players have one."""
    best = rounds.leaders(crews)
    return await rounds.play_off(table, best, limited_turn(table)) if table.option(TIES) == "tied" else best


def limited_turn(table: Table) -> race.Turn:
    """Return the turn of a round, in which the first player to finish may set the number of throws."""
    allowed, is_set = THROWS, False
    if table.option(LEADER):
        table.write_all("allowed", allowed)

    async def play_turn(table: Table, player: int) -> int:
        nonlocal allowed, is_set
        crew, used = await turn(table, player, allowed)
        if table.option(LEADER) and not is_set:
            allowed, is_set = used, True
            table.write_all("allowed", allowed)
        return crew

    return play_turn


async def play_series(table: Table) -> Result:
    """Play the rounds; the player with the most rounds won, or the most points from the kitty, wins."""
    kitty, pot, number, first = table.option(KITTY), 0, 0, -1
    while number < table.option(ROUNDS) or pot:
        number += 1
        first = next(table.seats(first + 1))
        table.write_all("round", number)
        if kitty:
            pot += len(list(table.seats()))
            table.write_all("pot", pot)
        winners: tuple[int, ...] = ()
        while not winners:
            crews = await throw_for_crews(table, first, scored=False)
            best = rounds.leaders(crews) if kitty else await leading(table, crews)
            winners = best if len(best) == 1 else ()
            if kitty:
                break
            if not winners:
                table.say("no single highest crew: all play the round again")
        for player in winners:
            table.scores[player] += pot if kitty else 1
            table.say("{name} wins the round", name=table.names[player])
            pot = 0
        if not winners:
            table.say("no single highest crew: the pot of {n} stays", n=pot)
    return table.highest(say("all rounds are played"))


async def turn(table: Table, player: int, throws: int) -> tuple[int, int]:
    """Throw up to this many times; return the crew, 0 if ship, captain or mate is missing, and the throws used."""
    aside: Faces = ()
    crew: Faces = ()
    table.write("throws", player, 0)
    for throw in range(1, throws + 1):
        thrown = await table.roll(player, DICE - len(aside) - len(crew))
        table.write("throws", player, throw)
        aside, others = put_aside(aside, thrown)
        table.kept = tuple(sorted(aside + crew))
        if aside != SEQUENCE:
            continue
        crew = tuple(sorted(crew + others))
        table.at_stake = sum(crew)
        if throw < throws:
            crew = await crew_kept(table, player, crew)
            table.at_stake = sum(crew)
        if len(crew) == CREW:
            table.say("{name} has a crew of {n}", name=table.names[player], n=sum(crew))
            return sum(crew), throw
    name = table.names[player]
    if SHIP not in aside:
        table.say("{name} has no ship and scores nothing", name=name)
    elif CAPTAIN not in aside:
        table.say("{name} has no captain and scores nothing", name=name)
    else:
        table.say("{name} has no mate and scores nothing", name=name)
    return 0, throws


def put_aside(aside: Faces, thrown: Faces) -> tuple[Faces, Faces]:
    """Return the dice set aside after this throw, in order, and the others."""
    others = list(thrown)
    for face in SEQUENCE[len(aside) :]:
        if face not in others:
            break
        others.remove(face)
        aside += (face,)
    return aside, tuple(others)


async def crew_kept(table: Table, player: int, crew: Faces) -> Faces:
    """Let the player improve the crew if the option allows it; return the crew dice that stay."""
    match table.option(CREW_THROWN):
        case "either":
            return await table.keep(player, combinations.parts_of(crew), hand=crew, beside=tuple(sorted(SEQUENCE)))
        case "both":
            wish = await table.choose(player, "roll", "stop", gives={"stop": sum(crew)})
            return crew if wish == "stop" else ()
        case _:
            return crew
