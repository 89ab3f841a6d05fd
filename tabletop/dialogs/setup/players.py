"""Who plays, in which seats: groups that played before, names taken one by one, new names, names to forget."""

from tabletop.core.message import say
from tabletop.dialogs.decisions import Join
from tabletop.dialogs.option_values import note
from tabletop.dialogs.setup.state import Question, SetupLine, SetupState
from tabletop.dialogs.text_entry import TextEntry
from tabletop.rules.game import Game

FAMILY = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")  # names until people have given their own
GROUPS_SHOWN = 4  # players who played before, newest first
NAMES_SHOWN = 6  # remembered names before "more names"
SHORT_GROUP = 2  # names that fit into one line
EXPECTED = 2  # most games are played by two or more, whatever their texts allow


def fits(game: Game, players: tuple[str, ...]) -> bool:
    """Return whether this many can play this game."""
    return game.min_players <= len(players) <= game.max_players


def after_game(state: SetupState, game: Game) -> SetupState:
    """Return what is asked once the game is chosen: who plays, unless that was said before or by the command line."""
    players = state.step.players or state.known.seated
    if players and fits(game, players):
        return state.go("start", game=game, players=players)
    if players and len(players) < game.min_players:
        return state.go("names", game=game, players=players)
    return state.go("names" if state.known.seated else "who", game=game, players=())


def who(state: SetupState) -> Question:
    """Ask who plays: groups that did so before, or others name by name."""
    lines = [_group_line(state, players) for players in _groups(state)]
    return Question(say("Who plays?"), (*lines, SetupLine(say("other players"), state.go("names", players=()))))


def _groups(state: SetupState) -> list[tuple[str, ...]]:
    """Return the groups to offer, the likeliest first; too small a one is still to be added to."""
    known = _known(state)
    if not known and not state.draft.seating:
        counts = range(state.game.min_players, min(state.game.max_players, len(FAMILY)) + 1)
        return [FAMILY[:count] for count in sorted(counts, key=lambda count: (count < EXPECTED, count))]
    played = (match.players for match in state.known.played if known.issuperset(match.players))
    there: dict[frozenset[str], tuple[str, ...]] = {}
    for players in (state.draft.seating, *played):
        if players:
            there.setdefault(frozenset(players), players)  # the same people only as they sat last
    whole = [players for players in there.values() if fits(state.game, players)]
    return (whole or [players for players in there.values() if len(players) < state.game.min_players])[:GROUPS_SHOWN]


def _group_line(state: SetupState, players: tuple[str, ...]) -> SetupLine:
    if len(players) < state.game.min_players:
        return SetupLine(
            say("{names}, ...", names=", ".join(players)),
            state.go("names", players=players),
            say("at least {n}", n=state.game.min_players),
        )
    start = state.go("start", players=players)
    if len(players) <= SHORT_GROUP:
        return SetupLine(", ".join(players), start, note((), start.settings), given=True)
    return SetupLine(say("{n} players", n=len(players)), start, note(players, start.settings))


def names(state: SetupState) -> Question:
    """Ask for the next player: done where there are enough, remembered names, a new one."""
    players, lines = state.step.players, []
    sitting = ", ".join(players)
    enough = len(players) >= state.game.min_players
    if enough and players:
        lines.append(SetupLine(_done(len(players)), state.go("start"), sitting))
    there, new = _offered(state), SetupLine(say("new name"), _spelled(state), sitting)
    offered = [SetupLine(name, seated(state, name), sitting, given=True) for name in there[:NAMES_SHOWN]]
    lines += [*offered, new] if _known(state) else [new, *offered]  # a new player has a name of their own
    if len(there) > NAMES_SHOWN:
        lines.append(SetupLine(say("more names"), state.go("more"), sitting))
    if set(state.known.names) - set(state.draft.forgotten):
        lines.append(SetupLine(say("forget a name"), state.go("forget"), sitting))
    begin = 1 if enough and 0 < len(players) < EXPECTED else 0
    return Question(say("Player {n}: who?", n=len(players) + 1), tuple(lines), begin)


def _done(players: int) -> str:
    return say("done: {n} player", n=players) if players == 1 else say("done: {n} players", n=players)


