"""`tabletop games --check FILE`: the conformance suite on a file of your own, and that it notices what is wrong.

The faults are planted in tests/own_games/fifty.py, which has none; each must be told at its own line.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tabletop.cli import games_check
from tabletop.cli.main import main
from tabletop.rules import conformance
from tabletop.rules.catalog import built_in_ids
from tabletop.rules.conformance.source import line_of, wrong_lines

OWN = Path(__file__).parents[1] / "own_games"
FIFTY = (OWN / "fifty.py").read_text(encoding="utf-8")
COUNTING = """\
    seen, _ = [0] * len(table.names), table.option(REPLIES)
    while max(seen) < target:
        for player in table.seats():
            seen[player] += 1
            await table.turn(player, turn(table, player))
    return table.highest("all have had their turns")
"""
ROLL = "    first, second = await table.roll(player, DICE)\n"


@pytest.fixture(autouse=True)
def _few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer random matches than a user's check has: the faults here are not rare."""
    monkeypatch.setattr(games_check, "SEEDS", 2)


def planted(folder: Path, was: str, now: str) -> Path:
    assert FIFTY.count(was) == 1
    path = folder / "fifty.py"
    path.write_text(FIFTY.replace(was, now), encoding="utf-8")
    return path


def line_with(path: Path, words: str) -> int:
    (line,) = (n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1) if words in line)
    return line


def complaint(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Check a file that is not right; return the only line on standard error."""
    assert main(["games", "--check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert all(line.startswith("holds: ") for line in out.splitlines())
    assert err.startswith("tabletop games: ")
    assert err.count("\n") == 1
    return err.removeprefix("tabletop games: ").removesuffix("\n")


def test_the_same_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object of JSON: what holds, and what does not, which is told on standard error as well."""
    shutil.copy(OWN / "fifty.py", tmp_path)
    words = ["games", "--json", "--check", str(tmp_path / "fifty.py")]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["problem"]) == ("fifty", None)
    assert told["holds"][1:] == list(conformance.CHECKS)
    planted(tmp_path, 'id="fifty"', 'id="fifti"')
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["problem"] in err
    assert json.loads(out)["holds"] == []


