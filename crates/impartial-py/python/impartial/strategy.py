"""Strategies of whole games: proved ones, and what files claim."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from . import _impartial
from ._answers import Answers
from ._options import options as _options
from .report import Picture, Report, box_text, escaped, needs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy
    import sympy
    from typing_extensions import Unpack

    from ._options import Limits
    from .quotient import Quotient
    from .sets import Set


def _text_of(file: str | os.PathLike[str]) -> str:
    with open(file, encoding="utf-8") as opened:
        return opened.read()


class Strategy(Answers):
    """What answers for every position of a game.

    A strategy that was found is proved; one from a file is checked by the independent checker when it is loaded.

    >>> from impartial import Game
    >>> strategy = Game("exotic").solve()
    >>> strategy
    <Strategy: automaton, normal play, proved>
    >>> strategy.winning_moves((5, 5))
    [(5, 4), (4, 5)]
    >>> print(strategy.convert("stratification"))
    P = {(0,0),(1,1),(3,4),(4,3)} + N{(0,2),(6,6)} + {(2,0),(3,1),(5,4),(6,3)} + N{(2,0),(6,6)}
    8 strata in 2 modules, proved
    """

    __slots__ = ("_native",)
    _native: _impartial.Strategy

    def __init__(self, native: _impartial.Strategy) -> None:
        if not isinstance(native, _impartial.Strategy):
            raise TypeError("strategies come from Game.solve, Strategy.load or Strategy.from_text")
        self._native = native

    @staticmethod
    def _asked(limits: Limits) -> dict[str, Any] | None:
        # Answered at once: no bar is made ready.
        return limits or None  # type: ignore[return-value]

    @classmethod
    def load(cls, file: str | os.PathLike[str], *, trust: bool = False, **limits: Unpack[Limits]) -> Strategy:
        """Reads a strategy file and checks it; with ``trust`` nobody checks, and ``proved`` is false."""
        return cls.from_text(_text_of(file), trust=trust, **limits)

    @classmethod
    def from_text(cls, text: str, *, trust: bool = False, **limits: Unpack[Limits]) -> Strategy:
        """:meth:`load` for the text of a strategy file.

        >>> from impartial import Game
        >>> text = Game("kayles").solve().to_text()
        >>> Strategy.from_text(text).proved, Strategy.from_text(text, trust=True).proved
        (True, False)
        """
        return cls(_impartial.Strategy.load(text, trust, _options(limits)))

    def to_text(self) -> str:
        """The text of the strategy file, with its certificate."""
        return self._native.file()

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the strategy file: all of it, or nothing."""
        path = os.fspath(file)
        part = f"{path}.{os.getpid()}.part"
        try:
            with open(part, "w", encoding="utf-8") as opened:
                opened.write(self.to_text())
            os.replace(part, path)
        finally:
            if os.path.exists(part):
                os.remove(part)

    def verify(self, **limits: Unpack[Limits]) -> Strategy:
        """The strategy, checked by the independent checker now; raises :class:`Refused` when it is wrong."""
        return Strategy(self._native.verify(_options(limits)))

    @property
    def form(self) -> str:
        """``automaton``, ``stratification``, ``series``, ``quotient``, ``nim-sequence``, …"""
        return self._native.form

    @property
    def proved(self) -> bool:
        """Whether the strategy is proved."""
        return self._native.is_proved

    @property
    def play(self) -> str:
        """``normal`` or ``misere``."""
        return self._native.play

    @property
    def report(self) -> Report:
        """The form and its size."""
        return Report(*self._native.report())

    def outcomes(self, positions: Any, **limits: Unpack[Limits]) -> numpy.ndarray[Any, Any]:
        """The outcomes of many positions: an array of integers with a position in each row gives an array of ``"P"`` and ``"N"``.

        >>> import numpy
        >>> from impartial import Game
        >>> Game("exotic").solve().outcomes([[0, 0], [1, 0], [3, 4]])
        array(['P', 'N', 'P'], dtype='<U1')
        """
        needs("numpy")
        import numpy

        array = numpy.asarray(positions)
        if array.size == 0 and array.ndim < 2:
            return numpy.empty(array.shape, dtype="U1")
        if array.dtype.kind not in "iu":
            raise TypeError(
                f"positions are an array of integers, not of {array.dtype}; use outcome() for single positions of any size"
            )
        if array.ndim < 1 or array.shape[-1] == 0:
            raise ValueError(f"positions have shape {array.shape}; the last axis holds the numbers of a position")
        if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max(initial=0) > 2**63 - 1:
            raise ValueError("a number is beyond 2**63 - 1; use outcome() for single positions of any size")
        rows = numpy.ascontiguousarray(array, dtype=numpy.int64)
        found = self._native.outcomes(rows.tobytes(), array.shape[-1], _options(limits))
        return numpy.frombuffer(found, dtype="=U1").reshape(array.shape[:-1])

    def convert(self, form: str, **limits: Unpack[Limits]) -> Strategy:
        """The strategy in another form, proved anew."""
        return Strategy(self._native.convert(form, _options(limits)))

    def stratification(self, **limits: Unpack[Limits]) -> Stratification:
        """The P-positions as a disjoint union of modules.

        >>> from impartial import Game
        >>> [len(module.bases) for module in Game("exotic").solve().stratification()]
        [4, 4]
        """
        return Stratification(self.convert("stratification", **limits))

    def series(self, **limits: Unpack[Limits]) -> Series:
        """The generating function of the P-positions.

        >>> from impartial import Game
        >>> len(Game("exotic").solve().series())
        8
        """
        return Series(self.convert("series", **limits))

    def set(self, **limits: Unpack[Limits]) -> Set:
        """The P-positions as a set of vectors, for the algebra of sets."""
        from .sets import Set

        return Set._of(_impartial.Set.of_strategy(self._native, _options(limits)))

    def quotient(self, name: str = "strategy", **limits: Unpack[Limits]) -> Quotient:
        """The quotient that the strategy gives."""
        from .quotient import Quotient

        return Quotient._of(self._native.quotient(name, _options(limits)))

    def show(self, syntax: str = "text", **limits: Unpack[Limits]) -> str:
        """The strategy written out: ``text``, ``latex``, ``json``, ``sage``, ``mathematica`` or ``macaulay2``."""
        return self._native.written(syntax, _options(limits))[1]

    def latex(self, **limits: Unpack[Limits]) -> str:
        """The strategy in LaTeX, as a series or a stratification where its own form has no formula."""
        return self.show("latex", **limits)

    def plot(
        self,
        *,
        name: str = "strategy",
        box: int | Sequence[int] | None = None,
        slice: str | None = None,
        grundy: bool = False,
        **limits: Unpack[Limits],
    ) -> Picture:
        """A picture of the strategy: strata, maps, chains."""
        return Picture(*self._native.plot(name, box_text(box), slice, grundy, _options(limits)))

    def __str__(self) -> str:
        return str(self.report)

    def __repr__(self) -> str:
        standing = "proved" if self.proved else "as the file claims"
        return f"<Strategy: {self.form}, {self.play} play, {standing}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        return self.to_text() == other.to_text() and self.proved == other.proved

    def __hash__(self) -> int:
        return hash((self.form, self.play))

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle is a file like any other: what was proved is checked again where it is read.
        return (_restored, (self.to_text(), not self.proved))

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self)}</pre>"

    def _repr_latex_(self) -> str | None:
        if self.form not in ("series", "stratification"):
            return None
        return f"$\\displaystyle {self._native.show('latex', None)[1]}$"


