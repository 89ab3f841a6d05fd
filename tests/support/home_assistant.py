"""Home Assistant itself, from PyPI, in a Debian 13: it talks to a broker of this machine, and is asked over HTTP."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from booted_machine import SHARED, debian_root
from mosquitto import until

VERSION = "2026.2.3"  # the last for the Python of Debian 13
WORDS = ("--prefer-binary", f"homeassistant=={VERSION}", "paho-mqtt==2.1.0", "home-assistant-frontend==20260128.6",
         "ifaddr==0.2.0", "cronsim==2.7", "psutil-home-assistant==0.0.1", "securetar==2025.2.1")  # fmt: skip
COMPILER = ("gcc", "g++", "libc6-dev", "python3-dev")  # two of its packages have no wheel for this Python
KEY, START_S, ANSWER_S = "5ca1ab1e" * 8, 120.0, 10.0
SETUP = """
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq && apt-get install -y -qq --no-install-recommends {compiler} && python3 -m venv /ha &&
/ha/bin/python -m pip --disable-pip-version-check install --quiet {words}
"""


def home_root(folder: Path) -> Path:
    """Make a Debian 13 with Home Assistant below `folder`, or return the one that was made there before."""
    whole, wanted = folder / "home_assistant.whole", " ".join(WORDS)
    if not whole.exists() or whole.read_text() != wanted:
        bare, root = debian_root(folder, "trixie"), folder / "home_assistant"
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", bare, root], check=True)
        setup = SETUP.format(compiler=" ".join(COMPILER), words=wanted)
        subprocess.run([*container(root), "sh", "-c", setup], check=True, stdin=subprocess.DEVNULL)
        whole.write_text(wanted)
    return folder / "home_assistant"


def container(root: Path, *binds: str) -> list[str]:
    """Return the words before a command that runs in this root."""
    shared = [f"--bind-ro={path}" for path in SHARED if Path(path).exists()]
    return ["systemd-nspawn", "-q", "-D", str(root), "--register=no", "--keep-unit", "--resolv-conf=copy-host",
            "--console=pipe", "--as-pid2", *shared, *binds]  # fmt: skip


class HomeAssistant:
    """One that runs. port: of its HTTP interface."""

    def __init__(self, port: int) -> None:
        self._port, self._token = port, _token()

    def get(self, path: str) -> Any:  # noqa: ANN401 - JSON
        return self._ask("GET", path)

    def render(self, template: str) -> str:
        return str(self._ask("POST", "template", {"template": template}))

    def states(self) -> dict[str, Any]:
        return {one["entity_id"]: one for one in self.get("states")}

    def until(self, wanted: dict[str, str], patience_s: float = 20.0) -> dict[str, Any]:
        """Wait until these entities have these states; return all."""
        begun_s = time.monotonic()
        while True:
            states = self.states()
            found = {name: states[name]["state"] if name in states else None for name in wanted}
            if found == wanted:
                return states
            assert time.monotonic() - begun_s < patience_s, f"expected {wanted}, got {found}"
            time.sleep(0.2)

    def until_gone(self, name: str) -> None:
        until(lambda: name not in self.states())

    def until_event(self, entity: str, kind: str) -> dict[str, Any]:
        until(lambda: self.states()[entity]["attributes"].get("event_type") == kind)
        return dict(self.states()[entity]["attributes"])

    def _ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_S)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        connection.request(method, f"/api/{path}", None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status == 200, (answer.status, text)
        return json.loads(text) if answer.headers["Content-Type"].startswith("application/json") else text


@contextmanager
def running(root: Path, config: Path, port: int, broker_port: int, more: str) -> Iterator[HomeAssistant]:
    """Run it with this folder as its configuration, without its first questions. more: lines of configuration.yaml."""
    _configure(config, port, broker_port)
    with (config / "configuration.yaml").open("a") as file:
        file.write(more)
    words = ["/ha/bin/hass", "--config", "/config", "--skip-pip"]
    with (config / "console").open("w") as console:
        process = subprocess.Popen(
            [*container(root, f"--bind={config}:/config"), *words],
            stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True,
        )  # fmt: skip
        home = HomeAssistant(port)
        try:
            begun_s = time.monotonic()
            while True:
                with suppress(OSError):
                    if home.get("config")["state"] == "RUNNING":
                        break
                assert process.poll() is None, (config / "console").read_text()[-3000:]
                assert time.monotonic() - begun_s < START_S, (config / "console").read_text()[-3000:]
                time.sleep(0.5)
            yield home
        finally:
            for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)  # the container's first process: all others end with it
            process.kill()
            process.wait()


def _configure(config: Path, port: int, broker_port: int) -> None:
    (config / "configuration.yaml").write_text(
        f"homeassistant:\n  time_zone: UTC\nhttp:\n  server_host: 127.0.0.1\n  server_port: {port}\napi:\n"
    )
    storage, now = config / ".storage", "2026-11-28T00:00:00+00:00"
    storage.mkdir()
    token = {"id": "token", "user_id": "owner", "client_id": None, "client_name": "test", "client_icon": None,
             "token_type": "long_lived_access_token", "created_at": now, "access_token_expiration": 3e8,
             "token": KEY, "jwt_key": KEY, "last_used_at": None, "last_used_ip": None, "expire_at": None,
             "credential_id": None, "version": VERSION}  # fmt: skip
    owner = {"id": "owner", "group_ids": ["system-admin"], "is_owner": True, "is_active": True, "name": "Owner",
             "system_generated": False, "local_only": False}  # fmt: skip
    groups = [{"id": "system-admin", "name": "Administrators"}, {"id": "system-users", "name": "Users"},
              {"id": "system-read-only", "name": "Read Only"}]  # fmt: skip
    entry: dict[str, Any] = {
        "created_at": now, "modified_at": now, "data": {"broker": "127.0.0.1", "port": broker_port}, "domain": "mqtt",
        "disabled_by": None, "discovery_keys": {}, "entry_id": "01JTABLE000000000000000000", "options": {},
        "pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user", "subentries": [],
        "title": "broker", "unique_id": None, "version": 2, "minor_version": 1,
    }  # fmt: skip
    for name, version, minor, data in (
        ("auth", 1, 1, {"users": [owner], "groups": groups, "credentials": [], "refresh_tokens": [token]}),
        ("onboarding", 4, 1, {"done": ["user", "core_config", "analytics", "integration"]}),
        ("core.config_entries", 1, 5, {"entries": [entry]}),
    ):
        stored = {"version": version, "minor_version": minor, "key": name, "data": data}
        (storage / name).write_text(json.dumps(stored))


def _token() -> str:
    def packed(content: bytes) -> str:
        return base64.urlsafe_b64encode(content).rstrip(b"=").decode()

    claims = {"iss": "token", "iat": 1_780_000_000, "exp": 2_080_000_000}
    text = f"{packed(json.dumps({'alg': 'HS256', 'typ': 'JWT'}).encode())}.{packed(json.dumps(claims).encode())}"
    return f"{text}.{packed(hmac.digest(KEY.encode(), text.encode(), hashlib.sha256))}"
