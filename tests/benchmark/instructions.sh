#!/usr/bin/env bash
# Instructions that muster takes for a job, which do not depend on what else the machine does: those of two runs of
# different length, counted by callgrind (Debian's package valgrind), and their difference: without control variates,
# which runs of ten replications or more have. Some minutes.
# Usage: tests/benchmark/instructions.sh [WORKLOAD-REGEX]
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
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
  cat <<TXT
one_or_all 20000 120000 1500 $top/scenarios/quickswap_one_or_all.toml policy={name="msfq"} arrivals.rate=7
four_classes 20000 120000 1600 $top/scenarios/quickswap_four_class.toml policy={name="adaptive_quickswap"} arrivals.rate=4.5
borg_b 20000 120000 2400 $top/scenarios/quickswap_borg_b.toml policy={name="adaptive_quickswap"} arrivals.rate=4
balanced_fair 20000 80000 5650 $folder/balanced_fair.toml
fcfs_pooled 20000 80000 3010 $folder/fcfs_pooled.toml
ispeed 10000 30000 16400 $folder/ispeed.toml
servers_100 20000 120000 - $folder/servers_100.toml
servers_1000 20000 120000 - $folder/servers_1000.toml
cores_10000 40000 120000 - $folder/cores_10000.toml
resources_100 20000 120000 - $folder/resources_100.toml
resources_1000 20000 120000 - $folder/resources_1000.toml
resources_10000 40000 120000 - $folder/resources_10000.toml
one_or_all_explained 20000 120000 1950 $top/scenarios/quickswap_one_or_all.toml policy={name="msfq"} arrivals.rate=7 report.explain=true
four_classes_explained 20000 120000 2080 $top/scenarios/quickswap_four_class.toml policy={name="adaptive_quickswap"} arrivals.rate=4.5 report.explain=true
borg_b_explained 20000 120000 3120 $top/scenarios/quickswap_borg_b.toml policy={name="adaptive_quickswap"} arrivals.rate=4 report.explain=true
balanced_fair_explained 20000 80000 7340 $folder/balanced_fair.toml report.explain=true
ispeed_explained 10000 30000 21300 $folder/ispeed.toml report.explain=true
TXT
}

instructions() {  # SCENARIO JOBS SETTING ...
  local words=() setting
  for setting in "${@:3}" run.replications=1 "run.jobs=$2"; do words+=(--set "$setting"); done
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$top/build/muster" run "$1" --no-fork --point 0 \
    --replication 0 "${words[@]}" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

printf '%-22s %12s %8s\n' workload instructions target
workloads | grep -E "${1-}" | while read -r name few many target scenario settings; do
  read -ra words <<<"$settings"
  less=$(instructions "$scenario" "$few" "${words[@]}")
  more=$(instructions "$scenario" "$many" "${words[@]}")
  printf '%-22s %12d %8s\n' "$name" $(((more - less) / (many - few))) "$target"
done
