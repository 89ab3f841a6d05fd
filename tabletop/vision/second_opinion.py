"""A second opinion: another kind of network, asked when the classifier is not sure.

It looks more closely than the classifier and answers in every cell; the answer at the die's centre counts. It also sees
the crop in the candidate's own colours: the first channel is the direction of most variance.

`Surroundings` distinguishes dice from lookalikes: halves of dominoes, keys, printed squares, dice with numerals. It
sees 3.2 edges coarsely and 1.6 closely. It is used only in pictures of unknown dice, and never makes a die sure.
`TiltNetwork` measures how dice are tilted against the line of sight: see `perception/filters.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import exp, log
from operator import attrgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die
from tabletop.vision.classifier import Found, Kind, softmax
from tabletop.vision.detector import STRIDE
from tabletop.vision.network import AT_ONCE, CROP_SIDE_PX, Network, Thing, crop, normalised, shipped_weights

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIDE_PX, EDGE_PX = 96, 56.0  # pixels: side of the crop it is shown, and edge of the die in it
FACE = 0.42  # dice: within this of the middle lies the face whose colours count
COARSE = 8.0  # byte: colours with a smaller standard deviation are not stretched further; noise would look like pips
MOST = 4.0  # standard deviations from the face's colour at which the own colours are clipped
REACH = 0.4  # dice: only answers nearer to the middle count
CHANNELS = 6  # normalised blue, green, red; then the candidate's own colours, those that vary most first
DIE, FLAT = 0, 1  # logits: of a die's middle, and that it lies flat
FACES = slice(2, 8)
RIGHT, DOWN, SCALE = 8, 9, 10  # from the cell to the die's middle in edges; log2 of the edge in EDGE_PX
OUTPUTS = 11
# Asked about candidates that the classifier is less sure of than DOUBTED and whose chance of being a die is at least
# WORTH.
DOUBTED, WORTH = 0.9, 0.05
# If N dice are expected, it is asked about the likeliest N + RIVALS candidates: with 1, 3 or any number more, the
# photographs beside the repository are read alike, at a cost of 113, 160 and 331 looks in the 44 of dice3.
RIVALS = 2
# Its log chances are weighted by SHARE, the classifier's by the rest; LIFT is added to its logit of a die, because it
# was trained on crops most of whose cells hold none. Chosen on photographs that neither network had seen,
# see docs/accuracy.md.
SHARE, LIFT = 0.35, 1.0
SPREAD_OF_ROWS = cv2.COVAR_NORMAL | cv2.COVAR_ROWS | cv2.COVAR_SCALE  # covariance of colours, one a row
LEAST = 1e-4  # added to each chance, so that neither network's certainty is final


class SecondOpinion(Network):
    """The trained second-opinion network. Immutable weights: equal crops give equal answers."""

    def opinions(self, picture: Picture, things: Sequence[Thing]) -> tuple[Floats, ...]:
        """Return the raw answer for each of the things in a picture (H, W, 3), (OUTPUTS,)."""

        def shown(pixels: Picture) -> Floats:
            return np.stack([channels(each) for each in pixels])

        looks = self.looks(picture, things, SIDE_PX, EDGE_PX, shown)
        return tuple(centre_answers(cells[None])[0] for _, cells in looks)


@cache
def shipped_second_opinion() -> SecondOpinion:
    """Return the built-in second opinion, loaded once."""
    return SecondOpinion(shipped_weights("second_opinion"))


def with_second_opinion(
    second_opinion: SecondOpinion, picture: Picture, found: Sequence[Found], expect: int | None = None
) -> tuple[Found, ...]:
    """Return the candidates of a picture (H, W, 3), likeliest dice first, doubtful ones combined from both networks.

    The second opinion decides whether there is a die and which face it shows; the pose is left to the classifier, which
    sees more of its surroundings. found: likeliest first. expect: how many dice there should be, None if unknown.
    """
    both = list(found)
    rivals = found if expect is None else found[: expect + RIVALS]
    doubtful = [n for n, one in enumerate(rivals) if one.chance >= WORTH and one.sureness < DOUBTED]
    answers = second_opinion.opinions(picture, [(found[n].x, found[n].y, found[n].size) for n in doubtful])
    for index, answer in zip(doubtful, answers, strict=True):
        both[index] = combined(found[index], answer)
    return tuple(sorted(both, key=lambda candidate: -candidate.chance))


def combined(candidate: Found, answer: Floats) -> Found:
    """Return the classifier's candidate combined with the second opinion's answer, (OUTPUTS,)."""
    die = 1 / (1 + exp(-float(answer[DIE]) - LIFT))
    nothing, chance = _shares([candidate.kinds[Kind.NOTHING], candidate.chance], [1 - die, die])
    lies = (kind * chance / max(candidate.chance, LEAST) for kind in candidate.kinds[Kind.FLAT :])
    faces = tuple(_shares(candidate.faces, softmax(answer[FACES])))
    return replace(candidate, kinds=(nothing, *lies), faces=faces)


def _shares(judged: Sequence[float], opinions: Sequence[float]) -> list[float]:
    """Return chances that add to 1, from the weighted means of the logarithms of both."""
    weights = [(a + LEAST) ** (1 - SHARE) * (b + LEAST) ** SHARE for a, b in zip(judged, opinions, strict=True)]
    return [weight / sum(weights) for weight in weights]


def channels(pixels: Picture, signs: Sequence[float] | None = None) -> Floats:
    """Return a crop (SIDE_PX, SIDE_PX, 3) as the second opinion's input, (CHANNELS, SIDE_PX, SIDE_PX) float32.

    signs: 1 or -1 for each of the own colours, whose direction is arbitrary; None: light is positive, dark negative.
    """
    face = pixels[_within(SIDE_PX, FACE * EDGE_PX)].astype(np.float32)
    spread, mean_colour = cv2.calcCovarMatrix(face, np.empty(0), SPREAD_OF_ROWS, ctype=cv2.CV_64F)
    variances, axes = np.linalg.eigh(spread)
    axes = axes[:, ::-1] / np.sqrt(np.maximum(variances[::-1], 0) + COARSE**2)
    axes = axes * (np.where(axes.sum(axis=0) < 0, -1, 1) if signs is None else np.asarray(signs))
    shift = -mean_colour[0] @ axes
    shown = np.empty((CHANNELS, SIDE_PX, SIDE_PX), np.float32)
    shown[:3] = normalised(pixels[None])[0]
    for channel, colour in enumerate(cv2.split(cv2.transform(pixels.astype(np.float32), np.vstack([axes, shift]).T))):
        np.clip(colour, -MOST, MOST, out=shown[3 + channel])
    return shown


def centre_answers(cells: Floats) -> Floats:
    """Return the (B, OUTPUTS) answer at the centre cell of the likeliest die. cells: raw, (B, OUTPUTS, h, w)."""
    side = cells.shape[-1]
    near = np.where(_within(side, REACH * EDGE_PX / STRIDE), cells[:, DIE], -np.inf)
    best = near.reshape(len(cells), side * side).argmax(axis=1)
    return cells.reshape(len(cells), OUTPUTS, side * side)[np.arange(len(cells)), :, best]


@cache
def _within(side: int, reach: float) -> NDArray[np.bool_]:
    """Return whether each cell of a square lies nearer than `reach` cells to its middle, (side, side) bool."""
    off = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(off[:, None], off) < reach)


VIEWS_PX = 20.0, 40.0  # edge of the die in its two crops of CROP_SIDE_PX: 3.2 dice are seen, and 1.6 closely
# A sure candidate stays sure if STEEP times its log odds of being sure, and its logit here averaged with the mean logit
# of the sure candidates in the picture, add to LEAST_SUM: the dice of one throw look alike, and a plain face outweighs
# odd surroundings. docs/accuracy.md has what other sums keep and lose.
STEEP, LEAST_SUM = 2.0, 2.5
FITTING = 3.0  # logit from which there is no need to look at a candidate turned: the same dice as without
LEAST_ALONE = -1.0  # logit of a candidate that is the only sure one: no other speaks for it
SUREST = 0.995  # log odds are those of this at most
DOUBTED_CHANCE = 0.5  # chance of no die that is given to one below it: it is reported as unsure


class Surroundings(Network):
    """The trained surroundings network. Immutable weights: equal crops give equal answers."""

    @staticmethod
    def shown(picture: Picture, found: Sequence[Found]) -> Floats:
        """Return what the network is shown of N candidates, (N, 3 per view, CROP_SIDE_PX, CROP_SIDE_PX)."""
        views = [[crop(picture, one.x, one.y, one.size, CROP_SIDE_PX, px).pixels for one in found] for px in VIEWS_PX]
        return np.concatenate([normalised(np.stack(view)) for view in views], axis=1)

    def logits(self, picture: Picture, found: Sequence[Found]) -> tuple[float, ...]:
        """Return for each candidate in a picture (H, W, 3) the logit that it is a die; () for none."""
        some = (found[start : start + AT_ONCE] for start in range(0, len(found), AT_ONCE))
        return tuple(float(answer[0]) for few in some for answer in self.answers(self.shown(picture, few)))


def with_doubts(
    network: Surroundings,
    picture: Picture,
    found: Sequence[Found],
    bar: float,
    sureness_of: Callable[[Found], float] = attrgetter("sureness"),
) -> tuple[Found, ...]:
    """Return the candidates; those sure by `bar` whose surroundings do not fit a die become doubtful.

    sureness_of: another measure, at most the sureness, for those whose logit is below FITTING; what is not sure by it
    becomes doubtful too.
    """
    asked = [candidate for candidate in found if candidate.sureness >= bar]
    logits = network.logits(picture, asked)
    common = sum(logits) / max(1, len(logits))
    kept = {
        candidate: logit
        for candidate, logit in zip(asked, logits, strict=True)
        if (sureness := sureness_of(candidate) if logit < FITTING else candidate.sureness) >= bar
        and (logit + common) / 2 + STEEP * _log_odds(sureness) >= LEAST_SUM
    }
    if len(kept) == 1 and min(kept.values()) < LEAST_ALONE:
        kept = {}
    return tuple(_doubted(one) if one.sureness >= bar and one not in kept else one for one in found)


def _log_odds(sureness: float) -> float:
    sureness = min(sureness, SUREST)
    return log(sureness / (1 - sureness))


def _doubted(candidate: Found) -> Found:
    """Return the candidate with as much chance of being no die as of being any."""
    nothing, *others = candidate.kinds
    lies = (value * (1 - DOUBTED_CHANCE) / (1 - nothing) for value in others)
    return replace(candidate, kinds=(DOUBTED_CHANCE, *lies))


@cache
def shipped_surroundings() -> Surroundings:
    """Return the built-in surroundings network, loaded once."""
    return Surroundings(shipped_weights("surroundings"))


UP_X, UP_Y, TILT = range(3)
TILT_OUTPUTS = 3


class TiltNetwork(Network):
    """The trained tilt network. Immutable weights: equal crops give equal answers."""

    def tipped(self, picture: Picture, dice: Sequence[Die]) -> tuple[Die, ...]:
        """Return the dice of a picture (H, W, 3) with their `up` and `tilt`, in order; () for no dice."""
        looks = self.looks(picture, [(die.x, die.y, die.size) for die in dice])
        return tuple(
            replace(die, up=(float(answer[UP_X]), float(answer[UP_Y])), tilt=float(answer[TILT]))
            for die, (_, answer) in zip(dice, looks, strict=True)
        )


@cache
def shipped_tilt() -> TiltNetwork:
    """Return the built-in tilt network, loaded once."""
    return TiltNetwork(shipped_weights("tilt"))
