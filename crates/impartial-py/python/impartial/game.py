"""Games, and every question about them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from . import _impartial
from ._answers import Answers
from ._options import options as _options
from .quotient import Quotient
from .report import Picture, Report, box_text, escaped, needs
from .strategy import Strategy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy
    from typing_extensions import Unpack

    from ._options import Limits, Position


class Game(Answers):
    """An impartial game.

    ``game`` is a name (``"kayles"``; :func:`games` lists them), a notation (``"0.77"``, ``"subtract:1,2,3"``, ``"chomp:3x4"``), the path or
    the text of a game file, or a dictionary with its content.

    >>> Game("nim").winning_moves("3+5+7")
    [(2, 5, 7), (3, 4, 7), (3, 5, 6)]
    >>> Game({"kind": "lattice", "rules": [[1, 0], [0, 1], [2, 2]]}).outcome((3, 4))
    'P'
    >>> Game("no-such-game")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: ..."no-such-game" is not known...
    """

    __slots__ = ("_native", "_source")
    _native: _impartial.Game

    def __init__(self, game: str | os.PathLike[str] | Mapping[str, Any] | Game) -> None:
        if isinstance(game, Game):
            self._source: str = game._source
            self._native = game._native
            return
        if isinstance(game, Mapping):
            import json

            source = _impartial.Game.toml(json.dumps(dict(game)))
        elif isinstance(game, str):
            source = game
        elif isinstance(game, os.PathLike):
            # A path, also when it looks like a name.
            source = os.path.join(os.curdir, os.fspath(game))
        else:
            raise TypeError(
                f"{game!r} is no game; give a name such as 'kayles', a notation, a path, or a dictionary with the content of a game file"
            )
        self._source = source
        self._native = _impartial.Game(source)

    @property
    def name(self) -> str:
        """The game's name: as it was written, or as its file says."""
        return self._native.name

    @property
    def kind(self) -> str:
        """``heap``, ``lattice``, ``poset``, ``chains``, ``graph``, ``sum`` or ``wythoff``."""
        return self._native.kind

    def position(self, position: Position) -> Any:
        """A position in its canonical form: a tuple of ints, or text for posets, graphs and sums.

        >>> Game("kayles").position("7+0+3")
        (3, 7)
        """
        return self._native.position(position)

    def text(self, position: Position) -> str:
        """A position as text.

        >>> Game("kayles").text([7, 3])
        '3+7'
        """
        return self._native.text(position)

    def drawing(self, position: Position) -> str:
        """A position drawn in characters."""
        return self._native.drawing(position)

    def start(self) -> Any:
        """A position of moderate size to begin with."""
        return self._native.start()

    def options(self, position: Position) -> list[Any]:
        """Every option of a position.

        >>> Game("kayles").options(3)
        [(1,), (1, 1), (2,)]
        """
        return self._native.options(position)

    def info(self, **limits: Unpack[Limits]) -> Report:
        """What the game is: kind, rules, axioms.

        >>> Game("exotic").info().dimension
        2
        """
        return Report(*self._native.info(_options(limits)))

    def values(self, to: int, /, **limits: Unpack[Limits]) -> Values:
        """The Grundy values of heaps 0, 1, …, ``to``.

        >>> Game("kayles").values(12)
        Values([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4])
        """
        return Values(self, self._native.values(to, _options(limits)))

    def period(self, **limits: Unpack[Limits]) -> Report:
        """How the Grundy sequence repeats, with proof: ``preperiod``, ``period``, ``saltus``, ``proved``.

        >>> Game("dawsons-kayles").period().period
        34
        """
        return Report(*self._native.period(_options(limits)))

    def solve(self, *, grundy: bool = False, **limits: Unpack[Limits]) -> Strategy:
        """A strategy for the whole game, proved; with ``grundy`` one that knows every Grundy value.

        >>> Game("0.123").solve(play="misere").form
        'quotient'
        """
        return Strategy(self._native.solve(grundy, _options(limits)))

    def quotient(self, **limits: Unpack[Limits]) -> Quotient:
        """The quotient of the game, as a rule in misère play.

        >>> Game("0.123").quotient(play="misere").order
        20
        """
        return Quotient._of(self._native.quotient(_options(limits)))

    def chains(self, value: int = 0, at: int | None = None, **limits: Unpack[Limits]) -> Report:
        """How n = f(m) behaves in a poset game with two infinite chains, and its value at one m.

        >>> Game("chomp-chains:2").chains(at=10**30).n - 10**30
        2
        """
        return Report(*self._native.chains(value, at, _options(limits)))

    def plot(
        self,
        *,
        box: int | Sequence[int] | None = None,
        slice: str | None = None,
        grundy: bool = False,
        **limits: Unpack[Limits],
    ) -> Picture:
        """A picture of the game: a map of P and N (or of Grundy values), or a Hasse diagram."""
        return Picture(*self._native.plot(box_text(box), slice, grundy, _options(limits)))

    def lattice(self, **limits: Unpack[Limits]) -> Game:
        """The game as a lattice game: heap games up to ``max_heap``, and graphs.

        >>> Game("0.77").lattice(max_heap=3).kind
        'lattice'
        """
        return Game(self._native.lattice(_options(limits)))

    def __repr__(self) -> str:
        return f"Game({self.name!r})" if "\n" in self._source else f"Game({self._source!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._source == other._source and self._native.files == other._native.files

    def __hash__(self) -> int:
        return hash(self._source)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._source, self._native.files))

    def _repr_html_(self) -> str:
        return f"<b>{escaped(self.name)}</b> <i>({escaped(self.kind)} game)</i>"


