"""The five networks of the reader, as PyTorch modules."""

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from tabletop.vision.classifier import OUTPUTS as CLASSIFIER_OUTPUTS
from tabletop.vision.network import CROP_SIDE_PX
from tabletop.vision.second_opinion import CHANNELS as SECOND_OPINION_CHANNELS
from tabletop.vision.second_opinion import OUTPUTS as SECOND_OPINION_OUTPUTS
from tabletop.vision.second_opinion import TILT_OUTPUTS

DETECTOR_OUTPUTS = 4  # see vision.detector.peaks
RARE = -4.0  # first guess of the die's logit: few cells hold a die

CLASSIFIER_CELLS = CROP_SIDE_PX // 8
FORGOTTEN = 0.1  # dropout before the last layers while learning


@dataclass(frozen=True, slots=True)
class Field:
    """The dimensions of a fully convolutional network.

    shown: channels of its input. stem, channels: at a half and at a quarter of the resolution. dilations: of its
    residual blocks. outputs: answers in each cell, the first of them the logit of a die's centre.
    """

    shown: int
    stem: int
    channels: int
    dilations: tuple[int, ...]
    outputs: int


DETECTOR = Field(3, 16, 32, (1, 2, 1), DETECTOR_OUTPUTS)  # 66 px are seen from each cell: three dice
SECOND_OPINION = Field(
    SECOND_OPINION_CHANNELS, 32, 64, (1, 2, 3), SECOND_OPINION_OUTPUTS
)  # 82 px: one and a half dice; 150 million multiplications a patch


@dataclass(frozen=True, slots=True)
class Width:
    """The dimensions of a patch network.

    stem, middle, channels: at 32 x 32, 16 x 16 and 8 x 8 cells. squeezed: channels kept of each cell. hidden: values
    after them. outputs: number of answers. shown: channels of its input.
    """

    stem: int
    middle: int
    channels: int
    squeezed: int
    hidden: int
    outputs: int
    shown: int = 3


CLASSIFIER = Width(24, 32, 80, 24, 96, CLASSIFIER_OUTPUTS)  # 24 million multiplications a patch
TILT = Width(16, 24, 48, 16, 64, TILT_OUTPUTS)  # 10 million
SURROUNDINGS = Width(24, 32, 64, 16, 64, 1, 6)  # 18 million; two views


def _step(taken: int, given: int, kernel: int, stride: int, padding: int) -> list[nn.Module]:
    return [nn.Conv2d(taken, given, kernel, stride, padding, bias=False), nn.BatchNorm2d(given), nn.ReLU(inplace=True)]


class Residual(nn.Module):  # type: ignore[misc] # PyTorch is absent where types are checked
    """Two 3 x 3 convolutions with a skip connection."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.way = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=dilation, dilation=dilation, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, channels, h, w) for an input of the same shape."""
        return torch.relu(x + self.way(x))


class CellNetwork(nn.Module):  # type: ignore[misc] # the same
    """A network from (B, field.shown, H, W) float32 to (B, field.outputs, H/4, W/4) raw values; H, W multiples of 4."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field
        last = nn.Conv2d(field.channels, field.outputs, 1)
        nn.init.zeros_(cast("Tensor", last.bias))
        with torch.no_grad():
            cast("Tensor", last.bias)[0] = RARE
        self.body = nn.Sequential(
            *_step(field.shown, field.stem, 4, 2, 1),  # even kernels keep the grid symmetric
            *_step(field.stem, field.channels, 4, 2, 1),
            *(Residual(field.channels, dilation) for dilation in field.dilations),
            last,
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return raw outputs, see the class."""
        return cast("Tensor", self.body(x))


class PatchNetwork(nn.Module):  # type: ignore[misc] # the same
    """A network from (B, width.shown, CROP_SIDE_PX, CROP_SIDE_PX) float32, normalised, to (B, width.outputs) values."""

    def __init__(self, width: Width) -> None:
        super().__init__()
        self.shown = width.shown
        self.body = nn.Sequential(
            *_step(width.shown, width.stem, 3, 2, 1),
            *_step(width.stem, width.middle, 3, 2, 1),
            Residual(width.middle),
            *_step(width.middle, width.channels, 3, 2, 1),
            Residual(width.channels),
            Residual(width.channels),
            *_step(width.channels, width.squeezed, 1, 1, 0),
            nn.Flatten(),
            nn.Dropout(FORGOTTEN),
            nn.Linear(width.squeezed * CLASSIFIER_CELLS**2, width.hidden),
            nn.ReLU(inplace=True),
            nn.Linear(width.hidden, width.outputs),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return raw outputs, see the class."""
        return cast("Tensor", self.body(x))


def detector_network() -> CellNetwork:
    """Return an untrained detector."""
    return CellNetwork(DETECTOR)


def second_opinion_network() -> CellNetwork:
    """Return an untrained second opinion."""
    return CellNetwork(SECOND_OPINION)


def classifier_network() -> PatchNetwork:
    """Return an untrained classifier."""
    return PatchNetwork(CLASSIFIER)


def tilt_network() -> PatchNetwork:
    """Return an untrained network that estimates a die's tilt."""
    return PatchNetwork(TILT)


def surroundings_network() -> PatchNetwork:
    """Return an untrained network that decides whether an object ends where a die ends."""
    return PatchNetwork(SURROUNDINGS)
