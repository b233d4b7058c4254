"""Rules of one's own, written in Python."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from . import _impartial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from typing_extensions import Unpack

    from ._options import Limits


class Sum(tuple):  # type: ignore[type-arg]
    """A sum of positions: what a move may leave instead of one position, and what a question may ask about."""

    __slots__ = ()

    def __new__(cls, *parts: Hashable) -> Sum:
        return super().__new__(cls, parts)

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self))})"

    def __getnewargs__(self) -> tuple[Hashable, ...]:
        return tuple(self)


class Rules:
    """A ruleset: a function, or an object with a method, ``options(position)`` that gives every option of a position.

    Positions are hashable (ints, tuples, text, frozensets); a move that leaves a sum of positions gives a :class:`Sum`. The function is
    asked once a position; what was found is remembered.

    >>> @Rules
    ... def nim_by_squares(n):
    ...     return [n - k * k for k in range(1, n + 1) if k * k <= n]
    >>> [nim_by_squares.grundy(n) for n in range(10)]
    [0, 1, 0, 1, 2, 0, 1, 0, 1, 2]
    >>> kayles = Rules(lambda n: [Sum(a, n - k - a) for k in (1, 2) for a in range(n - k + 1)])
    >>> kayles.grundy(11), kayles.outcome(Sum(3, 5, 7)), kayles.winning_moves(Sum(1, 2), play="misere")
    (6, 'N', [Sum(0, 0, 1)])
    """

    __slots__ = ("_native", "_options", "rules")

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        found = getattr(rules, "options", rules)
        if isinstance(rules, type):
            found = rules().options
        if not callable(found):
            raise TypeError(f"{rules!r} gives no options; give a function or an object with a method options(position)")
        self._options: Callable[[Any], Iterable[Any]] = found
        self._native = _impartial.Rules(self._listed)

    def _listed(self, position: Any) -> Iterator[tuple[Any, ...]]:
        given = self._options(position)
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise TypeError(f"options({position!r}) gave {given!r}; give a list of positions, empty when there is no move")
        for option in given:
            yield option if isinstance(option, Sum) else (option,)

    def options(self, position: Hashable) -> list[Any]:
        """Every option of a position."""
        return list(self._options(position))

    def grundy(self, position: Any, **limits: Unpack[Limits]) -> int:
        """The Grundy value of a position or a :class:`Sum`."""
        return self._native.grundy(_parts(position), dict(limits))

    def outcome(self, position: Any, **limits: Unpack[Limits]) -> Literal["P", "N"]:
        """Who wins a position or a :class:`Sum`."""
        return self._native.outcome(_parts(position), dict(limits))

    def winning_moves(self, position: Any, **limits: Unpack[Limits]) -> list[Any]:
        """The options that are P-positions."""
        single = not isinstance(position, Sum)
        moves = self._native.winning_moves(_parts(position), dict(limits))
        return [move[0] if single and len(move) == 1 else Sum(*move) for move in moves]

    @property
    def known(self) -> int:
        """How many positions were met so far."""
        return self._native.known

    def __repr__(self) -> str:
        return f"<Rules: {self.known} positions known>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Rules, (self.rules,))


def _parts(position: Any) -> list[Any]:
    return list(position) if isinstance(position, Sum) else [position]
