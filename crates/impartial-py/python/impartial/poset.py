"""Finite posets as games: a move chooses an element and takes away everything above it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from .game import Game
from .report import Picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Poset:
    """A finite poset from its elements and relations a < b; the transitive closure is taken.

    >>> fork = Poset("abc", [("a", "b"), ("a", "c")])
    >>> fork.game.outcome({"a", "b", "c"}), fork.game.winning_moves("{a,b,c}")
    ('N', ['{}'])
    """

    __slots__ = ("elements", "game", "relations")

    def __init__(self, elements: Iterable[Hashable], relations: Iterable[tuple[Hashable, Hashable]]) -> None:
        self.elements = [str(element) for element in elements]
        self.relations = [(str(a), str(b)) for a, b in relations]
        content = {"kind": "poset", "elements": self.elements, "relations": [list(pair) for pair in self.relations]}
        self.game = Game(content)

    def plot(self) -> Picture:
        """The Hasse diagram."""
        return self.game.plot()

    def __repr__(self) -> str:
        return f"<Poset of {len(self.elements)} elements>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Poset, (self.elements, self.relations))

    def _repr_svg_(self) -> str:
        return self.plot().svg
