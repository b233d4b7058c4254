"""The figures of docs/performance/python.md: processor seconds of this process, the best of several runs."""

import functools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy

import impartial
from impartial import Game, Rules, Sum


def best(call, times=5):
    """The least processor time of several calls, and the answer."""
    least = float("inf")
    for _ in range(times):
        start = time.process_time()
        answer = call()
        least = min(least, time.process_time() - start)
    return least, answer


def line(what, figure):
    print(f"| {what} | {figure} |", flush=True)


def import_time():
    program = "import time; t = time.process_time(); import impartial; print(time.process_time() - t)"
    runs = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout) for _ in range(7)]
    line("`import impartial`", f"{1000 * min(runs):.1f} ms")


def calls():
    strategy = Game("exotic").solve()
    for name, position in [("(123, 456)", (123, 456)), ("(10**24 + 6, 6)", (10**24 + 6, 6))]:
        outcome = strategy.outcome
        taken, _ = best(lambda: [outcome(position) for _ in range(20_000)])
        line(f"`strategy.outcome({name})`, automaton of 39 states", f"{taken / 20_000 * 1e6:.2f} µs")
    digits = 6 * 10**100_000
    taken, _ = best(lambda: strategy.outcome((digits, digits)))
    line("`strategy.outcome` with two numbers of 100 001 digits", f"{1000 * taken:.2f} ms")
    points = numpy.random.default_rng(1).integers(0, 2**20, size=(10**6, 2))
    taken, outcomes = best(lambda: strategy.outcomes(points))
    line("`strategy.outcomes(array)`, 10⁶ points below 2²⁰", f"{taken:.3f} s: {1e6 / taken:.2e} a second")
    assert all(strategy.outcome(tuple(map(int, points[i]))) == outcomes[i] for i in range(0, 10**6, 50_021))


def values():
    taken, found = best(lambda: Game("kayles").values(10**6).array)
    line("`Game(\"kayles\").values(10**6).array`", f"{1000 * taken:.1f} ms")
    assert found.nbytes == 4 * (10**6 + 1)


def dictionary():
    """Kayles to heap 1000 by the definition."""

    def plain(to):
        known = {0: 0}
        for n in range(1, to + 1):
            seen = {known[a] ^ known[n - k - a] for k in (1, 2) if k <= n for a in range(n - k + 1)}
            g = 0
            while g in seen:
                g += 1
            known[n] = g
        return [known[n] for n in range(to + 1)]

    slow, expected = best(lambda: plain(1000), 2)
    line("Kayles to heap 1000, a dictionary in Python", f"{slow:.2f} s")
    fast, found = best(lambda: Game("kayles").values(1000))
    assert list(found) == expected
    line("Kayles to heap 1000, `Game(\"kayles\").values(1000)`", f"{1000 * fast:.2f} ms")

    def own():
        rules = Rules(lambda n: [Sum(a, n - k - a) for k in (1, 2) for a in range(n - k + 1)])
        return [rules.grundy(n) for n in range(301)]

    taken, found = best(own, 2)
    assert found == expected[:301]
    line("Kayles to heap 300, `Rules` written in Python", f"{taken:.2f} s")

    @functools.lru_cache(maxsize=None)
    def recursive(a, b):
        options = {recursive(a - k, b) for k in range(1, a + 1)} | {recursive(a, b - k) for k in range(1, b + 1)}
        options |= {recursive(a - k, b - k) for k in range(1, min(a, b) + 1)}
        g = 0
        while g in options:
            g += 1
        return g

    def wythoff():
        recursive.cache_clear()
        return [[recursive(a, b) for b in range(61)] for a in range(61)]

    def queens():
        rules = Rules(
            lambda p: [(p[0] - k, p[1]) for k in range(1, p[0] + 1)]
            + [(p[0], p[1] - k) for k in range(1, p[1] + 1)]
            + [(p[0] - k, p[1] - k) for k in range(1, min(p) + 1)]
        )
        return [[rules.grundy((a, b)) for b in range(61)] for a in range(61)]

    slow, expected = best(wythoff, 2)
    taken, found = best(queens, 2)
    assert found == expected
    line("Wythoff, Grundy values of 61 × 61 positions, `lru_cache` recursion", f"{slow:.2f} s")
    line("the same by `Rules`", f"{taken:.2f} s")


def interrupts():
    """From the signal to KeyboardInterrupt, on the clock."""
    for name, run in [
        ("a Grundy sequence", lambda: Game("0.007").period(to=2**33)),
        ("a misère quotient", lambda: Game("0.07").quotient(play="misere", max_heap=60)),
        ("rules in Python", lambda: Rules(lambda n: [n + 1]).grundy(0)),
    ]:
        sent = []

        def send():
            time.sleep(1)
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=send, daemon=True).start()
        try:
            run()
        except KeyboardInterrupt:
            line(f"Ctrl-C to `KeyboardInterrupt`, {name}", f"{time.perf_counter() - sent[0]:.2f} s")


print(f"impartial {impartial.__version__}, Python {sys.version.split()[0]}, NumPy {numpy.__version__}\n\n| what | figure |\n| --- | --- |")
for part in (import_time, calls, values, dictionary, interrupts):
    part()
