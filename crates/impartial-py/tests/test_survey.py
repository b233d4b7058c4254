"""Surveys: the same rows on threads, processes, shards and a Dask cluster that loses a worker."""

import itertools
import json
import os
import signal
import sqlite3
import threading
import time

import pytest
from forge import redigested

import impartial
from impartial import Refused, Survey, survey

CODES = ["0." + "".join(digits) for digits in itertools.product("0137", "1357")] + ["4.3", "4.7"]
BUDGETS = [0.05, 3]
ASKED = {"question": "period", "to": 3000, "budgets": BUDGETS}


def facts(rows):
    """Rows without what differs from run to run: the time, and where the clock stopped a game."""
    kept = []
    for row in rows:
        known = (row["result"], row["certificate"]) if row["status"] == "proved" else None
        kept.append((row["game"], row["question"], json.dumps(row["options"]), row["status"], json.dumps(known), row["version"]))
    return kept


@pytest.fixture(scope="module")
def undisturbed():
    return facts(survey(CODES, client="threads", workers=2, **ASKED))


def test_rows_say_how_they_were_made(undisturbed):
    found = survey(CODES[:3], **ASKED)
    assert len(found) == 3 and len(undisturbed) == len(CODES)
    for row in found:
        assert row["version"] == impartial.__version__
        assert row["budget"] in BUDGETS and 0 <= row["cpu_seconds"] < row["budget"] + 1
    assert any(status == "proved" for *_, status, _, _ in undisturbed)


def test_processes_give_the_same(undisturbed, tmp_path):
    assert facts(survey(CODES, client="processes", workers=2, output=tmp_path / "p.sqlite", **ASKED)) == undisturbed


def test_shards_and_merging(undisturbed, tmp_path):
    shards = [tmp_path / f"{i}.sqlite" for i in (1, 2, 3)]
    sizes = [len(survey(CODES, output=shards[i - 1], shard=(i, 3), **ASKED)) for i in (1, 2, 3)]
    assert sum(sizes) == len(CODES) and max(sizes) < len(CODES)
    whole = Survey(tmp_path / "whole.sqlite").merge(*shards)
    assert facts(whole) == undisturbed
    assert facts(whole.merge(*shards)) == undisturbed  # nothing changes the second time

    with sqlite3.connect(shards[0]) as other:
        other.execute("UPDATE survey SET version = '0.0.1'")
    with pytest.raises(ValueError, match="versions"):
        whole.merge(shards[0])


def test_the_stronger_result_is_kept(tmp_path):
    path = tmp_path / "s.sqlite"
    first = survey(["kayles"], "solve", budgets=[0], output=path)
    assert [row["status"] for row in first] == ["stopped"]
    second = survey(["kayles"], "solve", budgets=[5], output=path)
    assert [(row["status"], row["budget"]) for row in second] == [("proved", 5)]
    weak = survey(["kayles"], "solve", budgets=[0])
    assert [row["status"] for row in second.merge(weak)] == ["proved"]
    strategy = second.strategy(second.rows()[0])
    assert strategy.proved and strategy.grundy(11) == 6


def test_a_proved_period_has_a_certificate(tmp_path):
    path = tmp_path / "s.sqlite"
    found = survey(["kayles", "0.6"], "period", to=2000, budgets=[5], output=path)
    open_game, kayles = found.rows()
    assert (open_game["status"], open_game["certificate"]) == ("found", None)
    assert kayles["status"] == "proved" and found.strategy(kayles).grundy(11) == 6
    assert len(Survey(tmp_path / "new.sqlite").merge(found)) == 2
    for change, words in [("result = replace(result, '12', '24')", "its period is 12, and the row says 24"), ("certificate = NULL", "without a certificate")]:
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE survey SET {change} WHERE game = 'kayles'")
        with pytest.raises(Refused, match=words):
            Survey(tmp_path / "new.sqlite").merge(path)


