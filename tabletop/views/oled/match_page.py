"""Draw a match on the small screen: whose turn it is, the dice, the stake and what to do, always in the same places.

One line shows the most important message: that the match is paused, a hint, what BANK takes, or the question. A hint of
several lines also uses the place of the dice. Whatever does not fit gets a page of its own.
"""

from dataclasses import replace

from tabletop.views.oled import boxes, font, grammar
from tabletop.views.oled.boxes import Block, Box, Page
from tabletop.views.oled.scores import sheet_pages, standing_pages
from tabletop.views.oled.text import TALL, shortened, width_px
from tabletop.views.snapshot import Snapshot

FLAT_TALL_LINE = 16  # on 32 rows, the row below a name that also has the place of the question


def table_pages(snapshot: Snapshot, frame: grammar.Frame, nook: Box) -> tuple[Page, ...]:
    """Return the pages of a match: the first says what to do, the others show what did not fit there.

    nook: the space between the buttons on 32 rows; with a short line there, the name gets more rows.
    """
    question, whole = _question(snapshot, frame.width)
    line = [boxes.words(question)]
    page = _page(snapshot, line, frame, nook)
    calm = firsts = (page,) if page else (*grammar.listed(line, frame), table_head(snapshot, frame))
    if snapshot.hint:
        news = [*(line if snapshot.paused else ()), *grammar.said(snapshot.hint, frame.width)]
        page = (_beside_dice(snapshot, frame) if len(news) > 1 else None) or _page(snapshot, news, frame, nook)
        told = (page,) if page else grammar.listed(news, frame)
        firsts = (*told, *(calm if snapshot.offer or len(news) > 1 else ()))
        firsts = (*calm, *told) if snapshot.paused and not page else firsts
    rest = grammar.text_pages(whole, frame)
    boxes_of = [box for page in calm for box in page]
    texts = {box.text for box in boxes_of}
    if stake(snapshot) not in {"", *texts}:
        rest = (*rest, *grammar.text_pages(stake(snapshot), frame))
    if sum(box.face > 0 for box in boxes_of) < len(snapshot.thrown):
        rest = (*rest, *grammar.dice_pages(snapshot.thrown, snapshot.kept, at_die(snapshot), frame))
    if snapshot.between or len(snapshot.players) > 1 or str(snapshot.scores[0]) not in texts:
        rest = (*rest, *standing_pages(snapshot, frame))
    return (*firsts, *rest, *sheet_pages(snapshot, frame))


def at_die(snapshot: Snapshot) -> int:
    """Return the index of the die in question, -1 if there is none."""
    return -1 if snapshot.cursor is None else snapshot.cursor


def table_head(snapshot: Snapshot, frame: grammar.Frame) -> Page:
    """Return the player whose turn it is, or who just threw, and the score; the game if everybody is asked.

    On 32 rows the points at stake replace the score.
    """
    threw = snapshot.thrower and not snapshot.paused
    player = snapshot.thrower if threw else snapshot.asked
    scores = dict(zip(snapshot.players, map(str, snapshot.scores), strict=True))
    right = scores.get(player, "") if frame.dice else stake(snapshot) or scores.get(player, "")
    return grammar.head(
        player or grammar.sentence(snapshot.game), right, frame, snapshot.phrases.threw if threw else ""
    )


def stake(snapshot: Snapshot) -> str:
    """Return the points at stake with their sign, or the open tiles; empty if there are none."""
    if snapshot.layout == "tiles":
        return snapshot.stake
    return f"{snapshot.at_stake:+d}" if snapshot.at_stake else ""


def stake_left(number: str, frame: grammar.Frame) -> int:
    """Return how many columns the stake leaves for the dice."""
    return frame.width - (width_px(number, TALL) + grammar.GAP if number and frame.dice else 0)


