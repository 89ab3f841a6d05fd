"""OpenCV's own complaints on standard error, switched off: the table says in its own words what is wrong."""

import cv2


def silence_opencv() -> None:
    """Let OpenCV write no log lines. From 4.12 on the switch is in `cv2.utils.logging`, before that in `cv2`."""
    if hasattr(cv2, "setLogLevel"):
        cv2.setLogLevel(0)  # silent
    else:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
