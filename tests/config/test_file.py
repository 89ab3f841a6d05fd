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
language = "de"
both_buttons = "switch off"

[set]
target = 50
rules = "dice-play"

[pins]
bank = 17
hold = 27
menu = 25
buzzer = 12
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files that the configuration names."""
    (tmp_path / "tray.toml").touch()
    return tmp_path


def write(folder: Path, text: str) -> Path:
    """Write the file and return its path."""
    path = folder / "tabletop.toml"
    path.write_text(text)
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
        views=("buzzer:pin=12",),
        screen="sh1106",
        profile=folder / "tray.toml",
        record=folder / "evening.avi",
        listen="lan",
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


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ('game = "pigs"', r"line 2: .*got 'pigs'; did you mean pig\?"),
        ("game = 7", r"line 2: expected game to be a word in \"quotes\", got 7"),
        ("game = pig", r"line 2: expected key = value, with words in \"quotes\""),
        ("players = []", r"line 3: expected players to be names in brackets"),
        ('players = "Ann"', r"line 3: expected players to be names in brackets, .* got 'Ann'"),
        ('players = ["Ann", "Ann"]', r"line 3: .* got 'Ann' twice"),
        ('players = ["Ann", ""]', r"line 3: .* empty one"),
        ('players = ["Ann", "Bartholomaeus"]', r"line 3: .* at most 12 letters"),
        ('camera = "ubs:0"', r"line 4: expected camera to be one of sim, usb, none, .*pi.*, a film or .*, got 'ubs:0'"),
        ('buttons = "qpio"', r"line 5: expected buttons to be one of auto, keys, none, .*gpio.*, got 'qpio'"),
        ('screen = "ssd1305"', r"line 6: expected screen to be one of .*sh1106.*ssd1306.*, got 'ssd1305'"),
        ('profile = "try.toml"', r"line 7: expected profile to be a file that is there"),
        ("listen = 8000", r"line 9: expected listen to be "),
        ('listen = "0.0.0.0"', r"line 9: expected listen to be "),
        ("language = 7", r"line 10: expected language to be a word"),
        ('language = "fr.toml"', r"line 10: expected language to be a file that is there"),
        ("target = 0", r"line 14: .*target"),
        ("target = 1.5", r"line 14: expected target to be a whole number"),
        ("target = [5]", r"line 14: expected target to be a whole number"),
        ('rules = "club"', r"line 15: .*rules"),
        ("bank = 28", r"line 18: expected bank to be the GPIO number of a pin, 4 to 27, got 28"),
        ("bank = true", r"line 18: .* got true"),
        ("bank = 17.0", r"line 18: .* got 17.0"),
        ("bank = 27", r"line 18: expected bank to be another pin than that of hold, got 27"),
        ("buzzer = 27", r"line 19: expected hold to be another pin than that of buzzer, got 27"),
        ("hold = 17", r"line 18: expected bank to be another pin than that of hold, got 17"),
        ("menu = 17", r"line 18: expected bank to be another pin than that of menu, got 17"),
        ('both_buttons = "off"', r"line 11: expected both_buttons to be nothing or switch off, got 'off'"),
        ("set = 5", r"line 2: expected set to be a table that begins with the line \[set\]"),
    ],
)
def test_a_wrong_line_is_named(folder: Path, wrong: str, complaint: str) -> None:
    """A wrong value is told with its line and what belongs there, in one line."""
    key = wrong.partition(" ")[0]
    text = WHOLE
    if key == "set":
        text, key = text.partition("[set]")[0], "game"
    lines = [wrong if line.startswith(f"{key} =") else line for line in text.splitlines()]
    with pytest.raises(InputError, match=complaint) as caught:
        load_configuration(write(folder, "\n".join(lines)))
    assert "\n" not in str(caught.value)
    assert str(folder / "tabletop.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            'camera = "sim"\ndice.learn = "no"',
            r"line 2: expected learn to be true or false, got 'no'; nearest: learn =",
        ),
        ('game = "pig"\nset . "target" = "x"', r"line 2: .*target: expected a whole number from 1 to 10000, got 'x'"),
        ('kamera = "sim"', r"line 1: expected a known key, got kamera; did you mean camera\?"),
        ("volume = 11", r"line 1: expected a known key, got volume; known are both_buttons, buttons, camera"),
        ('buttons = "gpio"\n[pins]\nbnak = 17', r"line 3: expected a known key, got bnak; did you mean bank\?"),
        ("[pins]\nbank = 17\nhold = 27", r'line 1: expected a line buttons = "gpio" for these pins, there is none'),
        ("[set]\ntarget = 5", r'line 1: expected a line game = "\.\.\." for these options'),
        ('game = "pig"\n[set]\ntragte = 5', r"line 3: .*got 'tragte' \(did you mean target\?\)"),
        ('camera = "sim"\ncamera = "pi"', r"line 2: expected camera once, got it in line 1 too"),
    ],
)
def test_other_mistakes(folder: Path, text: str, complaint: str) -> None:
    """Unknown keys get the nearest known one; what needs another line says which."""
    with pytest.raises(InputError, match=complaint):
        load_configuration(write(folder, text))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Whatever stands in the file: a configuration or one line of complaint, never anything else."""
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    told = complaint(path)
    assert told is None or str(path) in told


