"""Recordings of what a table saw and decided: frames, readings, presses and events in one file, for replay.

`Recorder` writes it during play, `Recording` reads it, `cut` extracts a part. README.md describes the format.
"""
