"""Schemathesis asks as many people who were let in, or programs: one alone would be told that nobody is so quick.

Loaded by Schemathesis itself: tests/web/test_api_fuzzed.py names it. COOKIES, TOKENS: environment variables, with one
for each phone, or for each program; without both it asks as a stranger.
"""

import os
from itertools import cycle

import schemathesis

COOKIES, TOKENS = "PAGE_COOKIES", "API_TOKENS"
_cookies, _tokens = (cycle(os.environ.get(name, "").split() or [""]) for name in (COOKIES, TOKENS))


def before_call(_: schemathesis.HookContext, case: schemathesis.Case, __: dict[str, object]) -> None:
    """Give a request the next cookie or token, and the page's own address as Origin where it has one at all."""
    if COOKIES in os.environ:
        case.headers["Cookie"] = next(_cookies)
    if TOKENS in os.environ and "Authorization" in case.headers:  # else it tries what happens without one
        case.headers["Authorization"] = f"Bearer {next(_tokens)}"
    if "Origin" in case.headers:
        case.headers["Origin"] = case.operation.base_url


schemathesis.hook(before_call)
