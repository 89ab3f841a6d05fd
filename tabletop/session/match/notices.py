"""What the session says to people in a line: a hint for as long as it applies, a notice for a moment."""

from tabletop.core.errors import StoreError


class Notices:
    """The current hint and the newest notice.

    hint: what people should do or know about the dice in the tray; empty for none. news: (how many notices there were,
    the newest), shown for a moment. The text of the newest is empty once an event has happened: then the match itself
    says what came of it (`Match.said`). failure: why the newest events could not be stored; None if they could.
    """

    def __init__(self) -> None:
        self.hint = ""
        self.news = (0, "")
        self.failure: StoreError | None = None

    def show(self, text: str) -> None:
        """Show a notice; an empty text ends the one that is shown."""
        self.news = (self.news[0] + 1, text)

    def clear(self) -> None:
        """Drop the newest notice: an event has happened since."""
        self.news, self.failure = (self.news[0], ""), None

    def fail(self, failure: StoreError) -> None:
        """Show that events could not be stored, as a notice and as a hint."""
        self.hint, self.failure = str(failure), failure
        self.show(str(failure))
