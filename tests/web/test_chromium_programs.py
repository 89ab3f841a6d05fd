"""Tokens of other programs on the page: created, shown once, copied, revoked."""

import json
from pathlib import Path

from browser import Browser
from page_program import page_of
from page_visitor import Visitor

SHOWN = "document.querySelector('#program-token')?.value"


def test_the_owner_makes_and_revokes_a_token(phone: Browser, tmp_path: Path) -> None:
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        phone.enter(address, digits, "#face-5")
        phone.tap("#device-open")
        phone.until_seen("#program-name")
        phone.write("#program-name", "lights <b> 1234")
        phone.tap("#programs [type=submit]")
        phone.until_seen("#program-token")
        token = str(phone.value(SHOWN))
        program = Visitor(address)
        bearer = {"Authorization": f"Bearer {token}"}
        assert program.get("/api/v1/state", **bearer).status == 200
        phone.tap("#programs .main")
        phone.tap("#device-close")
        phone.tap("#device-open")
        phone.until_seen("#program-name")
        phone.until(f"!({SHOWN}) && document.querySelector('#programs li b').innerText === 'lights <b> 1234'")
        phone.tap("#programs li button")
        phone.until("!document.querySelector('#programs li')")
        refused = program.get("/api/v1/state", **bearer)
        assert (refused.status, list(json.loads(refused.body))) == (401, ["why"])
