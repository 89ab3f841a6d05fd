"""Which game: what is open, the last one again, those played last, and all of them by how many dice they take."""

from tabletop.core.message import join, say
from tabletop.dialogs.decisions import MenuAction, NewMatch, Resume
from tabletop.dialogs.option_values import note
from tabletop.dialogs.setup.players import after_game, fits
from tabletop.dialogs.setup.state import Question, SetupLine, SetupState
from tabletop.rules.game import MOST_PLAYERS, Game

PRESETS_SHOWN = 6  # of those that people have kept, the newest; the page has all of them
RECENT_SHOWN = 4  # games played last, before all games
OPEN_SHOWN = 12  # open matches besides the newest; an older one goes on with `--resume`
USUAL_LEAST = 2  # players; a game for fewer than usual, or that needs more, says so
NAMES_IN_NOTE = 4  # games of a group that its note names


def first(state: SetupState) -> Question:
    """Ask what to do when the table waits for somebody; the likeliest first, each within two presses."""
    going = [played for played in state.known.played if played.open]
    lines = [
        SetupLine(
            say("go on: {game}", game=played.game.name), Resume(played.number), note(played.players, played.settings)
        )
        for played in going[:1]
    ]
    lines += [*_own(state), *_again(state)]
    if len(going) > 1:
        lines.append(
            SetupLine(say("other open"), state.go("open"), say("{n} more can go on", n=min(len(going) - 1, OPEN_SHOWN)))
        )
    last = [
        *([SetupLine(say("phones"), MenuAction.DEVICES, say("who may press there"))] if state.known.phones else []),
        SetupLine(say("switch off"), state.go("off?")),
        SetupLine(say("language"), MenuAction.LANGUAGE),
        SetupLine(say("check the table"), MenuAction.CHECK, state.known.unreadable_text),
    ]
    if state.known.calibrates:
        last.append(SetupLine(say("calibrate"), MenuAction.CALIBRATE, say("camera, light and dice")))
    return Question(say("Go on?") if lines else say("Which game?"), (*lines, *_recent(state), *_groups(state), *last))


def off_sure(state: SetupState) -> Question:
    """Ask once more: a press too many ends no evening."""
    lines = (SetupLine(say("yes, switch off"), MenuAction.QUIT), SetupLine(say("no"), state.back_to("first")))
    return Question(say("Switch off?"), lines)


def games(state: SetupState) -> Question:
    """Ask which game, where those who play are known."""
    return Question(say("Which game?"), (*_recent(state), *_groups(state)))


def open_matches(state: SetupState) -> Question:
    """Ask which of the older open matches goes on."""
    going = [played for played in state.known.played if played.open]
    older = going[1 : 1 + OPEN_SHOWN]
    lines = (
        SetupLine(played.game.name, Resume(played.number), note(played.players, played.settings)) for played in older
    )
    return Question(say("Go on with?"), tuple(lines))


def group(state: SetupState) -> Question:
    """Ask which of the games with this many dice."""
    games = [game for game in state.known.games if _dice(game) == state.step.detail]
    recent = state.known.games[: state.known.recent]
    played = [game for game in games if game in recent]
    others = sorted((game for game in games if game not in recent), key=lambda game: game.name)
    return Question(state.step.detail, tuple(_game_line(state, game) for game in (*played, *others)))


def _again(state: SetupState) -> list[SetupLine]:
    """Offer the last game with the last players and their options, or with those whom the command line named."""
    if not state.known.played:
        return []
    last = state.known.played[0]
    players = state.known.seated or last.players
    gone = (
        any(name not in state.known.names or name in state.draft.forgotten for name in players)
        and not state.known.seated
    )
    if gone or not fits(last.game, players) or last.game not in state.known.games:
        return []
    settings = last.settings if set(players) == set(last.players) else ()
    match = NewMatch(last.game.id, players, settings)
    return [SetupLine(say("again: {game}", game=last.game.name), match, note(players, settings))]


def _own(state: SetupState) -> list[SetupLine]:
    """Offer what people have kept under names of their own; one press begins it."""
    kept = [preset for preset in state.known.presets if fits(preset.game, preset.players)][:PRESETS_SHOWN]
    return [
        SetupLine(
            preset.name,
            NewMatch(preset.game.id, preset.players, preset.settings),
            join(": ", (preset.game.name, note(preset.players, preset.settings))),
            given=True,
        )
        for preset in kept
    ]


def _recent(state: SetupState) -> list[SetupLine]:
    """Return a line for each of the games played last; in a new store for the easiest."""
    return [_game_line(state, game) for game in state.known.games[: max(1, min(state.known.recent, RECENT_SHOWN))]]


def _groups(state: SetupState) -> list[SetupLine]:
    """Return a line for each number of dice, fewest first."""
    counts = sorted({game.dice: _dice(game) for game in state.known.games}.items())
    lines = []
    for _, label in counts:
        names = sorted(game.name for game in state.known.games if _dice(game) == label)
        some = join(", ", names[:NAMES_IN_NOTE])
        note = say("such as {games}, ..." if len(names) > NAMES_IN_NOTE else "such as {games}", games=some)
        lines.append(SetupLine(label, state.go("group", detail=label), note))
    return lines


def _game_line(state: SetupState, game: Game) -> SetupLine:
    few = game.min_players > USUAL_LEAST or game.max_players < MOST_PLAYERS
    return SetupLine(
        game.name,
        after_game(state, game),
        say("{n} to {n2} players", n=game.min_players, n2=game.max_players) if few else "",
    )


def _dice(game: Game) -> str:
    return say("one die") if game.dice == 1 else say("{n} dice", n=game.dice)
