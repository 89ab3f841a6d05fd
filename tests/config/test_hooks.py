"""Webhooks in the configuration file: what may stand there, and errors that name the line."""

import json
import re
from pathlib import Path

import pytest

from tabletop.config.file import load_configuration
from tabletop.config.hooks import FIELDS, KINDS, Hook
from tabletop.core.errors import InputError

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/events-v1.json").read_text(encoding="utf-8"))


def _load(folder: Path, text: str) -> tuple[Hook, ...]:
    path = folder / "tabletop.toml"
    path.write_text(text, encoding="utf-8")
    return load_configuration(path).hooks


def test_kinds_and_fields_are_those_of_the_schema() -> None:
    kinds = [SCHEMA["$defs"][one["$ref"].rpartition("/")[2]] for one in SCHEMA["oneOf"]]
    assert set(KINDS) == {kind["properties"]["kind"]["const"] for kind in kinds}
    assert set(FIELDS.split()) == set(SCHEMA["properties"]).union(*(kind["properties"] for kind in kinds))


def test_every_key_is_read(tmp_path: Path) -> None:
    text = """
[[hooks]]
on = ["throw", "bust"]
player = "Ann"
url = "https://[fd00::1]:8443/a/{player}?b={notation}"
method = "PUT"
headers = { Authorization = "Bearer x" }
body = '{"who": "{player}", "n": 1}'
[[hooks]]
preset = "wled"
url = "http://wled.local/"
[[hooks]]
on = "turn"
url = "http://10.0.0.1?x"
method = "GET"
"""
    first, second, third = _load(tmp_path, text)
    assert (first.host, first.port, first.tls, first.target) == ("fd00::1", 8443, True, "/a/{player}?b={notation}")
    assert (set(first.on), first.player, first.method) == ({"throw", "bust"}, "Ann", "PUT")
    assert (first.headers, first.body) == ({"Authorization": "Bearer x"}, {"who": "{player}", "n": 1})
    assert (second.host, second.port, second.tls, second.target) == ("wled.local", 80, False, "/json/state")
    assert second.on == frozenset(KINDS)
    assert (third.target, third.body) == ("/?x", "")


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        (2, "[hooks]\nurl = 'http://a'", r"\[\[hooks\]\]"),
        (2, "[[hooks]]\non = 'throw'", "http://"),
        (3, "[[hooks]]\nurl = 'ftp://a'", "http://"),
        (3, "[[hooks]]\nurl = 'http://a:65536/'", "http://"),
        (3, "[[hooks]]\nurl = 'http://a:0/'", "http://"),
        (3, "[[hooks]]\nurl = 'http://{player}/'", "http://"),
        (3, "[[hooks]]\nurl = 'http://a/{plyer}'", "in braces"),
        (3, '[[hooks]]\nurl = "http://a/\\r\\nX: y"', "http://"),
        (5, "[[hooks]]\nurl = 'http://a'\n[[hooks]]\non = 'thorw'\nurl = 'http://a'", "throw"),
        (6, "[[hooks]]\nurl = 'http://a'\non = 'throw'\n[[hooks]]\non = []\nurl = 'http://a'", "throw"),
        (4, "[[hooks]]\nurl = 'http://a'\nmethod = 'DELETE'", "POST or PUT or GET"),
        (4, "[[hooks]]\nurl = 'http://a'\nplayer = 1", "name"),
        (4, "[[hooks]]\nurl = 'http://a'\nbody = '{\"who\": {player}}'", "JSON"),
        (4, "[[hooks]]\nurl = 'http://a'\nbody = '{whom}'", "player"),
        (4, "[[hooks]]\nurl = 'http://a'\nbody = 7", "text"),
        (4, '[[hooks]]\nurl = "http://a"\nheaders = { X = "a\\nb" }', "NAME"),
        (4, "[[hooks]]\nurl = 'http://a'\nheaders = { Host = 'b' }", "NAME"),
        (4, "[[hooks]]\nurl = 'http://a'\npreset = 'hue'", "wled"),
        (4, "[[hooks]]\nurl = 'http://a'\nbdoy = 'x'", "did you mean body"),
        (4, "[[hooks]]\nurl = 'http://a'\nbody = 'x'\npreset = 'wled'", "preset"),
    ],
)
def test_error_names_the_line_and_what_is_expected(line: int, text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"tabletop\.toml, line {line}: .*{expected}"):
        _load(tmp_path, f"camera = 'sim'\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "url = 'http://user:hunter2@a/'",
        "url = 'http://a/#hunter2'",
        "url = 'http://a'\nheaders = { 'a b' = 'hunter2' }",
    ],
)
def test_no_error_shows_a_password(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        _load(tmp_path, f"[[hooks]]\n{text}\n")
    assert not re.search("hunter2", str(raised.value))


def test_examples_of_the_documentation_and_of_the_file_are_right(tmp_path: Path) -> None:
    """What people copy can be read, and sends what its text says."""
    page = (ROOT / "docs/connecting.md").read_text(encoding="utf-8")
    lamp, phone = _load(tmp_path, "\n".join(re.findall(r"```toml\n(\[\[hooks\]\].*?)```", page, flags=re.DOTALL)))
    assert (lamp.host, lamp.target) == ("wled.local", "/json/state")
    assert (phone.host, phone.tls, phone.target, set(phone.on)) == ("ntfy.sh", True, "/", {"match_over"})
    assert phone.body["message"] == "{winners} won: {scores}"
    example = (ROOT / "systemd/tabletop.toml").read_text(encoding="utf-8")
    lines = re.findall(
        r"(?m)^# (\[\[hooks\]\]|\w+ = .*)$", example[example.index("# [[hooks]]") : example.index("# [set]")]
    )
    lamp, other = _load(tmp_path, "\n".join(lines))
    assert (lamp.preset, other.player, set(other.on)) == ("wled", "Ann", {"bust", "match_over"})
