#!/usr/bin/env python3
"""Writes a strategy file of form "counters" that claims an infinite quotient as a theorem for Rocq, with no mention of files.

    proofs/showpiece.py FILE > Long.v;  coqc -Q . Impartial Long.v

The proof is one run of the checkers inside Rocq (vm_compute), which takes about six times as long as proved-check takes for the file.
"""

import collections
import json
import sys


def numbers(l):
    return "[" + "; ".join(map(str, l)) + "]%N"


def main():
    with open(sys.argv[1]) as f:
        value = json.load(f)
    certificate, code = value["certificate"], value["game"]["code"]
    claim = certificate["infinite"]
    if value["form"] != "counters" or claim is None or "[" in code:
        sys.exit("showpiece.py: not a strategy of a finite code that claims an infinite quotient")
    digits = [int(d, 16) for d in code.replace(".", "")]
    counters, steps, slices = certificate["counters"], certificate["steps"], certificate["slices"]
    order = len(steps[0])

    def nats(l):
        return "[" + "; ".join(map(str, l)) + "]"

    def entry(h, v):
        if v is None:
            return f"Count {counters.index(h)}"
        if isinstance(v, int):
            return f"Element {v}"
        words = "; ".join(nats([h for h, n in word for _ in range(n)]) for word in v["like"])
        return f"Follower {v['element']} {numbers(v['counts'])} [{words}]"

    def slice_at(a):
        state = 0
        while any(a):
            state = certificate["next"][state][sum((x & 1) << i for i, x in enumerate(a))]
            a = [x >> 1 for x in a]
        return set(slices[certificate["output"][state]])

    near = slice_at(claim["at"])
    far = slice_at([x + claim["far"] * (i == claim["counter"]) for i, x in enumerate(claim["at"])])
    element = min(near ^ far)
    words = {0: []}
    queue = collections.deque([0])
    while queue:
        x = queue.popleft()
        for h, step in zip(certificate["generators"], steps):
            if step[x] not in words:
                words[step[x]] = [h] + words[x]
                queue.append(step[x])
    counter = counters[claim["counter"]]
    heaps = len(certificate["values"])
    moves = "; ".join(f"({k}, {d}%N)" for k, d in enumerate(digits) if d)
    print(f"""From Coq Require Import List Arith NArith Bool.
From Impartial Require Import Games Monoid Quotient Counters Infinite.
Import ListNotations.

Definition game : code := Code [{moves}] {len(digits)} [].

Definition strategy : counted := Counted {order}
  [{"; ".join(map(numbers, steps))}]
  {nats(counters)}
  [{"; ".join(entry(h, v) for h, v in enumerate(certificate["values"]))}]
  (map (fun s => let t := Search.set_of s in map (fun x => Search.mem x t) (numbers_from {order} 0))
    [{"; ".join(map(numbers, slices))}])
  [{"; ".join(map(numbers, certificate["next"]))}]
  {numbers(certificate["output"])}.

Definition claim : infinity := Infinity {numbers(claim["step"])} {numbers(claim["from"])} {claim["counter"]} {numbers(claim["at"])}
  {claim["period"]} {claim["far"]} {element} {nats(words[element])}.

Lemma checked : check_counters game strategy 60 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma claim_checked : check_infinite strategy 60 claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** In misère play of {code} no two different numbers of heaps of {counter} beans are indistinguishable among the heaps up to {heaps - 1}: the quotient is infinite. *)
Theorem infinite : forall m k, m <> k -> ~ indistinguishable game (fun h => h < {heaps}) (repeat {counter} m) (repeat {counter} k).
Proof. exact (infinite_correct game strategy claim 60 checked claim_checked). Qed.

Print Assumptions infinite.""")


if __name__ == "__main__":
    main()
