"""Draw the board of a game: scores, the sheet and the score for each open box; tiles, tracks, lives, chips. Pure."""

from collections.abc import Callable, Mapping, Sequence

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import EMPTY, PLAIN, Line, Rgb, Span, Style, cut, line, padded, width, wrapped

# One for each seat, in the same order as the page's; readable on dark and light terminals.
PLAYERS: tuple[Rgb, ...] = (
    *((20, 160, 170), (226, 112, 36), (92, 132, 236), (216, 84, 150), (158, 150, 30)),
    *((44, 164, 84), (152, 108, 224), (172, 116, 66), (124, 138, 152), (226, 76, 66)),
)
BOLD = Style(bold=True)
FAINT = Style(fg=(140, 140, 150))
STAKE = Style(fg=(224, 160, 40), bold=True)
CHOSEN = Style(reverse=True, bold=True)
OPEN = Style((214, 150, 84), (40, 26, 10), bold=True, reverse=True)  # a tile of wood
TAKEN = Style((130, 225, 140), (20, 30, 20), bold=True, reverse=True)  # a tile that BANK shuts

SHEETS = ("boxes", "frames", "holes", "crossings", "beetle")  # layouts with a column for each player
PICTURED = {"counters": ("counters",), "track": ("place", "heading", "needs")}
NOT_YET = "·"  # in an empty box of the sheet: guides the eye along the row
GAP = 2  # cells between two columns
LABEL_CELLS = 18  # longest label that is not cut
NAME_CELLS = 4  # of a name above a narrow column
SCORE_CELLS = 4  # room for four-digit scores from the start
MOST_PIECES = 12  # chips and lives drawn one by one
BAR = "▄"
LEAST_BAR, MOST_BAR = 6, 40  # cells: shorter bars are meaningless, longer ones pointless
TILE_CELLS, SHUT = 3, "x"
TOP = 12  # the last square of a track
PARTS = {"legs": 6, "eyes": 2, "antennae": 2}  # of a beetle: parts that it has several of
CROSSED = str.maketrans("x+-", "■▣□")  # crossed off, to be crossed off by BANK, open

Rows = Sequence[tuple[int, str]]  # of the sheet: index, and name in the game's own words


def player_style(snapshot: Snapshot, name: str) -> Style:
    """Return the style of a player's name: the colour of the seat."""
    seat = snapshot.players.index(name) if name in snapshot.players else None
    return BOLD if seat is None else Style(PLAYERS[seat % len(PLAYERS)], bold=True)


def sentence(text: str) -> str:
    """Capitalise the first letter of a text."""
    return text[:1].upper() + text[1:]


