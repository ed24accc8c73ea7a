#!/usr/bin/env bash
# usage: use_plugin.sh INSTALLED_PREFIX PLUGIN: the installed program runs, lists and describes a foreign policy.
set -euo pipefail
muster=$1/bin/muster
plugin=$2
scenario=$1/share/muster/scenarios/quickswap_four_class.toml
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$muster" list policies --plugin "$plugin" >"$out/policies"
grep -A3 '^longest_queue$' "$out/policies" | grep 'least (integer, 1 .. 1000, default 2)'
"$muster" check "$scenario" --plugin "$plugin" --set policy.name=longest_queue >"$out/check"
"$muster" run "$scenario" --plugin "$plugin" --set policy.name=longest_queue --set policy.least=3 \
  --set run.jobs=5000 --replications 2 -j 2 --out "$out/run"
grep '^quickswap_four_class,.*,response_time,' "$out/run/results.csv"
grep 'least = 3' "$out/run/scenario.toml"

# A name that is nearly right is guessed from the plugin's names too; without the plugin there is no such policy.
refused() { ! "$muster" check "$scenario" "$@" 2>"$out/error" || exit 1; }
refused --plugin "$plugin" --set policy.name=longest_quue
grep "did you mean 'longest_queue'?" "$out/error"
refused --set policy.name=longest_queue

# A plugin's own range holds, where the scenario has it.
refused --plugin "$plugin" --set policy.name=longest_queue --set policy.least=0
grep 'policy.least: expected an integer from 1 to 1000, found 0' "$out/error"
