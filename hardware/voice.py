"""The table speaks: a view that is heard, over any sound card that ALSA knows (audio jack, USB, HDMI).

    tabletop play --view voice                                      espeak-ng: sudo apt install espeak-ng alsa-utils
    tabletop play --view voice:volume=5,card=Headphones             a card of `aplay -l`, by its name
    tabletop play --view voice:engine=/srv/de_DE-thorsten-low.onnx  Piper, with this voice
    tabletop play --view voice:sounds=/srv/gong                     no words, but throw.wav, score.wav, ...

In the configuration the same settings stand under [voice]. What it says is decided in `tabletop.views.speech`.
"""

import io
import re
import subprocess
import threading
import wave
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE

import numpy as np

from tabletop.core import errors, ports
from tabletop.core.words import Setting, number, read_settings
from tabletop.views.snapshot import Snapshot
from tabletop.views.speech import remembered, sounds, spoken

ESPEAK, PIPER, PLAYER = "espeak-ng", "piper", "aplay"
INSTALL = "sudo apt install espeak-ng alsa-utils"
LOUDNESS = {1: 0.1, 2: 0.2, 3: 0.4, 4: 0.7, 5: 1.0}  # by volume: the factor of each sample
WORDS_A_MINUTE = 165  # espeak-ng's own 175 is a little fast for numbers
MAKING_S = 10.0  # a sentence takes a tenth of a second, with Piper on a small board some seconds
LONGEST_S, TRIAL_BYTES = 30, 10_000  # of a sound
FAULTS = (OSError, EOFError, ValueError, wave.Error, subprocess.SubprocessError)
SETTINGS = {
    "volume": number(3, range(1, 6), "1 (quiet) to 5 (as loud as the card)"),
    "engine": Setting(
        f"{ESPEAK}, or a Piper voice that is there, a file .onnx",
        lambda text: text if text == ESPEAK or (text.endswith(".onnx") and Path(text).is_file()) else None,
        ESPEAK,
    ),
    "sounds": Setting("a folder that is there", lambda text: Path(text) if Path(text).is_dir() else None),
    "card": Setting("the name of a card in `aplay -l`", lambda text: text if re.fullmatch(r"\w+", text) else None),
}


class Speaker:
    """Plays WAV files in separate threads. A new file cuts off the one that is playing.

    card: the name of a card, empty for the system's own choice. loudness: the factor of each sample.
    """

    def __init__(self, card: str, loudness: float) -> None:
        self.command = (PLAYER, "-q", "-D", f"plughw:{card}" if card else "default", "-")
        self._loudness, self._lock, self._turn = loudness, threading.Lock(), 0
        self._playing: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    @property
    def idle(self) -> bool:
        """Whether the newest was played to its end."""
        return self._thread is None or not self._thread.is_alive()

    def play(self, make: Callable[[], bytes]) -> None:
        """Play this instead of anything else. Returns at once. make: returns a WAV file, in another thread."""
        self.close()
        self._thread = threading.Thread(target=self._run, args=(make, self._turn), name="voice", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop playing. Closing twice does nothing."""
        self._turn += 1
        if self._playing is not None:
            self._playing.kill()

    def _run(self, make: Callable[[], bytes], turn: int) -> None:
        # A card may be pulled out: `tabletop doctor` reports it, and each sentence tries again.
        with suppress(*FAULTS):
            with self._lock:  # one engine at a time
                sound = louder(make(), self._loudness) if turn == self._turn else b""
                if turn != self._turn:
                    return
                player = self._playing = subprocess.Popen(self.command, stdin=PIPE, stderr=DEVNULL)  # noqa: S603 - no text
            if turn != self._turn:
                player.kill()
            player.communicate(sound)


def louder(sound: bytes, factor: float) -> bytes:
    """Return the beginning of a WAV file with each sample multiplied; raises wave.Error if it is none."""
    made = io.BytesIO()
    with wave.open(io.BytesIO(sound)) as old, wave.open(made, "wb") as new:
        samples = old.readframes(LONGEST_S * old.getframerate())
        if old.getsampwidth() == np.dtype("<i2").itemsize:  # others are as loud as they are
            samples = (np.frombuffer(samples, "<i2") * factor).astype("<i2").tobytes()
        new.setparams(old.getparams()._replace(nframes=0))
        new.writeframes(samples)
    return made.getvalue()


def sentence(engine: str, language: str, text: str) -> bytes:
    """Return a sentence as a WAV file. language: as in BCP 47; espeak-ng has a voice for most.

    The text may hold names from strangers: it goes to standard input, without brackets (espeak-ng reads [[...]] as
    sounds).
    """
    plain = "".join(letter if letter.isprintable() and letter not in "[]" else " " for letter in text)
    command = [PIPER, "--model", engine, "--output_file", "-"]
    if engine == ESPEAK:
        command = [ESPEAK, "--stdin", "--stdout", "-b1", f"-v{language}", f"-s{WORDS_A_MINUTE}"]
    return subprocess.run(command, input=plain.encode(), capture_output=True, check=True, timeout=MAKING_S).stdout  # noqa: S603 - the text goes to standard input


class VoiceView:
    """Says what is new, or plays the sound for it. engine: see `sentence`. folder: of the sounds, None for words."""

    def __init__(self, speaker: Speaker, engine: str = ESPEAK, folder: Path | None = None) -> None:
        self._speaker, self._engine, self._folder, self.close = speaker, engine, folder, speaker.close
        self._said = self._heard = self._shown = Snapshot()

    def show(self, snapshot: Snapshot, frame: ports.Frame | None, now_s: float) -> None:  # noqa: ARG002 - as every view
        """Say what is new since the last sentence. If that one was not heard to its end, what is still true of it too.

        A press cuts a sentence off for good.
        """
        if self._speaker.idle:
            self._heard = self._said
        before, self._shown = self._shown, replace(snapshot, reading=None)
        if self._shown == before:
            return
        if self._folder is not None:
            files = (self._folder / f"{kind}.wav" for kind in sounds(self._said, snapshot))
            if file := next(filter(Path.is_file, files), None):
                self._speaker.play(file.read_bytes)
        elif text := spoken(self._said, snapshot):
            text = text if snapshot.pressed else spoken(self._heard, snapshot)
            self._speaker.play(partial(sentence, self._engine, snapshot.phrases.language_code, text))
        self._said = remembered(self._said, snapshot)


def open_voice(words: str) -> VoiceView:
    """Open the view `--view voice:WORDS`.

    Raises InputError if they are invalid, DeviceError if a program is not installed or no card takes a silent sound.
    """
    given = read_settings("--view voice", words, SETTINGS)
    folder, speaker = given.get("sounds"), Speaker(given.get("card", ""), LOUDNESS[given["volume"]])
    try:
        sound = next(folder.glob("*.wav")).read_bytes() if folder else sentence(given["engine"], "en", "a")
        silence = louder(sound, 0.0)[:TRIAL_BYTES]
        subprocess.run(speaker.command, input=silence, capture_output=True, check=True, timeout=MAKING_S)  # noqa: S603 - no text
    except (*FAULTS, StopIteration) as error:
        said = (getattr(error, "stderr", b"") or str(error).encode()).decode(errors="replace").strip()
        line = said.rpartition("\n")[2] or "no WAV file in the folder"
        raise errors.DeviceError(f"expected a voice, got: {line}; {INSTALL}, and `aplay -l` lists the cards") from error
    return VoiceView(speaker, given["engine"], folder)
