#!/usr/bin/env bash
# usage: run_as_documented.sh SOURCES BUILD HOME [CMAKE-OPTIONS]: the commands of README.md install the library and build
# the programs of this folder; each prints what its text says. HOME is kept, so that only what has changed is built again.
set -euo pipefail
sources=$1 build=$2 options=("${@:4}")
export HOME=$3 SC_COPYRIGHT_MESSAGE=DISABLE
# The command that configures the programs gets further options.
cmake() { if [ "$1" = -S ]; then command cmake "$@" -DJOINED=ON "${options[@]}"; else command cmake "$@"; fi; }

mkdir -p "$HOME"
cd "$HOME"
ln -sfn "$sources/tests" tests
ln -sfn "$build" build
commands=$(awk '/^```$/ { inside = 0 } inside; /^```sh$/ && before == "<!-- test: packaging/library -->" { inside = 1 }
                { before = $0 }' "$sources/README.md")
grep -q rigid_jobs <<<"$commands"
eval "$commands" >log 2>&1 || { cat log; exit 1; }
for text in tests/packaging/library/*.txt; do
  name=$(basename "$text" .txt)
  [ "$name" = CMakeLists ] || "library/$name" | diff "$text" - || { echo "$name prints something else"; exit 1; }
done
