"""Views: everything that shows a snapshot, in any language, and drawings on photographs. README.md has an overview.

`oled` draws the small screen, `terminal` the terminal: both draw one value, `snapshot.Snapshot`, and nothing else.
"""
