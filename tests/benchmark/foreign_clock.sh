#!/usr/bin/env bash
# Muster's share of a simulation in which a foreign clock of 1 GHz drives one process, or ten, and a job comes to a
# cluster in each 100 periods: instructions a period with the cluster and without it, counted by callgrind (Debian's
# package valgrind) as the difference of two runs of different length, so that what a run takes once is not in it.
#
# Usage: tests/benchmark/foreign_clock.sh [SHORTER LONGER], which are numbers of periods. BENCHMARK in the environment is
# the program, build/tests/foreign_clock_benchmark where it is not set.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${BENCHMARK:-$top/build/tests/foreign_clock_benchmark}
few=${1:-100000} many=${2:-300000}
command -v valgrind >/dev/null || { echo "foreign_clock.sh: valgrind is not installed" >&2; exit 2; }

instructions() {  # PERIODS COUNTERS with|without
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 >/dev/null |
    awk '/Collected :/ { print $NF }'
}
of_period() {  # COUNTERS with|without
  echo $((($(instructions "$many" "$@") - $(instructions "$few" "$@")) / (many - few)))
}

printf '%-10s %10s %10s %16s\n' processes without with "share of muster"
for counters in 1 10; do
  without=$(of_period "$counters" without)
  with=$(of_period "$counters" with)
  awk -v n="$counters" -v a="$without" -v b="$with" \
    'BEGIN { printf "%-10d %10d %10d %15.1f%%\n", n, a, b, 100 * (b - a) / b }'
done
