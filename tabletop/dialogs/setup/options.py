"""Before the start: what is played and by whom, the options in which it differs from the usual, and the rematch."""

from tabletop.core.errors import InputError
from tabletop.core.message import join, say
from tabletop.dialogs.decisions import NewMatch
from tabletop.dialogs.option_values import (
    RULES,
    changed,
    choosable,
    is_listed,
    label,
    offered,
    option_notes,
    rules_note,
    unusual,
    value_text,
    values,
)  # fmt: skip
from tabletop.dialogs.setup.state import Question, SetupLine, SetupState
from tabletop.dialogs.text_entry import TextEntry
from tabletop.rules import Match
from tabletop.rules.options import AnyOption, Value, Whole

ANOTHER = say("another number")
TITLE_LETTERS = 24  # one line of the small screen, beside the number of the item


def start(state: SetupState) -> Question:
    """Ask for the start; seats, options, players and the game can still be changed."""
    game, players = state.game, state.step.players
    wrong = _wrong(state)
    who = ", ".join(players)
    title, ways = _title(state)
    lines = [] if wrong else [SetupLine(say("start"), _begin(state), join("; ", (who, ways)))]
    if choosable(game):
        lines.append(SetupLine(say("options"), state.go("options"), wrong or say("other ways to play")))
    if len(players) > 1:
        lines.append(SetupLine(say("seats"), state.go("seats"), who))
    lines.append(SetupLine(say("other players"), state.keep(seating=players).go("who"), wrong or who))
    lines.append(SetupLine(say("other game"), state.keep(seating=players).go("games"), say("the players stay")))
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
    lines.append(SetupLine(say("other game"), state.keep(seating=players).go("games"), say("the players stay")))
    return Question(_title(state, rematch=True)[0], tuple(lines))


def options(state: SetupState) -> Question:
    """Ask which option to change; nobody has to."""
    game, settings = state.game, state.settings
    now = values(game, settings)
    usual = state.set(()).back_to("start")
    first = [SetupLine(say("default"), usual, say("no option is changed"))]
    if settings:
        first = [
            SetupLine(say("done"), state.back_to("start"), rules_note(settings)),
            SetupLine(say("default"), usual, say("undoes all changes")),
        ]
    lines = (
        SetupLine(_option_line(option, now[option.name]), state.go("value", detail=option.name), option.help)
        for option in choosable(game)
    )
    return Question(say("{game}: options", game=game.name), (*first, *lines))


def _option_line(option: AnyOption, value: Value) -> str:
    return say("{option}: {value}", option=label(option.name), value=value_text(value))


def value(state: SetupState) -> Question:
    """Ask for the value of one option; HOLD counts up from the one that it has."""
    option = _option(state)
    now = values(state.game, state.settings)[option.name]
    there = offered(option, now)
    lines = [SetupLine(value_text(offer), _chosen(state, offer), _value_note(state, option, offer)) for offer in there]
    if isinstance(option, Whole) and not is_listed(option):
        writing = TextEntry(label(option.name), least=option.at_least, most=option.at_most)
        lines.append(SetupLine(ANOTHER, state.go("number", detail=option.name, writing=writing), option.help))
    return Question(label(option.name), tuple(lines), there.index(now))


def number_written(state: SetupState, text: str) -> SetupState:
    """Return what is asked once a number is written."""
    return _chosen(state, int(text))


def _chosen(state: SetupState, value: Value) -> SetupState:
    settings = changed(state.game, state.settings, state.step.detail, value)
    return state.set(settings).back_to("options")


def _option(state: SetupState) -> AnyOption:
    (option,) = (option for option in choosable(state.game) if option.name == state.step.detail)
    return option


def _value_note(state: SetupState, option: AnyOption, value: Value) -> str:
    """Say what a text of the rules brings with it; of other options what they are about."""
    if option.name != RULES:
        return option.help
    return rules_note(unusual(state.game, state.game.presets[str(value)])) or say("default")


def _begin(state: SetupState) -> NewMatch:
    return NewMatch(state.game.id, state.step.players, state.settings)


def _title(state: SetupState, *, rematch: bool = False) -> tuple[str, str]:
    """Return a title with what is not as usual, or without it and that apart where it is too long for a line."""
    game, ways = state.game.name, option_notes(state.settings)
    bare = say("Again: {game}" if rematch else "Start: {game}", game=game)
    whole = join(", ", (bare, ways))
    return (whole, "") if len(whole) <= TITLE_LETTERS else (bare, rules_note(state.settings))


def _wrong(state: SetupState) -> str:
    """Return why this match cannot be begun; empty if it can."""
    try:
        Match(state.game.id, state.step.players, **dict(state.settings))
    except InputError as error:
        return str(error)
    return ""
