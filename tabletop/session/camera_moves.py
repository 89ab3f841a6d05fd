"""What people are told when somebody has moved the camera."""

from tabletop.interpret.hints import CAMERA_ELSEWHERE, CAMERA_LOST, CAMERA_MOVED
from tabletop.perception.pipeline import FrameResult
from tabletop.session.match.match_session import MatchSession


class CameraMoves:
    """Tells people of each move of the camera once, and of each change of the set-up that its profile does not know."""

    def __init__(self) -> None:
        self._told = (0, 0)  # how often it was moved, and moved far, as far as people were told
        self._drift = ""  # how the set-up differs from its profile, as far as people were told

    def tell(self, session: MatchSession, seen: FrameResult) -> None:
        """Tell of a new move; if the camera was calibrated and moved far, all places are wrong now."""
        if seen.drift != self._drift:
            self._drift = seen.drift
            if seen.drift:
                session.notices.show(seen.drift)
        if seen.nudged < self._told[0]:  # counted from the beginning: the table was calibrated meanwhile
            self._told = seen.nudged, seen.elsewhere
        if (seen.nudged, seen.elsewhere) == self._told:
            return
        lost = CAMERA_LOST if seen.reading.unit == "mm" else CAMERA_ELSEWHERE
        session.notices.show(lost if seen.elsewhere != self._told[1] else CAMERA_MOVED)
        self._told = seen.nudged, seen.elsewhere
