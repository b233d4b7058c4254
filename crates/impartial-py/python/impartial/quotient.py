"""Quotients of games: commutative monoids with a P-portion."""

from __future__ import annotations

from . import _impartial
from .report import Picture, Report, escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy

    from .strategy import Strategy


class Quotient:
    """The quotient of a game: its elements are words in the generators.

    >>> from impartial import Game
    >>> q = Game("0.123").quotient(play="misere")
    >>> q
    <Quotient of 0.123: order 20, proved>
    >>> q.generators, q.relations[:2], sorted(q.p)[:3]
    (['a', 'b', 'c', 'd'], ['a^2=1', 'b^4=b^2'], ['a', 'a*c', 'b*d'])
    >>> q.multiply("b", "b^2"), q.heap(8), q.outcome("b^2")
    ('b^3', 'c', 'P')
    """

    __slots__ = ("_native", "_products", "report", "stopped")

    def __init__(self, report: Report, native: _impartial.Strategy, stopped: str | None = None) -> None:
        self.report = report
        self._native = native
        self.stopped = stopped
        """Why the search stopped before all of what was asked for; what is here holds all the same."""
        self._products: Any = None

    @classmethod
    def _of(cls, found: tuple[tuple[dict[str, Any], str], _impartial.Strategy, str | None]) -> Quotient:
        report, native, stopped = found
        return cls(Report(*report), native, stopped)

    @property
    def strategy(self) -> Strategy:
        """The strategy that goes with it."""
        from .strategy import Strategy

        return Strategy(self._native)

    @property
    def proved(self) -> bool:
        """Whether it is proved."""
        return bool(self.report["proved"])

    @property
    def finite(self) -> bool | None:
        """Whether it is finite; ``None`` when that is not known."""
        found: bool | None = self.report["finite"]
        return found

    @property
    def order(self) -> int | str | None:
        """The number of elements, or ``"infinite"``, or ``None`` when it is not known."""
        order = self.report["order"]
        return int(order) if isinstance(order, str) and order.isdigit() else order

    @property
    def generators(self) -> list[str]:
        """Names of the generators."""
        return list(self.report["generators"])

    @property
    def relations(self) -> list[str] | None:
        """Relations between the generators; ``None`` when they were not looked for."""
        return self.report["relations"]  # type: ignore[no-any-return]

    @property
    def elements(self) -> list[str]:
        """The elements of a finite quotient as words."""
        return list(self._finite("elements"))

    @property
    def p(self) -> list[str]:
        """The P-portion of a finite quotient."""
        return list(self._finite("p"))

    def _finite(self, key: str) -> Any:
        try:
            return self.report[key]
        except KeyError:
            from .errors import Unsupported

            raise Unsupported(f"the elements of this quotient (form {self.report['form']!r}) are not listed") from None

    def heap(self, heap: int) -> str:
        """The value of a heap as a word, by the pretending function."""
        try:
            return self.report["pretending"][str(heap)]  # type: ignore[no-any-return]
        except KeyError:
            preperiod, period = self.report.get("preperiod"), self.report["period"]
            if period and preperiod is not None and heap >= preperiod:
                return self.heap(preperiod + (heap - preperiod) % period)
            raise ValueError(f"heap {heap} is beyond what is known; ask for the quotient with a larger max_heap") from None

    def outcome(self, element: str) -> str:
        """``"P"`` or ``"N"`` for an element."""
        self._index(element)
        return "P" if element in self._finite("p") else "N"

    def _index(self, element: str) -> int:
        try:
            return self._finite("elements").index(element)  # type: ignore[no-any-return]
        except ValueError:
            raise ValueError(f"{element!r} is no element; they are {', '.join(self.elements[:12])}, …") from None

    def multiply(self, x: str, y: str) -> str:
        """The product of two elements."""
        product = self._index(x)
        for generator in self._spelling(self._index(y)):
            product = self._steps()[generator][product]
        return self.elements[product]

    def _steps(self) -> dict[str, list[int]]:
        return self._finite("cayley")["generators"]  # type: ignore[no-any-return]

    def _ways(self) -> list[tuple[int, str] | None]:
        """How each element is reached from one before it: the element and the generator."""
        if self._products is None:
            steps = self._steps()
            ways: list[tuple[int, str] | None] = [None] * len(self._finite("elements"))
            reached = [0]
            seen = {0}
            for x in reached:
                for generator, row in steps.items():
                    if row[x] not in seen:
                        seen.add(row[x])
                        ways[row[x]] = (x, generator)
                        reached.append(row[x])
            self._products = (ways, reached)
        return self._products[0]  # type: ignore[no-any-return]

    def _spelling(self, x: int) -> list[str]:
        word = []
        way = self._ways()[x]
        while way is not None:
            word.append(way[1])
            way = self._ways()[way[0]]
        return word

    @property
    def table(self) -> numpy.ndarray[Any, Any] | list[list[int]]:
        """The multiplication table by places in :attr:`elements`: a NumPy array where NumPy is, else lists.

        >>> from impartial import Game
        >>> q = Game("0.123").quotient(play="misere")
        >>> bool((q.table == q.table.T).all()), q.elements[int(q.table[1, 1])]
        (True, '1')
        """
        steps, ways = self._steps(), self._ways()
        order = len(ways)
        reached: list[int] = self._products[1]
        try:
            import numpy
        except ImportError:
            columns: list[list[int]] = [[]] * order
            columns[0] = list(range(order))
            for y in reached[1:]:
                before, generator = ways[y]  # type: ignore[misc]
                columns[y] = [steps[generator][x] for x in columns[before]]
            return [[columns[y][x] for y in range(order)] for x in range(order)]
        table = numpy.empty((order, order), dtype=numpy.int64)
        table[:, 0] = numpy.arange(order)
        rows = {generator: numpy.asarray(row) for generator, row in steps.items()}
        for y in reached[1:]:
            before, generator = ways[y]  # type: ignore[misc]
            table[:, y] = rows[generator][table[:, before]]
        return table

    def plot(self, **how: Any) -> Picture:
        """A picture of the quotient: its Cayley graph."""
        return self.strategy.plot(name=self.report["game"], **how)

    def __str__(self) -> str:
        return str(self.report)

    def __repr__(self) -> str:
        standing = "proved" if self.proved else "not proved"
        return f"<Quotient of {self.report['game']}: order {self.order}, {standing}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quotient):
            return NotImplemented
        return self.report["game"] == other.report["game"] and self.strategy == other.strategy

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.report, self.strategy, self.stopped))

    def _repr_html_(self) -> str:
        """What is known, and the multiplication table of a small one with the P-portion in colour."""
        text = f"<pre>{escaped(self)}</pre>"
        if self.finite is not True or not isinstance(self.order, int) or self.order > 40 or "cayley" not in self.report:
            return text
        elements, p = self.elements, set(self.p)
        head = "".join(f"<th>{escaped(x)}</th>" for x in elements)
        rows = []
        for x, row in zip(elements, self.table):
            cells = "".join(
                f'<td style="background:{"#cfe8cf" if elements[z] in p else "none"};color:black">{escaped(elements[z])}</td>'
                for z in row
            )
            rows.append(f"<tr><th>{escaped(x)}</th>{cells}</tr>")
        table = f"<table><tr><th>·</th>{head}</tr>{''.join(rows)}</table><p>coloured: the P-portion</p>"
        return f"{text}{table}{self._repr_svg_() or ''}"

    def _repr_svg_(self) -> str | None:
        """The Cayley graph of a small one."""
        if self.finite is not True or not isinstance(self.order, int) or self.order > 40 or "cayley" not in self.report:
            return None
        return self.plot(progress=False).svg

    def _repr_latex_(self) -> str | None:
        """The monoid by generators and relations."""
        import re

        if not self.relations or len(self.relations) > 60:
            return None

        def word(text: str) -> str:
            return re.sub(r"\^(\d+)", r"^{\1}", text.replace("*", " "))

        relations = ",\\ ".join(word(relation) for relation in self.relations)
        return f"$\\displaystyle \\langle {', '.join(self.generators)} \\mid {relations} \\rangle$"


def _restored(report: Report, strategy: Strategy, stopped: str | None) -> Quotient:
    # What the pickle says of the quotient is said anew by its strategy, which was checked when it was read.
    if stopped is None and strategy.proved and strategy.form == report["form"]:
        return strategy.quotient(report["game"], progress=False)
    return Quotient(report, strategy._native, stopped)
