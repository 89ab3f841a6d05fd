"""The recap of a finished match: one picture to save or share, and the match as a script for `tabletop replay`.

The picture is SVG and holds its font, so it looks the same wherever it is opened. Its lines differ without
colour: by dashes, and by names at their ends.
"""

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path

import tabletop
from tabletop.core import FACES, TabletopError
from tabletop.dialogs.event_text import all_faces
from tabletop.rules import CALLED, COUNTED, Match, Throw, answer_text
from tabletop.store import Store
from tabletop.views.snapshot import Highlight, Snapshot
from tabletop.web import bgstats, payload
from tabletop.web.past import course_of

WIDE, HIGH, EDGE = 1080, 1440, 72  # 3:4, which phones show in full
IVORY, SOFT, GOLD, INK, CARD = "#fffaf0", "#cfe3d8", "#f5c451", "#10221b", "#0b2a20"
OWN = ("#5fd3da", "#ff9d57", "#93b1ff", "#ff94c8", "#dcd96a", "#7fdc9d", "#c8a6ff", "#dcb083", "#b3c0cc", "#ff9d92")
DASHES = ("", "18 12", "4 10", "30 10 4 10", "10 6", "40 14")
LETTER = 0.6  # width of a letter in bold, of its size
STEPS = {2: (105, 180), 1: (395, 260), 3: (685, 130)}  # the podium: left and height of each place
STEP_WIDE, FLOOR = 290, 640
TOP, BOTTOM, RIGHT = 720, 990, 830  # of the chart
NEAR = 40  # names at the ends of lines stand no closer
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
    'font-family="Figtree, system-ui, sans-serif" font-weight="800" role="img"><title>{title}</title>'
    "<style>polyline{{fill:none;stroke-width:7;stroke-linecap:round;stroke-linejoin:round}}"
    "@font-face{{font-family:Figtree;font-weight:300 900;src:url(data:font/woff2;base64,{font})}}</style>"
    '<radialGradient id="felt" cx=".5" cy=".3" r=".9"><stop stop-color="#1f7a5e"/>'
    '<stop offset="1" stop-color="#0c3226"/></radialGradient><rect width="{wide}" height="{high}" fill="url(#felt)"/>'
)
PIPS = ((25, 25), (75, 25), (25, 50), (50, 50), (75, 50), (25, 75), (75, 75))
TIMES = "\N{MULTIPLICATION SIGN}"
ON_FACE = {1: (3,), 2: (0, 6), 3: (0, 3, 6), 4: (0, 1, 5, 6), 5: (0, 1, 3, 5, 6), 6: (0, 1, 2, 4, 5, 6)}


def picture(shown: Snapshot, day: str) -> str:
    """Return the recap as SVG: podium, course, best moments, dice of the night. day: may be empty."""
    record = shown.record
    throws = [event.answer for event in (record.standing if record else ()) if event.kind == "throw"]
    thrown = Counter(face for answer in throws if isinstance(answer, Throw) for face in all_faces(answer.faces))
    game = payload.game_of(shown)
    head = HEAD.format(wide=WIDE, high=HIGH, title=escape(f"{game}: {shown.over}"), font=_font())
    head += _text(EDGE, 130, 84, game, "start", IVORY, WIDE - 2 * EDGE)
    head += _text(EDGE, 190, 40, shown.over, "start", GOLD, 640) + _text(WIDE - EDGE, 190, 34, day, "end", SOFT)
    moments = (part for at, one in enumerate(shown.highlights[:3]) for part in _moment(shown, one, EDGE + at * 318))
    return "".join([head, *_podium(shown), *_course(shown), *moments, *_dice(thrown), "</svg>"])


def script(shown: Snapshot, day: str) -> str:
    """Return the match as an example that `tabletop replay FILE` plays and checks."""
    record = shown.record
    if record is None:
        return ""
    settings = [f"{name}={str(value).lower()}" for name, value in record.options.items() if name != CALLED]
    example = " ".join(filter(None, ("example", shown.game, day, shown.over)))
    begin = " ".join(["match", record.game, ",".join(record.seated), *settings])
    given = ((event, event.kind in COUNTED) for event in record.standing)
    events = [answer_text(event.answer) if counted else f"{event.kind} {event.player}" for event, counted in given]
    scores = json.dumps(dict(zip(shown.players, shown.scores, strict=True)), ensure_ascii=False)
    return "\n".join([f"# tabletop {tabletop.__version__}", example, begin, *events, f"see scores is {scores}", ""])


def day_of(number: int, store: Path | None) -> str:
    """Return the day on which a match ended, in UTC, empty if no clock knew it."""
    if store is None:
        return ""
    with suppress(TabletopError), Store(store, looking=True) as opened:
        return str(bgstats.times_of(opened.events(number)).get("playDate", ""))[:10]
    return ""


