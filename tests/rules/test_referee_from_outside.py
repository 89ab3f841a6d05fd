"""Every game through the line protocol, by a program of its own that knows nothing but the JSON: right, wrong, garbage.

Whatever comes, each line has one line of JSON as its answer, nothing goes to standard error, what is refused changes
nothing, and at the end there are winners.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from random import Random
from subprocess import PIPE
from typing import Any, Self

import pytest

from tabletop.rules import game_ids

State = dict[str, Any]

STATE_KEYS = {"event", "request", "thrown", "kept", "scores", "at_stake", "sheet", "said", "winners", "why"}
NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay")
NEWCOMERS = ("Gus", "Hal")
WILD_COMMANDS = 250
LONGEST_MATCH = 6000
WEIGHTS = {"right": 12, "wrong": 5, "garbage": 3, "undo": 1, "correct": 2, "leave or join": 1}
GARBAGE_WORDS = (
    *("throw", "keep", "choose", "undo", "correct", "leave", "join", "state", "bank", "roll", "help", "quit"),
    *("1", "2", "3", "4", "5", "6", "7", "0", "-1", "1.0", "1e9", "²", "٣", "9" * 400, "Ann=3", "Ben=", "=5"),
    *("Ann", "ann", "", " ", "\t", "\0", "\x1b[2J", "\u2028", "\x85", "\ufeff", "{}", "[1, 2]", "None", "'", '"', "\\"),
)


class Referee:
    """The referee as a program. Its standard error must stay empty, and its status be 0."""

    def __init__(self, game: str, players: Sequence[str], settings: Sequence[str] = ()) -> None:
        sets = [word for setting in settings for word in ("--set", setting)]
        words = [sys.executable, "-m", "tabletop", "referee", game, "--players", ",".join(players), *sets]
        self._program = subprocess.Popen(words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        self.lines: list[bytes] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the program; it has nothing more to say."""
        rest, complaints = self._program.communicate()
        if error[0] is None:
            assert (rest, complaints, self._program.returncode) == (b"", b"", 0)

    def tell(self, line: str | bytes) -> State:
        """Give one line; return the one line that answers it."""
        raw = line if isinstance(line, bytes) else line.encode(errors="surrogateescape")
        self.lines.append(raw)
        assert self._program.stdin
        assert self._program.stdout
        self._program.stdin.write(raw + b"\n")
        self._program.stdin.flush()
        answer = self._program.stdout.readline()
        assert answer, f"expected an answer to {raw!r}, got the end: {self._program.communicate()[1].decode()}"
        told = json.loads(answer)
        assert isinstance(told, dict)
        return told

    def state(self) -> State:
        return self.tell("state")

    def refuses(self, line: str | bytes, state: State) -> None:
        """Give a wrong line: an error of one line, and everything as it was."""
        told = self.tell(line)
        assert set(told) == {"error"}, (line, told)
        check_error(told, line)
        assert self.state() == state, line


@pytest.fixture(scope="module")
def listed() -> dict[str, State]:
    asked = [sys.executable, "-m", "tabletop", "games", "--json"]
    games = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    return {game["id"]: game for game in games}


def check_error(told: State, line: str | bytes) -> None:
    """Check that an error reads `expected ..., got ...` and is one line of people's length."""
    assert told["error"].startswith("expected "), (line, told)
    assert ", got " in told["error"], (line, told)
    assert "\n" not in told["error"]
    assert len(told["error"]) <= 700


def right_answer(chance: Random, state: State) -> str:
    """Return a legal answer, from the JSON alone."""
    request = state["request"]
    kind, dice = request["kind"], request["dice"]
    if kind == "keep":
        return " ".join(["keep", *map(str, chance.choice(request["legal"]))])
    if kind == "hide":
        return chance.choice(("hide", "choose hidden"))
    if request["options"]:
        word = chance.choice(("claim", "choose")) if kind == "claim" else "choose"
        return f"{word} {chance.choice(request['options'])}"
    counts = {"": dice} if isinstance(dice, int) else dice
    faces = {name: [str(chance.randint(1, 6)) for _ in range(count)] for name, count in counts.items()}
    return "throw " + " ".join(" ".join(own) if not name else f"{name}={','.join(own)}" for name, own in faces.items())


# What every question of another kind refuses.
OF_KIND = {"keep": "keep 1", "choose": "choose bank", "hide": "hide", "claim": "claim 41", "roll": "throw 1"}


