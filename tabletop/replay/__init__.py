"""What a table saw and decided, kept in one file: pictures, readings, presses and events, to be played again.

`Recorder` keeps it while people play, `opened` reads it back, `cut` takes a part out. The README has the form.
"""

from tabletop.replay.recorder import Recorder
from tabletop.replay.recording import Recording, opened
from tabletop.replay.trim import cut

__all__ = ["Recorder", "Recording", "cut", "opened"]
