"""What the page may set, written into the configuration that people edit: only what was asked changes."""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest
from admin_machine import PROGRAM, Helper, installed
from hypothesis import example, given
from hypothesis import strategies as st

from tabletop.config.file import load_configuration

sys.path.insert(0, str(PROGRAM))  # where root's helper has its modules
import settings
from request import Refused

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = (ROOT / "systemd" / "tabletop.toml").read_bytes()
# Real values of each key, as docs/wiring.md and docs/commands.md have them.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "camera": st.sampled_from(["none", "usb:0", "usb:1,size=1920x1080,fps=30", "pi", "pi:0,exposure=12.5,white=auto"]),
    "buttons": st.sampled_from(["gpio", "none"]),
    "screen": st.sampled_from(["none", "ssd1306", "sh1106:offset=0", "ssd1306:address=0x3d,rotate=180,height=32"]),
    "language": st.sampled_from(["de", "en"]),
    "name": st.text(
        st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1, max_size=40
    ).filter(lambda name: name == name.strip() and not name.startswith("-")),
    "listen": st.sampled_from(["lan", "local"]),
    "pictures": st.sampled_from(["all", "paired"]),
    "throw_pictures": st.booleans(),
    "record": st.booleans(),
}
CHANGES = st.fixed_dictionaries({}, optional={name: st.none() | values for name, values in VALUES.items()})
HOUSE = b"""\xef\xbb\xbf# ours\r
players = [ # of old
  "Ann", # language = "de" is hers
  "Ben",
]
camera = "usb:0,size=640x480" # the old one
buttons = "gpio"
pins.hold = 5 # not 27
pins . bank = 6
game = "no-such-game"

# language = "fr"
[set]
target = 50
[[hooks]] # the lamp
url = "http://wled.local"
on = '''
# name = "x"
'''
"""


def values_of(text: bytes) -> dict[str, Any]:
    return tomllib.loads(text.decode("utf-8-sig"))


def expected(before: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """Return what the file must say: a film is put where the service may write, or goes on where it is."""
    film = before.get("record", "/var/lib/tabletop/evening.avi")
    changes = {**changes, **({"record": film if changes["record"] else None} if "record" in changes else {})}
    return {name: value for name, value in {**before, **changes}.items() if value is not None}


@given(st.sampled_from([SHIPPED, HOUSE, b"", b"# no end", b"[set]\ntarget = 50"]), CHANGES)
@example(SHIPPED, {"language": "de", "name": "Bärs \\ \"Tisch\" # 1 'x'", "record": True})
@example(HOUSE, {"camera": "none", "language": "de", "name": "x", "throw_pictures": False})
def test_only_what_is_asked_changes(old: bytes, changes: dict[str, object]) -> None:
    """Every other line stands as it was, in the order it had; comments too, and lines that are commented out."""
    if old == HOUSE:  # has pins, which the table takes only with its buttons
        changes = {name: value for name, value in changes.items() if name != "buttons"}
    new = settings.edited(old, changes)
    assert values_of(new) == expected(values_of(old), changes)
    compared = list(ndiff(old.decode("utf-8-sig").splitlines(), new.decode().splitlines()))
    for line in compared:
        if line.startswith(("+ ", "- ")):
            assert re.match(r"[+-] (\w+) =", line)
            assert line.split()[1] in changes
        gone = line.startswith("- ") and "# " in line
        assert not gone or "# the old one" in line  # the comment of a line that is changed goes on, or with it


@given(CHANGES)
def test_what_comes_out_is_a_configuration(changes: dict[str, object]) -> None:
    """The table reads it, and changing it back gives the same values."""
    new = settings.edited(SHIPPED, changes)
    back = {name: values_of(SHIPPED).get(name) for name in changes}
    assert values_of(settings.edited(new, back)) == values_of(SHIPPED)


def test_a_new_line_stands_below_its_explanation(tmp_path: Path) -> None:
    """In the file that is shipped each key is explained; pins have a table of their own."""
    new = settings.edited(SHIPPED, {"language": "de", "name": "Attic", "pins.hold": 5, "pins.buzzer": 12})
    lines = new.decode().splitlines()
    assert lines[lines.index('language = "de"') - 1] == '# language = "de"'
    assert lines[lines.index('name = "Attic"') - 1].startswith("# name = ")
    (tmp_path / "tabletop.toml").write_bytes(new)
    found = load_configuration(tmp_path / "tabletop.toml")
    assert (found.name, found.language, found.buttons) == ("Attic", "de", "gpio:hold=5")
    assert found.views == ("buzzer:pin=12",)


def test_pins_go_where_the_file_has_them() -> None:
    """Dotted, with their comments; the last one takes its table along."""
    new = settings.edited(HOUSE, {"pins.hold": 22, "pins.bank": None})
    assert "pins.hold = 22 # not 27" in new.decode().splitlines()
    assert values_of(new)["pins"] == {"hold": 22}
    assert "pins" not in values_of(settings.edited(new, {"pins.hold": None}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "pig"),
        ("record", "/etc/passwd"),
        ("host", "a.example"),
        ("camera", "sim"),
        ("camera", "/etc/shadow"),
        ("camera", "usb:0,size=9x9"),
        ("camera", "usb:0\nlisten"),
        ("buttons", "keys"),
        ("screen", "terminal"),
        ("language", "../x.toml"),
        ("name", ""),
        ("name", "a\nb"),
        ("name", " "),
        ("name", "x" * 41),
        ("name", "\ud800"),
        ("listen", "127.0.0.1"),
        ("pictures", ["all"]),
        ("throw_pictures", 1),
        ("pins.hold", 17),
        ("pins.hold", 3),
        ("pins.hold", True),
        ("pins", {"hold": 5}),
        ("pins.power", 5),
        ("__class__", None),
    ],
)
def test_other_keys_and_values_are_refused(name: str, value: object) -> None:
    """Each by a code, no matter who asks. GPIO17 belongs to the other button."""
    with pytest.raises(Refused) as refused:
        settings.edited(SHIPPED, {name: value})
    assert refused.value.code == "bad-setting"


