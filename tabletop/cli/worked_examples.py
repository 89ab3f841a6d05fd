"""Scripts of worked examples from a file, as `tabletop replay FILE` and `tabletop games --check FILE` play them."""

import json
import sys
from pathlib import Path

from tabletop.core.errors import InputError
from tabletop.rules.script import Difference, Example, difference, examples_of

DIFFERS_STATUS = 2
MOST_BYTES = 10_000_000  # no script of people is larger; a film or a device given by mistake is


def play_script(path: Path, *, as_json: bool) -> int:
    """Write a line an example: whether it holds, or where it does not, what was expected and what came."""
    examples = read_script(path)
    differing = 0
    for example in examples:
        wrong = difference(example)
        differing += wrong is not None
        sys.stdout.write(
            (json.dumps(facts(path, example, wrong)) if as_json else example_text(path, example, wrong)) + "\n"
        )
    if differing:
        sys.stderr.write(
            f"tabletop replay: expected {len(examples)} examples of {path} to hold, got {differing} that do not\n"
        )
    return DIFFERS_STATUS if differing else 0


def read_script(path: Path) -> tuple[Example, ...]:
    """Return the examples of a script, never none; InputError names the file, and the line if there is one."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: a name or a text that is none
        reason = getattr(error, "strerror", None) or "no text"
        raise InputError(
            f"expected the number of a stored match or the file of a script, got {str(path)!r}: {reason}"
        ) from error
    try:
        return examples_of(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def example_text(path: Path, example: Example, wrong: Difference | None) -> str:
    """Return the line for people."""
    if wrong is None:
        return f"holds: {example.shows}"
    return f"{path}:{wrong.line.number}: {wrong} (in: {example.shows})"


def facts(path: Path, example: Example, wrong: Difference | None) -> dict[str, str | int | bool | None]:
    """Return the line for programs; line: the one that does not hold, else that of the example."""
    return {
        "file": str(path),
        "line": wrong.line.number if wrong else example.number,
        "example": example.shows,
        "holds": wrong is None,
        "command": wrong.line.text if wrong else None,
        "expected": wrong.expected if wrong else None,
        "got": wrong.got if wrong else None,
    }
