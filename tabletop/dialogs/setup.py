"""Set up a match with two buttons: game, players, seats, options. Pure: presses in, questions or a decision out.

`docs/table-manners.md` draws the way through the questions.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from tabletop.core import InputError, join, ports, say
from tabletop.dialogs import entries, lobby, setup_state
from tabletop.dialogs.commands import Decision, Dialog, Join, MenuAction, NewMatch, Resume
from tabletop.dialogs.setup_state import Asked, NamedGame, Question, SetupLine, SetupState, note
from tabletop.rules import RULES, AnyOption, Match, Value, Whole
from tabletop.rules.game import CALLED, MOST_PLAYERS, Game
from tabletop.views.i18n.house_rules import sentence
from tabletop.views.snapshot import MenuView, Snapshot

WHICH_GAME, MORE_GAMES = say("Which game?"), say("More games...")
OTHER_GAME, NEW_NAME = say("other game"), say("new name")
FAMILY = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")  # names until people have given their own
GROUPS_SHOWN = 4  # groups of players that played before, newest first
NAMES_SHOWN = 6  # known names listed before "more names"
SHORT_GROUP = 2  # names that fit on one line
EXPECTED = 2  # most games are played by two or more, whatever their texts allow


def fits(game: Game, players: tuple[str, ...]) -> bool:
    """Return whether this many can play this game."""
    return game.min_players <= len(players) <= game.max_players


def after_game(state: SetupState, game: Game) -> SetupState:
    """Return the question after the choice of a game: who plays, unless that is already known."""
    players = state.step.players or state.known.seated
    if players and fits(game, players):
        return state.go("start", game=game, players=players)
    if players and len(players) < game.min_players:
        return state.go("names", game=game, players=players)
    return state.go("names" if state.known.seated else "who", game=game, players=())


def who(state: SetupState) -> Question:
    """Ask who plays: an earlier group, or new players name by name."""
    lines = [_group_line(state, players) for players in _groups(state)]
    return Question(say("Who plays?"), (*lines, SetupLine(say("other players"), state.go("names", players=()))))


def _groups(state: SetupState) -> list[tuple[str, ...]]:
    known = _known(state)
    if not known and not state.draft.seating:
        counts = range(state.game.min_players, min(state.game.max_players, len(FAMILY)) + 1)
        return [FAMILY[:count] for count in sorted(counts, key=lambda count: (count < EXPECTED, count))]
    played = (match.players for match in state.known.played if known.issuperset(match.players))
    there: dict[frozenset[str], tuple[str, ...]] = {}
    for players in (state.draft.seating, *played):
        if players:
            there.setdefault(frozenset(players), players)  # the same people only in their latest seating
    return [players for players in there.values() if fits(state.game, players)][:GROUPS_SHOWN]


def _group_line(state: SetupState, players: tuple[str, ...]) -> SetupLine:
    start = state.go("start", players=players)
    if len(players) <= SHORT_GROUP:
        return SetupLine(", ".join(players), start, note((), start.game, start.settings), given=True)
    return SetupLine(say("{n} players", n=len(players)), start, note(players, start.game, start.settings))


def names(state: SetupState) -> Question:
    """Ask for the next player: done if there are enough, known names, a new one."""
    players, lines = state.step.players, []
    sitting = ", ".join(players)
    enough = len(players) >= state.game.min_players
    if enough and players:
        lines.append(SetupLine(_done(len(players)), state.go("start"), sitting))
    there, new = _offered(state), SetupLine(NEW_NAME, _spelled(state), sitting)
    names_there = [SetupLine(name, seated(state, name), sitting, given=True) for name in there[:NAMES_SHOWN]]
    lines += [*names_there, new] if _known(state) else [new, *names_there]  # a new player has a name of their own
    if len(there) > NAMES_SHOWN:
        lines.append(SetupLine(say("more names"), state.go("more"), sitting))
    begin = 1 if enough and 0 < len(players) < EXPECTED else 0
    return Question(say("Player {n}: who?", n=len(players) + 1), tuple(lines), begin)


def _done(players: int) -> str:
    return say("done: {n} player", n=players) if players == 1 else say("done: {n} players", n=players)


def more(state: SetupState) -> Question:
    """Ask which of the names that played longest ago."""
    there = _offered(state)[NAMES_SHOWN:]
    sitting = ", ".join(state.step.players)
    lines = (SetupLine(name, seated(state, name), sitting, given=True) for name in there)
    return Question(say("Player {n}: who?", n=len(state.step.players) + 1), tuple(lines))


def seated(state: SetupState, name: str) -> SetupState:
    """Return the question after this player has taken the next seat."""
    players = (*state.step.players, name)
    after = state.keep(seating=players)
    return after.go("start" if len(players) == state.game.max_players else "names", players=players)


def written(state: SetupState, name: str) -> SetupState:
    """Return the question after a new name was spelled."""
    after = state.keep(names=tuple(dict.fromkeys((name, *state.draft.names))), unfinished_name="")
    if any(step.asked == "joins" for step in state.trail):
        return after.go("joins?", detail=name)
    return seated(after, name)


def _spelled(state: SetupState) -> SetupState:
    title = say("Player {n}", n=len(state.step.players) + 1) if state.step.asked == "names" else say("Who joins?")
    return state.go("name", writing=entries.TextEntry(title, state.draft.unfinished_name, taken=state.step.players))


def _offered(state: SetupState) -> tuple[str, ...]:
    return state.names if _known(state) else tuple(name for name in FAMILY if name not in state.step.players)


def _known(state: SetupState) -> set[str]:
    """Return the names of people, the example family not among them."""
    return {*state.known.names, *state.draft.names, *state.known.seated}


def seats(state: SetupState) -> Question:
    """Ask for the order at the table, seat by seat; the player clockwise of the last is offered first."""
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
    """Ask who joins a match in progress. players: those present; seats: those who left and may return."""
    back = [
        SetupLine(name, state.go("joins?", detail=name), say("comes back"), given=True) for name in state.step.seats
    ]
    if not state.game.joining or len(state.step.players) >= state.game.max_players:
        return Question(say("Who joins?"), tuple(back))
    others = (name for name in state.names if name not in state.step.seats)
    new = [SetupLine(name, state.go("joins?", detail=name), say("joins last"), given=True) for name in others]
    return Question(
        say("Who joins?"), (*back, *new[:NAMES_SHOWN], SetupLine(NEW_NAME, _spelled(state)), *new[NAMES_SHOWN:])
    )


def joins_sure(state: SetupState) -> Question:
    """Ask for confirmation."""
    name = state.step.detail
    return Question(
        say("{name} joins?", name=name),
        (SetupLine(say("yes"), Join(name)), SetupLine(say("no"), state.back_to("joins"))),
    )


PRESETS_SHOWN = 6  # of saved presets, the newest; the page lists all
RECENT_SHOWN = 4  # recently played games, listed before all games
POPULAR_SHOWN = 9  # well-known games
OPEN_SHOWN = 12  # open matches besides the newest; resume older ones with `--resume`
USUAL_LEAST = 2  # players; a game for fewer, or that needs more, shows that
NAMES_IN_NOTE = 4  # games listed in the note of a kind
KINDS = {  # texts for the kinds of the lobby
    "sheets": say("Sheets"),
    "risk": say("Risk"),
    "tactics": say("Tactics"),
    "bluff": say("Bluff"),
    "luck": say("Luck"),
    "": say("Other games"),
}


def first(state: SetupState) -> Question:
    """Ask what to do at the start; the likeliest first, each within two presses."""
    going = [played for played in state.known.played if played.open]
    lines = [
        SetupLine(
            say("go on: {game}", game=_called(played)),
            Resume(played.number),
            note(played.players, played.game, played.settings),
        )
        for played in going[:1]
    ]
    lines += [*_own(state), *_again(state)]
    if len(going) > 1:
        lines.append(
            SetupLine(say("other open"), state.go("open"), say("{n} more can go on", n=min(len(going) - 1, OPEN_SHOWN)))
        )
    title = say("Go on?") if going else WHICH_GAME
    off = SetupLine(say("switch off"), state.go("off?"))
    last = (
        SetupLine(say("Settings"), state.go("settings"), state.known.unreadable_text),
        SetupLine(say("Quit"), MenuAction.QUIT) if state.known.quits else off,
    )
    return Question(title, (*lines, *games(state).lines, *last))


def settings(state: SetupState) -> Question:
    """Ask which setting of the table to change or check."""
    lines = [
        SetupLine(say("language"), MenuAction.LANGUAGE),
        SetupLine(say("check the table"), MenuAction.CHECK, state.known.unreadable_text),
    ]
    if state.known.phones:
        lines.append(SetupLine(say("phones"), MenuAction.DEVICES, say("who may press there")))
    if state.known.calibrates:
        lines.append(SetupLine(say("calibrate"), MenuAction.CALIBRATE, say("camera, light and dice")))
    return Question(say("Settings"), tuple(lines))


def off_sure(state: SetupState) -> Question:
    """Ask for confirmation: one press too many must not end the evening."""
    lines = (SetupLine(say("yes, switch off"), MenuAction.QUIT), SetupLine(say("no"), state.back_to("first")))
    return Question(say("Switch off?"), lines)


def games(state: SetupState) -> Question:
    """Ask which game: those played last, well-known ones, or more by kind."""
    shown = (*_recent(state), *state.known.popular[:POPULAR_SHOWN])
    lines = {(game.id, preset): _game_line(state, game, preset) for game, preset in shown}
    return Question(WHICH_GAME, (*lines.values(), SetupLine(MORE_GAMES, state.go("kinds"))))


def kinds(state: SetupState) -> Question:
    """Ask which kind of game."""
    lines = []
    for kind in KINDS.values():
        if names := sorted(game.name for game in state.known.games if _kind(game) == kind):
            some = join(", ", names[:NAMES_IN_NOTE])
            note = say("such as {games}, ..." if len(names) > NAMES_IN_NOTE else "such as {games}", games=some)
            lines.append(SetupLine(kind, state.go("group", detail=kind), note))
    return Question(say("Which kind?"), tuple(lines))


def open_matches(state: SetupState) -> Question:
    """Ask which of the older open matches to resume."""
    going = [played for played in state.known.played if played.open]
    older = going[1 : 1 + OPEN_SHOWN]
    lines = (
        SetupLine(_called(played), Resume(played.number), note(played.players, played.game, played.settings))
        for played in older
    )
    return Question(say("Go on with?"), tuple(lines))


def group(state: SetupState) -> Question:
    """Ask which game of this kind."""
    games = [game for game in state.known.games if _kind(game) == state.step.detail]
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
    gone = not set(state.known.names).issuperset(players) and not state.known.seated
    if gone or not fits(last.game, players) or last.game not in state.known.games:
        return []
    settings = last.settings if set(players) == set(last.players) else ()
    match = NewMatch(last.game.id, players, settings)
    again = say("again: {game}", game=setup_state.title(last.game, settings))
    return [SetupLine(again, match, note(players, last.game, settings))]


def _own(state: SetupState) -> list[SetupLine]:
    """Offer what people have kept under names of their own; one press begins it."""
    kept = [preset for preset in state.known.presets if fits(preset.game, preset.players)][:PRESETS_SHOWN]
    return [
        SetupLine(
            preset.name,
            NewMatch(preset.game.id, preset.players, preset.settings),
            join(": ", (_called(preset), note(preset.players, preset.game, preset.settings))),
            given=True,
        )
        for preset in kept
    ]


def _recent(state: SetupState) -> Iterator[NamedGame]:
    """Return the games played last, each as it was called then."""
    for game in state.known.games[: max(1, min(state.known.recent, RECENT_SHOWN))]:
        last = next((dict(played.settings) for played in state.known.played if played.game == game), {})
        yield game, str(last[RULES]) if RULES in last and CALLED in last else ""


def _kind(game: Game) -> str:
    return KINDS[lobby.tiles().get(game.id, lobby.Tile()).kind]


def _game_line(state: SetupState, game: Game, preset: str = "") -> SetupLine:
    """Offer a game, or what people call it by the rules of this preset."""
    few = game.min_players > USUAL_LEAST or game.max_players < MOST_PLAYERS
    players = say("{n} to {n2} players", n=game.min_players, n2=game.max_players) if few else ""
    tile = lobby.tiles().get(game.id, lobby.Tile())
    note = join(", ", (players, say("{n} min", n=tile.minutes) if tile.minutes else ""))
    ways = setup_state.changed(game, (), RULES, preset) if preset else ()
    target = after_game(state, game)
    return SetupLine(
        setup_state.title(game, ways), target.set(ways) if preset else target, note, faces=tuple(map(int, tile.faces))
    )


def start(state: SetupState) -> Question:
    """Ask for the start; seats, options, players and the game can still be changed."""
    game, players = state.game, state.step.players
    wrong = _wrong(state)
    who = ", ".join(players)
    title = say("Start: {game}", game=setup_state.title(game, state.settings))
    lines = [] if wrong else [SetupLine(say("start"), _begin(state), join("; ", (who, _rules(game, state.settings))))]
    if setup_state.choosable(game):
        lines.append(SetupLine(say("options"), state.go("options"), wrong or say("other ways to play")))
    if len(players) > 1:
        lines.append(SetupLine(say("seats"), state.go("seats"), who))
    lines.append(SetupLine(say("other players"), state.keep(seating=players).go("who"), wrong or who))
    lines.append(SetupLine(OTHER_GAME, state.keep(seating=players).go("games"), say("the players stay")))
    return Question(say("That cannot be played") if wrong else title, tuple(lines))


def rematch(state: SetupState) -> Question:
    """Ask who begins a rematch of the same players with the same options."""
    players = state.step.players
    lines = []
    for seat, name in enumerate(players):
        order = (*players[seat:], *players[:seat])
        lines.append(SetupLine(say("{name} begins", name=name), _begin(state.seat(order)), ", ".join(order)))
    if _wrong(state):
        lines = []
    lines.append(SetupLine(say("change"), state.go("start"), say("options, seats, players")))
    lines.append(SetupLine(OTHER_GAME, state.keep(seating=players).go("games"), say("the players stay")))
    return Question(say("Again: {game}", game=setup_state.title(state.game, state.settings)), tuple(lines))


def options(state: SetupState) -> Question:
    """Ask which option to change; may be skipped."""
    game, settings = state.game, state.settings
    now = setup_state.values(game, settings)
    usual = state.set(()).back_to("start")
    first = [SetupLine(say("default"), usual, say("no option is changed"))]
    if settings:
        first = [
            SetupLine(say("done"), state.back_to("start"), _rules(game, settings)),
            SetupLine(say("default"), usual, say("undoes all changes")),
        ]
    lines = (
        SetupLine(sentence(game, option, now[option.name]), state.go("value", detail=option.name), option.help)
        for option in setup_state.choosable(game)
    )
    return Question(say("{game}: options", game=setup_state.title(game, settings)), (*first, *lines))


def _called(match: setup_state.PlayedMatch | setup_state.OwnPreset) -> str:
    return setup_state.title(match.game, match.settings)


def _rules(game: Game, settings: setup_state.Settings) -> str:
    return join("; ", setup_state.house_rules(game, settings))


def value(state: SetupState) -> Question:
    """Ask for the value of one option; HOLD counts up from the current one."""
    game, option = state.game, _option(state)
    now = setup_state.values(game, state.settings)[option.name]
    there = setup_state.offered(option, now)
    lines = (
        SetupLine(setup_state.value_text(game, option, offer), _chosen(state, offer), _value_note(state, option, offer))
        for offer in there
    )
    return Question(setup_state.label(option.name), tuple(lines), there.index(now))


def _chosen(state: SetupState, value: Value) -> SetupState:
    settings = setup_state.changed(state.game, state.settings, state.step.detail, value)
    return state.set(settings).back_to("options")


def _option(state: SetupState) -> AnyOption:
    (option,) = (option for option in setup_state.choosable(state.game) if option.name == state.step.detail)
    return option


def _value_note(state: SetupState, option: AnyOption, value: Value) -> str:
    """Say what a preset brings with it, what a number means; of other values what they are about."""
    if option.name != RULES:
        return sentence(state.game, option, value) if isinstance(option, Whole) else option.help
    return _rules(state.game, setup_state.unusual(state.game, state.game.presets[str(value)])) or say("default")


def _begin(state: SetupState) -> NewMatch:
    return NewMatch(state.game.id, state.step.players, state.settings)


def _wrong(state: SetupState) -> str:
    try:
        Match(state.game.id, state.step.players, **dict(state.settings))
    except InputError as error:
        return str(error)
    return ""


QUESTIONS: Mapping[Asked, Callable[[SetupState], Question]] = {
    "first": first,
    "settings": settings,
    "off?": off_sure,
    "open": open_matches,
    "games": games,
    "kinds": kinds,
    "group": group,
    "who": who,
    "names": names,
    "more": more,
    "seats": seats,
    "start": start,
    "options": options,
    "value": value,
    "again": rematch,
    "joins": joins,
    "joins?": joins_sure,
}
MAIN: tuple[Asked, ...] = ("first",)  # questions that the page's form replaces


@dataclass(frozen=True, slots=True)
class SetupDialog:
    """The setup of a match in progress.

    question: the current question, None while a text is entered. home: long BANK on the first question closes the
    dialog, because there is a match behind it.
    """

    state: SetupState
    question: Question | None
    home: bool = False

    def step_to(self, at: int) -> "SetupDialog":
        """Return the dialog with this line selected, from 0."""
        writing = self.state.step.writing
        return replace(self, state=self.state.write(writing.step_to(at)) if writing else self.state.at(at))

    def press(self, press: ports.Press) -> "Dialog | Decision":
        """Handle a press; return the next dialog, or the decision."""
        if self.question is None:
            return self._write(press)
        at = self.at
        if press.button == "hold":  # a long press and each repeat is one more step
            return replace(self, state=self.state.at((at + 1) % len(self.question.lines)))
        if press.repeat:
            return self
        if press.long:
            return self._back()
        line = QUESTIONS[self.state.step.asked](self.state).lines[at]  # so that going back returns to this line
        if not isinstance(line.target, SetupState):
            return line.target
        return setup_dialog(line.target, home=self.home)

    @property
    def at(self) -> int:
        """The line selected for BANK."""
        if self.question is None:
            return 0
        return self.question.at if self.state.step.at is None else min(self.state.step.at, len(self.question.lines) - 1)

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this dialog."""
        if self.question is None:
            return self.state.step.writing.snapshot if self.state.step.writing else Snapshot()
        lines = self.question.lines
        labels, given = tuple(line.label for line in lines), frozenset(n for n, line in enumerate(lines) if line.given)
        main = self.state.step.asked in MAIN
        now = lines[self.at]
        menu = MenuView(self.question.title, labels, self.at, now.note, given, main=main, faces=now.faces)
        return Snapshot(hold=say("next"), bank=say("take"), menu=menu)

    def _write(self, press: ports.Press) -> "Dialog | Decision":
        writing = self.state.step.writing
        after = writing.press(press) if writing else None
        if after is None:
            return self._back()
        if isinstance(after, str):
            return setup_dialog(written(self.state, after), home=self.home)
        return replace(self, state=self.state.write(after))

    def _back(self) -> "Dialog | Decision":
        state = self.state.back()
        if state is not None:
            return setup_dialog(state, home=self.home)
        return MenuAction.BACK if self.home else self


def setup_dialog(state: SetupState, *, home: bool = False) -> SetupDialog:
    """Return the dialog for this state of the setup."""
    return SetupDialog(state, None if state.step.writing else QUESTIONS[state.step.asked](state), home)
