"""Views: anything that shows a snapshot, in any language, and what is drawn into photographs. README.md is the map.

`oled` draws the small screen, `terminal` the terminal: both draw one value, `snapshot.Snapshot`, and ask nobody.
"""
