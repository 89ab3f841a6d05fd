"""Which language the table speaks: chosen at the command line, in the menu, in the configuration, or by the system."""

import argparse
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tabletop.cli.wiring.presenter import Views
from tabletop.config.file import Configuration
from tabletop.core.errors import InputError
from tabletop.dialogs.decisions import MenuAction, SetLanguage
from tabletop.dialogs.menu import Menu, language_page
from tabletop.session.handlers import Handlers
from tabletop.session.match_session import MatchSession
from tabletop.store import default_path
from tabletop.views.i18n.catalogue import Language, languages, load_language, of_environment

CHOSEN = "language"  # the file beside the store in which the choice made in the menu is kept


def language_of(options: argparse.Namespace, configured: Configuration, environ: Mapping[str, str]) -> Language:
    """Load the first that there is of --language, the menu's last choice, the configuration's, the environment's.

    Raises InputError if the first or the third cannot be used; what the menu chose may be gone since.
    """
    if options.language is not None:
        return load_language(options.language)
    with suppress(InputError, OSError, UnicodeDecodeError):
        return load_language(_chosen(options.store or default_path()).read_text(encoding="utf-8").strip())
    if configured.language is None:
        return load_language(of_environment(environ))
    try:
        return load_language(configured.language)
    except InputError as error:
        raise InputError(f"{configured.places['language']}: {error}") from None


class LanguageSetting:
    """The language of the views, as people change it. store: the matches, beside which the choice is kept."""

    def __init__(self, views: Views, store: Path) -> None:
        self._views, self._store = views, store
        self._languages = languages()
        self._languages.setdefault(views.language.code, views.language.name)  # a file of their own

    @property
    def question(self) -> Menu:
        """Which language, the one spoken now first."""
        return language_page(self._languages, self._views.language.code)

    @property
    def handlers(self) -> Handlers:
        """What carries out the decisions about the language."""
        return {MenuAction.LANGUAGE: lambda *_: self.question, SetLanguage: self._set}

    def _set(self, decision: SetLanguage, session: MatchSession | None) -> MatchSession | None:
        """Show this language from now on, and after the next start; InputError if its file is gone or broken."""
        code = decision.language
        self._views.language = load_language(code)
        with suppress(OSError):  # if nothing can be written, the next start shows the old language
            _chosen(self._store).write_text(f"{code}\n", encoding="utf-8")
        return session


def _chosen(store: Path) -> Path:
    return store.with_name(CHOSEN)
