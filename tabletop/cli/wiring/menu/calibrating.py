"""What the table's menu offers of calibration, if a package for it is installed and there is a camera to set up."""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

from tabletop.config.profile import FOLDER, USUAL, path_to_write
from tabletop.core.values import Profile
from tabletop.dialogs.decisions import MenuAction
from tabletop.perception.pipeline import FrameResult
from tabletop.session.handlers import Handlers
from tabletop.store import default_path

GROUP, NAME = (
    "tabletop.dialogs",
    "calibrate",
)  # the entry point: (newest frame, profile's file, apply, camera) -> a dialog


def calibration_handlers(
    newest: Callable[[], FrameResult | None],
    profile: Path | None,
    apply: Callable[[Profile | None], None],
    camera: object = None,
) -> Handlers:
    """Return what carries out the menu's `calibrate`; empty if no package offers it.

    profile: the file that is made better; None: that of the usual set-up. camera: asked what it holds.
    """
    found = [point for point in entry_points(group=GROUP) if point.name == NAME]
    if not found:
        return {}
    out = profile or path_to_write(USUAL, default_path().with_name(FOLDER))
    return {MenuAction.CALIBRATE: lambda *_: found[0].load()(newest, out, apply, camera)}
