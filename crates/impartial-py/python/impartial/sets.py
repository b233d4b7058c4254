"""Sets of integer vectors that need belong to no game."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from . import _impartial
from ._options import options as _options
from .report import Report, escaped, sizes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from ._options import Limits


class Set:
    """A set of vectors of ℕᵈ: from the content of a set file (a dictionary, its text or its path), or from a strategy file.

    >>> evens = Set({"kind": "semigroup", "generators": [[2, 0], [0, 2]]})
    >>> sums = Set({"kind": "semigroup", "generators": [[1, 1], [2, 0], [0, 2]]})
    >>> rest = sums - evens
    >>> rest.count(10), (1, 1) in rest, rest == sums & ~evens, (rest | evens) == sums
    (25, True, True, True)
    >>> rest.members(4)
    [(1, 1), (1, 3), (3, 1), (3, 3)]
    >>> Set({"kind": "cone", "rays": [[1, 0], [1, 2]]}).hilbert_basis()
    [(1, 0), (1, 1), (1, 2)]
    """

    __slots__ = ("_native",)

    def __init__(self, content: str | os.PathLike[str] | Mapping[str, Any], **limits: Unpack[Limits]) -> None:
        if isinstance(content, Mapping):
            import json

            text = _impartial.Game.toml(json.dumps(dict(content)))
        elif isinstance(content, str) and ("\n" in content or content.lstrip().startswith("{")):
            text = content
        elif isinstance(content, (str, os.PathLike)):
            with open(content, encoding="utf-8") as opened:
                text = opened.read()
        else:
            raise TypeError(f"{content!r} is no set; give a dictionary, the text or the path of a set file")
        self._native = _impartial.Set.open(text, _options(limits))

    @classmethod
    def _of(cls, native: _impartial.Set) -> Set:
        made = cls.__new__(cls)
        made._native = native
        return made

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return self._native.dimension

    def union(self, other: Set, **limits: Unpack[Limits]) -> Set:
        """What lies in either set."""
        return Set._of(self._native.combined("union", _set(other), _options(limits)))

    def intersection(self, other: Set, **limits: Unpack[Limits]) -> Set:
        """What lies in both sets: of generating functions, the Hadamard product."""
        return Set._of(self._native.combined("intersection", _set(other), _options(limits)))

    def difference(self, other: Set, **limits: Unpack[Limits]) -> Set:
        """What lies in this set and not in the other."""
        return Set._of(self._native.combined("difference", _set(other), _options(limits)))

    def complement(self, **limits: Unpack[Limits]) -> Set:
        """The rest of ℕᵈ."""
        return Set._of(self._native.complement(_options(limits)))

    def translate(self, by: Sequence[int], **limits: Unpack[Limits]) -> Set:
        """The vectors x + by that lie in ℕᵈ."""
        return Set._of(self._native.translate(by, _options(limits)))

    def project(self, *coordinates: int, **limits: Unpack[Limits]) -> Set:
        """The projection to these coordinates, counted from 1."""
        return Set._of(self._native.project(list(coordinates), _options(limits)))

    def count(self, box: int | Sequence[int], **limits: Unpack[Limits]) -> int:
        """The number of elements in a box of any size."""
        return self._native.count(sizes(box), _options(limits))

    def members(self, box: int | Sequence[int], **limits: Unpack[Limits]) -> list[tuple[int, ...]]:
        """The elements in a box, sorted."""
        return self._native.members(sizes(box), _options(limits))

    def equal(self, other: Set, **limits: Unpack[Limits]) -> Report:
        """Whether two sets are equal, with a ``witness`` when not."""
        return Report(*self._native.equal(_set(other), _options(limits)))

    def hilbert_basis(self, **limits: Unpack[Limits]) -> list[tuple[int, ...]]:
        """The minimal generators of a cone's integer points."""
        return [tuple(int(x) for x in v) for v in self._native.hilbert_basis(_options(limits))[0]["basis"]]

    def hilbert_series(self, grading: Sequence[int] | None = None, **limits: Unpack[Limits]) -> Report:
        """The Hilbert series of a cone or semigroup: ``numerator`` and the exponents of the ``denominator``."""
        return Report(*self._native.hilbert_series(grading, _options(limits)))

    def report(self, **limits: Unpack[Limits]) -> Report:
        """The set as strata."""
        return Report(*self._native.report(_options(limits))[0])

    def to_text(self) -> str:
        """The text of a set file."""
        return self._native.report(None)[1]

    def __or__(self, other: Set) -> Set:
        return self.union(other)

    def __and__(self, other: Set) -> Set:
        return self.intersection(other)

    def __sub__(self, other: Set) -> Set:
        return self.difference(other)

    def __invert__(self) -> Set:
        return self.complement()

    def __contains__(self, x: Sequence[int]) -> bool:
        return self._native.contains(x, None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Set):
            return NotImplemented
        return self.dimension == other.dimension and bool(self.equal(other).equal)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.report())

    def __repr__(self) -> str:
        return f"<Set in {self.dimension} coordinates>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Set, (self.to_text(),))

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self)}</pre>"


def _set(other: object) -> _impartial.Set:
    if not isinstance(other, Set):
        raise TypeError(f"{other!r} is no Set")
    return other._native
