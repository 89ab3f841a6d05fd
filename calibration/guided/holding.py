"""What the camera holds fixed: exposure, gain, white balance, focus; and its measuring begun again."""

from tabletop.cameras.driver import Described, Relit


class Holding:
    """Asks one camera. camera: any; None, or one that does not say, holds nothing that is known."""

    def __init__(self, camera: object) -> None:
        self._camera = camera

    @property
    def held(self) -> tuple[tuple[str, str], ...]:
        """Return name and state: locked, free (it may change by itself) or absent; empty if the camera does not say."""
        said = self._camera.facts if isinstance(self._camera, Described) else None
        return () if said is None else tuple((name, str(state)) for name, state in said.held.items())

    def relight(self) -> None:
        """Let the camera measure all four again, in the light that there is now, and hold what it finds."""
        if isinstance(self._camera, Relit):
            self._camera.relight()