def _restored(source: str, files: dict[str, str]) -> Game:
    """A game with the files that it was read from."""
    game = Game.__new__(Game)
    game._source = source
    game._native = _impartial.Game(source, files)
    return game


class Values(Sequence):  # type: ignore[type-arg]
    """Grundy values of heaps 0, 1, 2, …: a sequence of ints, and a NumPy array without a copy.

    >>> values = Game("kayles").values(10**6)
    >>> len(values), values[11], list(values[:4]), max(values)
    (1000001, 6, [0, 1, 2, 3], 8)
    >>> values.array.dtype.name
    'uint32'
    """

    __slots__ = ("_bytes", "_game", "_view")

    def __init__(self, game: Game, content: bytes) -> None:
        self._game = game
        self._bytes = content
        self._view = memoryview(content).cast("I")

    @property
    def array(self) -> numpy.ndarray[Any, numpy.dtype[numpy.uint32]]:
        """The values as a NumPy array (read-only: it shares the memory)."""
        needs("numpy")
        import numpy

        return numpy.frombuffer(self._bytes, dtype=numpy.uint32)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.array
        return array if dtype is None and not copy else array.astype(dtype or array.dtype)

    def __len__(self) -> int:
        return len(self._view)

    def __getitem__(self, at: Any) -> Any:
        return self._view[at].tolist() if isinstance(at, slice) else self._view[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self._view)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Values):
            return self._bytes == other._bytes
        if isinstance(other, (list, tuple)):
            return self._view.tolist() == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(map(str, self._view[:200])) + (", …" if len(self) > 200 else "")
        return f"Values([{inside}])"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Values, (self._game, self._bytes))

    def _repr_html_(self) -> str:
        """Rows of the period's length, the preperiod in grey, the period in bold."""
        from .errors import Stopped

        start, period = len(self), 20
        try:
            found = self._game.period(time_limit=1, progress=False)
            if found.proved:
                start, period = found.preperiod, found.period
                title = f"{self._game.name}: period {period} from heap {start} on, saltus {found.saltus}, proved"
            else:
                title = f"{self._game.name}: no period is proved"
        except Stopped:
            title = f"{self._game.name}: no period is proved"
        width = period if 2 <= period <= 40 else 20
        # Rows begin at multiples of the width before the period, so that it stands in columns.
        offset = -start % width if start < len(self) else 0
        cells = [""] * offset + [
            f'<td style="color:{"#888" if at < start else "inherit; font-weight:bold"}">{value}</td>'
            for at, value in enumerate(self._view[:600])
        ]
        cells[:offset] = ["<td></td>"] * offset
        rows = []
        for at in range(0, len(cells), width):
            first = max(at - offset, 0)
            mark = "border-top:2px solid #06c" if first == start and start < len(self) else ""
            rows.append(f'<tr style="{mark}"><th>{first}</th>{"".join(cells[at : at + width])}</tr>')
        more = f"<p>… {len(self)} values in all</p>" if len(self) > 600 else ""
        return f"<p>{escaped(title)}</p><table>{''.join(rows)}</table>{more}"


def games(filter: str | None = None) -> Report:
    """The games of the catalogue, those that contain the text ``filter``.

    >>> any(entry["name"] == "kayles" for entry in games("kayles").games)
    True
    """
    return Report(*_impartial.games(filter))


def chains(game: str | Game, value: int = 0, at: int | None = None, **limits: Unpack[Limits]) -> Report:
    """How n = f(m) behaves in a poset game with two infinite chains; a text such as ``"5,3"`` means Chomp with these fixed rows.

    >>> chains("2").kind
    'periodic'
    """
    if isinstance(game, str) and game.replace(",", "").replace(" ", "").isdigit():
        game = f"chomp-chains:{game}"
    return Game(game).chains(value, at, **limits)
