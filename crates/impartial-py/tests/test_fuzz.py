"""Any object in any place: an answer, or an exception with a message; never a panic."""

import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings
from hypothesis import strategies as st

import impartial
from impartial import Game, Set

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**70), max_value=2**200),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=8),
    st.complex_numbers(),
)
ANYTHING = st.recursive(PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=4), st.tuples(inner, inner), st.dictionaries(st.text(max_size=5), inner, max_size=3), st.frozensets(st.integers(), max_size=3)), max_leaves=8)
EXPECTED = (TypeError, ValueError, impartial.Stopped, impartial.Refused)
LIMITS = {"time_limit": 0.2, "memory_limit": 4 << 30, "progress": False}

kayles, exotic, chomp = Game("kayles"), Game("exotic"), Game("chomp:3x4")
solved = [kayles.solve(), exotic.solve(), Game("0.123").solve(play="misere"), chomp.solve()]
few = settings(max_examples=60, deadline=None, derandomize=True)


def tried(call, *arguments, **options):
    try:
        return call(*arguments, **options)
    except EXPECTED as error:
        assert str(error)
        assert "mistake in impartial" not in str(error)
    except OSError:
        pass  # a text that names a file which cannot be read


@few
@given(ANYTHING)
def test_positions(position):
    for game in (kayles, exotic, chomp, Game("wythoff"), Game("divisors:36")):
        tried(game.outcome, position, **LIMITS)
        tried(game.position, position)
        tried(game.options, position)
    for strategy in solved:
        outcome = tried(strategy.outcome, position)
        assert outcome in (None, "P", "N")
        tried(strategy.winning_moves, position)
        tried(strategy.outcomes, position)


@few
@given(ANYTHING)
def test_games(game):
    tried(Game, game)
    tried(Set, game)


@few
@given(st.sampled_from(["0.", "4.", "subtract:", "chomp:", "divisors:", "nim-poset:", "chomp-chains:", "subsets:"]), st.text("0123456789ABCxF,.[]-: ", max_size=12))
def test_notations(head, rest):
    game = tried(Game, head + rest)
    if game is not None:
        tried(game.start)


@few
@given(ANYTHING)
def test_options(value):
    for key in ("play", "method", "max_heap", "to", "time_limit", "cpu_limit", "memory_limit"):
        tried(kayles.period, **{"time_limit": 0.2, "to": 300, "progress": False, key: value})
    tried(exotic.count, value, **LIMITS)
    tried(kayles.values, value if not isinstance(value, int) else value % 1000, **LIMITS)


@few
@given(st.text(max_size=60))
def test_files(text):
    tried(impartial.Strategy.from_text, text)
    tried(impartial.prove, text + "\n")


@few
@given(st.lists(st.tuples(st.integers(0, 2**40), st.integers(0, 2**40)), min_size=1, max_size=20))
def test_one_and_many_agree(points):
    strategy = solved[1]
    assert list(strategy.outcomes(points)) == [strategy.outcome(point) for point in points]
