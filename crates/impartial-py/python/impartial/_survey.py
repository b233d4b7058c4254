"""Surveys: one question about many games, on threads, processes or a Dask cluster.

Each game is independent; its result is a row and, where there is a strategy, a certificate. Rows are kept as they come, so that a run
that is killed goes on where it was. Games that a small budget does not solve are asked again with a larger one.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _impartial
from ._options import Bar
from ._options import options as _options
from .errors import Refused, Stopped
from .game import Game, _restored
from .report import escaped, needs
from .strategy import Strategy

TABLE = """CREATE TABLE IF NOT EXISTS survey (
    game TEXT NOT NULL,          -- as it was written
    question TEXT NOT NULL,      -- 'solve', 'period', 'quotient'
    options TEXT NOT NULL,       -- how it was asked, as JSON with sorted keys
    status TEXT NOT NULL,        -- 'proved', 'found' (an answer without a proof), 'stopped' (by the budget), 'failed'
    result TEXT NOT NULL,        -- the answer, or what is known, as JSON
    reason TEXT,                 -- why there is no answer
    certificate TEXT,            -- SHA-256 of the strategy file, which is kept beside
    version TEXT NOT NULL,       -- of impartial
    budget REAL NOT NULL,        -- processor seconds allowed
    cpu_seconds REAL NOT NULL,   -- processor seconds used
    PRIMARY KEY (game, question, options)
)"""

COLUMNS = ("game", "question", "options", "status", "result", "reason", "certificate", "version", "budget", "cpu_seconds")
STRENGTH = {"failed": 0, "stopped": 1, "found": 2, "proved": 3}
QUESTIONS = ("solve", "period", "quotient")

# A game whose workers die this often is given up.
MOST_DEATHS = 3

def shard_of(game: str, shards: int) -> int:
    """Which of so many shards a game belongs to, from 1 on: the same on every machine.

    >>> [shard_of(code, 16) for code in ("0.07", "0.77", "0.137")]
    [4, 11, 1]
    """
    return int.from_bytes(hashlib.sha256(game.encode()).digest()[:8], "big") % shards + 1


def _answered(
    source: str, files: dict[str, str], question: str, options: dict[str, Any], budget: float
) -> tuple[dict[str, Any], str | None]:
    """Asks one question about one game: the row, and the strategy file."""
    status, reason, certificate = "found", None, None
    result: dict[str, Any] = {}
    try:
        game = _restored(source, files)
        asked: Any = {**options, "cpu_limit": budget, "progress": False}
        if question == "period":
            (result, _), proof = game._native.period_and_proof(_options(asked))
            certificate = None if proof is None else proof.file()
        elif question == "quotient":
            quotient = game.quotient(**asked)
            result = {k: quotient.report[k] for k in ("form", "finite", "order", "p_portion", "period", "proved")}
            result["stopped"] = quotient.stopped
            certificate = quotient.strategy.to_text()
        else:
            strategy = game.solve(**asked)
            result = dict(strategy.report)
            certificate = strategy.to_text()
        if result.get("proved"):
            status = "proved"
        if result.get("stopped"):
            status, reason = "stopped", result["stopped"]
    except Stopped as stop:
        status, reason = "stopped", str(stop)
        result = dict(stop.known) if stop.known is not None else {}
        certificate = stop._known[2] if stop._known is not None else None
    except (ValueError, TypeError, Refused, RuntimeError) as error:
        status, reason = "failed", str(error)
    result.pop("seconds", None)  # the clock's time is no result
    row = {
        "game": source,
        "question": question,
        "options": json.dumps(options, sort_keys=True),
        "status": status,
        "result": json.dumps(result, sort_keys=True),
        "reason": reason,
        "certificate": None if certificate is None else hashlib.sha256(certificate.encode()).hexdigest(),
        "version": _impartial.VERSION,
        "budget": float(budget),
        "cpu_seconds": _impartial.cpu_seconds(),
    }
    return row, certificate


class Survey:
    """The results of a survey: rows in a SQLite file, certificates beside it (or in memory, without a file).

    >>> from impartial import survey
    >>> found = survey(["0.07", "0.77", "0.6"], "period", budgets=[0.5], to=2000)
    >>> [(row["game"], row["status"]) for row in found]
    [('0.07', 'proved'), ('0.6', 'found'), ('0.77', 'proved')]
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = None if path is None else os.fspath(path)
        try:
            self._connection = sqlite3.connect(self.path or ":memory:", timeout=60, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(TABLE)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{self.path}: {error}; give a file of a survey, or a new path") from None
        self._texts: dict[str, str] = {}

    # Rows.

    def rows(self) -> list[dict[str, Any]]:
        """The rows, sorted by game, question and options; ``result`` and ``options`` are dictionaries."""
        query = f"SELECT {', '.join(COLUMNS)} FROM survey ORDER BY game, question, options"
        return [_read(row) for row in self._connection.execute(query)]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM survey").fetchone()[0])

    def frame(self) -> Any:
        """The rows as a pandas ``DataFrame``, the keys of the results as columns."""
        needs("pandas")
        import pandas

        rows = []
        for row in self.rows():
            result = {f"result.{key}": value for key, value in row.pop("result").items() if not isinstance(value, (dict, list))}
            row["options"] = json.dumps(row["options"], sort_keys=True)
            rows.append({**row, **result})
        return pandas.DataFrame(rows)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows to a Parquet file (pandas with pyarrow)."""
        needs("pandas", "pyarrow")
        self.frame().to_parquet(path)

    # Certificates.

    def _folder(self) -> str:
        return f"{self.path}.certificates"

    def _keep_text(self, text: str) -> None:
        digest = hashlib.sha256(text.encode()).hexdigest()
        if self.path is None:
            self._texts[digest] = text
            return
        os.makedirs(self._folder(), exist_ok=True)
        place = os.path.join(self._folder(), f"{digest}.json")
        if not os.path.exists(place):
            part = f"{place}.{os.getpid()}.part"
            with open(part, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(part, place)

    def certificate(self, digest: str) -> str:
        """The text of a strategy file by its SHA-256, which is compared."""
        if self.path is None:
            text = self._texts[digest]
        else:
            with open(os.path.join(self._folder(), f"{digest}.json"), encoding="utf-8") as file:
                text = file.read()
        if hashlib.sha256(text.encode()).hexdigest() != digest:
            raise Refused(f"certificate {digest}: the file was changed")
        return text

    def strategy(self, row: Mapping[str, Any]) -> Strategy:
        """The strategy of a row, checked."""
        if row["certificate"] is None:
            raise ValueError(f"{row['game']} has no certificate: {row['status']}")
        return Strategy.from_text(self.certificate(row["certificate"]), progress=False)

    # Growth.

    def keep(self, row: Mapping[str, Any], certificate: str | None = None) -> bool:
        """Keeps a result unless a stronger one is there; whether it was kept. One transaction."""
        place = (row["game"], row["question"], row["options"])
        if certificate is not None:
            self._keep_text(certificate)
        with self._connection:
            known = self._connection.execute(
                "SELECT status, budget FROM survey WHERE game = ? AND question = ? AND options = ?", place
            ).fetchone()
            if known is not None:
                old = (STRENGTH[known[0]], known[1] if known[0] == "stopped" else 0.0)
                new = (STRENGTH[row["status"]], row["budget"] if row["status"] == "stopped" else 0.0)
                if old >= new:
                    return False
            marks = ", ".join("?" * len(COLUMNS))
            self._connection.execute(
                f"INSERT OR REPLACE INTO survey ({', '.join(COLUMNS)}) VALUES ({marks})", [row[key] for key in COLUMNS]
            )
        return True

    def _unsolved(self, games: Sequence[Game], question: str, options: str, budget: float) -> list[Game]:
        """The games that have no answer yet and were not tried with this budget."""
        query = "SELECT game, status, budget FROM survey WHERE question = ? AND options = ?"
        known = {row[0]: (row[1], row[2]) for row in self._connection.execute(query, (question, options))}

        def is_open(game: Game) -> bool:
            status, tried = known.get(game._source, ("new", -1.0))
            return bool(status == "new" or (status == "stopped" and tried < budget))

        return [game for game in games if is_open(game)]

    def merge(self, *others: str | os.PathLike[str] | Survey) -> Survey:
        """Takes the rows of other surveys, the stronger of two results; certificates are checked again.

        Results of another version are refused: what is called proved may differ.
        """
        for other in others:
            source = other if isinstance(other, Survey) else Survey(other)
            rows = source._connection.execute(f"SELECT {', '.join(COLUMNS)} FROM survey").fetchall()
            versions = {row[COLUMNS.index("version")] for row in rows} | self._versions()
            if len(versions) > 1:
                raise ValueError(f"{source.path}: results of versions {', '.join(sorted(versions))}; run the survey anew with one version")
            for values in rows:
                row = dict(zip(COLUMNS, values))
                text = None
                if row["certificate"] is not None:
                    text = source.certificate(row["certificate"])
                    source._check(row, text)
                elif row["status"] == "proved":
                    raise Refused(f"{source.path}: {row['game']} is called proved without a certificate")
                self.keep(row, text)
        return self

    def _check(self, row: Mapping[str, Any], text: str) -> None:
        """Refuses a certificate that is wrong or belongs to another game than the row's."""
        try:
            play = json.loads(row["options"]).get("play")
            strategy = _impartial.Strategy.load(text, False, None)
            strategy.belongs_to(Game(row["game"])._native, {"play": play})
            told, claimed = json.loads(row["result"]), {"form": strategy.form, **strategy.report()[0]}
            for key in sorted(told.keys() & claimed.keys() - {"game", "seconds"}):
                if told[key] != claimed[key]:
                    raise ValueError(f"its {key} is {claimed[key]}, and the row says {told[key]}")
        except (Refused, ValueError) as error:
            raise Refused(f"{self.path}: the certificate of {row['game']} is wrong: {error}") from None

    def _versions(self) -> set[str]:
        return {row[0] for row in self._connection.execute("SELECT DISTINCT version FROM survey")}

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def __repr__(self) -> str:
        return f"<Survey: {len(self)} rows in {self.path or 'memory'}>"

    def _repr_html_(self) -> str:
        counts = self._connection.execute("SELECT question, status, count(*) FROM survey GROUP BY 1, 2 ORDER BY 1, 2")
        lines = "".join(f"<tr>{''.join(f'<td>{escaped(x)}</td>' for x in row)}</tr>" for row in counts)
        return f"<table><tr><th>question</th><th>status</th><th>games</th></tr>{lines}</table>"


def _read(values: Sequence[Any]) -> dict[str, Any]:
    row = dict(zip(COLUMNS, values))
    row["result"], row["options"] = json.loads(row["result"]), json.loads(row["options"])
    return row


def survey(
    games: Iterable[str | os.PathLike[str] | Mapping[str, Any] | Game],
    question: str = "solve",
    *,
    output: str | os.PathLike[str] | None = None,
    client: Any = "threads",
    workers: int | None = None,
    budgets: Sequence[float] = (1, 10),
    shard: tuple[int, int] | None = None,
    parquet: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
    **options: Any,
) -> Survey:
    """Asks one question (``"solve"``, ``"period"`` or ``"quotient"``) about many games.

    ``budgets`` are processor seconds a game: all games with the first, those that it does not solve with the next, and so on.
    ``output`` is a SQLite file that an earlier run may have begun. ``client`` is ``"threads"``, ``"processes"`` or a client of Dask;
    a worker that dies loses the game it was at, which is then asked again. ``shard = (i, n)`` takes the i-th of n parts. Further
    options (``play``, ``max_heap``, ``to``, …) go with the question. Rows are written as they come: into ``output``, and, where
    ``parquet`` names a folder, into Parquet files there, which one file of all rows replaces at the end. ``progress(done, games)``
    is told after each game; in terminals and notebooks there is a bar when tqdm is.

    >>> found = survey(["kayles", "exotic"], budgets=[5])
    >>> [(row["game"], row["result"]["form"]) for row in found]
    [('exotic', 'automaton'), ('kayles', 'nim-sequence')]
    """
    if question not in QUESTIONS:
        raise ValueError(f"question {question!r} is not known; it is one of {', '.join(QUESTIONS)}")
    if not budgets or any(not 0 <= budget < float("inf") for budget in budgets):
        raise ValueError(f"budgets = {budgets!r}: give processor seconds such as [1, 10]")
    listed = {game._source: game for game in (Game(given) for given in games)}
    if shard is not None:
        part, of = shard
        if not 1 <= part <= of:
            raise ValueError(f"shard = {shard!r}: give (i, n) with 1 <= i <= n")
        listed = {source: game for source, game in listed.items() if shard_of(source, of) == part}
    results = Survey(output)
    asked = json.dumps(options, sort_keys=True)
    pool = _pool(client, workers)
    parts = None if parquet is None else _Parts(parquet)
    told = _told(progress)
    try:
        for budget in sorted(budgets):
            unsolved = results._unsolved(list(listed.values()), question, asked, budget)
            tasks = [(game._source, game._native.files, question, options, float(budget)) for game in unsolved]
            for done, (row, certificate) in enumerate(pool.run(tasks), 1):
                if results.keep(row, certificate) and parts is not None:
                    parts.add(row)
                told(done, len(tasks))
    except BaseException:
        _impartial.interrupt()  # what other threads are at is not waited for
        raise
    finally:
        told(None, None)
        pool.close()
        if parts is not None:
            parts.flush()
    if parts is not None:
        parts.replace(results)
    return results


def _told(progress: bool | Callable[[int, int], object] | None) -> Callable[[int | None, int | None], object]:
    """Whom to tell of each game that is done; ``None`` is the end."""
    import time

    if progress is False:
        return lambda done, games: None
    if progress is None or progress is True:
        bar, start = Bar(forced=progress is True), time.monotonic()
        return lambda done, games: bar(done, games, time.monotonic() - start)
    if not callable(progress):
        raise TypeError("progress is True, False or a function of (done, games)")
    call = progress
    return lambda done, games: None if done is None or games is None else call(done, games)


class _Parts:
    """A folder of Parquet files: rows as they come, a few seconds of them in each file."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        needs("pandas", "pyarrow")  # said before anything is computed
        self._folder = os.fspath(folder)
        os.makedirs(self._folder, exist_ok=True)
        self._rows: list[dict[str, Any]] = []
        self._last = 0.0

    def add(self, row: Mapping[str, Any]) -> None:
        import time

        self._rows.append(dict(row))
        if time.monotonic() > self._last + 2:
            self.flush()
            self._last = time.monotonic()

    def flush(self) -> None:
        if self._rows:
            self._write(self._rows)
            self._rows = []

    def _write(self, rows: list[dict[str, Any]]) -> str:
        import uuid

        import pandas

        path = os.path.join(self._folder, f"{uuid.uuid4().hex}.parquet")
        # All columns are there in every file, so that readers see one table; a name with a point is skipped by them.
        part = os.path.join(self._folder, f".{uuid.uuid4().hex}")
        columns = {"budget": "float64", "cpu_seconds": "float64"}
        frame = pandas.DataFrame(rows, columns=list(COLUMNS))
        frame.astype({name: columns.get(name, "string") for name in COLUMNS}).to_parquet(part, index=False)
        os.replace(part, path)
        return path

    def replace(self, results: Survey) -> None:
        """One file of all rows: a game that was asked again has one."""
        query = f"SELECT {', '.join(COLUMNS)} FROM survey ORDER BY game, question, options"
        rows = [dict(zip(COLUMNS, row)) for row in results._connection.execute(query)]
        old = [name for name in os.listdir(self._folder) if name.endswith(".parquet")]
        self._write(rows)
        for name in old:
            os.remove(os.path.join(self._folder, name))


# The arguments of _answered.
Task = tuple[str, dict[str, str], str, dict[str, Any], float]


def _given_up(task: Task, why: str) -> tuple[dict[str, Any], None]:
    source, _, question, options, budget = task
    row = {
        "game": source,
        "question": question,
        "options": json.dumps(options, sort_keys=True),
        "status": "failed",
        "result": "{}",
        "reason": why,
        "certificate": None,
        "version": _impartial.VERSION,
        "budget": budget,
        "cpu_seconds": 0.0,
    }
    return row, None


def _pool(client: Any, workers: int | None) -> _Local | _Dask:
    if client is None or client in ("threads", "processes"):
        return _Local(client or "threads", workers or os.cpu_count() or 1)
    if hasattr(client, "submit") and hasattr(client, "scheduler"):
        return _Dask(client)
    raise TypeError(f'client = {client!r}: give "threads", "processes" or a client of Dask')


class _Local:
    """Threads or processes of this machine. A pool whose process died is made anew; what it was at is asked again."""

    def __init__(self, kind: str, workers: int) -> None:
        self._kind = kind
        self._workers = workers
        self._made: concurrent.futures.Executor | None = None

    def _executor(self) -> concurrent.futures.Executor:
        if self._made is None:
            if self._kind == "threads":
                self._made = concurrent.futures.ThreadPoolExecutor(self._workers)
            else:
                import multiprocessing

                # The library has threads of its own: a copy of a process that has them would hang.
                context = multiprocessing.get_context("spawn")
                self._made = concurrent.futures.ProcessPoolExecutor(self._workers, mp_context=context)
        return self._made

    def _submitted(self, task: Task) -> tuple[concurrent.futures.Future[Any], concurrent.futures.Executor]:
        """A task on its way, and the pool that it is in."""
        try:
            pool = self._executor()
            return pool.submit(_answered, *task), pool
        except concurrent.futures.BrokenExecutor:
            # A process died since; what was running says so itself.
            self._made = None
            pool = self._executor()
            return pool.submit(_answered, *task), pool

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[dict[str, Any], str | None]]:
        waiting = list(reversed(tasks))
        deaths: dict[str, int] = {}
        running: dict[concurrent.futures.Future[Any], tuple[Task, concurrent.futures.Executor]] = {}
        while waiting or running:
            # One game a worker and one in store: a pool that dies loses no more.
            while waiting and len(running) < 2 * self._workers:
                task = waiting.pop()
                future, pool = self._submitted(task)
                running[future] = task, pool
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                task, pool = running.pop(future)
                try:
                    yield future.result()
                except concurrent.futures.BrokenExecutor as error:
                    if self._made is pool:
                        self._made = None
                    deaths[task[0]] = deaths.get(task[0], 0) + 1
                    if deaths[task[0]] > MOST_DEATHS:
                        yield _given_up(task, f"its process died {MOST_DEATHS + 1} times: {error}")
                    else:
                        waiting.append(task)

    def close(self) -> None:
        if self._made is not None:
            self._made.shutdown(wait=True, cancel_futures=True)


class _Dask:
    """The workers of a Dask cluster. The scheduler moves the games of a worker that died to others."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._futures: set[Any] = set()

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[dict[str, Any], str | None]]:
        from distributed import as_completed

        threads = sum(self._client.nthreads().values()) or 1
        waiting = list(reversed(tasks))
        of: dict[str, Task] = {}
        deaths: dict[str, int] = {}

        def submitted(task: Task) -> Any:
            future = self._client.submit(_answered, *task, pure=False)
            of[future.key] = task
            self._futures.add(future)
            return future

        done = as_completed([submitted(waiting.pop()) for _ in range(min(4 * threads, len(waiting)))])
        for future in done:
            task = of.pop(future.key)
            self._futures.discard(future)
            try:
                answer = future.result()
            except Exception as error:  # the worker, not the game: _answered catches what games raise
                deaths[task[0]] = deaths.get(task[0], 0) + 1
                if deaths[task[0]] <= MOST_DEATHS:
                    done.add(submitted(task))
                    continue
                answer = _given_up(task, f"its workers died: {error}")
            if waiting:
                done.add(submitted(waiting.pop()))
            yield answer

    def close(self) -> None:
        self._client.cancel(list(self._futures))
