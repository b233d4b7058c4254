"""Answers: keys and a text; pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any


def escaped(text: object) -> str:
    """Text inside HTML."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def needs(*modules: str) -> None:
    """Says how to get what is missing, in the words of the package."""
    import importlib

    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError:
            raise ImportError(f'this needs {module}; install it, for instance with: pip install "impartial[notebook]"') from None


class Report(Mapping):  # type: ignore[type-arg]
    """An answer: its keys are those of the command's JSON and also attributes, its text is the command's.

    >>> from impartial import Game
    >>> period = Game("0.77").period()
    >>> period.period, period["preperiod"], period.proved
    (12, 71, True)
    >>> sorted(period)[:3]
    ['checked_to', 'game', 'max_value']
    """

    __slots__ = ("_keys", "_text")

    def __init__(self, keys: dict[str, Any], text: str) -> None:
        self._keys = keys
        self._text = text

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            try:
                return self._keys[name]
            except KeyError:
                pass
        raise AttributeError(f"the answer has no {name!r}; it has {', '.join(self._keys)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._keys]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self._keys.items() if len(repr(value)) < 80)
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._keys, self._text))

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self._text)}</pre>"


class Picture:
    """A picture: SVG text, which notebooks show.

    >>> from impartial import Game
    >>> picture = Game("exotic").plot(box=16)
    >>> picture.svg[:4], str(picture)
    ('<svg', '16 x 16 positions')
    """

    __slots__ = ("shows", "svg")

    def __init__(self, svg: str, shows: str) -> None:
        self.svg = svg
        self.shows = shows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __str__(self) -> str:
        return self.shows

    def __repr__(self) -> str:
        return f"<Picture: {self.shows}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Picture, (self.svg, self.shows))

    def _repr_svg_(self) -> str:
        return self.svg


def box_text(box: object) -> str | None:
    """A box as the library reads it: ``16`` or ``16,9``."""
    if box is None or isinstance(box, str):
        return box
    return ",".join(str(size) for size in sizes(box))


def sizes(box: object) -> list[int]:
    """The sizes of a box: one int for all sides, or one for each."""
    import operator

    if isinstance(box, bool) or isinstance(box, (float, str)):
        raise TypeError(f"box is an int or a tuple of ints, not {box!r}")
    try:
        given = [operator.index(box)]  # type: ignore[arg-type]
    except TypeError:
        try:
            given = [operator.index(size) for size in box]  # type: ignore[attr-defined]
        except TypeError:
            raise TypeError(f"box is an int or a tuple of ints, not {box!r}") from None
    for size in given:
        if size < 0:
            raise ValueError(f"box has a side of {size}; sides are 0 or more")
    return given
