"""Ship, Captain, Mate, and Crew: a 6, a 5 and a 4 in this order, then two dice that count. Source: dice-play.txt.

The text totals the crew as soon as the three are aside. In pubs throws that are left may be used for the crew: both of
its dice (dice.toys/toy/ship-captain-crew, "Ship, Captain, Crew"; preset `pub`) or either.
"""

from tabletop.core.message import say
from tabletop.rules.families.combinations import parts_of
from tabletop.rules.families.rounds import leaders, play_off, play_round
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Choice
from tabletop.rules.requests import Faces
from tabletop.rules.table import Table

DICE = 5
THROWS = 3
SHIP, CAPTAIN, MATE = SEQUENCE = (6, 5, 4)
CREW = DICE - len(SEQUENCE)

CREW_THROWN = Choice(
    "crew",
    "kept",
    "whether remaining throws may improve the crew: it is kept, either die may be thrown again, or both together",
    ("kept", "either", "both"),
)
TIES = Choice("ties", "all", "who plays again where several have the highest crew", ("all", "tied"))

GAME = Game(
    id="ship-captain-mate-crew",
    name="Ship, Captain, Mate, and Crew",
    other_names=("Battleship", "Mariner", "Destroyer", "Ship", "Ship, Captain and Crew", "6-5-4"),
    source="dice-play.txt",
    dice=DICE,
    min_players=1,
    options=(CREW_THROWN, TIES),
    presets={"dice-play": {}, "pub": {"crew": "both"}},
    help="""\
What it is about: get a 6 (the ship), a 5 (the captain) and a 4 (the mate), in this order, and the highest crew.
A turn: throw five dice, three times at most. A 6 is put aside; a 5 only with the 6 or after it; a 4 only with the 5 or
after it. The others are thrown again. The referee puts aside what may be. When all three are there, the turn is over.
Scoring: with 6, 5 and 4 aside the other two dice, the crew, are added up; without them the turn scores 0.
The score sheet: which round is played, how many throws of the turn are made, the crews, and those of a play-off, where
`due` is who still has a turn in it.
The end: the highest crew wins when everybody has had a turn. On a tie, or if nobody has a crew, all play the round
again.
Options: crew=both lets you throw both crew dice again while you have throws left (rules=pub), crew=either one or both
of them; the new ones count, even if they are lower. ties=tied lets only those play off who are tied.""",
)


async def play(table: Table) -> Result:
    """Play rounds until one player alone has the highest crew."""
    number = 0
    while True:
        number += 1
        table.write_all("round", number)
        table.scores = [0] * len(table.names)
        table.sheet |= {"throws": {}, "crew": {}, "play-off": {}}
        crews = await play_round(table, table.seats(), turn, "crew", scored=True)
        crews = {player: crew for player, crew in crews.items() if crew}
        best = leaders(crews)
        if table.option(TIES) == "tied":
            best = await play_off(table, best, turn)
        if len(best) == 1:
            (winner,) = best
            name, crew = table.names[winner], crews[winner]
            if winner in table.sheet["play-off"]:
                return Result(best, say("{name} has the highest crew, {n}, after a play-off", name=name, n=crew))
            return Result(best, say("{name} has the highest crew, {n}", name=name, n=crew))
        table.say("no single highest crew: all play the round again")


async def turn(table: Table, player: int) -> int:
    """Throw up to three times; return the total of the crew, 0 if ship, captain or mate is missing."""
    aside: Faces = ()
    crew: Faces = ()
    table.write("throws", player, 0)
    for throw in range(1, THROWS + 1):
        thrown = await table.roll(player, DICE - len(aside) - len(crew))
        table.write("throws", player, throw)
        aside, others = put_aside(aside, thrown)
        table.kept = tuple(sorted(aside + crew))
        if aside != SEQUENCE:
            continue
        crew = tuple(sorted(crew + others))
        table.at_stake = sum(crew)
        if throw < THROWS:
            crew = await crew_kept(table, player, crew)
            table.at_stake = sum(crew)
        if len(crew) == CREW:
            table.say("{name} has a crew of {n}", name=table.names[player], n=sum(crew))
            return sum(crew)
    name = table.names[player]
    if SHIP not in aside:
        table.say("{name} has no ship and scores nothing", name=name)
    elif CAPTAIN not in aside:
        table.say("{name} has no captain and scores nothing", name=name)
    else:
        table.say("{name} has no mate and scores nothing", name=name)
    return 0


def put_aside(aside: Faces, thrown: Faces) -> tuple[Faces, Faces]:
    """Return what is aside after this throw, in order, and the dice that are not."""
    others = list(thrown)
    for face in SEQUENCE[len(aside) :]:
        if face not in others:
            break
        others.remove(face)
        aside += (face,)
    return aside, tuple(others)


async def crew_kept(table: Table, player: int, crew: Faces) -> Faces:
    """Let the player better his crew where the option allows it; return the crew dice that he does not throw again."""
    match table.option(CREW_THROWN):
        case "either":
            return await table.keep(player, parts_of(crew), hand=crew, beside=tuple(sorted(SEQUENCE)))
        case "both":
            wish = await table.choose(player, "roll", "stop", gives={"stop": sum(crew)})
            return crew if wish == "stop" else ()
        case _:
            return crew
