"""What a table saw and decided, kept in one file: pictures, readings, presses and events, to be played again.

`Recorder` keeps it while people play, `opened` reads it back, `cut` takes a part out. The README has the form.
"""

from tabletop.record.cutting import cut
from tabletop.record.played import Played, opened
from tabletop.record.recorder import Recorder

__all__ = ["Played", "Recorder", "cut", "opened"]
