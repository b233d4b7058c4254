"""Exact and proved strategies for impartial combinatorial games.

>>> from impartial import Game
>>> kayles = Game("kayles")
>>> kayles.grundy("3+5+7"), kayles.grundy([3, 5, 7]), kayles.outcome(11)
(5, 5, 'N')
>>> print(kayles.period())
preperiod 71, period 12, saltus 0
proved from the values of heaps 0 to 185 (guy-smith); largest of them 8

A lattice game is solved for all of its infinitely many positions:

>>> strategy = Game("exotic").solve()
>>> strategy.proved, strategy.outcome((10**24 + 6, 6))
(True, 'P')
>>> strategy.count(10**6)
333333666666

Games are names, notations, game files, or dictionaries with the content of a game file; positions are ints, tuples, lists or text.
A question that cannot be answered raises: ``ValueError`` or ``TypeError`` for bad input, :class:`Unsupported` for a question that
the game does not have, :class:`Stopped` (with what is known) when a limit was reached, :class:`Refused` for a claim that is false.
"""

from __future__ import annotations

from ._impartial import VERSION as __version__
from ._impartial import interrupt
from .errors import Refused, Stopped, Unsupported
from .game import Game, Values, chains, games
from .poset import Poset
from .quotient import Quotient
from .report import Picture, Report
from .rules import Rules, Sum
from .sets import Set
from .strategy import Series, Strategy, Stratification, check, prove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._survey import Survey, survey

__all__ = [
    "Game",
    "Picture",
    "Poset",
    "Quotient",
    "Refused",
    "Report",
    "Rules",
    "Series",
    "Set",
    "Stopped",
    "Strategy",
    "Stratification",
    "Sum",
    "Survey",
    "Unsupported",
    "Values",
    "__version__",
    "chains",
    "check",
    "games",
    "interrupt",
    "prove",
    "survey",
]


def __getattr__(name: str) -> object:
    # Surveys bring a database and process pools with them: they are loaded when somebody asks.
    if name in ("survey", "Survey"):
        import importlib

        module = importlib.import_module("._survey", __name__)
        globals().update(survey=module.survey, Survey=module.Survey)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