def test_changed_certificates_are_refused(tmp_path):
    path = tmp_path / "s.sqlite"
    found = survey(["exotic"], budgets=[10], output=path)
    digest = found.rows()[0]["certificate"]
    file = tmp_path / "s.sqlite.certificates" / f"{digest}.json"
    text = file.read_text()
    file.write_text(text.replace("1", "2", 1))
    with pytest.raises(Refused, match="changed"):
        Survey(tmp_path / "new.sqlite").merge(path)
    # A wrong certificate under its own digest is refused by the checker.
    import hashlib

    forged = json.loads(text)
    forged["certificate"]["automaton"]["accepting"] = []
    forged = redigested(forged)
    name = hashlib.sha256(forged.encode()).hexdigest()
    (file.parent / f"{name}.json").write_text(forged)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE survey SET certificate = ?", (name,))
    with pytest.raises(Refused, match="wrong"):
        Survey(tmp_path / "new.sqlite").merge(path)
    # A row that says something else than its certificate is refused, and a proof without one.
    with sqlite3.connect(path) as database:
        database.execute("UPDATE survey SET certificate = ?, result = replace(result, 'automaton', 'sectors')", (digest,))
    file.write_text(text)
    with pytest.raises(Refused, match="the row says sectors"):
        Survey(tmp_path / "new.sqlite").merge(path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE survey SET certificate = NULL, result = replace(result, 'sectors', 'automaton')")
    with pytest.raises(Refused, match="without a certificate"):
        Survey(tmp_path / "new.sqlite").merge(path)
    # So is a sound one of another game.
    other = survey(["kayles"], budgets=[10], output=path)
    with sqlite3.connect(path) as database:
        digest = other.rows()[1]["certificate"]
        database.execute("UPDATE survey SET certificate = ? WHERE game = 'exotic'", (digest,))
    with pytest.raises(Refused, match="not one for exotic"):
        Survey(tmp_path / "new.sqlite").merge(path)


def test_frames():
    pytest.importorskip("pandas")
    frame = survey(CODES[:4], **ASKED).frame()
    assert len(frame) == 4 and {"game", "status", "result.period", "cpu_seconds"} <= set(frame.columns)


def test_parquet_grows_while_the_survey_runs(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    folder, seen = tmp_path / "rows.parquet", []

    def look(done, games):
        files = list(folder.glob("*.parquet"))
        seen.append(len(pandas.read_parquet(folder)) if files else 0)

    found = survey(CODES, parquet=folder, progress=look, **ASKED)
    assert seen[0] >= 1 and seen[0] < len(CODES)  # rows were there before the end
    frame = pandas.read_parquet(folder)
    assert [(row["game"], row["status"]) for row in found] == list(zip(frame["game"], frame["status"]))
    assert len(list(folder.glob("*"))) == 1
    found.to_parquet(tmp_path / "wide.parquet")
    assert "result.period" in pandas.read_parquet(tmp_path / "wide.parquet").columns


def test_a_bar_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    survey(["0.6", "0.06", "0.14"], "period", to=10**9, budgets=[0.4], workers=1, progress=True)
    assert "/3" in capsys.readouterr().err
    with pytest.raises(TypeError, match="progress"):
        survey(["kayles"], progress=3)


def test_games_that_fail_do_not_stop_the_others():
    found = survey(["kayles", "chomp:3x4"], "period", budgets=[5])
    assert [(row["game"], row["status"]) for row in found] == [("chomp:3x4", "failed"), ("kayles", "proved")]


def test_bad_input(tmp_path):
    with pytest.raises(ValueError, match="question"):
        survey(["kayles"], "why")
    with pytest.raises(ValueError, match="budgets"):
        survey(["kayles"], budgets=[])
    with pytest.raises(ValueError, match="shard"):
        survey(["kayles"], shard=(3, 2))
    with pytest.raises(TypeError, match="client"):
        survey(["kayles"], client=3)
    with pytest.raises(ValueError):
        survey(["no-such-game"])
    (tmp_path / "other").write_text("not a database, but long enough to look like a file of some kind")
    with pytest.raises(ValueError, match="survey"):
        survey(["kayles"], output=tmp_path / "other")


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_dask_cluster_that_loses_a_worker(undisturbed, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            killed = []

            def kill(done, total):
                # After the first results, one worker is killed in the middle of a game.
                if done >= 3 and not killed:
                    killed.append(client.run(os.getpid))
                    os.kill(next(iter(killed[0].values())), signal.SIGKILL)

            path = tmp_path / "dask.sqlite"
            found = survey(CODES, client=client, output=path, progress=kill, **ASKED)
            assert killed, "no worker was killed"
            assert facts(found) == undisturbed
            deadline = time.monotonic() + 60
            while len(client.run(os.getpid)) < 2 and time.monotonic() < deadline:
                time.sleep(0.2)
            assert next(iter(killed[0].values())) not in client.run(os.getpid).values()


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_process_that_dies_is_replaced(undisturbed, tmp_path):
    import multiprocessing

    killed = []

    def kill(done, total):
        if done == 2 and not killed:
            killed.extend(multiprocessing.active_children()[:1])
            killed[0].kill()

    found = survey(CODES, client="processes", workers=2, progress=kill, output=tmp_path / "k.sqlite", **ASKED)
    assert killed and facts(found) == undisturbed


def test_a_killed_survey_goes_on(tmp_path, undisturbed):
    path = tmp_path / "s.sqlite"

    def stop(done, total):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        survey(CODES, output=path, progress=stop, **ASKED)
    assert 4 <= len(Survey(path)) < len(CODES)
    assert facts(survey(CODES, output=path, **ASKED)) == undisturbed
    assert threading.active_count() < 20