def test_a_game_without_examples_is_told_to_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is right all the same, and its author learns where they would stand."""
    shutil.copy(OWN / "fifty.py", tmp_path)
    assert main(["games", "--check", str(tmp_path / "fifty.py")]) == 0
    out, err = capsys.readouterr()
    assert f"warning: no worked examples yet: {tmp_path / 'fifty.txt'}" in err
    assert err.count("\n") == 1
    assert "examples" not in out


@pytest.mark.parametrize(
    ("was", "now", "at", "said"),
    [
        ("await table.roll(player, DICE)", "table.roll(player, DICE)", "= table.roll", "before table.roll, got none"),
        (ROLL, ROLL + "    table.choose(player, 'a', 'b')\n", "'a', 'b'", "expected `await` before table.choose"),
        ("return await race(", "return race(", "return race(", "expected `await` before race"),
        (ROLL, ROLL + "    table.say(f'{first} and {second}')\n", "say(f'", "which can be translated, got f'"),
        (ROLL, ROLL + "    table.say('seat ' + str(player))\n", "'seat '", "which can be translated, got 'seat '"),
        (ROLL, ROLL + "    table.say('{nmae} rolls', name='x')\n", "{nmae}", "expected say(..., nmae=...), got none"),
        (ROLL, ROLL + "    table.say('{name rolls', name='x')\n", "{name rolls", "names in braces, got '{name rolls'"),
        ("return await race(", "return Result((0,), f'{target}!')\n    await race(", "{target}", "got f'{target}"),
        (ROLL, ROLL + "    table.write('x', table.names[player], 1)\n", "write('x'", "is a player a seat,"),
        ("    dice=DICE,\n", "    dice=DICE,\n    fewest_with=['x'],\n", "GAME = Game(", "expected fewest_with to map"),
        ('{"wipes": False}', '["wipes"]', "GAME = Game(", "expected preset 'gentle' to map options to values"),
        ('Flag("wipes", True', 'Flag("wipes", "true"', "GAME = Game(", "wipes to be of type bool, got 'true'"),
        ("    return await race(", "    return 'Ann'\n    await race(", "async def play", "(winners, why), got 'Ann'"),
        ("    dice=DICE,\n", "", "GAME = Game(", "missing 1 required positional argument: 'dice'"),
        ('id="fifty"', 'id="fifti"', "GAME = Game(", "expected id='fifty', as the file is called, got 'fifti'"),
        ("GAME = Game(", "FACTS = Game(", '"""Fifty', "expected GAME = Game(...), got none"),
        ("async def play", "def play", "return await race", "'await' outside async function"),
        ("async def play(table: Table) -> Result:", "async def plays(table: Table) -> Result:", '"""Fifty', "play"),
        ("dice=DICE", 'dice="two"', "GAME = Game(", "expected dice to be a whole number from 1, got 'two'"),
        ("min_players=1,", "min_players=0,", "GAME = Game(", "expected players from 1 to 10, got 0 to 10"),
        ('{"wipes": False}', '{"wipe": False}', "GAME = Game(", "expected preset 'gentle' to set options of"),
        ("(TARGET, WIPES, REPLIES)", "TARGET", "GAME = Game(", "expected options to be a tuple"),
        ("The score sheet", "-" * 100 + "The score sheet", "GAME = Game(", "at most 120 letters"),
        ("score >= target", "False", "await table.roll", "expected an end within 4000 answers, got none"),
        ("if table.option(WIPES)", "if True", "GAME = Game(", "wipes, which the game never reads"),
        ("return await race(", "await race(", "async def play", "return Result(winners, why), got None"),
        (
            "    return await race(table, turn, lambda score: score >= target, table.option(REPLIES))\n",
            "    return Result((), str(target))\n",
            "async def play",
            "winners",
        ),
        ("DICE)\n    if", "DICE - 2)\n    if", "DICE - 2", "expected one die or more to be thrown, got 0"),
        (ROLL, "    table.at_stake = 2.5\n" + ROLL, "await table.roll", "expected a whole number in table.at_stake"),
        (ROLL, ROLL + "    table.write('x', player, [1])\n", "await table.roll", "cells of row 'x', got [1]"),
        (ROLL, ROLL + "    lost = {}[second]\n", "{}[second]", "expected no error, got KeyError: "),
        (ROLL, ROLL + "    await table.choose(player, 'a', 'a')\n", "'a', 'a'", "expected every option once"),
        (ROLL, ROLL + "    await table.choose(player, 'a  b')\n", "'a  b'", "words with one space between"),
        (ROLL, ROLL + "    await table.choose(player)\n", "choose(player)", "expected at least one option"),
        (ROLL, ROLL + "    await table.keep(player, (), (1,))\n", "table.keep", "at least one legal part"),
        (ROLL, ROLL + "    await table.keep(player, ((2, 1),), (1, 2))\n", "table.keep", "every legal part sorted"),
        (ROLL, ROLL + "    await table.keep(player, ((1,) * 3,), (1,))\n", "table.keep", "parts of the dice that lie"),
        (
            ROLL,
            "    turn.seen = getattr(turn, 'seen', 0) + 1\n" + ROLL + "    first += turn.seen % 2\n",
            "async def play",
            "memory of its own",
        ),
        (  # a game that swallows what the referee says of its question, and asks again
            ROLL,
            "    try:\n    " + ROLL + "    except Exception:\n        return len(await table.roll(player, 1))\n",
            "(player, 1)",
            "expected nobody to ask P",
        ),
        (
            "    return await race(table, turn, lambda score: score >= target, table.option(REPLIES))\n",
            COUNTING,
            "seen[player] += 1",
            "IndexError",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], was: str, now: str, at: str, said: str
) -> None:
    """One line: the file, the line of the fault, what was expected and what came."""
    path = planted(tmp_path, was, now)
    told = complaint(path, capsys)
    assert told.startswith(f"{path}:{line_with(path, at)}: ")
    assert said in told


