"""Games: positions in every spelling, answers against plain recursion, errors with remedies."""

import functools
import pickle
from pathlib import Path

import numpy
import pytest

import impartial
from impartial import Game, Stopped, Unsupported


@functools.lru_cache(maxsize=None)
def kayles_by_definition(n):
    options = {kayles_by_definition(a) ^ kayles_by_definition(n - k - a) for k in (1, 2) for a in range(n - k + 1)}
    return next(g for g in range(len(options) + 1) if g not in options)


def test_values_are_those_of_the_definition():
    values = Game("kayles").values(120)
    assert list(values) == [kayles_by_definition(n) for n in range(121)]
    assert values == Game("0.77").values(120)


def test_values_are_an_array_without_objects():
    values = Game("kayles").values(10**6)
    array = values.array
    assert array.shape == (10**6 + 1,) and array.dtype == numpy.uint32
    assert not array.flags.owndata  # it shares the memory of the answer
    assert numpy.array_equal(array[71 + 12 :], array[71:-12])
    assert numpy.asarray(values).base is not None
    assert numpy.asarray(values, dtype=float).dtype == float


@pytest.mark.parametrize("position", ["3+5", "5 3", "3,5", [3, 5], (5, 3), numpy.array([3, 5]), [3, 0, 5], range(3, 6, 2)])
def test_positions_have_many_spellings(position):
    kayles = Game("kayles")
    assert kayles.position(position) == (3, 5)
    assert kayles.grundy(position) == kayles_by_definition(3) ^ kayles_by_definition(5)


def test_one_heap_is_an_int():
    assert Game("kayles").grundy(11) == Game("kayles").grundy((11,)) == Game("kayles").grundy(numpy.int64(11)) == 6


def test_ints_have_any_size():
    far = 10**5000
    kayles = Game("kayles").solve()
    assert kayles.grundy(far) == Game("kayles").values(71 + 12)[71 + (far - 71) % 12]
    exotic = Game("exotic").solve()
    six = 6 * 10**100_000
    assert exotic.outcome((six, six)) == "P"
    assert exotic.count((10**1000, 1)) == 10**1000 // 2


@pytest.mark.parametrize(
    "position",
    [3.0, float("nan"), float("inf"), True, None, {"a": 1}, [1, 2.5], [True], object(), [None], b"3", 1j],
)
def test_wrong_types_say_what_is_wanted(position):
    for reader in (Game("kayles"), Game("exotic"), Game("exotic").solve()):
        with pytest.raises((TypeError, ValueError)) as error:
            reader.outcome(position)
        assert str(error.value)


@pytest.mark.parametrize("position", [-1, [3, -5], "", "three", "3+", "3+-5", (1, 2, "x")])
def test_wrong_positions_are_value_errors(position):
    with pytest.raises(ValueError) as error:
        Game("kayles").outcome(position)
    assert len(str(error.value)) > 10


def test_points_need_their_dimension():
    exotic = Game("exotic")
    with pytest.raises(ValueError, match="2"):
        exotic.outcome((1, 2, 3))
    with pytest.raises(ValueError, match="board"):
        exotic.outcome((-1, 2))


@pytest.mark.parametrize("game", [None, 3, 0.77, ["0.77"], b"0.77"])
def test_games_are_text_paths_or_dictionaries(game):
    with pytest.raises(TypeError, match="no game"):
        Game(game)


@pytest.mark.parametrize("game", ["", "0.8x", "nothing-like-this", "subtract:", "chomp:0", "no/such.toml", {}, {"kind": "heap"}, {"kind": "x"}])
def test_wrong_games_are_value_errors(game):
    with pytest.raises(ValueError) as error:
        Game(game)
    assert len(str(error.value)) > 10


def test_options_are_checked():
    kayles = Game("kayles")
    with pytest.raises(TypeError, match="tiem_limit"):
        kayles.period(tiem_limit=3)
    with pytest.raises(ValueError, match="play"):
        kayles.outcome(3, play="backwards")
    for limit in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="time_limit"):
            kayles.period(time_limit=limit)
    with pytest.raises(TypeError, match="time_limit"):
        kayles.period(time_limit="soon")
    with pytest.raises(ValueError):
        kayles.values(-1)
    with pytest.raises(TypeError):
        kayles.values(1.5)
    with pytest.raises(ValueError, match="box"):
        Game("exotic").count((-1, 2))
    with pytest.raises(TypeError, match="box"):
        Game("exotic").count("10")
    with pytest.raises(TypeError, match="progress"):
        kayles.period(progress=3)


