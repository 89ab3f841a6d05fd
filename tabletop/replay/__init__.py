"""What a table saw and decided, in one file: pictures, readings, presses and events, to be played again.

`Recorder` writes it while people play, `Recording` reads it, `cut` takes a part out. README.md describes the format.
"""
