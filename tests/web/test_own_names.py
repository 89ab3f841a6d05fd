"""Under which names the page answers, and which it never does: DNS rebinding needs a name that a stranger can own."""

import socket
import string
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_visitor import Visitor

from tabletop.web.guards import Guard
from tabletop.web.listening import Listening, listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.pairing import is_far

OWN, PORT = "dice", 8080
# RFC 6762, RFC 8375, RFC 6761; ICANN's .internal; and the three that stand in no root zone
UNREGISTRABLE = ("local", "arpa", "localhost", "internal", "lan", "home", "localdomain")
SOLD = ("com", "org", "box", "fritz.box", "de", "ts.net", "dev", "zip", "app", "lan.com", "local.org", "arpa.net")
LABELS = st.sampled_from([OWN, "dice-2", "localhost", "xn--dice-9na"]) | st.text(string.ascii_lowercase, min_size=1)


async def nothing(*_: object) -> None:
    """Answer nothing."""


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: OWN)


def guard(origin: str = "") -> Guard:
    opened = Listening("lan", "192.168.7.5", PORT, None, origin)  # type: ignore[arg-type]  # nobody connects
    return Guard(nothing, opened, {"/act"}, str)


def fault(asked: Guard, host: str, server: str = "192.168.7.5", **headers: str) -> int:
    """Return the status with which a request to this host is refused, 0 if it is not."""
    named: dict[str, str] = {"host": host, **headers}
    scope: dict[str, Any] = {"type": "http", "method": "POST" if headers else "GET", "path": "/act" if headers else "/"}
    scope |= {"raw_path": b"/", "server": (server, PORT), "client": ("192.168.7.9", 50000)}
    scope["headers"] = [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()]
    return asked.fault(scope)


@pytest.mark.parametrize(
    ("host", "server"),
    [
        *(
            (f"{name}:{PORT}", "192.168.7.5")
            for name in ("192.168.7.5", "dice", "DICE.Local", "dice.local.", "dice.lan")
        ),
        *((f"dice{rest}:{PORT}", "192.168.7.5") for rest in ("-2.local", ".home", ".home.arpa.", ".localdomain")),
        (f"LocalHost:{PORT}", "127.0.0.1"),
        (f"192.168.7.5:{PORT}", "::ffff:192.168.7.5"),
        (f"[FD00:0:0::5]:{PORT}", "fd00::5"),
        (f"[fe80::1%25eth0]:{PORT}", "fe80::1%eth0"),
        (f"[fe80::1]:{PORT}", "fe80::1%eth0"),
    ],
)
def test_own_names_and_numbers_are_answered(host: str, server: str) -> None:
    """In any letters, with the dot of the root, after a clash in mDNS, and numbers however they are written."""
    assert fault(guard(), host, server) == 0


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8080", "localhost.evil:8080", "192.168.7.5", "192.168.7.5:1"),
        *("", ":8080", "dice.local", "dice.local:80", "dice.local..:8080", "dice.local:", "dice.fritz.box:8080"),
        *("192.168.7.6:8080", "[::1]:8080", "3232237317:8080", "dice.local@evil.com:8080", "dice.local:8080:8080"),
        *("dice-.local:8080", "dice-2.lan:8080", "dice-1000.local:8080", "dice.local,evil.com:8080", "[dice]:8080"),
    ],
)
def test_others_are_refused(host: str) -> None:
    """Other machines, odd spellings, and a name that was once for sale."""
    assert fault(guard(), host) == 421


@given(st.lists(LABELS, max_size=3), st.sampled_from([*SOLD, *UNREGISTRABLE]), st.sampled_from(["", "."]))
def test_no_name_that_can_be_bought_is_answered(labels: list[str], domain: str, dot: str) -> None:
    """Whatever stands before a domain that is sold, it is refused; and so is a number that is not this machine's."""
    host = ".".join([*labels, domain])
    if fault(guard(), f"{host}{dot}:{PORT}") == 0:
        assert host.rpartition(".")[2] in UNREGISTRABLE
        assert labels[:1] in ([OWN], ["localhost"], ["dice-2"]) or host == "localhost"


