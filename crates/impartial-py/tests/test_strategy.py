"""Strategies: files, conversions, many positions at once, algebra of sets, quotients, series."""

import itertools
import json
import pickle
from pathlib import Path

import numpy
import pytest
from forge import redigested

import impartial
from impartial import Game, Refused, Set, Strategy

RULES = [(1, 0), (0, 1), (2, 2)]


def p_positions(size):
    """By the definition."""
    p = set()
    for x, y in sorted(itertools.product(range(size), repeat=2), key=sum):
        if not any((x - a, y - b) in p for a, b in RULES):
            p.add((x, y))
    return p


@pytest.fixture(scope="module")
def exotic():
    return Game("exotic").solve()


def test_outcomes_are_those_of_the_definition(exotic):
    p = p_positions(40)
    points = numpy.array(list(itertools.product(range(40), repeat=2)))
    found = exotic.outcomes(points)
    assert {tuple(map(int, x)) for x in points[found == "P"]} == p
    assert exotic.count(40) == len(p)
    assert all(exotic.outcome(tuple(map(int, x))) == o for x, o in zip(points[::37], found[::37]))


def test_many_outcomes_in_every_form(exotic):
    points = numpy.array(list(itertools.product(range(12), repeat=2)), dtype=numpy.int32)
    expected = exotic.outcomes(points)
    for form in ("stratification", "series", "automaton"):
        assert (exotic.convert(form).outcomes(points) == expected).all()
    assert exotic.outcomes(points.reshape(12, 12, 2)).shape == (12, 12)
    kayles = Game("kayles").solve()
    pairs = numpy.array([[3, 5], [4, 4], [11, 0]])
    assert list(kayles.outcomes(pairs)) == [kayles.outcome(tuple(map(int, pair))) for pair in pairs]


def test_bad_arrays(exotic):
    with pytest.raises(TypeError, match="integers"):
        exotic.outcomes([[0.5, 1.0]])
    with pytest.raises(ValueError, match="position 1 of the list"):
        exotic.outcomes([[0, 0], [-1, 0]])
    with pytest.raises(ValueError):
        exotic.outcomes([[1, 2, 3]])
    with pytest.raises(ValueError):
        exotic.outcomes(3)
    with pytest.raises(ValueError, match="2\\*\\*63"):
        exotic.outcomes(numpy.array([[2**64 - 1, 0]], dtype=numpy.uint64))
    assert exotic.outcomes([]).shape == (0,)
    assert exotic.outcomes(numpy.empty((0, 2), dtype=int)).shape == (0,)
    assert exotic.outcome((6 * 2**62, 6 * 2**62)) == exotic.outcomes([[6 * 2**50, 6 * 2**50]])[0] == "P"


def test_files(tmp_path, exotic):
    path = tmp_path / "exotic.json"
    exotic.save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["exotic.json"]
    loaded = Strategy.load(path)
    assert loaded.proved and loaded == exotic
    claimed = Strategy.load(path, trust=True)
    assert not claimed.proved and claimed.outcome((3, 4)) == "P"
    with pytest.raises(ValueError, match="verify"):
        claimed.convert("series")
    assert claimed.verify().proved
    assert impartial.check(path).valid

    wrong = json.loads(path.read_text())
    table = wrong["certificate"]["automaton"]
    table["accepting"] = []
    path.write_text(redigested(wrong))
    assert impartial.check(path).valid is False
    with pytest.raises(Refused):
        Strategy.load(path)
    with pytest.raises(Refused):
        Strategy.load(path, trust=True).verify()
    path.write_text("no strategy")
    with pytest.raises(ValueError):
        Strategy.load(path)
    with pytest.raises(FileNotFoundError):
        Strategy.load(tmp_path / "missing.json")


def test_pickles_are_checked_where_they_are_read(exotic):
    for strategy in (exotic, exotic.convert("series"), Game("kayles").solve(), Game("0.123").solve(play="misere")):
        again = pickle.loads(pickle.dumps(strategy))
        assert again.proved and again == strategy
    wrong = json.loads(exotic.to_text())
    wrong["certificate"]["automaton"]["accepting"] = []
    restore, (_, trust) = exotic.__reduce__()
    with pytest.raises(Refused):
        restore(redigested(wrong), trust)
    quotient = Game("0.123").quotient(play="misere")
    assert pickle.loads(pickle.dumps(quotient)) == quotient
    assert pickle.loads(pickle.dumps(exotic.series())).terms == exotic.series().terms
    assert len(pickle.loads(pickle.dumps(exotic.stratification()))) == 2