def _question(snapshot: Snapshot, width: int) -> tuple[str, str]:
    """Return the line that says what to do, and the whole of it where it is shortened.

    In place of the whole stands what is left without the question, or without the dice, which are seen anyway.
    """
    offer, ask = snapshot.offer and f"{snapshot.offer.removesuffix('?')}?", snapshot.ask
    claims = snapshot.asking is not None and snapshot.asking.kind == "claim"
    asks = ask if claims else snapshot.question
    if snapshot.paused:
        texts = [snapshot.phrases.paused]
    elif snapshot.thrower and snapshot.asked != snapshot.thrower:
        name = shortened(snapshot.asked, width - width_px(f": {ask}"))
        texts = [f"{snapshot.asked}: {ask}", f"{name}: {ask}"] if name else [ask]
    elif snapshot.layout == "tiles" and offer[:1].isdigit():
        texts = [f"{snapshot.phrases.page['shut'].format(text=offer.removesuffix('?'))}?"]
    elif offer and asks:
        about, colon, _ = asks.partition(": ")  # "3 x 4: raise?" becomes "3 x 4: doubt?"
        texts = [f"{about}: {offer}" if colon else f"{asks} {snapshot.offer if asks.endswith('?') else offer}", offer]
    else:
        texts = [offer or ask, offer.rpartition(", ")[2] or ask]
    texts = [grammar.sentence(text) for text in texts]
    line = next((text for text in texts if width_px(text) <= width), shortened(texts[-1], width))
    return line, "" if line == texts[0] else texts[0]


def _page(snapshot: Snapshot, rows: list[Block], frame: grammar.Frame, nook: Box) -> Page | None:
    """Return the page with these rows above the buttons, with the dice where they leave room; None without room."""
    if len(rows) == 1 and not frame.dice and rows[0].width <= nook.width:
        tall = replace(frame, head=TALL, line=FLAT_TALL_LINE)
        x, y = nook.x + (nook.width - rows[0].width) // 2, frame.bar_y + 1 + font.CAP_ROWS - rows[0].above
        return (*table_head(snapshot, tall), *rows[0].at(x, y))
    words = grammar.above_bar(rows, frame, frame.body)
    if words is None:
        return None
    dice: Page = ()
    if frame.dice and grammar.fits_line(rows):
        number = stake(snapshot)
        faces = snapshot.thrown or (boxes.BLANK,) * snapshot.awaited
        row = grammar.dice_in(faces, snapshot.kept, at_die(snapshot), stake_left(number, frame))
        dice = (*grammar.dice_row(row, number, frame), *_whose_dice(snapshot, row.width, frame))
    return (*table_head(snapshot, frame), *dice, *words)


def _beside_dice(snapshot: Snapshot, frame: grammar.Frame) -> Page | None:
    """Return the page with a hint that begins beside the dice and ends in the line below, None without room."""
    row = grammar.dice_in(snapshot.thrown, snapshot.kept, at_die(snapshot), frame.width)
    if not frame.dice or not snapshot.thrown or snapshot.paused or snapshot.at_stake:
        return None
    words, room = grammar.sentence(snapshot.hint).split(), frame.width - row.width - grammar.GAP
    most = sum(width_px(" ".join(words[:count])) <= room for count in range(1, len(words)))
    begun, line = boxes.words(" ".join(words[:most])), [boxes.words(" ".join(words[most:]))]
    if not most or line[0].width > frame.width or not grammar.fits_line(line) or not grammar.fits_line([begun]):
        return None
    begins = begun.at(row.width + grammar.GAP, frame.dice_y + grammar.DIE_PX - begun.height)
    return (*table_head(snapshot, frame), *row.at(0, frame.dice_y), *begins, *(grammar.above_bar(line, frame, 0) or ()))


def _whose_dice(snapshot: Snapshot, taken: int, frame: grammar.Frame) -> Page:
    """Return who threw, behind dice that lie there from another player's turn. taken: columns of the dice."""
    if not snapshot.thrown or snapshot.thrower or snapshot.at_stake or snapshot.record is None:
        return ()
    throws = [event.player for event in snapshot.record.standing if event.kind == "throw"]
    name = throws[-1] if throws else None
    if name is None or name == snapshot.asked:
        return ()
    room = frame.width - taken - grammar.GAP
    texts = (f"{name} {snapshot.phrases.threw}", shortened(name, room))
    word = boxes.words(next((text for text in texts if width_px(text) <= room), ""))
    return word.at(frame.width - word.width, frame.dice_y + grammar.DIE_PX - word.height)
