"""A configuration that was garbled by hand or by an editor: one line says where, and what is meant."""

from pathlib import Path

import pytest

from tabletop.config.file import load_configuration
from tabletop.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[set]\n[dice]\n[set]", r"line 3: expected \[set\] once, got it in line 1 too"),
        ("learn = true", r"line 1: expected a known key, got learn; it belongs below the line \[dice\]"),
        ('[dice]\nbuttons = "gpio"', r"line 2: .* got buttons; it belongs above the first line in brackets"),
        ('game = "pig"\n[set]\nlisten = "lan"', r"line 3: expected an option of Pig, got listen; it belongs above"),
        ('game = "pig"\n[set]\nbank = 17', r"line 3: expected an option of Pig, got bank; it belongs below .*\[pins\]"),
        ('game = "pig"\n[[set]]\ntarget = 5', r"line 2: expected set to be a table"),
        ("game = \u201cpig\u201d", r'line 1: expected key = value.*; nearest: game = "pig"'),
        ('game: "pig"', r'line 1: expected key = value.*; nearest: game = "pig"'),
        ('game = \'pig\ncamera = "pi"', r'line 1: expected key = value.*; nearest: game = "pig"'),
        ('game = "pig"\n[set]\ntarget = 050', r"line 3: expected key = value.*; nearest: target = 50"),
        ('game = "pig"\n[set\ntarget = 50', r"line 2: expected key = value.*; nearest: \[set\]"),
        ("game = pig\n", r'line 1: expected key = value.*; nearest: game = "pig"'),
        ('game = "pig"\n[set]\ntarget = ' + "9" * 5000, r"line 3: expected a number that is no longer than a line"),
        ("game = " + "[" * 5000, r"toml: expected key = value on each line, got brackets within brackets"),
        ('listen = "LAN"', r'line 1: .*; nearest: listen = "lan"'),
        ('buttons = "gpio"\n[pins]\nbank = "GPIO17"', r"line 3: .*; nearest: bank = 17"),
        ('game = "pig"\ntarget = 50', r"line 2: expected a known key, got target; it belongs below the line \[set\]"),
        ("players = [1, 2]", r'line 1: expected players to be names in brackets.*; nearest: players = \["1", "2"\]'),
        ('camera = "sim', r"line 1: expected key = value"),
        ('# the club\'s table\ngame = "pig"\nbuzze', r"line 3: expected key = value"),  # no quote is open in line 1
        ('camera = "/dev/video2"', r'line 1: .*; nearest: camera = "usb:2"'),
        ("camera = 0", r'line 1: .*; nearest: camera = "usb:0"'),
        (
            'buttons = "gpio"\n[pins]\nbank = 27',
            r"line 3: expected bank to be another pin than that of hold, got 27; near",
        ),
        (
            'buttons = "gpio"\n[pins]\nbank = 5\nhold = 5\nmenu = [1]',
            r"line 3: .* than that of hold, got 5; nearest: bank = 6",
        ),
        ('buttons = "gpio"\n[pins]\nbuzzer = 17', r"line 3: .* than that of bank, got 17; nearest: buzzer = 18"),
        ("learn = 1979-05-27\n", r"line 1: .* got learn"),
        ("listen = true", r"line 1: .* got true"),
        ("language = 1979-05-27", r"line 1: .* got 1979-05-27"),
        (
            f'camera = "{"a" * 500}"',
            r"line 1: expected camera to be a name of at most 255 bytes, got .*a\.\.\.; nearest: camera = ",
        ),
        (f'language = "{"ü" * 128}"', r"line 1: expected language to be a name of at most 255 bytes, got"),  # 256 bytes
        (f'profile = "{"a/" * 3000}b"', r"line 1: expected profile to be a name of at most 255 bytes, got"),
        ('# a\u2028b\u0085c\nbuttons = "gpio"\n\n[pins]\nbank = 99\n', r"line 5: expected bank to be the GPIO number"),
    ],
)
def test_a_garbled_line_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    """Twice, in the wrong place, without its quotes or with those of a text editor, endless."""
    path = tmp_path / "tabletop.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as caught:
        load_configuration(path)
    assert "\n" not in str(caught.value)


def test_text_of_another_encoding(tmp_path: Path) -> None:
    """The mark that Windows puts before UTF-8 does no harm; other encodings are named with their line."""
    path = tmp_path / "tabletop.toml"
    path.write_bytes('camera = "sim"\r\n'.encode("utf-8-sig"))
    assert load_configuration(path).camera == "sim"
    for encoding, line in (("utf-16", 1), ("latin-1", 2)):
        path.write_bytes('camera = "sim"\nplayers = ["Jürgen"]\n'.encode(encoding))
        with pytest.raises(InputError, match=rf"line {line}: expected text, saved as UTF-8, got other bytes"):
            load_configuration(path)
