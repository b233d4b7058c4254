#!/usr/bin/env python3
"""Runs impartial-check and proved-check over strategy files and over mutants of them, and reports every disagreement.

    proofs/compare.py IMPARTIAL_CHECK MUTANTS_A_FILE FOLDER…

A mutant has one place of its file changed (a number by one, an entry dropped or doubled, a boolean turned, a key renamed) and a
new digest, so that it is the certificate that is judged. Files of forms that are not proved by machine are skipped, and so are mutants of
files that are refused. Exit 1 when the two disagree on a file or mutant. `make compare` runs it on the conformance suite.
"""

import copy
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TIME_LIMIT = 60


def sealed(value):
    value = {k: v for k, v in value.items() if k != "digest"}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps(dict(value, digest=hashlib.sha256(text.encode()).hexdigest()), ensure_ascii=False)


def places(value, path=()):
    """All places of a JSON value, as paths."""
    yield path
    if isinstance(value, dict):
        for k in value:
            yield from places(value[k], path + (k,))
    elif isinstance(value, list):
        for i in range(len(value)):
            yield from places(value[i], path + (i,))


def mutant(value, rng):
    """A copy with one change at a random place of the game, the play or the certificate."""
    value = copy.deepcopy(value)
    part = rng.choice(["certificate"] * 6 + ["game", "play"])
    if part == "play":
        value["play"] = "misere" if value["play"] == "normal" else "normal"
        return value
    path = rng.choice([p for p in places(value[part], (part,)) if len(p) > 1])
    at = value
    for step in path[:-1]:
        at = at[step]
    last, old = path[-1], at[path[-1]]
    if isinstance(old, bool):
        at[last] = not old
    elif isinstance(old, int):
        at[last] = old + rng.choice([-1, 1, 1, 2])
    elif isinstance(old, str) and old[-1:].isdigit():
        at[last] = old[:-1] + str((int(old[-1]) + 1) % 10)
    elif isinstance(at, list):
        rng.choice([lambda: at.pop(last), lambda: at.insert(last, copy.deepcopy(old))])()
    elif isinstance(old, list) and old:
        rng.choice([old.pop, lambda: old.append(copy.deepcopy(old[0])), old.reverse])()
    elif rng.random() < 0.5:
        del at[last]
    else:
        at[last + "x"] = at.pop(last)
    return value


def verdict(program, file):
    """0 valid, 1 refused, 2 not judged, None out of time."""
    try:
        return subprocess.run([program, file], capture_output=True, timeout=TIME_LIMIT).returncode
    except subprocess.TimeoutExpired:
        return None


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    rust, count, folders = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    rng = random.Random(1)
    proved = os.path.join(HERE, "proved-check")
    totals = {"agree: valid": 0, "agree: refused": 0, "not proved by machine": 0, "out of time": 0}
    disagreements = 0
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(os.path.join(folder, f) for folder in folders for f in os.listdir(folder) if f.endswith(".json")):
            name = os.path.basename(path)
            with open(path) as f:
                text = f.read()
            for i in range(count + 1):
                file = os.path.join(work, f"{i}-{name}")
                with open(file, "w") as f:
                    f.write(text if i == 0 else sealed(mutant(json.loads(text), rng)))
                theirs = verdict(proved, file)
                if theirs == 2:
                    totals["not proved by machine"] += 1
                    if i == 0:
                        break
                    continue
                ours = None if theirs is None else verdict(rust, file)
                if ours is None:
                    totals["out of time"] += 1
                    print(f"{name}, mutant {i}: out of time")
                elif ours == theirs:
                    totals["agree: refused" if ours else "agree: valid"] += 1
                else:
                    disagreements += 1
                    with open(file) as f:
                        print(f"{name}, mutant {i}: impartial-check {ours}, proved-check {theirs}: {f.read()[:2000]}")
                os.remove(file)
                if i == 0 and theirs != 0:
                    break
    for what, number in totals.items():
        print(f"{number:8} {what}")
    print(f"{disagreements:8} disagreements")
    agreed = totals["agree: valid"] + totals["agree: refused"]
    print(f"test result: {'FAILED' if disagreements else 'ok'}. {agreed} passed; {disagreements} failed; 0 ignored")
    sys.exit(1 if disagreements else 0)


if __name__ == "__main__":
    main()