def board(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return at most this many lines of this many cells; of a sheet that is too long, the rows that matter now."""
    if not snapshot.players:
        return []
    shown = _rows(snapshot)
    if snapshot.layout in SHEETS and (table := _across(snapshot, shown, columns, rows, scored=True)):
        return table
    if snapshot.layout == "totals" and shown:
        bars = _one_by_one(snapshot, (), columns)
        if table := _across(snapshot, shown, columns, rows - len(bars) - 1, scored=False):
            return [*bars, EMPTY, *table]
    return [*_strip(snapshot, columns), *_one_by_one(snapshot, shown, columns)][:rows]


def board_width(snapshot: Snapshot) -> int:
    """Return the smallest width of the board in cells; 0 before a match."""
    if not snapshot.players:
        return 0
    if snapshot.layout in (*SHEETS, "totals") and (rows := _rows(snapshot)):
        label, cells = _narrowest(snapshot, _table(snapshot, rows, scored=True))
        return label + sum(cells) + GAP * len(cells)
    lines = [*_strip(snapshot, columns=80), *_one_by_one(snapshot, (), 0)]
    return max(sum(width(text) for text, _ in spans) for spans in lines)


def _drawn(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    return snapshot.drawn or snapshot.sheet


def _rows(snapshot: Snapshot) -> Rows:
    """Return the rows that no picture shows, without those that say nothing to people."""
    apart = [*PICTURED.get(snapshot.layout, ()), *_named(snapshot, "table")]
    scores = tuple(map(str, snapshot.scores))
    apart += [name for name, *cells in _drawn(snapshot) if tuple(cells) == scores and name in _named(snapshot, "total")]
    apart += [name for name, *_ in _drawn(snapshot) if snapshot.layout == "tiles" and name.isdigit()]
    rows = ((at, row[0]) for at, row in enumerate(_drawn(snapshot)) if snapshot.layout in SHEETS or any(row[1:]))
    return [(at, name) for at, name in rows if name not in apart]


def _named(snapshot: Snapshot, kind: str) -> list[str]:
    """Return the rows of this kind."""
    return [row[0] for row, own in zip(_drawn(snapshot), snapshot.kinds, strict=False) if own == kind]


def _cell(snapshot: Snapshot, row: int, name: str, seat: int) -> Span:
    """Return what stands in a cell: what the box would give now, if it is open to the player asked."""
    text = snapshot.sheet[row][seat + 1] if seat + 1 < len(snapshot.sheet[row]) else ""
    asking = snapshot.asking
    if snapshot.layout == "crossings":
        now = _chosen(snapshot).count(name) if snapshot.players[seat] == snapshot.asked else 0
        return text.replace("-", "+", now).translate(CROSSED), STAKE if now else PLAIN
    if asking is not None and snapshot.players[seat] == snapshot.asked:
        for at, option in enumerate(asking.options or asking.boxes):
            if option.row == row:
                style = CHOSEN if at == asking.at else FAINT if option.gives == 0 else STAKE
                return f"{text}+{'' if option.gives is None else option.gives}", style
    if snapshot.layout == "beetle":
        count = int(text or 0)
        text = "●" * count + "○" * (PARTS.get(name, 1) - count)
    return (text, PLAIN) if text else (NOT_YET, FAINT)


def _table(snapshot: Snapshot, rows: Rows, *, scored: bool) -> list[tuple[str, tuple[Span, ...]]]:
    """Return labels, each with a cell for each player. scored: with the scores on top."""
    seats = range(len(snapshot.players))
    table = [
        (sentence(snapshot.sheet[at][0]), tuple(_cell(snapshot, at, name, seat) for seat in seats)) for at, name in rows
    ]
    scores = tuple((str(score), BOLD) for score in snapshot.scores)
    return [(sentence(snapshot.phrases.score), scores), *table] if scored else table


def _narrowest(snapshot: Snapshot, table: Sequence[tuple[str, tuple[Span, ...]]]) -> tuple[int, list[int]]:
    """Return how wide the labels are, and each player's column with its name cut."""
    columns = zip(snapshot.players, *(cells for _, cells in table), strict=True)
    cells = [max(min(NAME_CELLS, width(name)), *(width(text) for text, _ in own)) for name, *own in columns]
    return min(max(width(label) for label, _ in table), LABEL_CELLS), cells


def _across(snapshot: Snapshot, rows: Rows, columns: int, high: int, *, scored: bool) -> list[Line]:
    """Return the sheet with a column for each player, empty without room for it."""
    if not rows:
        return []
    label, least = _narrowest(snapshot, _table(snapshot, rows, scored=scored))
    if label + sum(least) + GAP * len(least) > columns or high <= 1 + scored:
        return []
    wide = least
    for letters in range(max(map(width, snapshot.players)), 0, -1):  # of each name, as many letters as fit
        wide = [max(cells, min(width(name), letters)) for cells, name in zip(least, snapshot.players, strict=True)]
        if label + sum(wide) + GAP * len(wide) <= columns:
            break
    names = [(cut(name, room), player_style(snapshot, name)) for name, room in zip(snapshot.players, wide, strict=True)]
    matter = _that_matter(snapshot, rows, high - 1 - scored)
    lines = []
    for title, cells in (("", names), *_table(snapshot, matter, scored=scored)):
        spans: list[Span] = [(padded(title, label), BOLD if cells[0][1] is BOLD else PLAIN)]
        for at, ((text, style), room_here) in enumerate(zip(cells, wide, strict=True)):
            blanks = " " * (GAP + room_here - width(text))
            name = "" if title else snapshot.players[at]
            mark = "★" if name in snapshot.winners else ">" if name and name == snapshot.asked else " "
            spans += [(blanks[:-1] + mark, BOLD), (text, style)]
        lines.append(tuple(spans))
    return lines


def _that_matter(snapshot: Snapshot, rows: Rows, room: int) -> Rows:
    """Return so many of the rows: boxes that would give something now stay, those that are filled go first."""
    seat = _seat(snapshot)

    def worth(row: tuple[int, str]) -> tuple[bool, bool, int]:
        text, style = _cell(snapshot, *row, seat)
        return style in (STAKE, CHOSEN), text == NOT_YET or style is FAINT, row[0]

    return sorted(sorted(rows, key=worth)[-room:])


def _one_by_one(snapshot: Snapshot, rows: Rows, columns: int) -> list[Line]:
    """Return a line for each player: name, score, stake, and the picture of the layout; below it what the rows say."""
    names = max(map(width, snapshot.players))
    figures = max(SCORE_CELLS, *(len(str(score)) for score in snapshot.scores))
    stakes = f" +{snapshot.at_stake}" if snapshot.at_stake and snapshot.goal else ""
    lines: list[Line] = []
    for seat, (name, score) in enumerate(zip(snapshot.players, snapshot.scores, strict=True)):
        asked = name == snapshot.asked
        mark = "★" if name in snapshot.winners else ">" if asked else " "
        own: list[Span] = [(mark, BOLD), (f" {padded(name, names)}", player_style(snapshot, name))]
        own += [(f" {score:>{figures}}", BOLD), (stakes if asked else " " * len(stakes), STAKE)]
        room = columns - sum(width(text) for text, _ in own) - GAP
        picture = PICTURES.get(snapshot.layout, _bar)(snapshot, seat, room)
        lines.append((*own, *([(" " * GAP, PLAIN), *picture] if picture else [])))
        said = [(snapshot.sheet[at][0], _cell(snapshot, at, row, seat)[0]) for at, row in rows]
        text = sentence(", ".join(f"{label} {cell}" for label, cell in said if cell not in (NOT_YET, "0", "+0")))
        lines += [line(f"{' ' * GAP}{part}", FAINT) for part in wrapped(text, columns - GAP)]
    return [*lines, *_pot(snapshot)]


def _bar(snapshot: Snapshot, seat: int, room: int) -> Line:
    """Return a score as a bar towards the goal; without a goal beside those of the others."""
    room, most = min(room, MOST_BAR), max(*snapshot.scores, snapshot.goal, 1)
    score = max(snapshot.scores[seat], 0) * room // most if room >= LEAST_BAR else 0
    return ((BAR * score, player_style(snapshot, snapshot.players[seat])),)


def _pieces(snapshot: Snapshot, seat: int, room: int) -> Line:
    """Return lives with those that are lost, or chips; many are a bar."""
    lives, most = snapshot.layout == "lives", max(*snapshot.scores, *(max(scores) for scores in snapshot.course), 0)
    if most > MOST_PIECES:
        return _bar(snapshot, seat, room)
    left, style = snapshot.scores[seat], player_style(snapshot, snapshot.players[seat])
    return (("♥" * left, style), ("♡" * (most - left), FAINT)) if lives else (("●" * left, style),)


def _pot(snapshot: Snapshot) -> list[Line]:
    """Return what belongs to the whole table, such as a pot."""
    there = [row[:2] for row, kind in zip(snapshot.sheet, snapshot.kinds, strict=False) if kind == "table"]
    pieces = [int(cell) if cell.isdigit() and snapshot.layout == "counters" else 0 for _, cell in there]
    return [
        ((f"{' ' * GAP}{sentence(label)} {cell}  ", BOLD), ("●" * min(count, MOST_PIECES), STAKE))
        for (label, cell), count in zip(there, pieces, strict=True)
    ]


def _said(snapshot: Snapshot, name: str, seat: int) -> str:
    """Return a cell by the name of its row in the game's own words, empty without one."""
    return next((row[seat + 1] for row in _drawn(snapshot) if row[0] == name), "")


def _track(snapshot: Snapshot, seat: int, _: int) -> Line:
    """Return the way up to 12 and down again: where the player stands, which way, and what is needed next."""
    place, down = int(_said(snapshot, "place", seat) or 0), _said(snapshot, "heading", seat) == "down"
    way = ["━" if (at > place if down else at < place) else "─" for at in range(TOP + 1)]
    way[place] = "●"
    needs = _said(snapshot, "needs", seat)
    return (("".join(way), player_style(snapshot, snapshot.players[seat])), (f" {'←' if down else '→'} {needs}", STAKE))


def _tiles(snapshot: Snapshot, seat: int, _: int) -> Line:
    """Return the tiles as others left them: those of the player whose turn it is stand above."""
    tiles = [(row[0], row[seat + 1]) for row in _drawn(snapshot) if row[0].isdigit()]
    if snapshot.players[seat] == snapshot.asked or not any(cell for _, cell in tiles):
        return ()
    return tuple((NOT_YET if cell == SHUT else number, FAINT) for number, cell in tiles)


Picture = Callable[[Snapshot, int, int], Line]
PICTURES: Mapping[str, Picture] = {"lives": _pieces, "counters": _pieces, "track": _track, "tiles": _tiles}


def _strip(snapshot: Snapshot, columns: int) -> list[Line]:
    """Return the tiles of the player whose turn it is, large, with a blank line below; empty for other layouts."""
    if snapshot.layout != "tiles":
        return []
    seat, chosen = _seat(snapshot), _chosen(snapshot)
    tiles = [row for row in _drawn(snapshot) if row[0].isdigit()]
    gap = " " * ((TILE_CELLS + 1) * len(tiles) - 1 <= columns)
    upper: list[Span] = []
    lower: list[Span] = []
    for number, *cells in tiles:
        style = FAINT if cells[seat] == SHUT else TAKEN if number in chosen else OPEN
        upper += [((NOT_YET if cells[seat] == SHUT else number).center(TILE_CELLS), style), (gap, PLAIN)]
        lower += [(" " * TILE_CELLS, style), (gap, PLAIN)]
    return [tuple(upper), tuple(lower), EMPTY]


def _chosen(snapshot: Snapshot) -> list[str]:
    """Return the words of the option that BANK takes: "2 8" are two tiles, or two numbers crossed off."""
    asking = snapshot.asking
    return asking.options[asking.at].option.split() if asking is not None and asking.at is not None else []


def _seat(snapshot: Snapshot) -> int:
    """Return the seat of the player whose turn it is, the first while everybody's is."""
    return snapshot.players.index(snapshot.asked) if snapshot.asked in snapshot.players else 0