@cache
def _font() -> str:
    return b64encode((Path(__file__).parent / "static" / "font" / "figtree.woff2").read_bytes()).decode()


def _text(x: float, y: float, size: float, text: str, anchor: str, fill: str, wide: float = WIDE) -> str:
    """Return a text, smaller if it would be wider."""
    size = min(size, wide / max(1, len(text)) / LETTER)
    place = f'x="{x:.0f}" y="{y:.0f}" font-size="{size:.1f}" text-anchor="{anchor}" fill="{fill}"'
    return f"<text {place}>{escape(text)}</text>"


def _box(x: float, y: float, wide: float, high: float, fill: str, round_px: int = 14) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{high:.0f}" rx="{round_px}" fill="{fill}"/>'


def _podium(shown: Snapshot) -> Iterable[str]:
    ranks = payload.places(shown)
    alone, scored = len(ranks) == 1, len(ranks) > 1 and shown.layout != "lives"
    for place, (left, tall) in STEPS.items():
        seats = [seat for seat, rank in enumerate(ranks) if rank == place]
        for at, seat in enumerate(seats):
            wide = STEP_WIDE / len(seats)
            middle, score = left + (at + 0.5) * wide, str(shown.scores[seat])
            yield _box(left + at * wide, FLOOR - tall, wide - 8, tall, OWN[seat % len(OWN)])
            yield _text(middle, FLOOR - tall / 2 + 30, 88, score if alone else str(place), "middle", INK, wide - 40)
            yield _text(middle, FLOOR - tall - 20 - 54 * scored, 46, shown.players[seat], "middle", IVORY, wide - 12)
            yield _text(middle, FLOOR - tall - 20, 46, score * scored, "middle", GOLD, wide - 12)


def _course(shown: Snapshot) -> Iterable[str]:
    record = shown.record
    lines = course_of(Match.replay(record.game, record.seated, record.options, record.log)) if record else {}
    every = [score for scores in lines.values() for score in scores]
    longest = max(map(len, lines.values()), default=0)
    if longest < 3:  # noqa: PLR2004 - two points say nothing
        return
    low, high = min(0, *every), max(1, *every)
    step = (RIGHT - EDGE) / (longest - 1)

    def y(score: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (score - low) / (high - low)

    yield f'<path d="M{EDGE} {y(low):.0f}H{RIGHT}M{EDGE} {y(high):.0f}H{RIGHT}" stroke="{SOFT}" stroke-opacity=".4"/>'
    ends = sorted((y(score), seat) for seat, score in enumerate(shown.scores))
    near = min(NEAR, (BOTTOM - TOP) / len(ends))
    above, lowest = TOP - near, BOTTOM - near * len(ends)
    for end, seat in ends:
        line = enumerate(lines.get(shown.players[seat], ()))
        way = " ".join(f"{EDGE + at * step:.1f},{y(score):.1f}" for at, score in line)
        dash, own = DASHES[seat % len(DASHES)], OWN[seat % len(OWN)]
        yield f'<polyline points="{way}" stroke="{own}" stroke-dasharray="{dash}"/>'
        lowest += near
        above = max(min(end, lowest), above + near)
        named = f"{shown.players[seat]} {shown.scores[seat]}"
        yield _text(RIGHT + 16, above + 10, 0.8 * near, named, "start", own, WIDE - RIGHT - 24)


def _moment(shown: Snapshot, one: Highlight, left: float) -> Iterable[str]:
    yield _box(left, 1040, 300, 170, CARD)
    yield _text(left + 150, 1082, 30, shown.phrases.page[f"best_{one.kind}"], "middle", SOFT, 270)
    yield _die(one.face, left + 60, 1100) if one.face else ""
    figure, middle = (f"{TIMES} {one.n}", 200) if one.face else (str(one.n), 150)
    yield _text(left + middle, 1160, 66, figure, "middle", GOLD, 180)
    yield _text(left + 150, 1198, 30, one.who, "middle", IVORY, 270)


def _dice(thrown: Counter[int]) -> Iterable[str]:
    most = max(thrown.values(), default=1)
    for at, face in enumerate(FACES):
        left, tall = EDGE + at * 159.0, 70 * thrown[face] / most
        yield _box(left + 84, 1310 - tall, 42, tall, SOFT, 6)
        yield _die(face, left, 1240)
        yield _text(left + 63, 1360, 34, str(thrown[face]), "middle", GOLD if thrown[face] == most else IVORY)


def _die(face: int, x: float, y: float) -> str:
    pips = "".join(f'<circle cx="{PIPS[at][0]}" cy="{PIPS[at][1]}" r="9.5"/>' for at in ON_FACE[face])
    body = f'<rect width="100" height="100" rx="22" fill="{IVORY}"/><g fill="{INK}">{pips}</g>'
    return f'<g transform="translate({x:.0f} {y:.0f}) scale(.7)">{body}</g>'
