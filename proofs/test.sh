#!/bin/sh
# proved-check accepts every file of cases/valid and refuses every file of cases/refused (exit 1).
set -u
cd "$(dirname "$0")"
bad=0
for f in cases/valid/*.json; do ./proved-check "$f" > /dev/null || { echo "not accepted: $f"; bad=1; }; done
for f in cases/refused/*.json; do ./proved-check "$f" > /dev/null; [ $? -eq 1 ] || { echo "not refused: $f"; bad=1; }; done
[ $bad -eq 0 ] && echo "all files of cases/ are judged rightly"
exit $bad
