"""A program of a user, for the type checker: `cargo xtask test` runs mypy on it."""

from __future__ import annotations

from pathlib import Path

from impartial import Game, Quotient, Report, Rules, Set, Stopped, Strategy, Sum, survey


def outcomes(game: Game) -> list[str]:
    return [game.outcome(3), game.outcome((3, 5)), game.outcome([3, 5]), game.outcome("3+5", play="misere")]


def proved(file: Path) -> bool:
    strategy: Strategy = Strategy.load(file, time_limit=30)
    return strategy.verify().proved and strategy.count((10, 10)) > 0


def period(code: str) -> Report | None:
    try:
        return Game(code).period(to=10**6, time_limit=1.5)
    except Stopped as stop:
        return stop.known


def product(quotient: Quotient) -> str:
    return quotient.multiply(quotient.elements[0], quotient.heap(3))


def nim() -> int:
    return Rules(lambda n: [Sum(k, n - 1 - k) for k in range(n)]).grundy(5)


def evens() -> Set:
    return Set({"kind": "semigroup", "generators": [[2, 0], [0, 2]]}) | Set("set.toml")


def rows() -> list[str]:
    return [str(row["status"]) for row in survey(["kayles"], "period", budgets=[1, 10], to=1000)]
