"""The line protocol: one command per line, one JSON object after each; a refused command changes nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.core.errors import InputError, RefusedError
from tabletop.rules.catalog import named
from tabletop.rules.match import Match
from tabletop.rules.names import quoted
from tabletop.rules.requests import HIDDEN, Answer, Choose, Faces, Keep, RequestKind, Throw

DECLINES = ("pass", "refuse", "stay", "leave")  # what `pass` chooses: in Everest, Ten Thousand, and Centennial twice
LONGEST_ERROR = 600  # characters; longer than any valid command
MOST_DIGITS = 9  # of an event's number
_FACE_WORDS = {str(face): face for face in range(1, 7)}


def new_match(game_id: str, players: str, settings: Sequence[str]) -> Match:
    """Begin a match from command-line words; `rules` overrides the settings before it, not those after it."""
    found = named(game_id)
    if not players:
        raise InputError("expected --players with names, as in --players Ann,Ben, got none")
    pairs: list[tuple[str, object]] = [*found.settings.items()]
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"expected --set option=value, got {quoted(setting)}")
        pairs.append((name, value))
    return Match(found.game.id, players.split(","), **found.game.settled(pairs))


def obey(match: Match, line: str) -> dict[str, Any]:
    """Execute one command; return the state after it, or `{"error": ...}` with the match unchanged.

    After a correction the state also contains the numbers `dropped`.
    """
    command, _, rest = " ".join(line.split()).partition(" ")
    if command not in _OBEYED:
        return {"error": f"expected one of the commands {', '.join(_OBEYED)}, got {quoted(line.strip())}"}
    if command in ALONE and rest:
        return {"error": f"expected nothing after {command}, got {quoted(rest)}"}
    try:
        dropped = _OBEYED[command](match, rest)
    except (InputError, RefusedError) as error:
        return {"error": str(error)[:LONGEST_ERROR]}
    return match.state() | ({} if dropped is None else {"dropped": list(dropped)})


def _say_of_cup(match: Match, kind: RequestKind, option: str) -> None:
    if match.request.kind != kind:
        raise RefusedError(f"expected {match.request}, got {kind if kind == 'hide' else f'{kind} {option}'}")
    match.choose(option)


def _correct(match: Match, rest: str) -> tuple[int, ...]:
    number, _, answer = rest.partition(" ")
    if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS and answer):
        raise InputError(
            f"expected correct K and its answer, as in `correct 3 keep 5 5`, got {quoted('correct ' + rest)}"
        )
    return match.correct(int(number), _read_answer(answer))


_OBEYED: Mapping[str, Callable[[Match, str], tuple[int, ...] | None]] = {
    "throw": lambda match, rest: match.apply(*match.draft(_read_throw(rest))),
    "keep": lambda match, rest: match.keep(_read_faces(rest.split())),
    "choose": Match.choose,
    "hide": lambda match, _: _say_of_cup(match, "hide", HIDDEN),
    "claim": lambda match, rest: _say_of_cup(match, "claim", rest),
    "pass": lambda match, _: match.choose(next((word for word in DECLINES if word in match.request.options), "pass")),
    "undo": lambda match, _: match.undo(),
    "correct": _correct,
    "leave": lambda match, rest: match.leave(_one_name("leave", rest)),
    "join": lambda match, rest: match.join(_one_name("join", rest)),
    "abandon": lambda match, _: match.abandon(),
    "state": lambda _match, _rest: None,
}
ALONE = {"hide", "pass", "undo", "abandon", "state"}  # commands without arguments


def _read_answer(text: str) -> Answer:
    command, _, rest = text.partition(" ")
    if command == "keep":
        return Keep(_read_faces(rest.split()))
    if command in ("choose", "claim"):
        return Choose(rest)
    return _read_throw(text)


def _read_throw(text: str) -> Throw:
    words = text.split()
    if "=" not in text:
        return Throw(_read_faces(words))
    thrown: dict[str, Faces] = {}
    for word in words:
        name, equals, faces = word.partition("=")
        if not equals or not name or name in thrown:
            raise InputError(f"expected each player once, as in Ann=3 Ben=5, got {quoted(word)}")
        thrown[name] = _read_faces(faces.split(","))
    return Throw(thrown)


def _read_faces(words: list[str]) -> Faces:
    for word in words:
        if word not in _FACE_WORDS:
            raise InputError(f"expected faces from 1 to 6 with spaces between, got {quoted(word)}")
    return tuple(_FACE_WORDS[word] for word in words)


def _one_name(command: str, rest: str) -> str:
    if not rest or " " in rest:
        raise InputError(f"expected one player's name after {command}, got {quoted(rest)}")
    return rest
