"""`tabletop play` speaks the language that the command line, the configuration file or the environment asks for."""

import argparse
from pathlib import Path

import pytest
from emulated_terminal import Terminal
from english import english

from tabletop.cli.main import main
from tabletop.cli.wiring.attended import language_handlers
from tabletop.cli.wiring.devices import language_of
from tabletop.cli.wiring.presenter import Views
from tabletop.config.file import Configuration
from tabletop.core.ports import Press
from tabletop.dialogs.commands import MenuAction, SetLanguage
from tabletop.dialogs.menu import Menu, match_menu
from tabletop.rules import Match
from tabletop.session.snapshotting import THROW_ONE
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.terminal.board import sentence

PLAYERS = ("pig", "--players", "Ann,bank", "--seed", "8")


@pytest.mark.slow
def test_the_menu_changes_the_language_for_good(tmp_path: Path) -> None:
    """Behind "language" stand all languages by their own names; the chosen one is spoken now and after a new start."""
    terminal = Terminal(*PLAYERS, home=tmp_path)
    assert terminal.shows(f"Ann: {english(THROW_ONE)}")
    terminal.type("H")
    menu = match_menu(Match("pig", ("Ann", "bank")), page=True).snapshot.menu
    assert menu is not None
    for item in menu.items[: menu.items.index("language") + 1]:
        assert terminal.shows(f"> {sentence(item)}")
        terminal.type("b" if item == "language" else "h")
    assert terminal.shows("> English")
    terminal.type("h")
    assert terminal.shows("> Deutsch")
    terminal.type("b")
    assert terminal.shows("Ann: 1 Würfel werfen")
    terminal.type("q")
    assert terminal.end() == 0
    again = Terminal(*PLAYERS, home=tmp_path)
    assert again.shows("Ann: 1 Würfel werfen")
    again.type("q")
    assert again.end() == 0


@pytest.mark.parametrize(
    ("asked", "chosen", "configured", "lang", "spoken"),
    [
        (None, None, None, "C.UTF-8", "English"),
        (None, None, None, "de_DE.UTF-8", "Deutsch"),
        (None, None, "en", "de_DE.UTF-8", "English"),
        (None, None, "fr.toml", "de_DE.UTF-8", "Français"),
        (None, "de", "en", "C.UTF-8", "Deutsch"),
        (None, "gone.toml", "de", "C.UTF-8", "Deutsch"),
        (None, "", None, "de", "Deutsch"),
        ("en", "de", "de", "de_DE.UTF-8", "English"),
        ("fr.toml", "de", "de", "de_DE.UTF-8", "Français"),
    ],
)
def test_who_chooses_the_language(
    tmp_path: Path, asked: str | None, chosen: str | None, configured: str | None, lang: str, spoken: str
) -> None:
    """The command line, then the menu's last choice as far as it is there, the configuration, the environment."""
    (tmp_path / "fr.toml").write_text('language = "Français"\n', encoding="utf-8")
    if chosen is not None:
        (tmp_path / "language").write_text(f"{chosen}\n", encoding="utf-8")

    def beside(word: str | None) -> str | None:
        return str(tmp_path / word) if word and word.endswith(".toml") else word

    options = argparse.Namespace(language=beside(asked), store=tmp_path / "a.db")
    assert language_of(options, Configuration(language=beside(configured)), {"LANG": lang}).name == spoken


def test_the_menu_offers_a_file_of_ones_own(tmp_path: Path) -> None:
    """It stands behind those of the program, is where HOLD begins while it is spoken, and can be chosen again."""
    path = tmp_path / "fr.toml"
    path.write_text('language = "Français"\n', encoding="utf-8")
    views = Views((), None, load_language(str(path)))
    speaking = language_handlers(views, tmp_path / "a.db")
    question = speaking[MenuAction.LANGUAGE](MenuAction.LANGUAGE, None)
    assert isinstance(question, Menu)
    menu = question.snapshot.menu
    assert menu is not None
    assert (menu.items, menu.at, set(menu.given)) == (("English", "Deutsch", "Français"), 2, {0, 1, 2})
    speaking[SetLanguage](SetLanguage("de"), None)
    assert views.language.name == "Deutsch"
    question = speaking[MenuAction.LANGUAGE](MenuAction.LANGUAGE, None)
    assert isinstance(question, Menu)
    assert question.press(Press("bank")) == SetLanguage("de")
    speaking[SetLanguage](SetLanguage(str(path)), None)
    assert views.language.name == "Français"
    options = argparse.Namespace(language=None, store=tmp_path / "a.db")
    assert language_of(options, Configuration(), {}).name == "Français"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('language = "xx"\n', "1: expected a language"),
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
