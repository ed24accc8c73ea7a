#!/usr/bin/env bash
# Instructions that `run` takes for a job, which do not depend on what else the machine does: counted by callgrind
# (Debian's package valgrind) over all processes of two runs of different length, and their difference, so that what a
# point or a run takes once is not in it. A run has two replications of one point, of which the first records what pages
# draw, and no control variates, which runs of ten replications or more have. Programs that draw are not counted.
#
# The shorter run is long enough for a steady queue in what the longer one has beyond it, and for as many parts of the
# window on the page. All workloads take 15 minutes, borg_b a tenth of them.
#
# Usage: tests/benchmark/instructions.sh [WORKLOAD-REGEX] [SHORTER LONGER], which are numbers of jobs. MUSTER in the
# environment is the program, build/muster where it is not set.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
muster=${MUSTER:-$top/build/muster}
command -v valgrind >/dev/null || { echo "instructions.sh: valgrind is not installed" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

single_class() {  # SERVERS CLASS-KEYS POLICY [PLATFORM-KEYS]
  printf '%s\n' 'name = "single_class"' '[platform]' "servers = [{ name = \"node\", count = $1 }]" "${4-}" '[[classes]]' \
    'name = "job"' "$2" '[policy]' "$3" '[run]' 'replications = 1' 'jobs = 1000'
}
exponential='need = 1
size = { distribution = "exponential", mean = 1.0 }'
single_class 100 "$exponential
rate = 80
servers = { random = 2 }" 'name = "balanced_fair"
interruptions_per_job = 1.0' >"$folder/balanced_fair.toml"
single_class 100 "$exponential
rate = 80
servers = { random = 2 }" 'name = "fcfs_pooled"' >"$folder/fcfs_pooled.toml"
single_class 1000 'units = 10
rate = 130
utility = { function = "exponential", steepness = 3.0 }
deadline = { distribution = "uniform", from = 1, to = 40 }' 'name = "ispeed"' 'slot = 1.0' >"$folder/ispeed.toml"
for servers in 100 1000; do
  single_class $servers "$exponential
rate = $((servers * 8 / 10))" 'name = "fcfs"' >"$folder/servers_$servers.toml"
done
# Jobs of two sizes that ask for cores alone, or for memory and GPUs beside them.
packed() {  # SERVERS SERVER-KEYS SMALL-JOB LARGE-JOB
  printf '%s\n' 'name = "packed"' '[platform]' "servers = [{ name = \"node\", count = $1, cores = 16$2 }]" \
    '[[classes]]' 'name = "small"' 'share = 0.8' "$3" 'size = { distribution = "exponential", mean = 1.0 }' \
    '[[classes]]' 'name = "large"' 'share = 0.2' "$4" 'size = { distribution = "exponential", mean = 1.0 }' \
    '[arrivals]' 'load = 0.8' '[policy]' 'name = "first_fit"' '[run]' 'replications = 1' 'jobs = 1000'
}
for servers in 100 1000 10000; do
  packed $servers '' 'need = 4' 'need = 8' >"$folder/cores_$servers.toml"
  packed $servers ', resources = { memory = 64e9, gpu = 4 }' 'per_task = { cores = 4, memory = 8e9, gpu = 1 }' \
    'per_task = { cores = 8, memory = 32e9, gpu = 2 }' >"$folder/resources_$servers.toml"
  cat >>"$folder/resources_$servers.toml" <<TXT
[platform.resources]
memory = { kind = "amount", unit = "B" }
gpu = { kind = "devices" }
TXT
done

# Name, jobs of the shorter and of the longer run, target, scenario and settings.
workloads() {
  local one_or_all="$top/scenarios/quickswap_one_or_all.toml policy={name=\"msfq\"} arrivals.rate=7"
  local four_classes="$top/scenarios/quickswap_four_class.toml policy={name=\"adaptive_quickswap\"} arrivals.rate=4.5"
  local borg_b="$top/scenarios/quickswap_borg_b.toml policy={name=\"adaptive_quickswap\"} arrivals.rate=4"
  cat <<TXT
one_or_all 50000 150000 1000 $one_or_all
four_classes 50000 150000 1050 $four_classes
borg_b 400000 1400000 1200 $borg_b
balanced_fair 20000 80000 4000 $folder/balanced_fair.toml
fcfs_pooled 20000 80000 2200 $folder/fcfs_pooled.toml
ispeed 10000 30000 10000 $folder/ispeed.toml
servers_100 120000 220000 - $folder/servers_100.toml
servers_1000 20000 120000 - $folder/servers_1000.toml
cores_10000 300000 400000 - $folder/cores_10000.toml
resources_100 20000 120000 - $folder/resources_100.toml
resources_1000 40000 120000 - $folder/resources_1000.toml
resources_10000 300000 400000 - $folder/resources_10000.toml
one_or_all_explained 50000 150000 - $one_or_all report.explain=true
four_classes_explained 50000 150000 - $four_classes report.explain=true
borg_b_explained 400000 1400000 - $borg_b report.explain=true
balanced_fair_explained 20000 80000 - $folder/balanced_fair.toml report.explain=true
ispeed_explained 10000 30000 - $folder/ispeed.toml report.explain=true
TXT
}

replications=2
instructions() {  # SCENARIO JOBS SETTING ...
  local words=() setting
  for setting in "${@:3}" "run.replications=$replications" "run.jobs=$2"; do words+=(--set "$setting"); done
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$muster" run "$1" --out "$folder/results" --force --quiet \
    -j 1 "${words[@]}" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; return 1; }
  awk '/Collected :/ { sum += $NF } END { printf "%.0f\n", sum }' "$folder/log"
}

printf '%-22s %12s %8s\n' workload instructions target
workloads | grep -E "^[^ ]*(${1-})" | while read -r name few many target scenario settings; do
  few=${2:-$few} many=${3:-$many}
  read -ra words <<<"$settings"
  less=$(instructions "$scenario" "$few" "${words[@]}")
  more=$(instructions "$scenario" "$many" "${words[@]}")
  printf '%-22s %12d %8s\n' "$name" $(((more - less) / (replications * (many - few)))) "$target"
done
