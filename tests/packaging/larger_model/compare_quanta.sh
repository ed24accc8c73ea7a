#!/usr/bin/env bash
# usage: compare_quanta.sh PROGRAM: all jobs complete, and each at the same time whatever the global quantum is.
set -euo pipefail
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$1" 0 >"$out/0"
test "$(grep -c complete "$out/0")" -eq 320
for quantum in 5 70 1000 1000000; do "$1" $quantum | cmp - "$out/0"; done
