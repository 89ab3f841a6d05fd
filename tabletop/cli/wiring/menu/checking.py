"""The table's own check, while it is played at: in its menu, and for whoever asks."""

import argparse
import time
from datetime import UTC, datetime

from tabletop.core.checks import Check, CheckedTable
from tabletop.core.ports import Camera
from tabletop.dialogs.decisions import MenuAction
from tabletop.dialogs.menu import check_menu
from tabletop.doctor.camera import seen_camera
from tabletop.doctor.collect import checks
from tabletop.doctor.files import Files
from tabletop.session.camera_thread import CameraThread
from tabletop.session.handlers import Handlers
from tabletop.store import default_path


class TableChecks:
    """What `tabletop doctor` would say of a running table. options: of `play`, the configuration merged into them."""

    def __init__(self, options: argparse.Namespace, camera: Camera, camera_thread: CameraThread) -> None:
        self._table = CheckedTable(options.camera, options.buttons, options.screen)
        self._files = Files(options.store or default_path(), options.config, options.profile)
        self._camera, self._camera_thread = camera, camera_thread

    def now(self) -> tuple[Check, ...]:
        """Return the checks as they stand, within a tenth of a second; any thread may ask."""
        trouble = self._camera_thread.trouble_now(time.monotonic())
        seen = seen_camera(self._camera, self._camera_thread.statistics, trouble)
        return checks(self._table, self._files, seen, datetime.now(tz=UTC), thorough=False)

    @property
    def handlers(self) -> Handlers:
        """What carries out the decision to see them."""
        return {MenuAction.CHECK: lambda _, session: check_menu(self.now(), in_match=session is not None)}
