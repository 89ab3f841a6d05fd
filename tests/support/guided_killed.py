"""A whole guided run that ends many times over: at its last press a child for each moment of saving, killed there.

    python tests/support/guided_killed.py FOLDER

FOLDER/0 has the set-up as it was. Each child saves into a copy of its own, FOLDER/1 and so on, and is killed before its
first call to the disk, its second, and so on, until one ends by itself; that one's folder is the last.
"""

import os
import shutil
import signal
import sys
from pathlib import Path

import cv2
from stopped_writing import stopping

from calibration.guided.live import guide_simulated, states_of
from calibration.guided.run import GuidedRun

sys.path.insert(0, str(Path(__file__).parents[1] / "calibration"))

MOMENTS = 40  # more than there are


def main(folder: Path) -> None:
    """Guide once, then save in children."""
    cv2.setNumThreads(1)  # threads do not outlive a fork
    save = GuidedRun._save  # noqa: SLF001 - the moment itself

    def save_in_children(run: GuidedRun) -> None:
        for moment in range(1, MOMENTS):
            shutil.copytree(folder / "0", folder / str(moment))
            child = os.fork()
            if not child:
                stopping(moment, signal.SIGKILL)
                run._out = folder / str(moment) / "home.toml"  # noqa: SLF001 - a copy of where it was
                save(run)
                os._exit(0 if run.saved is not None else 1)
            ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if ended >= 0:
                os._exit(ended)
        os._exit(2)

    GuidedRun._save = save_in_children  # type: ignore[assignment,method-assign]  # noqa: SLF001
    guide_simulated(states_of(None), folder / "0" / "home.toml", 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
