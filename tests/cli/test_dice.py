"""`tabletop dice` as people type it: a simulated die is taught, listed, copied and forgotten."""

import json
from pathlib import Path

import pytest

from tabletop.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dice") / "own.dice"
    assert main(["dice", "teach", "--camera", "sim", "--seed", "3", "--look", "ivory", "--dice", str(path)]) == 0
    return path


def test_a_taught_die_is_listed(taught: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its name, and how often each face was shown: at most one of eighteen pictures may show no die."""
    status, out, _ = run(capsys, "dice", "list", "--json", "--dice", taught)
    (facts,) = [json.loads(line) for line in out.splitlines()]
    assert (status, facts["look"], facts["taught"]) == (0, "ivory", True)
    assert sorted(facts["faces"]) == ["1", "2", "3", "4", "5", "6"]
    assert facts["dice"] >= 17
    assert run(capsys, "dice", "list", "--dice", taught)[1].startswith("ivory: ")


def test_dice_are_copied_and_forgotten(taught: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exported, imported at another table, and forgotten there: the first table keeps its own."""
    copy, other = tmp_path / "copy.dice", tmp_path / "other.dice"
    assert run(capsys, "dice", "export", copy, "--dice", taught)[0] == 0
    assert run(capsys, "dice", "import", copy, "--dice", other)[0] == 0
    both = [run(capsys, "dice", "list", "--dice", path)[1] for path in (taught, other)]
    assert both[0] == both[1]
    assert run(capsys, "dice", "forget", "ivory", "--dice", other)[0] == 0
    assert "nothing taught yet" in run(capsys, "dice", "list", "--dice", other)[1]
    assert run(capsys, "dice", "list", "--dice", taught)[1] == both[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("forget",), "--all"),
        (("forget", "red"), "nothing has been taught yet"),
        (("export", "out.dice"), "there are none yet"),
        (("import", "missing.dice"), "expected a file with taught dice"),
        (("teach", "--camera", "usb:0"), "expected buttons and a screen, or a terminal"),
        (("teach", "--camera", "sim", "--look", ""), "--look"),
        (("teach", "--camera", ".", "--faces", "1,9"), "--faces"),
        (("fold",), "invalid choice"),
    ],
)
def test_mistakes_cost_one_line(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, one line that says what was expected, and no file."""
    own = tmp_path / "own.dice"
    status, out, err = run(capsys, "dice", *words, *(() if words == ("fold",) else ("--dice", own)))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not own.exists()
