"""`tabletop play` speaks the language that the command line, the configuration file or the environment asks for."""

from pathlib import Path

import pytest
from test_play_terminal import Terminal

from tabletop.cli import main

PLAYERS = ("pig", "--players", "Ann,bank", "--seed", "8")


def test_the_terminal_speaks_german(tmp_path: Path) -> None:
    """Asks, labels, keys and what was said are German; names and what is printed on the buttons stay."""
    terminal = Terminal(*PLAYERS, "--language", "de", home=tmp_path)
    assert terminal.shows("Ann: 1 Würfel werfen")
    assert terminal.shows("t werfen  b BANK  h HOLD")
    terminal.type("t")
    assert terminal.shows("Ann: würfeln oder sichern?")
    terminal.type("b")
    assert terminal.shows("bank: 1 Würfel werfen")
    terminal.type("q")
    assert terminal.end() == 0


def test_the_configuration_file_chooses(tmp_path: Path) -> None:
    """A file of words of one's own, beside the configuration: what it tells is told so, all else in English."""
    (tmp_path / "fr.toml").write_text('[asks]\n"throw one die" = "lance un dé"\n', encoding="utf-8")
    (tmp_path / "table.toml").write_text('language = "fr.toml"\n', encoding="utf-8")
    terminal = Terminal(*PLAYERS, "--config", str(tmp_path / "table.toml"), home=tmp_path)
    assert terminal.shows("Ann: lance un dé")
    terminal.type("t")
    assert terminal.shows("Ann: roll or bank?")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            'language = "xx"\n',
            "table.toml, language: expected a language (de, en) or a file that ends in .toml, got 'xx'",
        ),
        ('language = "fr.toml"\n', "fr.toml, line 2: expected no braces on both sides, got '{n} dés'"),
        ("language = 7\n", 'table.toml, line 1: expected language to be a word in "quotes", got 7'),
    ],
)
def test_a_language_that_cannot_be_used_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    """One line with file and line, status 2, before anything is played."""
    (tmp_path / "fr.toml").write_text('[asks]\n"throw one die" = "{n} dés"\n', encoding="utf-8")
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["play", *PLAYERS, "--config", str(path), "--store", str(tmp_path / "a.db")]) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.err.count("\n") == 1
    assert not (tmp_path / "a.db").exists()


def test_a_language_of_the_command_line_is_told_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    """A word that is no language names those there are."""
    assert main(["play", *PLAYERS, "--language", "klingon"]) == 2
    assert "expected a language (de, en)" in capsys.readouterr().err