def test_a_game_that_computes_for_ever_is_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loop that asks nothing is told at its line as well."""
    monkeypatch.setattr(games_check, "MOST_SECONDS", 0.3)
    path = planted(tmp_path, ROLL, ROLL + "    while first == second:\n        table.option(WIPES)\n")
    told = complaint(path, capsys)
    assert "does this loop end?" in told
    assert int(told.removeprefix(f"{path}:").partition(":")[0]) in range(
        line_with(path, "while first"), line_with(path, "while first") + 2
    )


def test_a_game_is_never_stopped_where_a_lock_may_be_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the endless loop calls is let finish, so that a lock that it takes (a coverage tool's) is given back."""
    monkeypatch.setattr(games_check, "MOST_SECONDS", 0.1)
    monkeypatch.syspath_prepend(tmp_path)
    lines = ["from threading import Lock", "LOCK = Lock()", "def held():", "    LOCK.acquire()"]
    lines += ["    sum(range(20_000_000))", "    LOCK.release()"]
    (tmp_path / "holding.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    own = "    import holding\n    while first == second:\n        holding.held()\n"
    own += "        for _ in range(2_000_000):\n            pass\n"
    path = planted(tmp_path, ROLL, ROLL + own)
    assert "does this loop end?" in complaint(path, capsys)
    assert sys.modules.pop("holding").LOCK.acquire(blocking=False)


def test_the_examples_beside_the_file_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the game does not what they say, the line of the script is told."""
    path = planted(tmp_path, "DOUBLE = 5", "DOUBLE = 4")
    shutil.copy(OWN / "fifty.txt", tmp_path)
    assert complaint(path, capsys).startswith(f"{tmp_path / 'fifty.txt'}:7: see scores.Ann is 5: expected 5, got 4")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pig.py", "expected a name that no built-in game has"),
        ("My Game.py", "expected a file named like my_game.py"),
        ("none.py", "expected a game file"),
    ],
)
def test_a_file_that_cannot_be_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, said: str) -> None:
    """A name that is taken, a name that is none, no file."""
    if name != "none.py":
        shutil.copy(OWN / "fifty.py", tmp_path / name)
    told = complaint(tmp_path / name, capsys)
    assert said in told
    assert str(tmp_path / name) in told


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "x = 1\nraise SystemExit\n", "1 / 0\n", ""])
def test_a_file_that_cannot_be_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Wrong Python, a program that ends, an error while it is loaded, an empty file: a line each."""
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    assert complaint(path, capsys).startswith(f"{path}:{max(1, text.count(chr(10)))}: expected ")


def test_a_built_in_game_may_be_checked_where_it_lies(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own file has its id by right."""
    file = Path(__file__).resolve().parents[2] / "tabletop" / "games" / "pig.py"
    assert main(["games", "--check", str(file)]) == 0
    assert capsys.readouterr().err == ""


def test_a_check_and_a_game_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Which one was meant is not guessed."""
    assert main(["games", "pig", "--check", "x.py"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("import random\n", 1, "import of random"),
        ("x = 1\nfrom time import sleep\n", 2, "import of time.sleep"),
        ("from tabletop.games.pig import turn\n", 1, "imports no other one"),
        ("def f():\n    print(1)\n", 2, "call of print()"),
        ("async def f(g):\n    x = 0\n    x += await g()\n", 3, "expected the answer to be named first"),
        ("def f(:\n", 1, "expected Python"),
    ],
)
def test_what_a_text_shows_without_being_run(text: str, line: int, said: str) -> None:
    """Chance, clocks and files, other games, and the sum that is read before the answer comes."""
    ((number, told),) = wrong_lines(text)
    assert number == line
    assert said in told


def test_where_a_name_is_bound() -> None:
    """The first line that binds it at the top of the file; the first of all where none does."""
    text = "import x\nA = 1\nB: int = 2\nasync def play(): pass\nA = 3\n"
    assert [line_of(text, name) for name in ("A", "B", "play", "C")] == [2, 3, 4, 1]


def test_the_same_seed_finds_the_same() -> None:
    """A check draws from the chance it is given, and from nothing else."""
    one, other = Random(5), Random(5)
    for chance in (one, other):
        conformance.check("a match ends, and its events lead there again", "pig", chance)
    assert one.random() == other.random()


README = Path(__file__).resolve().parents[2] / "docs" / "adding-a-game.md"
TEXT = README.read_text(encoding="utf-8")


def test_the_worked_example_comes_out_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The session in the guide is what the check of Fifty says: a line for each check, and its examples."""
    (session,) = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    command, _, printed = session.partition("\n")
    words = command.removeprefix("$ tabletop ").split()
    assert words[-1] == "tests/own_games/fifty.py"
    assert main([*words[:-1], str(OWN / "fifty.py")]) == 0
    assert capsys.readouterr() == (printed, "")
    assert all(f"holds: {name}\n" in printed for name in conformance.CHECKS)


def test_the_complaint_comes_out_as_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So is the line about an option that is never read."""
    path = planted(tmp_path, "if table.option(WIPES)", "if True")
    told = complaint(path, capsys).replace(str(path), "tests/own_games/fifty.py")
    assert f"```text\ntabletop games: {told}\n```" in TEXT


def test_the_program_of_the_readme_runs() -> None:
    """As it stands, in a program of its own."""
    (program,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_built_in_game_is_in_the_table_of_kinds() -> None:
    """Which to copy is told with each of the files, and no other."""
    table = TEXT[TEXT.index("## Which one to copy") : TEXT.index("## Ten steps")]
    named = {name.replace("_", "-") for name in re.findall(r"`([a-z_]+)\.py`", table)}
    assert named == built_in_ids()