def _restored(text: str, trust: bool) -> Strategy:
    return Strategy.from_text(text, trust=trust, progress=False)


class Module:
    """Translates of the semigroup that ``generators`` generate, by each of ``bases``."""

    __slots__ = ("bases", "generators")

    def __init__(self, bases: list[list[int]], generators: list[list[int]]) -> None:
        self.bases = [tuple(base) for base in bases]
        self.generators = [tuple(generator) for generator in generators]

    def __repr__(self) -> str:
        return f"Module(bases={self.bases}, generators={self.generators})"


class Stratification:
    """P-positions as a disjoint union of modules: a sequence of :class:`Module`."""

    __slots__ = ("modules", "strategy")

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        content = strategy._native.show("json", None)[0]
        self.modules = [Module(module["bases"], module["generators"]) for module in content["modules"]]

    def __iter__(self) -> Iterator[Module]:
        return iter(self.modules)

    def __len__(self) -> int:
        return len(self.modules)

    def __getitem__(self, at: int) -> Module:
        return self.modules[at]

    def latex(self) -> str:
        """The formula in LaTeX."""
        return self.strategy._native.show("latex", None)[1]

    def plot(self, **how: Any) -> Picture:
        """The strata in colours."""
        return self.strategy.plot(**how)

    def __str__(self) -> str:
        return self.strategy._native.show("text", None)[1]

    def __repr__(self) -> str:
        return f"<Stratification: {len(self.modules)} modules>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Stratification, (self.strategy,))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _repr_svg_(self) -> str | None:
        from .errors import Unsupported

        try:
            return self.plot(box=32).svg
        except (Unsupported, ValueError):
            return None


