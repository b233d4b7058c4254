"""What a game and a strategy of it both answer."""

from __future__ import annotations

from ._options import options
from .report import Report, sizes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, Protocol

    from typing_extensions import Unpack

    from ._options import Limits, Position

    class Native(Protocol):
        """What the native halves of both have."""

        def outcome(self, at: Any, options: Any = None) -> Literal["P", "N"]: ...
        def grundy(self, at: Any, options: Any = None) -> int: ...
        def winning_moves(self, at: Any, options: Any = None) -> list[Any]: ...
        def count(self, sizes: list[int], options: Any = None) -> int: ...
        def congruent(self, p: Any, q: Any, options: Any = None) -> tuple[dict[str, Any], str]: ...


class Answers:
    """Questions about positions.

    >>> from impartial import Game
    >>> exotic = Game("exotic")
    >>> strategy = exotic.solve()
    >>> exotic.outcome((3, 4)), strategy.outcome((3, 4)), strategy.outcome((6 * 10**99, 6 * 10**99))
    ('P', 'P', 'P')
    """

    __slots__ = ()

    if TYPE_CHECKING:

        _native: Native

    @staticmethod
    def _asked(limits: Limits) -> dict[str, Any] | None:
        """The options of a question about one position, as the native half takes them."""
        return options(limits)

    def outcome(self, position: Position, **limits: Unpack[Limits]) -> Literal["P", "N"]:
        """Who wins: ``"P"`` the previous player, ``"N"`` the next one.

        >>> from impartial import Game
        >>> Game("nim").outcome((1, 1, 1)), Game("nim").outcome((1, 1, 1), play="misere")
        ('N', 'P')
        """
        return self._native.outcome(position, self._asked(limits))

    def grundy(self, position: Position, **limits: Unpack[Limits]) -> int:
        """The Grundy value (normal play), where the game and the form of the strategy know it.

        >>> from impartial import Game
        >>> Game("grundys-game").grundy(8), Game("kayles").solve().grundy(10**1000)
        (2, 1)
        """
        return self._native.grundy(position, self._asked(limits))

    def winning_moves(self, position: Position, **limits: Unpack[Limits]) -> list[Any]:
        """The options that are P-positions.

        >>> from impartial import Game
        >>> Game("chomp:3x4").winning_moves("4,4,4")
        [(4, 2, 2)]
        """
        return self._native.winning_moves(position, self._asked(limits))

    def count(self, box: int | Sequence[int] = (), **limits: Unpack[Limits]) -> int:
        """The number of P-positions with 0 ≤ xᵢ < boxᵢ; of all positions of a finite poset without a box.

        A game counts by its recursion, a strategy in boxes of any size:

        >>> from impartial import Game
        >>> Game("exotic").count((10, 10)), Game("exotic").solve().count((10**20, 1))
        (36, 50000000000000000000)
        """
        return self._native.count(sizes(box), options(limits))

    def congruent(self, p: Position, q: Position, **limits: Unpack[Limits]) -> Report:
        """Whether two positions are indistinguishable in every sum: ``congruent``, and a ``witness`` when not.

        >>> from impartial import Game
        >>> Game("0.123").congruent("1+1", 2, play="misere").congruent
        True
        """
        return Report(*self._native.congruent(p, q, options(limits)))
