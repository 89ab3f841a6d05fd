"""Two spellings of one person: which name stands for which. Matches stay as they were played, so it can be undone."""

from collections.abc import Iterable, Mapping

from tabletop.store.added_table import AddedTable


class SameNames(AddedTable):
    """The names of one store that mean somebody else of it."""

    NAME = "same_name"

    def all(self) -> Mapping[str, str]:
        """Return for each merged name the one that stands for it; none in a store of before there were any."""
        return dict(self._rows("SELECT name, means FROM same_name ORDER BY name", str, str))

    def of_all(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return these names, each once, with merged ones as the name that stands for them."""
        known = self.all()
        return tuple(dict.fromkeys(known.get(name, name) for name in names))

    def merge(self, name: str, means: str) -> None:
        """Let a name mean another one, and with it all that meant this one; equal ones part them again."""
        means = self.all().get(means, means) if means != name else name
        with self._explaining("written"), self._transaction():
            if means == name:
                self._database().execute("DELETE FROM same_name WHERE name=?", (name,))
            else:
                self._database().execute("UPDATE same_name SET means=? WHERE means=?", (means, name))
                self._database().execute("INSERT OR REPLACE INTO same_name VALUES (?, ?)", (name, means))
                self._database().execute("DELETE FROM same_name WHERE name=means")
