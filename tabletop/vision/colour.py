"""Determine the colour word of a die, independently of the light.

A light is warm, neutral or cold: the tints of all lamps and skies lie near one line, that of a black body. The tint of
a frame is that of the least tinted object on that line, so brown wood does not make white dice blue: as soon as
something neutral is in view, such as white dice, the light is neutral. Objects off the line (felt, coloured dice) are
ignored. Colours are compared in linear light, with the camera's gamma removed.
"""

from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.floating]

REACH = 0.40  # dice: from the middle to the outermost sample, inside the rounded edge
SAMPLES = 11  # along each side
_STEPS = np.linspace(-REACH, REACH, SAMPLES)
_ACROSS, _DOWN = (steps.astype(np.float64) for steps in np.meshgrid(_STEPS, _STEPS))
GAMMA = 2.2  # of cameras and pictures (IEC 61966-2-1, nearly)
LEAST = 0.002  # linear: anything below is noise (byte 15)

# Light: warmth is half of ln(red / blue) in linear light. A 2700 K lamp has 0.66 in a picture balanced for 4000 K and
# 1.0 in one for 5500 K; the sky at 10000 K has -0.39 for 5500 K (Planck's locus after Kang et al. 2002).
WARMTH = (-0.8, 1.15)
OFF_BLUE = 0.62  # ln(red / green) + this * ln(blue / green) is 0 within 0.1 for every glowing body
OFF_LINE = 0.35  # colours farther off the line are not neutral under any lamp
LOOKED_AT = 28  # rows and columns of the frame that are sampled for its light
BRIGHT_SHARE = 0.06  # of the frame's brightness: the tint of darker pixels is ignored
LEAST_TINTED = 4.0  # per cent of the sampled pixels that may be less tinted than the light (noise, mixed light)
LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
FEWEST = 12  # pixels on the line needed to judge the light
TOP = 98.0  # percentile that counts as the frame's brightness, so that small glare is left out
DIMMEST = 0.10  # linear: every frame is assumed to contain something at least this bright

# Range of warmth below and above the light's in which a body has no hue: white dice are often ivory
NEUTRAL = (0.50, 0.58)
NEUTRAL_OFF = (-0.45, 0.40)  # and how far it may lie off the line of lights
TAKEN_OFF = 0.7  # share of the light's warmth removed before the hue is named: on warm ground it may be overestimated
BLACK = 0.055  # linear, of the frame's brightness: a darker body is black
BLACK_HUED = 0.012  # the same for a body with a clear hue
HUED = 150  # saturation (0 to 255) from which a dark body's hue is clear
LIGHTEST = 97.0  # percentile of a face's pixels that gives the brightness of light pips
PIPS_LIGHTER = 7.0  # times: if the pips are lighter than the body by more than this, the die is black...
BLACK_BESIDE_PIPS = 0.16  # ...unless its body is lighter than this: linear, of the frame's brightness
WHITE = 0.22  # linear, of the frame's brightness: a lighter neutral body is white, a darker one grey
# upper ends of the hues in OpenCV's degrees / 2 (0 to 180), with their words
HUES = ((8, "red"), (16, "orange"), (37, "yellow"), (86, "green"), (92, "turquoise"), (130, "blue"), (150, "purple"),
        (170, "pink"), (180, "red"))  # fmt: skip
BROWN = 0.24  # linear: a darker orange is called brown


@dataclass(frozen=True, slots=True)
class Tint:
    """The light of a frame: its warmth (half of ln(red / blue), 0 for neutral) and its linear brightness."""

    warmth: float
    bright: float


NEUTRAL_LIGHT = Tint(0.0, 1.0)


