"""Things that are no dice, drawn on a ground before the dice: what a table has on it, and what looks like pips."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_grounds import happens, soft_noise

Picture = NDArray[np.uint8]
HALF = 127  # of a mask's byte
FACE_LIMIT = 250  # brightest random colour


def add_thing(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Draw one thing of about a die's size (or a long one) somewhere into the frame, in place."""
    height, width = frame.shape[:2]
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    kind = THINGS[int(rng.integers(len(THINGS)))]
    kind(frame, x, y, die_px, rng)


def add_edge(frame: Picture, rng: np.random.Generator) -> None:
    """Cover one side of the frame by something else: a tray's wall, the table beyond it, tiles with joints."""
    height, width = frame.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0.1, 0.45) * max(height, width)
    normal = np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-normal[1], normal[0]])
    foot = np.array([width / 2, height / 2]) + normal * away
    far = float(height + width)
    wall = rng.uniform(0.03, 0.3) * far / 3 if happens(rng, 0.6) else 0.0
    for inner, outer, colour in ((0.0, wall, _colour(rng)), (wall, far, _colour(rng))):
        if outer > inner:
            corners = [
                foot + normal * inner - along * far,
                foot + normal * inner + along * far,
                foot + normal * outer + along * far,
                foot + normal * outer - along * far,
            ]
            cv2.fillPoly(frame, [np.asarray(corners, np.int32)], colour, cv2.LINE_AA)


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    blue, green, red = (int(value) for value in rng.integers(5, FACE_LIMIT, 3))
    return blue, green, red


