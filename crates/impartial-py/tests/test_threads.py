"""Ctrl-C, other threads, progress, panics."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import impartial
from impartial import Game

LONG = 'impartial.Game("0.007").period(to=2**33)'


def run_and_interrupt(code):
    """Runs a program, sends it SIGINT when it says so, and tells how long it took to stop, in its own words."""
    program = f"""
import impartial, threading, time, os, signal, sys
stop_at = []
def alarm():
    time.sleep(0.7)
    stop_at.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=alarm, daemon=True).start()
try:
    {code}
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - stop_at[0])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("interrupted"), done.stdout + done.stderr
    return float(done.stdout.split()[1])


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "code",
    [
        LONG,
        'impartial.Game("0.07").quotient(play="misere", max_heap=60)',
        'impartial.Game("0.07").quotient(play="misere", max_heap=60, cpu_limit=1000)',
        'impartial.Rules(lambda n: [n + 1]).grundy(0)',
    ],
)
def test_ctrl_c_stops_soon(code):
    # 0.3 s is what a quiet machine shows (docs/performance/python.md); this machine may be busy.
    assert run_and_interrupt(code) < 5


def test_interrupt_stops_other_threads():
    stopped = []

    def work():
        try:
            Game("0.007").period(to=2**33)
        except KeyboardInterrupt:
            stopped.append(True)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    impartial.interrupt()
    for thread in threads:
        thread.join(20)
    assert stopped == [True, True]
    assert Game("kayles").grundy(3) == 3  # later questions are not stopped


def test_other_threads_go_on_meanwhile():
    counted = []
    done = threading.Event()

    def count():
        n = 0
        while not done.is_set():
            n += 1
            time.sleep(0.001)
        counted.append(n)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(impartial.Stopped):
        Game("0.007").period(to=2**33, time_limit=0.5)
    done.set()
    thread.join()
    assert counted[0] > 20  # a lock that is held would let it count to 1


def test_progress():
    told = []
    with pytest.raises(impartial.Stopped):
        Game("0.007").period(to=2**33, time_limit=0.5, progress=lambda done, total, seconds: told.append((done, total, seconds)))
    assert told and all(seconds > 0 for _, _, seconds in told) and told[-1][0] >= told[0][0]

    def fails(done, total, seconds):
        raise RuntimeError("the bar is broken")

    with pytest.raises(RuntimeError, match="broken"):
        Game("0.007").period(to=2**33, progress=fails)


def test_a_bar_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    with pytest.raises(impartial.Stopped):
        Game("0.007").period(to=2**33, time_limit=1.2, progress=True)
    assert "/s" in capsys.readouterr().err


def test_import_is_light():
    program = "import sys; before = set(sys.modules); import impartial; print(sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for heavy in ("numpy", "sympy", "pandas", "sqlite3", "tqdm", "distributed", "asyncio"):
        assert f"'{heavy}'" not in loaded