def test_a_machine_named_like_a_bought_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole name of a machine may be somebody's domain: only its first part counts."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Dice.example.com")
    assert (fault(guard(), "dice.example.com:8080"), fault(guard(), "dice.local:8080")) == (421, 0)


def test_a_proxy_is_allowed_by_the_configuration() -> None:
    """Its name and origin, and no others; the name is answered directly as well."""
    configured, json_ = guard("https://dice.example.org"), {"content_type": "application/json", "content_length": "2"}
    for host in ("dice.example.org", "dice.example.org:443", f"dice.example.org:{PORT}"):
        assert fault(configured, host) == 0
        assert fault(guard(), host) == 421
    for host in ("dice.example.org", f"192.168.7.5:{PORT}"):  # a proxy hands the name on, or its own
        assert fault(configured, host, origin="https://dice.example.org", **json_) == 0
        assert fault(configured, host, origin="https://evil.example.org", **json_) == 403
        assert fault(guard(), f"192.168.7.5:{PORT}", origin="https://dice.example.org", **json_) == 403


@pytest.mark.parametrize(
    ("address", "far"),
    [
        *((near, False) for near in ("192.168.7.9", "::ffff:8.8.8.8", "8.8.8.8", "fe80::9%eth0", "fd12::9", "::1")),
        *(("2a02:8109:1:2::9", False), ("2a02:8109:1:3::9", True), ("2606:4700::1111", True)),
    ],
)
def test_only_the_own_network_over_ipv6(address: str, far: bool) -> None:
    """As a home router keeps IPv4 of others out."""
    assert is_far(address, "2a02:8109:1:2::5") is far


def test_another_name_gets_a_page_in_words(tmp_path: Path) -> None:
    """It leads to the address at which it was asked, echoes nothing, tells no digits; a HEAD has the same head."""
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
    visitor, digits = Visitor(page.address), {"digits": page.pairing.digits}
    for answer in (visitor.get("/state", Host="<b>evil"), visitor.post("/pair", digits, Host="<b>evil")):
        assert (answer.status, answer.headers["content-type"]) == (421, "text/html; charset=utf-8")
        assert f"href=http://{page.address}/" in answer.body.decode()
        assert b"evil" not in answer.body
        assert page.pairing.digits not in answer.body.decode().replace(page.address, "")
    head = visitor.send("HEAD", "/", None, {"Host": "evil"})
    assert (head.body, int(head.headers["content-length"])) == (b"", len(answer.body))
    page.close()


def test_a_cookie_of_https_stays_there_and_proxied_visitors_are_not_here(tmp_path: Path) -> None:
    """Those behind a proxy of this machine wait for their wrong digits like anybody from the network."""
    page = Page(listen("local", 0, "https://dice.example.org"), lambda: 0.0, tmp_path / DEVICES)
    port = page._listening.port  # noqa: SLF001 - the address shown is the proxy's
    assert page.address == "https://dice.example.org"
    visitor = Visitor(f"127.0.0.1:{port}")
    https = {"Host": "dice.example.org", "Origin": "https://dice.example.org"}
    assert visitor.post("/pair", {"digits": "none"}, **https).status == 403
    assert [*page.pairing._wrong] == [""]  # noqa: SLF001 - as whom they are counted
    assert visitor.post("/pair", {"digits": "none"}, X_Forwarded_For="127.0.0.1").status == 403
    assert visitor.post("/pair", {"digits": "none"}, Origin="https://dice.example.org").status == 403
    assert [*page.pairing._wrong] == [""]  # noqa: SLF001
    given = visitor.post("/pair", {"digits": page.pairing.digits}, **https).headers["set-cookie"].lower()
    assert "secure" in given
    plain = visitor.post("/pair", {"digits": page.pairing.digits}).headers["set-cookie"].lower()
    assert "secure" not in plain
    page.close()
