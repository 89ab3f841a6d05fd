"""The receivers of events: those that fail, in words, from the file in which a running table notes them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from tabletop.broadcast.receivers import FILE_NAME, Receivers
from tabletop.config.hooks import Hook
from tabletop.core import checks, join, printable, say

RECEIVERS = say("receivers")
DROP_IN = "/etc/systemd/system/tabletop.service.d/receivers.conf"
MOST, LONGEST, MINUTES = 20, 200, 16  # of a file that anybody may have written; of an ISO time
THERE = say("switch it on, or correct the address in the configuration")
REASONS: Mapping[str, tuple[str, str]] = {
    "slow": (say("no answer in time"), THERE),
    "unreachable": (say("cannot be reached"), THERE),
    "name": (say("its name is not known"), THERE),
    "certificate": (say("its certificate is not accepted"), say("correct the address, or this machine's clock")),
    "answers": (say("answers with status"), say("correct url, headers and body in the configuration")),
    "refuses": (say("refuses the user or the password"), say("correct user and password in the configuration")),
    "broker": (say("does not answer as an MQTT broker"), THERE),
    "outside": (say("outside the local network"), ""),
}
"""By the first word of why; any other why is a sentence."""


def receiver_checks(store: Path, hooks: Iterable[Hook]) -> Iterator[checks.Check]:
    """Yield a check for each webhook that is configured, and for whatever else fails."""
    failing = Receivers(store.with_name(FILE_NAME)).failing()
    names = [hook.name for hook in hooks]
    for name in (*names, *islice((name for name in failing if name not in names), MOST)):
        shown, failure = printable(name)[:LONGEST], failing.get(name)
        if failure is None:
            yield checks.Check(RECEIVERS, shown, found=True, right=True, figure=say("no failure noted"))
            continue
        since, why = (printable(failure[key])[:LONGEST] for key in ("since", "why"))
        kind, _, detail = why.partition(" ")
        reason, remedy = REASONS.get(kind, (say("fails"), why))
        if kind == "outside":
            remedy = say("add [Service] and IPAddressAllow={text} to {text2}, then reboot", text=detail, text2=DROP_IN)
        figure = join(" ", (reason, detail if kind == "answers" else ""))
        figure = join(", ", (figure, say("since {text}", text=since[:MINUTES])))
        yield checks.Check(RECEIVERS, shown, found=True, right=False, figure=figure, remedy=remedy)
