#!/usr/bin/env python3
"""Every strategy of the test tables is accepted by both checkers.

    proofs/tables.py IMPARTIAL IMPARTIAL_CHECK [TABLE…]

Solves the games of testdata/ (tables `lattice`, `periods`, `quotients`, `posets`; all without names) with `impartial solve`, and gives each strategy to
impartial-check and proved-check. Lattice games are given in every form they have. Fails when a checker refuses a file or takes longer than two minutes;
counts what is proved on paper only, what is longer than 2000 values or elements (a check of minutes), and what found no strategy within 10 s.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

from measure import TESTDATA, HERE, write_game

LARGEST = 2000
SECONDS = 120


def verdict(program, path):
    """Exit code and text; a check that is too long has the code None."""
    try:
        run = subprocess.run([program, path], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"{os.path.basename(program)}: not finished after {SECONDS} s\n"
    return run.returncode, run.stdout


def data(name):
    with open(os.path.join(TESTDATA, name)) as f:
        return json.load(f)


def lattice(folder):
    for game in data("lattice-games.json")["games"]:
        path = write_game(game, folder)
        for form in ["", "automaton", "stratification", "series"]:
            yield f'{game["id"]} {form}', [path] + (["--as", form] if form else [])
        yield f'{game["id"]} --grundy', [path, "--grundy"]


def periods(_):
    for game in data("heap-periods.json")["games"]:
        if game["preperiod"] + game["period"] <= LARGEST:
            yield game["code"], [game["code"]]
        else:
            yield game["code"], None


def quotients(_):
    for entry in data("misere-quotients.json")["entries"]:
        order = entry.get("quotient_order")
        bound = entry.get("heap_bound")
        if not isinstance(order, int) or order > LARGEST:
            yield entry["code"], None
        elif entry.get("period"):
            yield f'misère {entry["code"]}', [entry["code"], "--play", "misere"]
        else:
            yield f'misère {entry["code"]} to {bound}', [entry["code"], "--play", "misere", "--max-heap", str(bound)]


def posets(_):
    for case in data("poset.json")["small_poset_games_bruteforce"]["cases"]:
        if case["game"] == "chomp":
            yield f'chomp {case["params"]}', ["chomp:" + "x".join(map(str, case["params"]))]


TABLES = {"lattice": lattice, "periods": periods, "quotients": quotients, "posets": posets}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    impartial, rust, names = sys.argv[1], sys.argv[2], sys.argv[3:] or list(TABLES)
    proved = os.path.join(HERE, "proved-check")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            counts, unsolved = collections.Counter(), set()
            for title, arguments in TABLES[name](folder):
                if arguments is None:
                    counts["left out"] += 1
                    continue
                if arguments[0] in unsolved:
                    continue
                path = os.path.join(folder, "strategy.json")
                if os.path.exists(path):
                    os.remove(path)
                solved = subprocess.run([impartial, "solve", *arguments, "-q", "--time-limit", "10s", "-o", path], capture_output=True)
                if solved.returncode or not os.path.exists(path):
                    counts["without a strategy of this form"] += 1
                    unsolved.update(arguments[:1] if len(arguments) == 1 else [])
                    continue
                verdicts = [verdict(program, path) for program in (rust, proved)]
                codes = tuple(code for code, _ in verdicts)
                if codes == (0, 0):
                    counts["accepted by both"] += 1
                elif codes == (0, 2) and "not among the forms proved by machine" in verdicts[1][1]:
                    counts["proved on paper, accepted by impartial-check"] += 1
                else:
                    failures += 1
                    print(f"{title}: {verdicts[0][1]}{verdicts[1][1]}", flush=True)
            print(f"{name}: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())), flush=True)
    print(f"test result: {'FAILED' if failures else 'ok'}. {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
