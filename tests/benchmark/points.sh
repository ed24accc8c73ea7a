#!/usr/bin/env bash
# What a point costs beside its jobs, how long `run` takes to its end with few jobs, and what many servers occupy. Times
# hold what else the machine does against muster, instructions (of all processes, by callgrind of Debian's package
# valgrind; left out without it) do not. With 1,000 points two minutes.
#
# Usage: tests/benchmark/points.sh [POINTS]. MUSTER in the environment is the program, build/muster where it is not set.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
muster=${MUSTER:-$top/build/muster}
points=${1:-1000}
[[ -x /usr/bin/time ]] || { echo "points.sh: /usr/bin/time is not installed (Debian's package time)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Words of a run of so many points of one-or-all at rates from 1 to 3, one replication of 1,000 jobs each.
run() {  # POLICY POINTS [OPTION ...]
  local rates
  rates=$(awk -v n="$2" 'BEGIN { for (i = 0; i < n; ++i) printf "%s%.6f", i ? "," : "", 1 + 2 * i / n }')
  words=("$muster" run "$top/scenarios/quickswap_one_or_all.toml" --quiet --force --out "$folder/results" --set
    "sweep.policy=[{ name = \"$1\" }]" --set "sweep.\"arrivals.rate\"=[$rates]" --set run.replications=1 --set
    run.jobs=1000 "${@:3}")
}

measured() {  # FORMAT COMMAND ..: what /usr/bin/time says of it
  /usr/bin/time -o "$folder/time" -f "$@" >/dev/null || return
  cat "$folder/time"
}

# A process that is forked has the counts of its parent so far: they begin at zero where a worker begins.
instructions() {
  valgrind --tool=callgrind --zero-before='muster::arrival_board::use*' --callgrind-out-file=/dev/null "$@" 2>&1 |
    awk '/Collected :/ { sum += $NF } END { printf "%.0f\n", sum }'
}

printf '%-12s %10s %10s %18s %14s %10s\n' "$points points" "CPU, ms" 'wall, ms' 'instructions, 10^6' 'store, bytes' \
  'page, bytes'
for policy in first_fit msfq; do
  count=-
  if command -v valgrind >/dev/null; then
    run $policy 4 -j 1
    less=$(instructions "${words[@]}")
    run $policy 12 -j 1
    count=$((($(instructions "${words[@]}") - less) / 8 / 1000000))
  fi
  run $policy "$points"
  found=$(measured '%U %S %e' "${words[@]}")
  read -r user system wall <<<"$found"
  store=$(stat -c %s "$folder/results/results.sqlite")
  page=$(stat -c %s "$folder/results/report.html")
  awk -v policy=$policy -v points="$points" -v cpu="$user $system" -v wall="$wall" -v count="$count" -v store="$store" \
    -v page="$page" 'BEGIN {
      split(cpu, seconds, " ")
      printf "%-12s %10.2f %10.2f %18s %14.0f %10.0f\n", policy, 1e3 * (seconds[1] + seconds[2]) / points,
        1e3 * wall / points, count, store / points, page / points }'
done

echo
echo 'one point of 1,000 jobs, seconds to the end, medians of five'
for policy in first_fit msfq; do
  run $policy 1
  for _ in 1 2 3 4 5; do measured '%e' "${words[@]}"; done | sort -n | sed -n "3s/^/$policy /p"
done

echo
echo 'single cores, 1,000 jobs: servers, seconds, MB of the largest process'
for servers in 10000 100000; do
  printf '%s\n' 'name = "servers"' '[platform]' "servers = [{ name = \"node\", count = $servers }]" '[[classes]]' \
    'name = "job"' 'need = 1' "rate = $((servers * 8 / 10))" 'size = { distribution = "exponential", mean = 1.0 }' \
    '[policy]' 'name = "fcfs"' '[run]' 'replications = 1' 'jobs = 1000' >"$folder/servers.toml"
  measured '%e %M' "$muster" run "$folder/servers.toml" --quiet --no-fork --point 0 --replication 0 |
    awk -v servers=$servers '{ printf "%s %s %.0f\n", servers, $1, $2 / 1024 }'
done
