"""What a camera's driver has to offer, so that `CameraWorker` can keep its frames coming."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Held = Literal["locked", "free", "absent"]  # does not change; may change by itself; the camera has none
Locks = Mapping[str, float]  # what was set for good, by name, in the camera's own units


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """What an open camera says of itself.

    model: its name. width, height (pixels), fps, format: the mode that it reports, which need not be the one asked
    for; 0 where it does not say. held: of exposure, gain, white and focus, whether they can still change. kept_share:
    of the light that it measured, above 0 to 1, less than 1 where its exposure was too long for its frames; None where
    the picture may differ from the measured one, such as with values of one's own. unfocused_mm: the distance for which
    the lens was set, as it found nothing to focus on; 0 where it did, or there is none that moves.
    """

    model: str
    width: int = 0
    height: int = 0
    fps: float = 0.0
    format: str = ""
    held: Mapping[str, Held] = field(default_factory=dict)
    kept_share: float | None = None
    unfocused_mm: int = 0


@runtime_checkable
class Described(Protocol):
    """A camera that says of itself what it is."""

    @property
    def facts(self) -> CameraFacts | None:
        """What it said when it was opened, None before."""

    @property
    def fps(self) -> float:
        """Frames a second that it gives, whether anybody reads them or not; 0.0 before the first."""


@runtime_checkable
class Relit(Protocol):
    """A camera that measures its light again when it is asked to."""

    def relight(self) -> None:
        """Let it measure exposure, gain, white balance and focus, and hold that, with the next frames."""


class Source(Protocol):
    """One open camera. Only the thread that opened it may call it."""

    def grab(self) -> float | None:
        """Wait for the next frame, a second at most, and return when it was exposed, None without a frame.

        In seconds on the clock of `time.monotonic`; 0.0 if the camera does not say.
        """

    def pixels(self) -> NDArray[np.uint8] | None:
        """Return the frame grabbed last, (height, width, 3) uint8 BGR; None if it is damaged."""

    def level(self, pixels: NDArray[np.uint8]) -> float:
        """Return how bright that frame is on the whole, 0 to 255. pixels: the frame."""

    def meter(self) -> None:
        """Let the camera measure exposure, gain, white balance and focus by itself."""

    def lock(self) -> Locks | None:
        """Hold what was measured, and return it; None while the lens still looks for its distance."""

    def restore(self, locks: Locks) -> None:
        """Hold these values: what `lock` returned before the camera was lost."""

    def facts(self) -> CameraFacts:
        """Return what the camera says of itself now."""

    def close(self) -> None:
        """Let the camera go. Closing twice does nothing."""
