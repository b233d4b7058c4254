"""Why a question has no answer."""

from __future__ import annotations

from .report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .strategy import Strategy


class Stopped(RuntimeError):
    """A limit was reached: this is not an answer.

    ``reason`` is ``"time"``, ``"default time"``, ``"memory"`` or ``"size"``; ``known`` is a report of what is known, or ``None``.

    >>> from impartial import Game, Stopped
    >>> try:
    ...     Game("0.6").solve(to=1000)
    ... except Stopped as stop:
    ...     print(stop.known.checked_to, stop.known.proved)
    1000 False
    """

    def __init__(
        self, message: str, reason: str = "", known: tuple[dict[str, Any], str, str | None] | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self._known = known

    @property
    def known(self) -> Report | None:
        """What is known so far."""
        return None if self._known is None else Report(self._known[0], self._known[1])

    @property
    def strategy(self) -> Strategy | None:
        """The strategy of the part that is solved, where there is one."""
        from .strategy import Strategy

        text = None if self._known is None else self._known[2]
        return None if text is None else Strategy.from_text(text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Stopped, (self.args[0], self.reason, self._known))


class Refused(Exception):
    """A claim was checked and is false, or its certificate does not prove it; ``position`` is where, when there is such a place."""

    def __init__(self, message: str, position: str | None = None) -> None:
        super().__init__(message)
        self.position = position

    def __reduce__(self) -> tuple[Any, ...]:
        return (Refused, (self.args[0], self.position))


class Unsupported(ValueError):
    """The question makes no sense for this kind of game or form of strategy."""
