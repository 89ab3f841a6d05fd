"""The configuration file: what it says reaches `play`; a mistake is told with its line before anything starts."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.cli.main import main
from tabletop.config import file as config_file
from tabletop.config.file import Configuration, configuration, load_configuration
from tabletop.core.errors import InputError

WHOLE = """\
# the club's table
game = "pig"
players = ["Ann", "Ben"]
camera = "usb:0"
buttons = "gpio"
screen = "sh1106"
profile = "tray.toml"
record = "evening.avi"
listen = "lan"
pictures = "paired"
language = "de"
both_buttons = "switch off"
throw_pictures = false
name = "Games room"

[set]
target = 50
rules = "dice-play"

[pins]
bank = 17
hold = 27
menu = 25
buzzer = 12

[voice]
volume = 2
sounds = "gong"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tray.toml").touch()
    return tmp_path


def write(folder: Path, text: str) -> Path:
    path = folder / "tabletop.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_that_can_be_said(folder: Path) -> None:
    """All keys together give the words that the command line would have."""
    path = write(folder, WHOLE)
    assert load_configuration(path) == Configuration(
        path=path,
        game="pig",
        settings=("target=50", "rules=dice-play"),
        players=("Ann", "Ben"),
        camera="usb:0",
        buttons="gpio:bank=17,hold=27,menu=25",
        switches_off=True,
        throw_pictures=False,
        name="Games room",
        views=("buzzer:pin=12", f"voice:volume=2,sounds={path.parent / 'gong'}"),
        screen="sh1106",
        profile=folder / "tray.toml",
        record=folder / "evening.avi",
        listen="lan",
        pictures="paired",
        language="de",
    )


def test_an_empty_file_says_nothing(folder: Path) -> None:
    """Every key may be left out."""
    path = write(folder, "# all as usual\n")
    assert load_configuration(path) == Configuration(path=path)


def test_the_usual_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --config the platform's folder is looked at, and its file may be missing; one asked for may not."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    assert configuration() == Configuration()
    config_file.default_path().parent.mkdir()
    config_file.default_path().write_text('camera = "sim"\n')
    assert configuration().camera == "sim"
    with pytest.raises(InputError, match=r"no\.toml: expected a file"):
        configuration(folder / "no.toml")


def test_a_film_beside_the_file_is_a_camera(folder: Path) -> None:
    """A film is named from the file's own folder on, wherever the program is started."""
    (folder / "throws.mp4").touch()
    assert load_configuration(write(folder, 'camera = "throws.mp4"')).camera == str(folder / "throws.mp4")


def test_a_language_may_be_a_file_beside_it(folder: Path) -> None:
    """A file of words is named from the configuration's folder on; a code is taken as it is."""
    (folder / "fr.toml").touch()
    assert load_configuration(write(folder, 'language = "fr.toml"')).language == str(folder / "fr.toml")
    assert load_configuration(write(folder, 'language = "fr"')).language == "fr"


