"""What a table saw and decided, in one file: pictures, readings, presses and events, to be played again.

`Recorder` writes it while people play, `opened` reads it, `cut` takes a part out. README.md describes the format.
"""

from tabletop.replay.recorder import Recorder
from tabletop.replay.recording import Recording, opened
from tabletop.replay.trim import cut

__all__ = ["Recorder", "Recording", "cut", "opened"]
