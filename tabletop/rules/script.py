"""Scripts: worked examples of a game in a plain notation that authors and players can read.

A script consists of examples; each begins a new match. A line is one of
    # a comment
    example WHAT IT SHOWS
    match GAME PLAYERS [option=value]...
    a command of the line protocol, which must be accepted
    refused COMMAND, which must give an error and change nothing
    see PATH is VALUE: PATH is a dotted path into the state, VALUE is JSON
"""

import json
from dataclasses import dataclass
from typing import Any

from tabletop.core.errors import InputError
from tabletop.rules import names, protocol
from tabletop.rules.match import Match


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line with content. number: from 1, in the script."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """One example: what it shows, the number of that line, and the lines after it."""

    shows: str
    number: int
    lines: tuple[ScriptLine, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line of an example that fails."""

    line: ScriptLine
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.line.text}: expected {self.expected}, got {self.got}"


class _DoesNotHoldError(Exception):
    """A line that does not hold. args: what was expected, and what came."""


def examples_of(text: str) -> tuple[Example, ...]:
    """Split a script into its examples, at least one; raises InputError naming a line before the first."""
    found: list[tuple[ScriptLine, list[ScriptLine]]] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line.startswith("example "):
            found.append((ScriptLine(number, line.removeprefix("example ").strip()), []))
        elif line and not line.startswith("#"):
            if not found:
                raise InputError(f"line {number}: expected `example WHAT IT SHOWS` first, got {names.quoted(line)}")
            found[-1][1].append(ScriptLine(number, line))
    if not found:
        raise InputError("expected a script with a line `example WHAT IT SHOWS`, got none")
    return tuple(Example(head.text, head.number, tuple(lines)) for head, lines in found)


def difference(example: Example) -> Difference | None:
    """Run an example; return the first line that fails, None if all hold."""
    line = ScriptLine(example.number, f"example {example.shows}")
    try:
        if not example.lines:
            raise _DoesNotHoldError("a line `match GAME PLAYERS` after it", "nothing")  # noqa: TRY301 - told like the others
        line = example.lines[0]
        match = _begun(line.text)
        state = match.state()
        for line in example.lines[1:]:
            state = _played(match, state, line.text)
    except _DoesNotHoldError as wrong:
        return Difference(line, *wrong.args)
    return None


def _begun(text: str) -> Match:
    match text.split():
        case ["match", game_id, players, *settings]:
            try:
                return protocol.new_match(game_id, players, settings)
            except InputError as error:
                raise _DoesNotHoldError("such a match", str(error)) from error
    raise _DoesNotHoldError("match GAME PLAYERS [option=value]...", names.quoted(text))


def _played(match: Match, state: dict[str, Any], text: str) -> dict[str, Any]:
    """Play one line; return the state to be seen after it."""
    command, _, rest = text.partition(" ")
    if command == "see":
        _see(state, rest)
        return state
    if command == "refused":
        before = (match.state(), match.log)
        reply = protocol.obey(match, rest)
        if "error" not in reply:
            raise _DoesNotHoldError("an error", f"the question: {match.request}")
        if (match.state(), match.log) != before:
            raise _DoesNotHoldError("a refusal that changes nothing", "another state than before it")
        return state
    reply = protocol.obey(match, text)
    if "error" in reply:
        raise _DoesNotHoldError("a command that is obeyed", str(reply["error"]))
    return reply


def _see(state: dict[str, Any], rest: str) -> None:
    path, word, value = rest.partition(" is ")
    if not word:
        raise _DoesNotHoldError("see PATH is VALUE", names.quoted(f"see {rest}"))
    try:
        expected = json.loads(value)
    except ValueError:
        raise _DoesNotHoldError("a value of JSON after `is` (a word in quotes)", names.quoted(value)) from None
    found: Any = state
    for key in path.split("."):
        if not isinstance(found, dict) or key not in found:
            raise _DoesNotHoldError(f"{key} in the state", ", ".join(found) if isinstance(found, dict) else repr(found))
        found = found[key]
    if found != expected:
        raise _DoesNotHoldError(json.dumps(expected), json.dumps(found))
