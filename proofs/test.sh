#!/bin/sh
# proved-check accepts every file of cases/valid and refuses every file of cases/refused (exit 1).
set -u
cd "$(dirname "$0")"
right=0 wrong=0
judged() { # FILE WANTED
  ./proved-check "$1" > /dev/null
  if [ $? -eq "$2" ]; then right=$((right + 1)); else wrong=$((wrong + 1)); echo "judged wrongly: $1"; fi
}
for f in cases/valid/*.json; do judged "$f" 0; done
for f in cases/refused/*.json; do judged "$f" 1; done
echo "test result: $([ $wrong -eq 0 ] && echo ok || echo FAILED). $right passed; $wrong failed; 0 ignored"
[ $wrong -eq 0 ]