def _disc(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw a counter or a coin: a shaded disc with a rim and maybe a numeral."""
    radius = max(2, round(die_px * rng.uniform(0.15, 0.7)))
    at = (round(x), round(y))
    base = _colour(rng)
    cv2.circle(frame, (at[0] + 2, at[1] + 2), radius, (20, 20, 20), -1, cv2.LINE_AA)
    cv2.circle(frame, at, radius, base, -1, cv2.LINE_AA)
    if happens(rng, 0.7):
        cv2.circle(
            frame, at, max(1, round(radius * rng.uniform(0.5, 0.9))), _colour(rng), max(1, radius // 8), cv2.LINE_AA
        )
    if happens(rng, 0.5):
        _text(frame, x - radius / 2, y + radius / 2, radius / 16, rng)


def _eye(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw rings within one another: printed eyes, targets, lenses."""
    radius = die_px * rng.uniform(0.15, 0.6)
    for share in sorted(rng.uniform(0.1, 1, int(rng.integers(2, 5))), reverse=True):
        cv2.circle(frame, (round(x), round(y)), max(1, round(radius * share)), _colour(rng), -1, cv2.LINE_AA)


def _text(frame: Picture, x: float, y: float, scale: float, rng: np.random.Generator) -> None:
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789%&@:;.!?"
    text = "".join(letters[int(i)] for i in rng.integers(0, len(letters), int(rng.integers(1, 7))))
    thick = max(1, round(scale * rng.uniform(1, 3)))
    cv2.putText(frame, text, (round(x), round(y)), int(rng.integers(0, 4)), scale, _colour(rng), thick, cv2.LINE_AA)


def _letters(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Print text of any size."""
    size = die_px * rng.uniform(0.012, 0.05)
    for line in range(int(rng.integers(1, 4))):
        _text(frame, x - die_px, y + line * size * 30, size, rng)


def _block(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw a key, a magnet or a tile: a blank or lettered rounded rectangle."""
    wide, high = die_px * rng.uniform(0.5, 1.4), die_px * rng.uniform(0.5, 1.4)
    turned = cv2.boxPoints(((x, y), (wide, high), float(rng.uniform(0, 90))))
    corners = turned.astype(np.int32)
    cv2.fillPoly(frame, [corners + 2], (25, 25, 25), cv2.LINE_AA)
    cv2.fillPoly(frame, [corners], _colour(rng), cv2.LINE_AA)
    if happens(rng, 0.4):
        cv2.polylines(frame, [corners], True, _colour(rng), 1, cv2.LINE_AA)
    if happens(rng, 0.5):
        _text(frame, x - wide * 0.3, y + high * 0.25, die_px * rng.uniform(0.008, 0.025), rng)


def _loose_dots(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Strew dots without any order: beads, crumbs, holes."""
    colour = _colour(rng)
    radius = die_px * rng.uniform(0.04, 0.16)
    spread = die_px * rng.uniform(0.4, 1.5)
    for _ in range(int(rng.integers(1, 9))):
        at = (round(x + rng.normal(0, spread)), round(y + rng.normal(0, spread)))
        cv2.circle(frame, at, max(1, round(radius * rng.uniform(0.8, 1.2))), colour, -1, cv2.LINE_AA)


def _bar_code(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    left = x - die_px
    for _ in range(int(rng.integers(6, 20))):
        wide = die_px * rng.uniform(0.02, 0.12)
        cv2.rectangle(frame, (round(left), round(y)), (round(left + wide), round(y + die_px * 0.8)), (20, 20, 20), -1)
        left += wide * rng.uniform(1.4, 3)


def _screw(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw lines that cross: folds, cables, pencils, seams."""
    far = die_px * 6
    for _ in range(int(rng.integers(1, 3))):
        angle = rng.uniform(0, np.pi)
        one = (round(x - far * np.cos(angle)), round(y - far * np.sin(angle)))
        two = (round(x + far * np.cos(angle)), round(y + far * np.sin(angle)))
        cv2.line(frame, one, two, _colour(rng), max(1, round(die_px * rng.uniform(0.01, 0.25))), cv2.LINE_AA)


def _grid(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw a board of other games, keys in rows, tiles with joints."""
    step = die_px * rng.uniform(0.4, 1.5)
    colours = (_colour(rng), _colour(rng))
    gap = step * rng.uniform(0.0, 0.2)
    for i in range(int(rng.integers(2, 6))):
        for j in range(int(rng.integers(2, 5))):
            left, top = x + i * step, y + j * step
            corner = (round(left + step - gap), round(top + step - gap))
            cv2.rectangle(frame, (round(left), round(top)), corner, colours[(i + j) % 2], -1)


def _keys(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw rows of lettered keys, lying in any direction."""
    edge, gap = die_px * rng.uniform(0.5, 1.1), die_px * rng.uniform(0.05, 0.25)
    key, letter = (25, 25, 28), (215, 215, 215)
    if happens(rng, 0.3):
        key, letter = _colour(rng), _colour(rng)
    angle = rng.uniform(0, 2 * np.pi)
    squeeze = rng.uniform(0.6, 1.0)  # seen aslant
    right = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-right[1], right[0]]) * squeeze
    middle = np.array([x, y])
    for row in range(int(rng.integers(1, 5))):
        for column in range(int(rng.integers(2, 7))):
            at = middle + (edge + gap) * (right * (column + 0.3 * row) + down * row)
            corners = [at + edge / 2 * (a * right + b * down) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            cv2.fillPoly(frame, [np.asarray(corners, np.int32)], key, cv2.LINE_AA)
            small = _letter(edge, np.degrees(angle), rng)
            reach = small.shape[0] // 2
            left, top = round(at[0]) - reach, round(at[1]) - reach
            if left >= 0 and top >= 0:
                patch = frame[top : top + small.shape[0], left : left + small.shape[1]]
                share = small[: patch.shape[0], : patch.shape[1], None]
                patch[:] = (patch * (1 - share) + np.asarray(letter) * share).astype(np.uint8)


def _letter(edge: float, degrees: float, rng: np.random.Generator) -> NDArray[np.floating]:
    """Return one to three signs as a square of shares 0 to 1, turned."""
    side = max(4, round(edge))
    signs = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789;:.,<>*#"
    text = "".join(signs[int(i)] for i in rng.integers(0, len(signs), int(rng.choice((1, 1, 1, 3)))))
    drawn = np.zeros((side, side), np.uint8)
    scale = edge * rng.uniform(0.012, 0.025) / max(1, len(text) * 0.7)
    cv2.putText(drawn, text, (round(side * 0.25), round(side * 0.7)), 0, scale, (255,), 1, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), -degrees, 1.0)
    return np.asarray(cv2.warpAffine(drawn, turn, (side, side)), np.float32) / 255


def _blots(frame: Picture, x: float, y: float, die_px: float, rng: np.random.Generator) -> None:
    """Draw gravel, leaves, a printed picture: coloured noise with a soft outline."""
    height, width = frame.shape[:2]
    period = die_px * rng.uniform(0.1, 0.5)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = die_px * rng.uniform(0.5, 2)
    inside = np.clip(2 - np.hypot(columns - x, rows - y) / reach, 0, 1)
    noise = np.stack([soft_noise(height, width, period, rng) for _ in range(3)], axis=2)
    mixed = frame + noise * inside[:, :, None] * rng.uniform(30, 130)
    frame[:] = np.clip(mixed, 0, 255).astype(np.uint8)


THINGS = (_disc, _eye, _letters, _block, _block, _loose_dots, _loose_dots, _bar_code, _screw, _grid, _keys, _blots)


def add_hand(frame: Picture, die_px: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw a hand or some fingers over the frame, in place; return where, (H, W) bool."""
    height, width = frame.shape[:2]
    tone = np.asarray(rng.choice(SKINS), np.float32) * rng.uniform(0.8, 1.15)
    mask = np.zeros((height, width), np.uint8)
    shade = np.zeros((height, width), np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    reach = rng.uniform(0.05, 0.45) * max(height, width)
    tip = np.array([width / 2, height / 2]) + reach * np.array([np.cos(angle), np.sin(angle)])
    thick = die_px * rng.uniform(0.55, 1.1)
    for finger in range(int(rng.integers(1, 5))):
        lean = angle + rng.normal(0, 0.15)
        side = np.array([-np.sin(angle), np.cos(angle)]) * (finger - 1) * thick * 1.1
        one = tip + side + rng.normal(0, 0.4, 2) * die_px
        two = one + np.array([np.cos(lean), np.sin(lean)]) * (height + width)
        points = tuple(one.round().astype(int).tolist()), tuple(two.round().astype(int).tolist())
        layer = np.zeros_like(mask)
        cv2.line(layer, points[0], points[1], 255, max(2, round(thick)), cv2.LINE_AA)
        away = cv2.distanceTransform((layer > HALF).astype(np.uint8), cv2.DIST_L2, 3) / max(thick / 2, 1)
        shade = np.where(layer > HALF, 0.55 + 0.45 * np.sqrt(np.clip(away, 0, 1)), shade)
        mask = np.maximum(mask, layer)
        if happens(rng, 0.4):  # a nail
            nail = one + np.array([np.cos(lean), np.sin(lean)]) * thick * 0.05
            axes = (max(1, round(thick * 0.3)), max(1, round(thick * 0.22)))
            cv2.ellipse(frame, tuple(nail.round().astype(int).tolist()), axes, 0, 0, 360, (180, 190, 230), -1)
    texture = 1 + 0.05 * soft_noise(height, width, die_px * 0.3, rng)
    skin = tone * (shade * texture)[:, :, None]
    share = (mask.astype(np.float32) / 255)[:, :, None]
    frame[:] = np.clip(frame * (1 - share) + skin * share, 0, 255).astype(np.uint8)
    return mask > 0


SKINS = ((150, 175, 225), (120, 150, 205), (90, 120, 175), (60, 80, 125), (40, 55, 90))
