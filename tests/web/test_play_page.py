"""`tabletop play --listen local`: the whole way from the command line to the page and back to the match."""

import socket
from pathlib import Path

from english import english
from page_program import page_of
from page_visitor import Visitor

from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.store import Store


def test_pig_is_played_from_the_page_alone(tmp_path: Path) -> None:
    """No terminal, no OLED, no buttons: simulated dice are thrown, and what is banked is on disk."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--set", "target=2", "--seed", "3") as (address, digits):
        visitor = Visitor(address)
        assert visitor.post("/pair", {"digits": digits}).status == 204
        with visitor.events() as events:
            for name, now in events:
                if name == "message" and now["over"]:
                    break
                if name == "message" and now["ask"] == english(THROW_ONE) and not now["pressed"]:
                    visitor.act("throw", now["asks"])
                elif name == "message" and now["ask"] == english(ROLL_OR_BANK) and not now["pressed"]:
                    visitor.act("bank", now["asks"])
        over = visitor.state()
    winner = next(player for player in over["players"] if player["won"])
    assert over["over"] == f"{winner['name']} wins"
    assert winner["score"] >= 2
    with Store(tmp_path / "a.db") as store:
        (match,) = store.matches()
    assert match.ending == "over"


def test_the_page_asks_what_to_play(tmp_path: Path) -> None:
    """Without a game the start menu is tapped on the page; what is no request is answered, and writes nothing."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as stranger:
            stranger.sendall(b"\x16\x03\x01 no request\r\n\r\n")
            assert b" 400 " in stranger.makefile("rb").readline()
        visitor = Visitor(address)
        visitor.post("/pair", {"digits": digits})
        first = visitor.state()
        assert first["menu"]["items"][0] == "Pig"
        assert visitor.act("take", first["asks"], first["menu"]["items"].index("Settings")) == 204
        with visitor.events() as events:
            first = next(now for name, now in events if name == "message" and now["menu"]["title"] == "Settings")
            assert visitor.act("take", first["asks"], first["menu"]["items"].index("language")) == 204
            asked = next(now for name, now in events if name == "message" and now["menu"]["title"] == "Which language?")
            assert visitor.act("take", asked["asks"], asked["menu"]["items"].index("Deutsch")) == 204
            words = next(now["words"] for name, now in events if name == "message" and now["words"]["language"] == "de")
    assert words["undo"] == "Zurücknehmen"