class Series:
    """The generating function of the P-positions: a sum of terms c·xᵃ / Π (1 − xᵛ).

    >>> from impartial import Game
    >>> series = Game("exotic").solve().series()
    >>> x, y = series.symbols()
    >>> f = series.sympy()
    >>> f.series(x, 0, 1).removeO().series(y, 0, 6).removeO()
    y**4 + y**2 + 1
    """

    __slots__ = ("strategy", "terms")

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.terms: list[dict[str, Any]] = strategy._native.show("json", None)[0]["terms"]

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.terms)

    def symbols(self) -> tuple[sympy.Symbol, ...]:
        """The variables."""
        needs("sympy")
        import sympy

        d = len(self.terms[0]["exponent"]) if self.terms else 1
        names = ["x", "y", "z"] if d <= 3 else [f"x{i + 1}" for i in range(d)]
        return tuple(sympy.Symbol(name) for name in names[:d])

    def sympy(self) -> sympy.Expr:
        """The series as an expression of SymPy."""
        needs("sympy")
        import sympy

        symbols = self.symbols()

        def power(exponent: list[Any]) -> sympy.Expr:
            return sympy.Mul(*(x ** int(e) for x, e in zip(symbols, exponent)))

        def term(given: dict[str, Any]) -> sympy.Expr:
            below = sympy.Mul(*(1 - power(v) for v in given["denominators"]))
            return sympy.Rational(str(given["coefficient"])) * power(given["exponent"]) / below

        return sympy.Add(*(term(given) for given in self.terms))

    def latex(self) -> str:
        """The formula in LaTeX."""
        return self.strategy._native.show("latex", None)[1]

    def __str__(self) -> str:
        return self.strategy._native.show("text", None)[1]

    def __repr__(self) -> str:
        return f"<Series: {len(self.terms)} terms>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Series, (self.strategy,))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


def check(file: str | os.PathLike[str], **limits: Unpack[Limits]) -> Report:
    """What the independent checker says of a strategy file: ``valid``, with a ``claim`` or a ``reason``."""
    return Report(*_impartial.check(_text_of(file), _options(limits)))


def prove(claim: str | os.PathLike[str], **limits: Unpack[Limits]) -> Strategy:
    """Proves a claim that a person wrote (the path or the text of a claim file), or raises :class:`Refused` with a position.

    >>> prove('''game = "kayles"
    ... form = "period"
    ... preperiod = 71
    ... period = 12
    ... saltus = 0''').proved
    True
    """
    text = claim if isinstance(claim, str) and "\n" in claim else _text_of(claim)
    (keys, told), native = _impartial.prove(text, _options(limits))
    if native is None:
        from .errors import Refused

        raise Refused(keys.get("reason") or told, keys.get("position"))
    return Strategy(native)
