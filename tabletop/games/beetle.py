"""Beetle: throw the parts of a beetle and draw them. Source: dice-play.txt and rollin-bones.txt, "Beetle".

The texts describe the same game; the goal of a series (the colony) is 50 points in the first, and 30 in the second. In
a beetle drive the 6 is the body and the 1 an eye (playonlinedicegames.com/beetle, "Beetle Dice Game Rules").
"""

from collections.abc import Mapping
from itertools import permutations

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Value, Whole, join, say
from tabletop.rules.families.order import write_order

PARTS = ("body", "head", "legs", "eyes", "antennae", "tail")  # by the face, from 1
NEEDS: Mapping[str, str] = {  # part -> the part that must be drawn before it
    "legs": "body",
    "tail": "body",
    "head": "body",
    "eyes": "head",
    "antennae": "head",
    "wings": "body",
}
MOST_OF_A_PART = 20

THROW_ON = Flag("throw_on", False, "Beetle Bits: a player who draws a part throws again")
SPEEDY = Flag("speedy", False, "Speedy Beetle: two dice, and both count")
COLONY = Flag("colony", False, "The Colony: a series of games, a point for each part drawn")
TARGET = Whole("target", 50, "the goal of a colony", at_least=1, at_most=10_000)
POINTS = Choice("points", "game", "a colony's points are noted after each game, or part by part", ("game", "part"))
NUMBER_OF: Mapping[str, Whole] = {
    "body": Whole("body", 1, "an evolved beetle: how many body segments", 1, MOST_OF_A_PART),
    "head": Whole("head", 1, "an evolved beetle: how many heads", 1, MOST_OF_A_PART),
    "legs": Whole("legs", 6, "an evolved beetle: how many legs", 0, MOST_OF_A_PART),
    "eyes": Whole("eyes", 2, "an evolved beetle: how many eyes", 0, MOST_OF_A_PART),
    "antennae": Whole("antennae", 2, "an evolved beetle: how many antennae", 0, MOST_OF_A_PART),
    "wings": Whole("wings", 2, "an evolved beetle: how many wings, if 5 draws them", 0, MOST_OF_A_PART),
    "tail": Whole("tail", 1, "an evolved beetle: how many tails", 0, MOST_OF_A_PART),
}
FIVE = Choice("five", "antennae", "an evolved beetle: what a 5 draws; wings need the body only", ("antennae", "wings"))
FACE_OF: Mapping[str, Whole] = {
    "body": Whole("body_face", 0, "which face draws the body; 0: the 1, or any free face", 0, len(PARTS)),
    "head": Whole("head_face", 0, "which face draws the head; 0: the 2, or any free face", 0, len(PARTS)),
    "legs": Whole("legs_face", 0, "which face draws a leg; 0: the 3, or any free face", 0, len(PARTS)),
    "eyes": Whole("eyes_face", 0, "which face draws an eye; 0: the 4, or any free face", 0, len(PARTS)),
    "antennae": Whole("antennae_face", 0, "which face draws an antenna; 0: the 5, or any free face", 0, len(PARTS)),
    "tail": Whole("tail_face", 0, "which face draws the tail; 0: the 6, or any free face", 0, len(PARTS)),
}
DRIVE: Mapping[str, Value] = {  # the faces of a beetle drive
    "body_face": 6,
    "head_face": 5,
    "tail_face": 4,
    "legs_face": 3,
    "antennae_face": 2,
    "eyes_face": 1,
}
LEGS_NEED = Choice("legs_need", "body", "what has to be drawn before legs and tail", ("body", "head"))

GAME = Game(
    id="beetle",
    name="Beetle",
    other_names=("Bugs", "Bug", "Cootie", "Käfer", "Beetle Drive"),
    source="dice-play.txt, rollin-bones.txt",
    dice=1,
    layout="beetle",
    renamed={"game": ""},
    min_players=1,
    joining=True,
    options=(THROW_ON, SPEEDY, COLONY, TARGET, POINTS, *NUMBER_OF.values(), FIVE, LEGS_NEED, *FACE_OF.values()),
    presets={"dice-play": {}, "rollin-bones": {"target": 30}, "beetle-drive": DRIVE},
    help="""\
What it is about: draw a whole beetle. It has a body, a head, six legs, two eyes, two antennae and a tail.
A turn: throw one die once, and draw what it shows: 1 body, 2 head, 3 a leg, 4 an eye, 5 an antenna, 6 the tail. Head,
legs and tail need the body; eyes and antennae need the head. What cannot be drawn, or is there already, is lost.
The score: how many of the 13 parts are drawn.
The end: the first player with a whole beetle wins at once; there are no ties.
House rules: in Beetle Bits, drawing a part earns another throw. In Speedy Beetle, two dice are thrown, and both count,
in the order that draws more. A series of games, the Colony, goes to 50 points, or to 30. When a beetle is complete,
everyone scores a point for each part drawn, and the next game begins one seat further to the left. The highest score
wins; a tie is shared. If points are written down part by part, reaching the target ends the match at once.
Other beetles: a beetle may have more or fewer parts. If a 5 draws a wing, the wing needs the body. Legs and tail may
need the head. Other numbers may draw the parts. A part without a new number keeps its usual one, or takes the lowest
that is free; if two parts want the same, it goes by this order: body, head, legs, eyes, antennae, tail. Beetle drive: 6
body, 5 head, 4 tail, 3 leg, 2 antenna, 1 eye.""",
)

