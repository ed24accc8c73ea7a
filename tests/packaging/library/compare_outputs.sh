#!/usr/bin/env bash
# usage: compare_outputs.sh FOLDER: each program in FOLDER prints what its text says, beside this script.
set -euo pipefail
export SC_COPYRIGHT_MESSAGE=DISABLE
for text in "$(dirname "$0")"/*.txt; do
  name=$(basename "$text" .txt)
  [ "$name" = CMakeLists ] || "$1/$name" | diff "$text" - || { echo "$name prints something else"; exit 1; }
done
