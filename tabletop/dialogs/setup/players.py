"""Who plays, in which seats: groups that played before, names taken one by one, new names, names to forget."""

from tabletop.core.message import say
from tabletop.dialogs.decisions import Join
from tabletop.dialogs.option_values import note
from tabletop.dialogs.setup.state import Line, Question, SetupState
from tabletop.dialogs.text_entry import TextEntry
from tabletop.rules.game import Game

FAMILY = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")  # names until people have given their own
GROUPS_SHOWN = 4  # players who played before, newest first
NAMES_SHOWN = 6  # remembered names before "more names"
SHORT_GROUP = 2  # so many names fit into one line
EXPECTED = 2  # most games are played by two or more, whatever their texts allow


def fits(game: Game, players: tuple[str, ...]) -> bool:
    """Return whether so many can play this game."""
    return game.min_players <= len(players) <= game.max_players


def after_game(way: SetupState, game: Game) -> SetupState:
    """Return what is asked once the game is chosen: who plays, unless that was said before or by the command line."""
    players = way.spot.players or way.known.seated
    if players and fits(game, players):
        return way.go("start", game=game, players=players)
    if players and len(players) < game.min_players:
        return way.go("names", game=game, players=players)
    return way.go("names" if way.known.seated else "who", game=game, players=())


def who(way: SetupState) -> Question:
    """Ask who plays: groups that did so before, or others name by name."""
    lines = [_group_line(way, players) for players in _groups(way)]
    return Question(say("Who plays?"), (*lines, Line(say("other players"), way.go("names", players=()))))


def _groups(way: SetupState) -> list[tuple[str, ...]]:
    """Return the groups to offer, the likeliest first; too small a one is still to be added to."""
    known = _known(way)
    if not known and not way.kept.seating:
        counts = range(way.game.min_players, min(way.game.max_players, len(FAMILY)) + 1)
        return [FAMILY[:count] for count in sorted(counts, key=lambda count: (count < EXPECTED, count))]
    played = (one.players for one in way.known.played if known.issuperset(one.players))
    there: dict[frozenset[str], tuple[str, ...]] = {}
    for players in (way.kept.seating, *played):
        if players:
            there.setdefault(frozenset(players), players)  # the same people only as they sat last
    whole = [players for players in there.values() if fits(way.game, players)]
    return (whole or [players for players in there.values() if len(players) < way.game.min_players])[:GROUPS_SHOWN]


def _group_line(way: SetupState, players: tuple[str, ...]) -> Line:
    if len(players) < way.game.min_players:
        return Line(
            say("{names}, ...", names=", ".join(players)),
            way.go("names", players=players),
            say("{n} at least", n=way.game.min_players),
        )
    start = way.go("start", players=players)
    if len(players) <= SHORT_GROUP:
        return Line(", ".join(players), start, note((), start.settings), given=True)
    return Line(say("{n} players", n=len(players)), start, note(players, start.settings))


def names(way: SetupState) -> Question:
    """Ask for the next player: done where there are enough, remembered names, a new one."""
    players, lines = way.spot.players, []
    sitting = ", ".join(players)
    enough = len(players) >= way.game.min_players
    if enough and players:
        lines.append(Line(_done(len(players)), way.go("start"), sitting))
    there, new = _offered(way), Line(say("new name"), _spelled(way), sitting)
    offered = [Line(name, seated(way, name), sitting, given=True) for name in there[:NAMES_SHOWN]]
    lines += [*offered, new] if _known(way) else [new, *offered]  # who is new has a name of his own
    if len(there) > NAMES_SHOWN:
        lines.append(Line(say("more names"), way.go("more"), sitting))
    if set(way.known.names) - set(way.kept.forgotten):
        lines.append(Line(say("forget a name"), way.go("forget"), sitting))
    begin = 1 if enough and 0 < len(players) < EXPECTED else 0
    return Question(say("Player {n}: who?", n=len(players) + 1), tuple(lines), begin)


def _done(players: int) -> str:
    return say("done: {n} player", n=players) if players == 1 else say("done: {n} players", n=players)