def frame_tint(frame: Picture) -> Tint:
    """Return the light of a frame, (H, W, 3) uint8 BGR; neutral for an empty frame."""
    if not frame.size:
        return NEUTRAL_LIGHT
    rows, columns = (max(1, side // LOOKED_AT) for side in frame.shape[:2])
    seen = linear(frame[rows // 2 :: rows, columns // 2 :: columns].reshape(-1, 3))
    value = seen.max(axis=1)
    bright = max(_percentile(value, TOP), DIMMEST)
    warmth, off = _on_line(seen[value > BRIGHT_SHARE * bright])
    warmth = warmth[(np.abs(off) < OFF_LINE) & (warmth > WARMTH[0]) & (warmth < WARMTH[1])]
    if len(warmth) < FEWEST:
        return Tint(0.0, bright)
    coldest, warmest = (_percentile(warmth, per_cent) for per_cent in (LEAST_TINTED, 100 - LEAST_TINTED))
    return Tint(max(coldest, 0.0) + min(warmest, 0.0), bright)


def body_colour(frame: Picture, x: float, y: float, size: float, angle: float, tint: Tint | None = None) -> str:
    """Return the colour word of a die's body; frame: (H, W, 3) BGR, lengths in pixels, angle in degrees.

    tint: `frame_tint` of the frame, computed if not given.
    """
    face = linear(top_face(frame, x, y, size, angle).reshape(-1, 3))
    return word(face, frame_tint(frame) if tint is None else tint)


def word(face: Floats, tint: Tint) -> str:
    """Return the colour word of the body; face: (N, 3) linear BGR; tint: the light it is seen in."""
    body = np.median(face, axis=0)  # pips cover less than half
    shine = float(body.max()) / tint.bright
    hue, saturation = _hue(body / np.exp(_tones(TAKEN_OFF * tint.warmth)))
    if shine < (BLACK_HUED if saturation > HUED else BLACK):
        return "black"
    (warmth,), (off,) = _on_line(body[None])
    pips = _percentile(face.max(axis=1), LIGHTEST)
    low, high = min(tint.warmth, 0.0) - NEUTRAL[0], max(tint.warmth, 0.0) + NEUTRAL[1]
    if NEUTRAL_OFF[0] < off < NEUTRAL_OFF[1] and low < warmth < high:
        if shine < BLACK_BESIDE_PIPS and pips > PIPS_LIGHTER * float(body.max()):
            return "black"
        return "white" if shine > WHITE else "grey"
    name = next(name for end, name in HUES if hue <= end)
    return "brown" if name == "orange" and shine < BROWN else name


def linear(pixels: Picture) -> Floats:
    """Convert bytes to linear light, float32, 0 to 1."""
    return LINEAR[pixels]


def top_face(frame: Picture, x: float, y: float, size: float, angle: float) -> Picture:
    """Return SAMPLES x SAMPLES pixels of the top face, upright, (SAMPLES, SAMPLES, 3)."""
    along, aside = size * cos(radians(angle)), size * sin(radians(angle))
    columns = (x + _ACROSS * along - _DOWN * aside).round().clip(0, frame.shape[1] - 1).astype(np.intp)
    rows = (y + _ACROSS * aside + _DOWN * along).round().clip(0, frame.shape[0] - 1).astype(np.intp)
    face: Picture = frame[rows, columns]
    return face


def _percentile(values: Floats, per_cent: float) -> float:
    """Return the same as `np.percentile` for (N,) values, N >= 1, in a third of the time: a die's colour needs five."""
    at = per_cent / 100 * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    parted = np.partition(values, (low, high))
    return float(parted[low] + (at - low) * (parted[high] - parted[low]))


def _tones(warmth: float) -> Floats:
    """Return the logarithms of blue, green and red, (3,), of a light of that warmth, relative to green."""
    blue = -2 * warmth / (1 + OFF_BLUE)
    return np.array([blue, 0.0, -OFF_BLUE * blue])


def _on_line(seen: Floats) -> tuple[Floats, Floats]:
    """Return the warmth of each colour, (N, 3) linear BGR, and its distance off the line of lights, (N,) each."""
    blue, green, red = np.log(np.maximum(seen, LEAST)).T
    return (red - blue) / 2, red - green + OFF_BLUE * (blue - green)


def _hue(seen: Floats) -> tuple[int, int]:
    """Return OpenCV's hue (0 to 180) and saturation (0 to 255) of one colour, (3,) linear BGR of any strength."""
    as_byte = np.clip(seen / max(float(seen.max()), LEAST), 0, 1) ** (1 / GAMMA) * 255
    hue, saturation, _ = cv2.cvtColor(as_byte.astype(np.uint8)[None, None], cv2.COLOR_BGR2HSV)[0, 0]
    return int(hue), int(saturation)