def test_messages_name_the_options_of_python():
    with pytest.raises(ValueError) as error:
        Game("kayles").grundy(3, play="misere")
    assert "--" not in str(error.value)


def test_questions_without_meaning():
    with pytest.raises(Unsupported, match="poset"):
        Game("chomp:3x4").period()


def test_stops_tell_what_is_known():
    with pytest.raises(Stopped) as stop:
        Game("0.6").period(time_limit=0.05, to=10**9)
    assert stop.value.reason == "time"
    assert stop.value.known.checked_to > 10 and stop.value.known.proved is False
    again = pickle.loads(pickle.dumps(stop.value))
    assert again.known.checked_to == stop.value.known.checked_to
    with pytest.raises(Stopped) as stop:
        Game("0.07").solve(play="misere", max_heap=14, cpu_limit=0.0)
    assert stop.value.reason == "time"


def test_a_stopped_quotient_is_a_strategy_of_a_part():
    quotient = Game("0.77").quotient(play="misere", max_heap=8)
    assert quotient.report["max_heap"] == 8 and quotient.strategy.proved


def test_games_from_files(tmp_path):
    part = tmp_path / "exotic2.toml"
    part.write_text('kind = "lattice"\nrules = [[1, 0], [0, 1], [2, 2]]\n')
    whole = tmp_path / "sum.toml"
    whole.write_text('kind = "sum"\nparts = ["kayles", "exotic2.toml"]\n')
    game = Game(whole)
    assert game.kind == "sum"
    copy = pickle.dumps(game)
    outcome = game.outcome(["3+5", (3, 4)])
    part.unlink()
    whole.unlink()
    assert pickle.loads(copy).outcome("3+5|(3,4)") == outcome  # the pickle needs no files
    with pytest.raises(ValueError, match="check the path"):
        Game(whole)


def test_pickles():
    for text in ("kayles", "0.123", "subtract:1,2,3", "exotic", "chomp:3x4", "wythoff", "divisors:360"):
        game = pickle.loads(pickle.dumps(Game(text)))
        assert game == Game(text) and hash(game) == hash(Game(text)) and game.start() == Game(text).start()
    lattice = Game({"kind": "lattice", "rules": [[1, 0], [0, 1], [2, 2]]})
    assert pickle.loads(pickle.dumps(lattice)) == lattice
    values = Game("kayles").values(20)
    assert pickle.loads(pickle.dumps(values)) == values
    report = Game("kayles").period()
    assert pickle.loads(pickle.dumps(report)) == report


def test_every_game_of_the_catalogue_opens():
    listed = impartial.games().games
    assert len(listed) > 20
    for entry in listed:
        assert Game(entry["name"]).kind


def test_posets():
    chomp = Game("chomp:3x4")
    assert chomp.winning_moves((4, 4, 4)) == [(4, 2, 2)]
    assert chomp.outcome("4,2,2") == "P"
    poset = impartial.Poset("abc", [("a", "b"), ("a", "c")])
    assert poset.game.outcome({"b", "a"}) == poset.game.outcome("{a,b}") == "N"
    assert poset._repr_svg_().startswith("<svg")


def test_chains_at_large_places():
    far = 10**6000
    found = impartial.chains("5,3", at=far)
    assert found.proved and (found.n is None or abs(found.n - far) < 1000)
    assert found.at == far


def test_displays():
    html = Game("kayles").values(100)._repr_html_()
    assert "period 12 from heap 71 on" in html and html.count("<tr") > 5
    assert "no period" in Game("0.6").values(50)._repr_html_()
    assert Game("exotic").plot(box=(8, 8))._repr_svg_().startswith("<svg")
    assert "kayles" in Game("kayles")._repr_html_()
    assert "<pre>" in Game("kayles").period()._repr_html_()


def test_the_version_is_the_workspaces():
    text = (Path(__file__).parents[3] / "Cargo.toml").read_text()
    assert f'version = "{impartial.__version__}"' in text