def complaint(path: Path) -> str | None:
    """Return what is said against the file, None where it is taken."""
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


ADVICE = re.compile(r"line (\d+): .*; nearest: (.+)")
MOST_STEPS = 3  # advice that leads to other advice, such as a string that is no number


def followed(path: Path) -> str | None:
    """Do what each complaint advises; return the first that advises nothing, None where the file is right at last."""
    for _ in range(MOST_STEPS):
        told = complaint(path)
        found = ADVICE.search(told or "")
        if found is None:
            return told
        lines = path.read_text().splitlines()
        lines[int(found[1]) - 1] = found[2]
        path.write_text("\n".join(lines))
    return complaint(path)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("target = 0", "target = 1"),
        ("target = 1.6", "target = 2"),
        ('target = "many"', "target = 100"),  # the game's own
        ('rules = "dice-plaz"', 'rules = "dice-play"'),
        ('listen = "0.0.0.0"', 'listen = "local"'),
        ('listen = "lam"', 'listen = "lan"'),
        ('camera = "ubs:1"', 'camera = "usb:1"'),
        ('buttons = "qpio"', 'buttons = "gpio"'),
        ('screen = "ssd1305"', 'screen = "ssd1306"'),
        ("screen = 1106", 'screen = "sh1106"'),
        ('profile = "try.toml"', 'profile = "tray.toml"'),
        ("bank = 99", "bank = 26"),  # 27 is the other button's
        ("bank = nan", "bank = 17"),
        ('players = "Ann, Ben"', 'players = ["Ann", "Ben"]'),
        ('players = ["Ann", "Ann"]', 'players = ["Ann", "Ann2"]'),
        ('players = ["Bartholomaeus", "A,b"]', 'players = ["Bartholomaeu", "Ab"]'),
        ("players = []", 'players = ["Ann", "Ben"]'),
        ('learn = "yes"', "learn = true"),
        ("learn = 0", "learn = false"),
    ],
)
def test_the_nearest_value_is_right(folder: Path, wrong: str, right: str) -> None:
    """What a complaint advises is the line that was meant, and taken when it is written there."""
    key = wrong.partition(" ")[0]
    text = WHOLE + "\n[dice]\nlearn = true\n"
    path = write(folder, "\n".join(wrong if line.startswith(f"{key} =") else line for line in text.splitlines()))
    assert followed(path) is None
    assert right in path.read_text().splitlines()


def test_a_language_that_is_not_there_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which languages there are is known later, and the line is told all the same."""
    path = write(folder, 'camera = "none"\n\nlanguage = "fr"\n')
    assert main(["play", "--config", str(path), "--store", str(folder / "a.db")]) == 2
    assert f'{path}, line 3: expected a language ("de" for Deutsch, "en" for English)' in capsys.readouterr().err


def test_a_preset_may_be_named_as_the_game(folder: Path) -> None:
    """Its game is played with it, and what is set stands beyond it."""
    found = load_configuration(write(folder, 'game = "Farkle"\n[set]\nentry = 0\n'))
    assert (found.game, found.settings) == ("ten-thousand", ("rules=farkle", "entry=0"))


def test_who_sees_pictures_is_one_of_two_words(tmp_path: Path) -> None:
    """Everybody who opens the page, or paired devices only; anything else is named with its line."""
    file = tmp_path / "tabletop.toml"
    file.write_text('pictures = "paired"\n', encoding="utf-8")
    assert load_configuration(file).pictures == "paired"
    file.write_text('pictures = "none"\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: expected pictures to be all or paired, got 'none'"):
        load_configuration(file)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("dice.fritz.box:8080", "dice.fritz.box"),
        ("https://dice.example.org/table", "https://dice.example.org"),
        ("https://dice.example.org:99999", "https://dice.example.org"),
        ("!", "dice.fritz.box"),
    ],
)
def test_a_wrong_host_is_advised(folder: Path, wrong: str, right: str) -> None:
    """A name, or an origin: no path, and a port only behind a scheme."""
    path = write(folder, f'host = "{wrong}"')
    assert followed(path) is None
    assert load_configuration(path).host == right


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
