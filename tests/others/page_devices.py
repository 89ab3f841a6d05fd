"""Schemathesis asks as the phones of many people who were let in: one alone would be told that nobody is so quick.

Loaded by Schemathesis itself: tests/web/test_api_fuzzed.py names it. COOKIES: environment variable, one for each phone.
"""

import os
from itertools import cycle

import schemathesis

COOKIES = "PAGE_COOKIES"
_cookies = cycle(os.environ[COOKIES].split())


def before_call(_: schemathesis.HookContext, case: schemathesis.Case, __: dict[str, object]) -> None:
    """Give a request the cookie of the next phone, and the page's own address as Origin where it has one at all."""
    case.headers["Cookie"] = next(_cookies)
    if "Origin" in case.headers:
        case.headers["Origin"] = case.operation.base_url


schemathesis.hook(before_call)
