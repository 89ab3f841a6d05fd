"""The overlay for streaming software as the server sends it, and its colours."""

import re

import pytest
from page_visitor import Visitor

from tabletop.web.app import STATIC
from tabletop.web.guards import HEADERS
from tabletop.web.page import Page

COLOURS = re.compile(r"--player-(\d+): (#[0-9a-f]{6});")


@pytest.mark.parametrize("address", ["/overlay", "/overlay?layout=full&theme=clear", "/overlay?layout=%3Cb%3E"])
def test_everybody_may_look_and_only_look(served: Page, address: str) -> None:
    """The same file for every look, with the headers that guard the page, without pairing; a POST is refused."""
    visitor = Visitor(served.address)
    answer = visitor.get(address)
    assert (answer.status, answer.body) == (200, (STATIC / "overlay" / "overlay.html").read_bytes())
    for name, value in HEADERS:
        assert answer.headers[name.decode()] == value.decode()
    assert visitor.post(address, {}).status == 405
    assert visitor.get("/overlay/").status == 404


def test_players_have_the_colours_of_the_page() -> None:
    """The darker ones on light panels and the lighter ones elsewhere."""
    page, overlay = (COLOURS.findall((STATIC / path).read_text()) for path in ("board.css", "overlay/overlay.css"))
    assert len(page) == 20
    assert sorted(overlay) == sorted(page)
