"""How questions are asked: limits and progress."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal, TypedDict, Union

    class Limits(TypedDict, total=False):
        """What every long question takes."""

        play: Literal["normal", "misere"] | None
        """The winning condition; the game's own when it is left out."""
        method: str | None
        """How to solve: ``"learn"``, ``"sector"``, …; the cheapest when it is left out."""
        max_heap: int | None
        """Heap games: heaps of at most this size."""
        to: int | None
        """Periods: look no further than this heap."""
        time_limit: float | None
        """Seconds on the clock."""
        cpu_limit: float | None
        """Seconds of processor time; all the work is then done in one thread."""
        memory_limit: int | None
        """Bytes of memory of the whole process."""
        progress: bool | Callable[[int, int | None, float], object] | None
        """``progress(done, total, seconds)``, or whether to show a bar; in terminals and notebooks there is one when tqdm is."""

    # Positions: heaps, points, rows, names; parts of sums.
    Position = Union[int, str, Iterable[Any]]


class Bar:
    """A bar by tqdm, once a question has taken half a second."""

    __slots__ = ("_bar", "_forced")

    def __init__(self, forced: bool) -> None:
        self._bar: Any = None
        self._forced = forced

    def __call__(self, done: int | None, total: int | None, seconds: float) -> None:
        if done is None:
            if self._bar is not None and self._bar is not False:
                self._bar.close()
            return
        if self._bar is None and seconds > 0.5:
            self._bar = self._opened()
        # A bar of tqdm without a total has no truth value.
        if self._bar is not None and self._bar is not False:
            self._bar.total = total
            self._bar.n = done if total is None else min(done, total)
            self._bar.refresh()

    def _opened(self) -> Any:
        in_notebook = "ipykernel" in sys.modules
        if not (self._forced or in_notebook or (sys.stderr is not None and sys.stderr.isatty())):
            return False
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(leave=False, unit="")


def options(given: Limits) -> dict[str, Any]:
    """The options of a question, as the native half takes them."""
    asked: dict[str, Any] = dict(given)
    progress = asked.pop("progress", None)
    if progress is None or progress is True:
        asked["progress"] = Bar(forced=progress is True)
    elif progress is not False:
        if not callable(progress):
            raise TypeError("progress is True, False or a function of (done, total, seconds)")
        call = progress
        asked["progress"] = lambda done, total, seconds: None if done is None else call(done, total, seconds)
    return asked
