"""The network of the eye: fully convolutional, one cell of its output for each 4 x 4 pixels.

Every cell says whether the middle of a die's top face is there, which face, how large the die is, how it is turned.
"""

from typing import cast

import torch
from torch import Tensor, nn

from tabletop.vision.cells import MIDDLE, SPREAD

STEM_CHANNELS = 24
CHANNELS = 48
DILATIONS = ((1, 1), (2, 2), (1, 2))  # 19 cells, 76 px, are seen from each cell
OUTPUTS = 10  # die; faces 1 to 6; log2 of the size in vision.cells.NOMINAL_PX; sine and cosine of four times the angle
RARE = -4.0  # first guess of the die's logit: few cells hold a die

DIE, FACE, SIZE, ANGLE = slice(0, 1), slice(1, 7), slice(7, 8), slice(8, 10)


class Residual(nn.Module):  # type: ignore[misc] # PyTorch is absent where types are checked
    """Two 3 x 3 convolutions beside a straight way through."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__()
        self.way = nn.Sequential(
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=first, dilation=first, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(inplace=True),
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=second, dilation=second, bias=False),
            nn.BatchNorm2d(CHANNELS),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, CHANNELS, h, w) from the same."""
        return torch.relu(x + self.way(x))


class EyeNetwork(nn.Module):  # type: ignore[misc] # the same
    """From (B, 3, H, W) float32, BGR scaled by `normalised`, to (B, OUTPUTS, H/4, W/4) raw values.

    H and W are multiples of 4.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, STEM_CHANNELS, 4, stride=2, padding=1, bias=False),  # even kernels keep the grid symmetric
            nn.BatchNorm2d(STEM_CHANNELS),
            nn.ReLU(inplace=True),
            nn.Conv2d(STEM_CHANNELS, CHANNELS, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(inplace=True),
            *(Residual(first, second) for first, second in DILATIONS),
        )
        self.head = nn.Sequential(
            nn.Conv2d(CHANNELS, CHANNELS, 1), nn.ReLU(inplace=True), nn.Conv2d(CHANNELS, OUTPUTS, 1)
        )
        last = cast("nn.Conv2d", self.head[2])
        nn.init.zeros_(cast("Tensor", last.bias))
        with torch.no_grad():
            cast("Tensor", last.bias)[0] = RARE

    def forward(self, x: Tensor) -> Tensor:
        """Return raw outputs, see the class."""
        return cast("Tensor", self.head(self.body(x)))


def normalised(pixels: Tensor) -> Tensor:
    """Return uint8 pixels (B, H, W, 3) as the network takes them, (B, 3, H, W) float32; the reader does the same."""
    return (pixels.permute(0, 3, 1, 2).float() - MIDDLE) / SPREAD
