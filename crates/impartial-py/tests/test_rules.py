"""Rules written in Python, against the library's own."""

import itertools

import pytest

import impartial
from impartial import Game, Rules, Stopped, Sum


def kayles_options(n):
    return [Sum(a, n - k - a) for k in (1, 2) for a in range(n - k + 1)]


def test_grundy_values_agree_with_the_library():
    rules = Rules(kayles_options)
    assert [rules.grundy(n) for n in range(60)] == list(Game("kayles").values(59))
    for heaps in itertools.product(range(6), repeat=3):
        assert rules.outcome(Sum(*heaps)) == Game("kayles").outcome(heaps)


def test_misere_play_agrees_with_the_library():
    rules, game = Rules(kayles_options), Game("kayles")
    for heaps in itertools.product(range(1, 7), repeat=2):
        assert rules.outcome(Sum(*heaps), play="misere") == game.outcome(heaps, play="misere")


def test_a_class_is_a_ruleset():
    class Wythoff:
        def options(self, position):
            a, b = position
            moves = [(a - k, b) for k in range(1, a + 1)] + [(a, b - k) for k in range(1, b + 1)]
            return moves + [(a - k, b - k) for k in range(1, min(a, b) + 1)]

    for rules in (Rules(Wythoff), Rules(Wythoff())):
        p = [(a, b) for a in range(16) for b in range(a, 16) if rules.outcome((a, b)) == "P"]
        assert p == [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15)]
        assert rules.winning_moves((4, 8)) == [(4, 7)]


def test_the_function_is_asked_once_a_position():
    asked = []

    def options(n):
        asked.append(n)
        return [n - k for k in (1, 2, 3) if k <= n]

    rules = Rules(options)
    assert [rules.grundy(n) for n in range(100)] == [n % 4 for n in range(100)]
    rules.outcome(99, play="misere")
    assert sorted(asked) == list(range(100)) and rules.known == 100


def test_deep_games_need_no_recursion():
    assert Rules(lambda n: [n - 1] if n else []).grundy(50_000) == 0


def test_what_the_function_raises_goes_on():
    def options(n):
        if n == 3:
            raise KeyError("three")
        return [n - 1] if n else []

    rules = Rules(options)
    with pytest.raises(KeyError, match="three"):
        rules.grundy(9)
    assert rules.grundy(2) == 0  # nothing wrong was remembered


@pytest.mark.parametrize("options", [lambda n: 5, lambda n: "abc", lambda n: None])
def test_wrong_answers_of_the_function(options):
    with pytest.raises(TypeError, match="give a list of positions"):
        Rules(options).grundy(1)


def test_lists_cannot_be_remembered():
    with pytest.raises(TypeError, match="hashable"):
        Rules(lambda n: [[n]]).grundy(1)
    with pytest.raises(TypeError, match="options"):
        Rules(3)


def test_loops_are_refused():
    with pytest.raises(ValueError, match="reached from itself"):
        Rules(lambda n: [(n + 1) % 5]).grundy(0)
    with pytest.raises(ValueError, match="reached from itself"):
        Rules(lambda n: [n]).outcome(0, play="misere")


def test_endless_games_are_stopped():
    with pytest.raises(Stopped):
        Rules(lambda n: [n + 1]).grundy(0, time_limit=0.3)


def test_rules_that_ask_themselves():
    inner = Rules(kayles_options)
    outer = Rules(lambda n: [k for k in range(n) if inner.grundy(k) < n])
    assert outer.grundy(8) == 8
    assert isinstance(impartial.Sum(1, 2), tuple)
