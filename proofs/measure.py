#!/usr/bin/env python3
"""How long proved-check takes beside impartial-check, on the rows of docs/performance/.

    proofs/measure.py IMPARTIAL IMPARTIAL_CHECK [ROW…]

Makes the strategy files of the rows (those whose name contains one of the words ROW, else all) with `impartial solve` in proofs/build/files, keeps
them there, and prints a line a file: user CPU milliseconds of one check by each program (the least of several runs; small files
many times in one run), and the ratio. Use release builds. It fails when a file is not accepted by both, never because of times.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "build", "files")
TESTDATA = os.path.join(HERE, "..", "testdata")
SUITE = os.path.join(HERE, "..", "crates", "impartial-check", "tests", "suite", "valid")
RUNS = 3


def misere(code, top=None):
    bound = f" to heap {top}" if top else ", all heaps"
    return f"misère {code}{bound}", ["solve", code, "--play", "misere"] + (["--max-heap", str(top)] if top else [])


def lattice(game, form):
    if form == "Grundy values":
        return f"{game}, {form}", ["solve", ("lattice", game), "--grundy"]
    return f"{game}, {form}", ["solve", ("lattice", game), "--as", form]


ROWS = [
    # docs/performance/checker.md
    misere("0.07", 33), misere("0.347", 24), ("0.156, its period", ["solve", "0.156"]),
    misere("0.76", 16), misere("0.14", 22), misere("0.3102", 13), misere("0.564", 15),
    lattice("ex64", "automaton"), lattice("ex64", "stratification"), lattice("ex64", "series"),
    lattice("diag30", "automaton"), lattice("triple222", "automaton"), lattice("dawson6_misere", "automaton"),
    lattice("pairs3_misere", "Grundy values"),
    ("a weakly squarefree game, Grundy values", os.path.join(SUITE, "grundy-automaton-weakly-squarefree.json")),
    # docs/performance/misere.md
    misere("0.774", 11), misere("4.7", 36), misere("0.26", 58), misere("0.26", 70), misere("0.54", 147),
    misere("0.644"), misere("0.77"), misere("0.156"), misere("0.561"),
    misere("0.07", 34), misere("0.07", 36), misere("0.3122", 7), misere("0.544", 20), misere("0.76", 12), misere("0.3102", 12),
    # docs/performance/learn.md, stratifications.md
    *(lattice(game, "automaton") for game in ["sub25_D", "king", "nim2_misere", "exotic22", "king_misere", "knight4_misere", "erratum", "nim3_misere",
                                              "kayles4_misere", "diag33", "pairs3_misere", "dawson5_misere"]),
    *(lattice(game, form) for form in ["stratification", "series"]
      for game in ["exotic22", "erratum", "kayles4_misere", "pairs3_misere", "dawson6_misere", "triple222", "diag30"]),
    # docs/performance/sequences.md
    ("0.77, nim-sequence", ["solve", "0.77"]), ("0.165, nim-sequence", ["solve", "0.165"]), ("0.9C, nim-sequence", ["solve", "0.9C"]), 
    ("subtract:2,4,7", ["solve", "subtract:2,4,7"]), ("0.106", ["solve", "0.106"]), ("0.E", ["solve", "0.E"]),
    # docs/performance/poset.md
    ("Chomp 8 x 8", ["solve", "chomp:8x8"]), ("divisors 2^3 3^3 5^2", ["solve", "divisors:5400"]),
    # the large ones of checker.md and misere.md: minutes
    misere("0.16", 18), ("misère 0.07 to heap 38", os.path.join(TESTDATA, "misere-0.07-38.json")), misere("0.07", 40),
]


def write_game(game, folder):
    """The game file of an entry of testdata/lattice-games.json."""
    path = os.path.join(folder, game["id"] + ".toml")
    with open(path, "w") as f:
        f.write(f'kind = "lattice"\nrules = {game["rules"]}\n')
        if game["defeated"]:
            f.write(f'defeated = {game["defeated"]}\n')
        if "board" in game:
            f.write(f'board = {{ inequalities = {game["board"]["inequalities"]} }}\n')
    return path


def game_file(name):
    with open(os.path.join(TESTDATA, "lattice-games.json")) as f:
        return write_game(next(g for g in json.load(f)["games"] if g["id"] == name), FILES)


def strategy(impartial, name, how):
    if isinstance(how, str):
        return how
    path = os.path.join(FILES, "".join(c if c.isalnum() or c in ".-" else "-" for c in name) + ".json")
    if not os.path.exists(path):
        arguments = [game_file(a[1]) if isinstance(a, tuple) else a for a in how]
        subprocess.run([impartial, *arguments, "-q", "--time-limit", "500s", "-o", path], check=True, stdout=subprocess.DEVNULL)
    return path


def user_time(program, path, times):
    child = subprocess.Popen([program] + [path] * times, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime, child.returncode


def milliseconds(program, path):
    once, code = user_time(program, path, 1)
    if code != 0:
        return None, code
    if once > 10:
        return 1000 * once, 0
    times = max(1, min(200, int(0.1 / max(once, 0.0005))))
    return 1000 * min(user_time(program, path, times)[0] / times for _ in range(RUNS)), 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    impartial, check, words = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(FILES, exist_ok=True)
    failures = 0
    print("| file | form | proved-check | impartial-check | ratio |\n| --- | --- | --- | --- | --- |")
    for name, how in ROWS:
        if words and not any(w in name for w in words):
            continue
        try:
            path = strategy(impartial, name, how)
        except subprocess.CalledProcessError as why:
            print(f"{name}: no file: {why}", file=sys.stderr)
            failures += 1
            continue
        with open(path) as f:
            form = json.load(f)["form"]
        slow, code = milliseconds(os.path.join(HERE, "proved-check"), path)
        if code == 2:
            print(f"| {name} | {form} | on paper | | |", flush=True)
            continue
        fast, other = milliseconds(check, path)
        if code or other:
            print(f"{name}: proved-check {code}, impartial-check {other}", file=sys.stderr)
            failures += 1
            continue
        print(f"| {name} | {form} | {slow:.3g} | {fast:.3g} | {slow / fast:.1f} |", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