def wrong_answers(chance: Random, state: State) -> Iterator[str]:
    """Yield answers that cannot be right, from the JSON alone: another kind, number of dice, face, part or option."""
    request = state["request"]
    kind, dice, options = request["kind"], request["dice"], request["options"]
    yield from (line for other, line in OF_KIND.items() if other != kind)
    if kind == "roll" and isinstance(dice, int):
        yield from (f"throw {' '.join('3' * count)}" for count in (dice - 1, dice + 1, dice + 7))
        yield from (f"throw {' '.join([*'3' * (dice - 1), face])}" for face in ("0", "7", "-1", "3.0", "three"))
        yield f"throw {request['player']}={','.join('3' * dice)}"
    elif kind == "roll":
        told = [f"{name}={','.join('3' * count)}" for name, count in dice.items()]
        wrong = (told[1:], [*told, "Zed=3"], [*told[:-1], told[-1] + ",3"], ["3"] * len(told))
        yield from (f"throw {' '.join(words)}" for words in wrong)
    elif kind == "keep":
        drawn = sorted(chance.randint(1, 6) for _ in range(chance.randint(0, dice)))
        yield from (
            " ".join(["keep", *map(str, part)]) for part in ([6] * (dice + 1), drawn) if part not in request["legal"]
        )
    elif kind in ("choose", "claim"):
        last = options[-1]
        yield from ("choose", f"choose {options[0]} please", f"choose {last.upper()}{'' if last.isalpha() else '!'}")


def garbage(chance: Random) -> str | bytes:
    if chance.random() < 0.2:
        return bytes(byte for byte in chance.randbytes(chance.randint(0, 60)) if byte not in b"\n")
    return " ".join(chance.choice(GARBAGE_WORDS) for _ in range(chance.randint(0, 6))).replace("\n", "")


def correction(chance: Random, state: State) -> str:
    """Return a correction of any event, there or not; it may fit."""
    number = chance.randint(0, state["event"] + 2)
    faces = " ".join(str(chance.randint(1, 6)) for _ in range(chance.randint(0, 6)))
    words = [faces, f"keep {faces}", "choose roll", "choose bank", "choose stop", "throw " + faces, "Ann=3 Ben=5", ""]
    return f"correct {number} {chance.choice(words)}"


def settings_of(chance: Random, game: State) -> list[str]:
    drawn = []
    for option in game["options"]:
        if chance.random() < 0.5:
            values = option["choices"] or [chance.randint(option["min"], min(option["max"], option["min"] + 20))]
            drawn.append(f"{option['name']}={json.dumps(chance.choice(values)).strip(chr(34))}")
    return drawn


def play_wildly(referee: Referee, chance: Random, commands: int) -> None:
    """Give right, wrong and senseless commands, and check the answer to each."""
    for _ in range(commands):
        state = referee.state()
        assert set(state) == STATE_KEYS
        (deed,) = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        if deed == "wrong" or (deed == "right" and state["request"]["kind"] == "over"):
            for line in wrong_answers(chance, state):
                referee.refuses(line, state)
        elif deed == "right":
            told = referee.tell(right_answer(chance, state))
            assert set(told) == STATE_KEYS, (referee.lines[-1], told)
            assert told["event"] == state["event"] + 1
            if chance.random() < 0.2:
                assert referee.tell("undo") == state
        else:
            lines = {
                "garbage": garbage(chance),
                "undo": "undo",
                "correct": correction(chance, state),
                "leave or join": f"{chance.choice(('leave', 'join'))} {chance.choice((*NAMES, *NEWCOMERS, 'Zed,'))}",
            }
            told = referee.tell(lines[deed])
            if "error" in told:
                check_error(told, lines[deed])
                assert referee.state() == state, lines[deed]
            else:
                assert set(told) - {"dropped"} == STATE_KEYS, lines[deed]


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_between_nonsense_comes_to_its_end(game_id: str, listed: dict[str, State]) -> None:
    """After some hundred commands of all kinds the match is played to its end; then it takes nothing but undo."""
    game, chance = listed[game_id], Random(f"to the end of {game_id}")
    players = NAMES[: max(game["players"]["min"], min(4, game["players"]["max"]))]
    with Referee(game_id, players) as referee:
        play_wildly(referee, chance, WILD_COMMANDS)
        state = referee.state()
        while state["request"]["kind"] != "over":
            assert state["winners"] == []
            assert state["event"] < LONGEST_MATCH
            state = referee.tell(right_answer(chance, state))
            assert set(state) == STATE_KEYS, (referee.lines[-1], state)
        assert state["winners"]
        assert state["why"]
        gone = {name for name, cell in state["sheet"].get("has left", {}).items() if cell}
        assert set(state["winners"]) <= set(state["scores"]) - gone
        for line in wrong_answers(chance, state):
            referee.refuses(line, state)
        before = referee.tell("undo")
        assert set(before) == STATE_KEYS


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_nonsense_under_any_options(game_id: str, listed: dict[str, State]) -> None:
    """The same with options and players drawn at random, as far as it goes."""
    game = listed[game_id]
    chance = Random(f"options of {game_id}")
    players = NAMES[: chance.randint(game["players"]["min"], min(len(NAMES), game["players"]["max"]))]
    with Referee(game_id, players, settings_of(chance, game)) as referee:
        play_wildly(referee, chance, WILD_COMMANDS)
