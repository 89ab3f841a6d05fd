"""The loop: the one place that owns a match while it is played.

`watching` makes readings and rests of frames, `running` makes events of rests and presses (stored before they are
obeyed), `showing` makes the snapshot that every view draws, `menu` asks what to play, `recorded` and `live` drive them.
`undoing`, `missed_banks`, `correcting` and `anew` say what would be taken back, given instead, changed and given again.
"""