def test_quotients_multiply():
    quotient = Game("0.123").quotient(play="misere")
    table = quotient.table
    elements = quotient.elements
    assert table.shape == (20, 20) and (table == table.T).all()
    for x, y, z in itertools.islice(itertools.product(range(20), repeat=3), 0, None, 7):
        assert table[table[x, y], z] == table[x, table[y, z]]
    assert quotient.multiply("b^2", "c") == "b^3"  # a relation
    assert all(elements[table[0, x]] == elements[x] for x in range(20))
    # The outcome of a sum of heaps is that of the product of their values.
    game = Game("0.123")
    for heaps in [(3, 4), (8, 9), (9, 9, 6), (1, 1), (12, 5, 3)]:
        product = "1"
        for heap in heaps:
            product = quotient.multiply(product, quotient.heap(heap))
        assert quotient.outcome(product) == game.outcome(heaps, play="misere")
    assert quotient.heap(10**9) == quotient.heap(5 + (10**9 - 5) % 5)
    with pytest.raises(ValueError, match="no element"):
        quotient.multiply("q", "a")
    assert "<table" in quotient._repr_html_() and "b^{4}=b^{2}" in quotient._repr_latex_()
    assert quotient._repr_svg_().startswith("<svg") and "<svg" in quotient._repr_html_()  # the Cayley graph


def test_infinite_quotients():
    # Dawson's Kayles to heap 38: a monoid times counters, from a file that the checker reads.
    strategy = Strategy.load(Path(__file__).parents[3] / "testdata" / "misere-0.07-38.json")
    assert strategy.proved and strategy.form == "counters"
    assert strategy.outcome("2+4+25+34+34") == "P"


def test_series_and_strata(exotic):
    sympy = pytest.importorskip("sympy")
    series = exotic.series()
    x, y = series.symbols()
    f = series.sympy()
    # Coefficients by brute force: put numbers for the variables into the first terms.
    p = p_positions(30)
    value = sympy.Rational(1, 7)
    exact = f.subs({x: value, y: value})
    partial = sum(value ** (a + b) for a, b in p)
    assert 0 <= exact - partial < value**28
    assert "\\frac" in series._repr_latex_() and exotic.latex()
    strata = exotic.stratification()
    assert strata._repr_svg_().startswith("<svg") and strata._repr_latex_().startswith("$")
    members = set()
    for module in strata:
        for base in module.bases:
            for n, m in itertools.product(range(20), repeat=2):
                g, h = module.generators
                members.add((base[0] + n * g[0] + m * h[0], base[1] + n * g[1] + m * h[1]))
    assert {v for v in members if max(v) < 12} == p_positions(12)


def test_sets(exotic):
    p = exotic.set()
    assert set(p.members(20)) == p_positions(20)
    rest = ~p
    assert (p & rest).count(100) == 0 and (p | rest).count(100) == 10_000
    assert p - rest == p and p != rest and p.equal(rest).witness
    assert (3, 4) in p and (3, 5) not in p and (-1, 0) not in p
    assert p.translate((1, 0)).count(10) == len([v for v in p_positions(10) if v[0] + 1 < 10])
    assert p.project(1).count(100) == 100
    assert pickle.loads(pickle.dumps(p)) == p
    assert Set(p.to_text()) == p
    for wrong in ({}, {"kind": "semigroup"}, {"kind": "what"}):
        with pytest.raises(ValueError):
            Set(wrong)
    with pytest.raises(TypeError):
        p & 3
    with pytest.raises(ValueError):
        (1, 2, 3) in p


def test_claims_are_proved_or_refuted():
    good = 'game = "exotic"\nform = "stratification"\nmodules = [ { bases = [[0,0],[1,1],[3,4],[4,3]], generators = [[0,2],[6,6]] }, { bases = [[2,0],[3,1],[5,4],[6,3]], generators = [[2,0],[6,6]] } ]\n'
    assert impartial.prove(good).proved
    with pytest.raises(Refused) as refused:
        impartial.prove(good.replace("[3,4],", ""))
    assert refused.value.position


def test_native_classes_are_not_made_by_hand():
    with pytest.raises(TypeError):
        Strategy("text")


def test_congruence():
    found = Game("0.123").congruent("1", "2", play="misere")
    assert not found.congruent and found.witness
    assert Game("0.123").solve(play="misere").congruent("1+1", "2").congruent
