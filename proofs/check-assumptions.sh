#!/bin/sh
# Every main theorem must be "Closed under the global context": it rests on no axiom. Run by `make audit`, after the theorems.
set -eu
cd "$(dirname "$0")"
theorems=$(sed 's/#.*//' theorems.txt)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  echo "From Impartial Require Import $(sed -n 's/\.v$//p' _CoqProject | tr '\n' ' ')."
  for t in $theorems; do echo "Print Assumptions $t."; done
} > "$work/audit.v"
coqc -Q . Impartial "$work/audit.v" > "$work/out"
wanted=$(echo "$theorems" | wc -w)
closed=$(grep -c '^Closed under the global context$' "$work/out" || true)
lines=$(wc -l < "$work/out")
if [ "$closed" -ne "$wanted" ] || [ "$lines" -ne "$wanted" ]; then
  echo "check-assumptions: $closed of $wanted theorems are closed under the global context:" >&2
  cat "$work/out" >&2
  exit 1
fi
if grep -nE '^ *(Axiom|Parameter|Conjecture|Admitted|admit)\b' ./*.v; then
  echo "check-assumptions: an axiom or an unfinished proof" >&2
  exit 1
fi
echo "all $wanted theorems are closed under the global context"
echo "test result: ok. $wanted passed; 0 failed; 0 ignored"