GAME_SET = 'game = "pig"\n[set]\n'
PINS = 'buttons = "gpio"\n[pins]\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('game = "pigs"', r"line 1: .*got 'pigs'; did you mean pig\?"),
        ("game = 7", r"line 1: expected game to be a word in \"quotes\", got 7"),
        ("game = pig", r"line 1: expected key = value, with words in \"quotes\", got 'game = pig': "),
        ("players = []", r"line 1: expected players to be names in brackets"),
        ("players = [1, 2]", r"line 1: expected players to be names in brackets"),
        ('players = "Ann"', r"line 1: expected players to be names in brackets, .* got 'Ann'"),
        ('players = ["Ann", "Ann"]', r"line 1: .* got 'Ann' twice"),
        ('players = ["Ann", ""]', r"line 1: .* empty one"),
        ('players = ["Ann", "Bartholomaeus"]', r"line 1: .* at most 12 letters"),
        ('camera = "ubs:0"', r"line 1: expected camera to be one of sim, usb, none, .*pi.*, a film or .*, got 'ubs:0'"),
        ('camera = "sim:1"', r"line 1: expected camera to be sim, with nothing behind it, got 'sim:1'"),
        ('buttons = "qpio"', r"line 1: expected buttons to be one of auto, keys, none, .*gpio.*, got 'qpio'"),
        ('screen = "ssd1305"', r"line 1: expected screen to be one of .*sh1106.*ssd1306.*, got 'ssd1305'"),
        ('profile = "try.toml"', r"line 1: expected profile to be a file that is there"),
        ("listen = true", r"line 1: expected listen to be .* got true"),
        ('listen = "0.0.0.0"', r"line 1: expected listen to be local or lan, got '0.0.0.0'"),
        ('pictures = "none"', r"line 1: expected pictures to be all or paired, got 'none'"),
        ('both_buttons = "off"', r"line 1: expected both_buttons to be nothing or switch off, got 'off'"),
        (f'name = "{"x" * 41}"', r"line 1: expected name to be at most 40 letters, got 'xxx"),
        ('throw_pictures = "off"', r"line 1: expected throw_pictures to be true or false, got 'off'"),
        ("language = 1979-05-27", r"line 1: expected language to be a word"),
        ('language = "fr.toml"', r"line 1: expected language to be a file that is there"),
        (f'camera = "{"a" * 500}"', r"line 1: expected camera to be a name of at most 255 bytes, got .*a\.\.\."),
        (f'language = "{"ü" * 128}"', r"line 1: expected language to be a name of at most 255 bytes, got"),  # 256 bytes
        (f'profile = "{"a/" * 3000}b"', r"line 1: expected profile to be a name of at most 255 bytes, got"),
        *(
            (f'host = "{host}"', r"line 1: expected host to be a name such as")  # a port needs a scheme; no path
            for host in ("dice.fritz.box:8080", "https://dice.fritz.box/a", "https://dice.fritz.box:99999", "!")
        ),
        (f"{GAME_SET}target = 0", r"line 3: .*target"),
        (f"{GAME_SET}target = 1.5", r"line 3: expected target to be a whole number"),
        (f"{GAME_SET}target = [5]", r"line 3: expected target to be a whole number"),
        (f'{GAME_SET}rules = "club"', r"line 3: .*rules"),
        (f"{GAME_SET}tragte = 5", r"line 3: .*got 'tragte' \(did you mean target\?\)"),
        (f'{GAME_SET}listen = "lan"', r"line 3: expected an option of Pig, got listen; it belongs above"),
        (f"{GAME_SET}bank = 17", r"line 3: expected an option of Pig, got bank; it belongs below .*\[pins\]"),
        ('game = "pig"\nset . "target" = "x"', r"line 2: .*target: expected a whole number from 1 to 10000, got 'x'"),
        ("set = 5", r"line 1: expected set to be a table that begins with the line \[set\]"),
        ('game = "pig"\n[[set]]\ntarget = 5', r"line 2: expected set to be a table"),
        ("[set]\ntarget = 5", r'line 1: expected a line game = "\.\.\." for these options'),
        (f"{PINS}bank = 28", r"line 3: expected bank to be the GPIO number of a pin, 4 to 27, got 28"),
        (f"{PINS}bank = true", r"line 3: .* got true"),
        (f"{PINS}bank = 17.0", r"line 3: .* got 17.0"),
        (f"{PINS}bank = 27", r"line 3: expected bank to be another pin than that of hold, got 27"),  # the usual one
        ("[voice]\nvolume = true", r"line 2: expected volume to be a number, or words .*, got true"),
        ('[voice]\ncard = "a,b"', r"line 2: expected card to be .* without a comma, got .?a,b"),
        ("[voice]\ntone = 1", r"line 2: expected a known key, got tone; known are card, engine, sounds, volume"),
        ("volume = 1", r"line 1: expected a known key, got volume; it belongs below the line \[voice\]"),
        (f"{PINS}hold = 5\nbuzzer = 5", r"line 3: expected hold to be another pin than that of buzzer, got 5"),
        (f"{PINS}bnak = 17", r"line 3: expected a known key, got bnak; did you mean bank\?"),
        ("[pins]\nbank = 17", r'line 1: expected a line buttons = "gpio" for these pins, there is none'),
        ('[dice]\nbuttons = "gpio"', r"line 2: .* got buttons; it belongs above the first line in brackets"),
        ("learn = true", r"line 1: expected a known key, got learn; it belongs below the line \[dice\]"),
        ('game = "pig"\ntarget = 50', r"line 2: expected a known key, got target; it belongs below the line \[set\]"),
        ('kamera = "sim"', r"line 1: expected a known key, got kamera; did you mean camera\?"),
        ("loudness = 11", r"line 1: expected a known key, got loudness; known are both_buttons, buttons, camera"),
        ('camera = "sim"\ncamera = "pi"', r"line 2: expected key = value, .* got 'camera = \"pi\"': Cannot overwrite"),
        ("game = \u201cpig\u201d", r"line 1: expected key = value"),
        ('game: "pig"', r"line 1: expected key = value"),
        (f"{GAME_SET}target = 050", r"line 3: expected key = value"),
        ('camera = "sim', r"line 1: expected key = value"),
        (f"{GAME_SET}target = " + "9" * 5000, r"toml: expected numbers that are no longer than a line"),
        ("game = " + "[" * 5000, r"toml: expected key = value on each line, got brackets within brackets"),
        (f"{'k' * 100_000} = 1", r"line 1: expected a known key, got k"),
        (f"# a\u2028b\u0085c\n{PINS}bank = 99\n", r"line 4: expected bank to be the GPIO number"),
    ],
)
def test_a_wrong_line_is_named(folder: Path, text: str, complaint: str) -> None:
    """One line says which line of the file is wrong, and what belongs there."""
    path = write(folder, text)
    with pytest.raises(InputError, match=complaint) as caught:
        load_configuration(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_text_of_another_encoding(folder: Path) -> None:
    """The mark that Windows puts before UTF-8 does no harm; other encodings are named with their line."""
    path = folder / "tabletop.toml"
    path.write_bytes('camera = "sim"\r\n'.encode("utf-8-sig"))
    assert load_configuration(path).camera == "sim"
    for encoding, line in (("utf-16", 1), ("latin-1", 2)):
        path.write_bytes('camera = "sim"\nplayers = ["Jürgen"]\n'.encode(encoding))
        with pytest.raises(InputError, match=rf"line {line}: expected text, saved as UTF-8, got other bytes"):
            load_configuration(path)


def complaint(path: Path) -> str | None:
    try:
        load_configuration(path)
    except InputError as error:
        return str(error)
    return None


@given(st.sampled_from([*config_file.NAMES, "set.target"]), st.one_of(st.integers(), st.floats(), st.booleans()))
def test_any_value_is_taken_or_refused(tmp_path_factory: pytest.TempPathFactory, key: str, value: float | bool) -> None:
    """A number where a word belongs, or any other value: taken, or refused with its line."""
    path = tmp_path_factory.getbasetemp() / "any.toml"
    game = "game = 'pig'\n[set]" if "." in key else ""
    path.write_text(f"{game}\n{key.removeprefix('set.')} = {str(value).lower()}\n")
    told = complaint(path)
    assert told is None or f"{path}, line " in told


GARBLED = st.sampled_from(
    ["", "=", '"', "[", "#", "\x00", "\x7f", "ä", "0", "-", "nan", "true", "[]", "{}", "\\", ",", "'"]
)


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 3), GARBLED)
def test_a_garbled_file_is_taken_or_refused_with_its_line(
    tmp_path_factory: pytest.TempPathFactory, at: int, lost: int, put_in: str
) -> None:
    """Letters lost or others put in anywhere: it is read, or one line says which line of the file is wrong."""
    path = write(tmp_path_factory.mktemp("garbled"), WHOLE[:at] + put_in + WHOLE[at + lost :])
    (path.parent / "tray.toml").touch()
    told = complaint(path)
    if told is not None:
        assert "\n" not in told
        assert 1 <= int(re.findall(r"tabletop\.toml, line (\d+): ", told)[0]) <= len(WHOLE.splitlines()) + 1


def test_a_language_that_is_not_there_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which languages there are is known later, and the line is told all the same."""
    path = write(folder, 'camera = "none"\n\nlanguage = "fr"\n')
    assert main(["play", "--config", str(path), "--store", str(folder / "a.db")]) == 2
    assert f'{path}, line 3: expected a language ("de" for Deutsch, "en" for English)' in capsys.readouterr().err


def test_a_preset_may_be_named_as_the_game(folder: Path) -> None:
    """Its game is played with it, and what is set stands beyond it."""
    found = load_configuration(write(folder, 'game = "Farkle"\n[set]\nentry = 0\n'))
    assert (found.game, found.settings) == ("ten-thousand", ("rules=farkle", "called=Farkle", "entry=0"))


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Dice.Fritz.Box", "dice.fritz.box"),
        ("HTTPS://Dice.example.org:443/", "https://dice.example.org"),
        ("http://dice:80", "http://dice"),
        ("https://dice.example.ts.net:8443", "https://dice.example.ts.net:8443"),
    ],
)
def test_a_host_is_kept_as_browsers_write_it(folder: Path, text: str, host: str) -> None:
    """In small letters and without the usual port, as in Host and Origin."""
    assert load_configuration(write(folder, f'host = "{text}"')).host == host