def more(state: SetupState) -> Question:
    """Ask which of the names played longest ago."""
    there = _offered(state)[NAMES_SHOWN:]
    sitting = ", ".join(state.step.players)
    lines = (SetupLine(name, seated(state, name), sitting, given=True) for name in there)
    return Question(say("Player {n}: who?", n=len(state.step.players) + 1), tuple(lines))


def seated(state: SetupState, name: str) -> SetupState:
    """Return what is asked once this player has taken the next seat."""
    players = (*state.step.players, name)
    after = state.keep(seating=players)
    return after.go("start" if len(players) == state.game.max_players else "names", players=players)


def written(state: SetupState, name: str) -> SetupState:
    """Return what is asked once a new name is spelled."""
    after = state.keep(names=tuple(dict.fromkeys((name, *state.draft.names))), unfinished_name="")
    after = after.keep(forgotten=tuple(other for other in state.draft.forgotten if other != name))
    if any(step.asked == "joins" for step in state.trail):
        return after.go("joins?", detail=name)
    return seated(after, name)


def _spelled(state: SetupState) -> SetupState:
    title = say("Player {n}", n=len(state.step.players) + 1) if state.step.asked == "names" else say("Who joins?")
    return state.go("name", writing=TextEntry(title, state.draft.unfinished_name, taken=state.step.players))


def _offered(state: SetupState) -> tuple[str, ...]:
    return state.names if _known(state) else tuple(name for name in FAMILY if name not in state.step.players)


def _known(state: SetupState) -> set[str]:
    """Return the names of people, the example family not among them."""
    return {*state.known.names, *state.draft.names, *state.known.seated} - set(state.draft.forgotten)


def forget(state: SetupState) -> Question:
    """Ask which name is not to be offered any more."""
    there = [name for name in state.known.names if name not in state.draft.forgotten]
    lines = (SetupLine(name, state.go("forget?", detail=name), given=True) for name in there)
    return Question(say("Forget whom?"), tuple(lines))


def forget_sure(state: SetupState) -> Question:
    """Ask once more."""
    name, before = state.step.detail, state.back_to("names")
    without = before.keep(forgotten=(*state.draft.forgotten, name))
    without = without.keep(names=tuple(other for other in state.draft.names if other != name))
    yes = SetupLine(say("yes, forget"), without, say("matches played stay in the store"), forgets=name)
    return Question(say("Forget {name}?", name=name), (SetupLine(say("no"), before), yes))


def seats(state: SetupState) -> Question:
    """Ask for the order at the table, seat by seat; the player clockwise of the last first."""
    taken, players = state.step.seats, state.step.players
    turned = players.index(taken[-1]) + 1 if taken else 0
    left = [name for name in (*players[turned:], *players[:turned]) if name not in taken]
    lines = [SetupLine(name, _next_seat(state, (*taken, name), left), given=True) for name in left]
    if not taken:
        return Question(say("Who begins?"), tuple(lines))
    rest = (*taken, *left)
    as_now = SetupLine(say("others unchanged"), state.back_to("start").seat(rest), ", ".join(rest))
    return Question(say("Next to {name}?", name=taken[-1]), (as_now, *lines))


def _next_seat(state: SetupState, taken: tuple[str, ...], left: list[str]) -> SetupState:
    last = tuple(name for name in left if name not in taken)
    if len(last) <= 1:
        return state.back_to("start").seat((*taken, *last))
    return state.go("seats", seats=taken)


def joins(state: SetupState) -> Question:
    """Ask who sits down at a match that goes on. players: those present; seats: those who left and may return."""
    back = [
        SetupLine(name, state.go("joins?", detail=name), say("comes back"), given=True) for name in state.step.seats
    ]
    if not state.game.joining or len(state.step.players) >= state.game.max_players:
        return Question(say("Who joins?"), tuple(back))
    others = (name for name in state.names if name not in state.step.seats)
    new = [SetupLine(name, state.go("joins?", detail=name), say("joins last"), given=True) for name in others]
    return Question(
        say("Who joins?"), (*back, *new[:NAMES_SHOWN], SetupLine(say("new name"), _spelled(state)), *new[NAMES_SHOWN:])
    )


def joins_sure(state: SetupState) -> Question:
    """Ask once more."""
    name = state.step.detail
    return Question(
        say("{name} joins?", name=name),
        (SetupLine(say("yes"), Join(name)), SetupLine(say("no"), state.back_to("joins"))),
    )