Beetle = dict[str, int]


def parts(table: Table) -> tuple[str, ...]:
    """Return the part that each face draws, from 1."""
    by_face: dict[int, str] = {}
    for part, option in FACE_OF.items():
        by_face.setdefault(table.option(option), part)
    by_face.pop(0, None)
    for usual, part in enumerate(PARTS, start=1):
        if part not in by_face.values():
            by_face.setdefault(usual, part)
    free = [face for face in range(1, len(PARTS) + 1) if face not in by_face]
    by_face |= zip(free, (part for part in PARTS if part not in by_face.values()), strict=True)
    return tuple(table.option(FIVE) if part == "antennae" else part for _, part in sorted(by_face.items()))


async def play(table: Table) -> Result:
    """Play until a player has drawn the whole beetle, or until a series of games has reached the target."""
    table.sheet |= {part: {} for part in parts(table)}
    if not table.option(COLONY):
        await one_game(table, first=0)
        return table.highest(say("a beetle is complete"))
    target, game, first = table.option(TARGET), 0, -1
    while True:
        game += 1
        first = next(table.seats(first + 1))
        table.write_all("game", game)
        write_order(table, table.seats(first))
        parts_drawn = await one_game(table, first)
        if table.option(POINTS) == "game":
            for player, drawn in parts_drawn.items():  # a player who has left may return to their points
                table.scores[player] += drawn
        if any(table.scores[player] >= target for player in table.seats()):
            break
    return table.highest(say("the target of {n} is reached", n=target))


async def one_game(table: Table, first: int) -> dict[int, int]:
    """Play until a player has finished a beetle; return how many parts each has drawn."""
    beetles: dict[int, Beetle] = {player: dict.fromkeys(parts(table), 0) for player in range(len(table.names))}
    for player, beetle in beetles.items():
        show(table, player, beetle)
    while True:
        for player in table.seats(first):
            beetle = beetles.setdefault(player, dict.fromkeys(parts(table), 0))
            await table.turn(player, turn(table, player, beetle))
            if finished(table, player, beetle):
                return {player: sum(beetle.values()) for player, beetle in beetles.items()}


async def turn(table: Table, player: int, beetle: Beetle) -> None:
    """Throw, and draw the parts shown by the dice."""
    noted = not table.option(COLONY) or table.option(POINTS) == "part"
    show(table, player, beetle)
    while True:
        thrown = await table.roll(player, 2 if table.option(SPEEDY) else 1)
        drawn = drawable(table, beetle, thrown)
        for part in drawn:
            beetle[part] += 1
            table.scores[player] += noted
        show(table, player, beetle)
        if not drawn and len(thrown) == 1:
            say_why_not(table, player, beetle, parts(table)[thrown[0] - 1])
        else:
            table.say("{name} draws {boxes}", name=table.names[player], boxes=join(", ", drawn) or "nothing")
        if finished(table, player, beetle) or not (drawn and table.option(THROW_ON)):
            return


def say_why_not(table: Table, player: int, beetle: Beetle, part: str) -> None:
    """Announce why a part cannot be drawn: another one comes first, or it is complete."""
    needed = needed_for(table, part)
    if needed is not None and not beetle[needed]:
        table.say("{name} draws nothing: {box} comes first", name=table.names[player], box=needed)
    else:
        table.say("{name} draws nothing: {box} complete", name=table.names[player], box=part)


def drawable(table: Table, beetle: Beetle, thrown: Faces) -> list[str]:
    """Return the parts drawn by the dice one after the other, in the order that draws more."""
    return max((drawn_in_order(table, beetle, order) for order in permutations(thrown)), key=len)


def drawn_in_order(table: Table, beetle: Beetle, thrown: Faces) -> list[str]:
    """Return the parts drawn by the dice in this order."""
    drawn: list[str] = []
    for face in thrown:
        part = parts(table)[face - 1]
        needed = needed_for(table, part)
        there = [*drawn, *(known for known, number in beetle.items() if number)]
        wanted = table.option(NUMBER_OF[part]) > beetle[part] + drawn.count(part)
        if wanted and (needed is None or needed in there):
            drawn.append(part)
    return drawn


def needed_for(table: Table, part: str) -> str | None:
    """Return the part that must be drawn before this one, None for the body."""
    return table.option(LEGS_NEED) if part in ("legs", "tail") else NEEDS.get(part)


def finished(table: Table, player: int, beetle: Beetle) -> bool:
    """Whether the beetle is complete, or the points counted during drawing have reached the target."""
    if table.option(COLONY) and table.option(POINTS) == "part" and table.scores[player] >= table.option(TARGET):
        return True
    return all(number == table.option(NUMBER_OF[part]) for part, number in beetle.items())


def show(table: Table, player: int, beetle: Beetle) -> None:
    """Write how many of each part are drawn."""
    for part, number in beetle.items():
        table.write(part, player, number)