def more(way: SetupState) -> Question:
    """Ask which of the names played longest ago."""
    there = _offered(way)[NAMES_SHOWN:]
    sitting = ", ".join(way.spot.players)
    lines = (Line(name, seated(way, name), sitting, given=True) for name in there)
    return Question(say("Player {n}: who?", n=len(way.spot.players) + 1), tuple(lines))


def seated(way: SetupState, name: str) -> SetupState:
    """Return what is asked once this player has taken the next seat."""
    players = (*way.spot.players, name)
    kept = way.keep(seating=players)
    return kept.go("start" if len(players) == way.game.max_players else "names", players=players)


def written(way: SetupState, name: str) -> SetupState:
    """Return what is asked once a new name is spelled."""
    kept = way.keep(names=tuple(dict.fromkeys((name, *way.kept.names))), begun="")
    kept = kept.keep(forgotten=tuple(one for one in way.kept.forgotten if one != name))
    if any(spot.asked == "joins" for spot in way.trail):
        return kept.go("joins?", detail=name)
    return seated(kept, name)


def _spelled(way: SetupState) -> SetupState:
    title = say("Player {n}", n=len(way.spot.players) + 1) if way.spot.asked == "names" else say("Who joins?")
    return way.go("name", writing=TextEntry(title, way.kept.begun, taken=way.spot.players))


def _offered(way: SetupState) -> tuple[str, ...]:
    return way.names if _known(way) else tuple(name for name in FAMILY if name not in way.spot.players)


def _known(way: SetupState) -> set[str]:
    """Return the names of people, the example family not among them."""
    return {*way.known.names, *way.kept.names, *way.known.seated} - set(way.kept.forgotten)


def forget(way: SetupState) -> Question:
    """Ask which name is not to be offered any more."""
    there = [name for name in way.known.names if name not in way.kept.forgotten]
    lines = (Line(name, way.go("forget?", detail=name), given=True) for name in there)
    return Question(say("Forget whom?"), tuple(lines))


def forget_sure(way: SetupState) -> Question:
    """Ask once more."""
    name, before = way.spot.detail, way.back_to("names")
    without = before.keep(forgotten=(*way.kept.forgotten, name))
    without = without.keep(names=tuple(one for one in way.kept.names if one != name))
    yes = Line(say("yes, forget"), without, say("matches played stay in the store"), forgets=name)
    return Question(say("Forget {name}?", name=name), (Line(say("no"), before), yes))


def seats(way: SetupState) -> Question:
    """Ask for the order at the table, seat by seat; who sits clockwise of the last one first."""
    taken, players = way.spot.seats, way.spot.players
    turned = players.index(taken[-1]) + 1 if taken else 0
    left = [name for name in (*players[turned:], *players[:turned]) if name not in taken]
    lines = [Line(name, _next_seat(way, (*taken, name), left), given=True) for name in left]
    if not taken:
        return Question(say("Who begins?"), tuple(lines))
    rest = (*taken, *left)
    as_now = Line(say("the rest as now"), way.back_to("start").seat(rest), ", ".join(rest))
    return Question(say("Next to {name}?", name=taken[-1]), (as_now, *lines))


def _next_seat(way: SetupState, taken: tuple[str, ...], left: list[str]) -> SetupState:
    last = tuple(name for name in left if name not in taken)
    if len(last) <= 1:
        return way.back_to("start").seat((*taken, *last))
    return way.go("seats", seats=taken)


def joins(way: SetupState) -> Question:
    """Ask who sits down at a match that goes on. players: who is there; seats: who has left and may come back."""
    back = [Line(name, way.go("joins?", detail=name), say("comes back"), given=True) for name in way.spot.seats]
    if not way.game.joining or len(way.spot.players) >= way.game.max_players:
        return Question(say("Who joins?"), tuple(back))
    others = (name for name in way.names if name not in way.spot.seats)
    new = [Line(name, way.go("joins?", detail=name), say("sits down last"), given=True) for name in others]
    return Question(
        say("Who joins?"), (*back, *new[:NAMES_SHOWN], Line(say("new name"), _spelled(way)), *new[NAMES_SHOWN:])
    )


def joins_sure(way: SetupState) -> Question:
    """Ask once more."""
    name = way.spot.detail
    return Question(
        say("{name} joins?", name=name), (Line(say("yes"), Join(name)), Line(say("no"), way.back_to("joins")))
    )