@pytest.mark.parametrize(
    "garbled",
    [
        b'camera = "usb:0',
        b"camera = usb:0\n",
        b"\xff\xfe\x00",
        b"a = 1\na = 2\n",
        b"pins = 5\n",
        b"x = " + b"[" * 5000,
        b"x = " + b"9" * 5000,
        b"[pins]\n[pins]\n",
        SHIPPED + b"\0",
    ],
)
def test_a_garbled_file_is_left_alone(tmp_path: Path, garbled: bytes) -> None:
    """It is refused in one line, and the table is not restarted."""
    helper = installed(tmp_path)
    helper.config.write_bytes(garbled)
    said = helper.ask("settings", values={"pins.hold": 5, "language": "de"})
    assert said["refused"] in ("unreadable-settings", "bad-setting")
    assert "\n" not in said["about"]
    assert helper.config.read_bytes() == garbled
    assert helper.calls() == []


@given(st.binary(max_size=300))
def test_any_bytes_are_edited_or_refused(old: bytes) -> None:
    """Never another error, and never other values than asked."""
    try:
        new = settings.edited(old, {"language": "de"})
    except Refused:
        return
    assert values_of(new) == values_of(old) | {"language": "de"}


def test_the_helper_tries_them(tmp_path: Path) -> None:
    """It says so before the table restarts, and the old file lies beside the new one."""
    helper: Helper = installed(tmp_path)
    helper.config.write_bytes(SHIPPED)
    os.chmod(helper.config, 0o644)  # noqa: PTH101
    step, done = helper.answers(b'{"do": "settings", "values": {"language": "de", "record": true}}\n')
    assert (step["step"], done) == ("restart", {"done": {"keep_s": 90}})
    assert values_of(helper.config.read_bytes())["record"] == "/var/lib/tabletop/evening.avi"
    assert "systemctl restart tabletop.service" in helper.calls()
    assert helper.ask("back") == {"done": {}}
    assert helper.ask("settings", values=["language"])["refused"] == "bad-request"
    assert helper.ask("settings")["refused"] == "bad-request"
