"""The voice: what is played, what is cut off, and that a broken engine or card never delays the table.

The sound card is a file of alsa-lib itself, or a stand-in for `aplay` that plays until it is ended.
"""

import io
import os
import shutil
import subprocess
import threading
import time
import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.voice import ESPEAK, INSTALL, PLAYER, VoiceView, open_voice, sentence
from tabletop.core.errors import DeviceError, InputError
from tabletop.session.snapshotting import THROW_ONE
from tabletop.views.i18n.catalogue import languages, load_language
from tabletop.views.i18n.translate import phrases
from tabletop.views.snapshot import MatchRecord, Snapshot
from tabletop.views.speech import OVER

CARD = """</usr/share/alsa/alsa.conf>
pcm.!default {{ type file slave.pcm null file "{file}" format wav }}
"""
RATE_HZ = 22_050
DELAY_S = 0.1  # of the table's loop: it turns twenty times a second
WAIT_S = 20.0  # for a machine that is busy
PLAYS = '#!/bin/sh\ncat >"$HEARD/$$.wav"\necho $$ >"$HEARD/begins"\nexec cat "$HEARD/never"\n'
PLAYING = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", THROW_ONE)


def tone(seconds: float, level: int = 10_000) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        sound.writeframes(np.full(int(seconds * RATE_HZ), level, "<i2").tobytes())
    return made.getvalue()


