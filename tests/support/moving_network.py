"""A network that comes, changes and goes below an open page; run as root by `unshare -n`. Writes one line a step.

Each line has the step, what the display says, and with what the page lets a phone in there.
"""

import http.client
import json
import subprocess
import sys
import tempfile
import time
from http import HTTPStatus
from pathlib import Path

from tabletop.web.listening import listen
from tabletop.web.page import LOOK_EVERY_S, Page

LAST_S = 5.0  # for an interface to run: the kernel looks at new ones once a second
ULA_S = 1.0  # for the kernel to have an address of IPv6
now_s = 1000.0


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def link(interface: str) -> str:
    """Return what `ip` says about an interface; "state UP": it runs."""
    return subprocess.run(["ip", "link", "show", "dev", interface], check=True, capture_output=True, text=True).stdout


def up(interface: str, address: str, gateway: str = "", metric: int = 0) -> None:
    """Give an interface an address, and a default route."""
    ip("addr", "replace", address, "dev", interface, *(["nodad"] if ":" in address else []))
    ip("link", "set", interface, "up")
    ends_at = time.monotonic() + LAST_S
    while "state UP" not in link(interface) and time.monotonic() < ends_at:
        pass
    if gateway:
        ip("route", "add", "default", "via", gateway, "dev", interface, "metric", str(metric))


def answers(host: str, port: int, page: Page) -> int:
    """Return with what the page lets a phone in, once it has the page itself."""
    visit = http.client.HTTPConnection(host, port, timeout=3)
    visit.request("GET", "/")
    answer = visit.getresponse()
    answer.read()
    origin = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    headers = {"Origin": origin, "Content-Type": "application/json"}
    visit.request("POST", "/pair", json.dumps({"digits": page.pairing.digits}), headers)
    return visit.getresponse().status if answer.status == HTTPStatus.OK else answer.status


def step(name: str, page: Page) -> None:
    """Say what the display shows, once it has looked again."""
    global now_s  # noqa: PLW0603 - the clock of this program
    now_s += LOOK_EVERY_S
    page.pairing.show(now_s)
    door = page.door(now_s)
    host, _, port = (door.address if door else "").rpartition(":")
    said = (name, host or "-", answers(host, int(port), page) if door else "-", page.notice(now_s).partition(":")[0])
    sys.stdout.write(" ".join(map(str, said)) + "\n")


if __name__ == "__main__":
    ip("link", "set", "lo", "up")
    for interface in ("wlan", "lan"):
        ip("link", "add", interface, "type", "veth", "peer", "name", f"{interface}-wire")
        ip("link", "set", f"{interface}-wire", "up")
    page = Page(listen("lan", 0), lambda: now_s, Path(tempfile.mkdtemp()) / "devices")
    step("nothing", page)
    up("wlan", "10.42.0.1/24")
    step("hotspot", page)
    up("lan", "192.168.7.5/24", "192.168.7.1", 100)
    step("cable", page)
    up("wlan", "192.168.8.9/24", "192.168.8.1", 600)
    step("both", page)
    ip("link", "set", "lan", "down")
    step("unplugged", page)
    ip("addr", "flush", "dev", "wlan")
    ip("link", "set", "wlan", "down")
    step("gone", page)
    up("wlan", "192.168.9.77/24", "192.168.9.1")
    step("moved", page)
    up("wlan", "fd12::5/64")
    time.sleep(ULA_S)
    port = int(page.address.rpartition(":")[2])
    sys.stdout.write(f"ula {answers('fd12::5', port, page)}\n")
    page.close()