def samples(sound: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    with wave.open(io.BytesIO(sound)) as played:
        return np.frombuffer(played.readframes(played.getnframes()), "<i2")


class Programs:
    """Programs in a folder that comes first on the path: `aplay` swallows all, unless a test makes another of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.make(PLAYER, "#!/bin/sh\nexec cat >/dev/null\n")
        for fifo in ("begins", "never"):
            os.mkfifo(folder / fifo)

    def make(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def begun(self) -> bytes:
        number = (self.folder / "begins").read_text().strip()
        return (self.folder / f"{number}.wav").read_bytes()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("HEARD", str(folder))
    made = Programs(folder)
    (tmp_path / "engine.wav").write_bytes(tone(0.5))
    made.make(ESPEAK, f'#!/bin/sh\ncat >"$HEARD/said"\necho "$@" >"$HEARD/asked"\nexec cat "{tmp_path}/engine.wav"\n')
    return made


@pytest.fixture
def view(programs: Programs) -> Iterator[VoiceView]:
    opened = open_voice("volume=5")
    programs.make(PLAYER, PLAYS)
    yield opened
    opened.close()


def hint(text: str) -> Snapshot:
    return replace(PLAYING, hint=text, told=True)


def test_the_newest_cuts_off_what_is_out_of_date(view: VoiceView, programs: Programs) -> None:
    """One at a time, and no queue: the last of thirty is played, after the one that was begun."""
    view.show(hint("first"), None, 0.0)
    assert samples(programs.begun()).max() == 10_000
    for number in range(30):
        view.show(hint(f"number {number}"), None, 0.0)
    programs.begun()
    assert "number 29" in (programs.folder / "said").read_text()
    view.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "voice" and _lives(thread)]


def _lives(thread: threading.Thread) -> bool:
    thread.join(WAIT_S)
    return thread.is_alive()


def test_what_was_cut_off_by_the_table_is_said_again_and_by_a_press_is_not(view: VoiceView, programs: Programs) -> None:
    """A score that a hint interrupts is heard with it; a press means that the player has heard enough."""
    record = MatchRecord(1, 1, "pig", ("Ann", "Ben"), {}, (), (), {})
    view.show(replace(PLAYING, record=record, scores=(17, 0)), None, 0.0)
    programs.begun()
    scored = replace(PLAYING, record=record, scores=(17, 0), hint="a die leans")
    view.show(scored, None, 0.1)
    programs.begun()
    assert "17" in (programs.folder / "said").read_text()
    view.show(replace(scored, hint="", offer="keep 5", pressed="hold"), None, 0.2)
    programs.begun()
    assert (programs.folder / "said").read_text() == "keep 5"


def test_names_from_strangers_are_read_and_never_obeyed(programs: Programs) -> None:
    """They reach the engine on standard input only, in one line, without what it would take for sounds."""
    sentence(ESPEAK, "en", "-w/tmp/x $(id); [[h@l'oU]] \x1b[2J\n--version")
    said, asked = ((programs.folder / name).read_text() for name in ("said", "asked"))
    assert asked.split() == ["--stdin", "--stdout", "-b1", "-ven", "-s165"]
    assert said.startswith("-w/tmp/x $(id);")
    assert not set(said) & set("[]\n\x1b")


@pytest.mark.parametrize("name", [ESPEAK, PLAYER])
def test_a_hanging_engine_or_card_delays_nothing(view: VoiceView, programs: Programs, name: str) -> None:
    """Neither delays the table's loop while it speaks."""
    programs.make(name, '#!/bin/sh\nexec cat "$HEARD/never"\n')
    slowest_s = 0.0
    for number in range(50):
        begun_s = time.monotonic()
        view.show(hint(f"number {number}"), None, 0.0)
        slowest_s = max(slowest_s, time.monotonic() - begun_s)
    assert slowest_s < DELAY_S
    (programs.folder / "never").write_bytes(b"") if name == ESPEAK else None


def test_a_card_that_is_pulled_out_comes_back(view: VoiceView, programs: Programs) -> None:
    """While it is away sentences are lost, and nothing else; the next one after that is heard."""
    programs.make(PLAYER, "#!/bin/sh\nexit 1\n")
    view.show(hint("lost"), None, 0.0)
    for thread in threading.enumerate():
        assert thread.name != "voice" or not _lives(thread)
    programs.make(PLAYER, PLAYS)
    view.show(hint("heard"), None, 0.1)
    assert samples(programs.begun()).size
    assert "heard" in (programs.folder / "said").read_text()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            PLAYER,
            '#!/bin/sh\necho "ALSA lib: noise\naplay: main: no such card" >&2\nexit 1\n',
            "aplay: main: no such card",
        ),
        (ESPEAK, "#!/bin/sh\nexit 1\n", "espeak-ng"),
        (ESPEAK, "#!/bin/sh\necho no sound\n", "RIFF"),
        (ESPEAK, None, "No such file"),
    ],
)
def test_what_is_missing_is_one_line_with_the_remedy(
    programs: Programs, monkeypatch: pytest.MonkeyPatch, name: str, text: str | None, said: str
) -> None:
    if text is None:
        (programs.folder / name).unlink()
        monkeypatch.setenv("PATH", str(programs.folder))
    else:
        programs.make(name, text)
    with pytest.raises(DeviceError, match=said) as caught:
        open_voice("")
    assert INSTALL in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("volume=6", "1 .*to 5"),
        ("engine=/bin/sh", "espeak-ng, or"),
        ("sounds=/nowhere", "folder"),
        ("card=-D", "name of a card"),
        ("tone=3", "volume=, engine=, sounds=, card="),
    ],
)
def test_wrong_words_are_refused(words: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        open_voice(words)
    assert "\n" not in str(caught.value)


def test_a_folder_of_sounds_plays_instead_of_words(programs: Programs, tmp_path: Path) -> None:
    """The most important kind of event that has a file; the others are silent."""
    (tmp_path / "gong").mkdir()
    for name, level in ((OVER, 1000), ("throw", 2000)):
        (tmp_path / "gong" / f"{name}.wav").write_bytes(tone(0.1, level))
    view = open_voice(f"volume=5,sounds={tmp_path / 'gong'}")
    programs.make(PLAYER, PLAYS)
    record = MatchRecord(1, 1, "pig", ("Ann", "Ben"), {}, (), (), {})
    view.show(replace(PLAYING, record=record), None, 0.0)
    view.show(replace(PLAYING, record=replace(record, entries=2), winners=("Ann",)), None, 0.1)
    assert samples(programs.begun()).max() == 1000
    view.close()
    assert not (programs.folder / "said").exists()


# The real programs


def needs(*names: str) -> None:
    missing = [name for name in names if shutil.which(name) is None]
    if missing and "CI" not in os.environ:  # there they are installed, or the test fails
        pytest.skip(f"needs {INSTALL}")
    assert not missing


@pytest.mark.slow
@pytest.mark.parametrize("code", languages())
def test_a_real_voice_speaks_each_language(code: str) -> None:
    """espeak-ng has a voice of the language's code, and what it says lasts as long as people take for it."""
    needs(ESPEAK)
    spoken = phrases(load_language(code)).language_code
    listed = subprocess.run([ESPEAK, f"--voices={spoken}"], capture_output=True, text=True, check=True).stdout
    assert len(listed.splitlines()) > 1
    short, long = (sentence(ESPEAK, spoken, "Ann: 5, 5, 3. " * times) for times in (1, 4))
    with wave.open(io.BytesIO(short)) as sound:
        rate_hz = sound.getframerate()
    assert 1.0 < samples(short).size / rate_hz < 4.0
    assert 3.0 < samples(long).size / samples(short).size < 5.0
    assert np.abs(samples(short)).max() > 5000
    assert sentence(ESPEAK, spoken, "x [[h@l'oU]] -w/tmp/x --version <audio src='x'/>").startswith(b"RIFF")


@pytest.mark.slow
@pytest.mark.parametrize(("volume", "loud"), [(1, 0.1), (5, 1.0)])
def test_it_is_played_by_alsa_as_loud_as_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, volume: int, loud: float
) -> None:
    """A card of alsa-lib that writes a file has got what espeak-ng said, louder or quieter."""
    needs(ESPEAK, PLAYER)
    (tmp_path / "asound.conf").write_text(CARD.format(file=tmp_path / "played.wav"))
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    view = open_voice(f"volume={volume}")
    view.show(hint(THROW_ONE), None, 0.0)
    for thread in threading.enumerate():
        assert thread.name != "voice" or not _lives(thread)
    played = samples((tmp_path / "played.wav").read_bytes())
    said = samples(sentence(ESPEAK, "en", THROW_ONE))
    assert abs(int(np.abs(played).max()) - loud * int(np.abs(said).max())) < 50
    view.close()
