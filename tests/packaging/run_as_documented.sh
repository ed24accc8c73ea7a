#!/usr/bin/env bash
# usage: run_as_documented.sh SOURCES BUILD HOME DOCUMENT NAME [CMAKE-OPTIONS]: runs the commands of the block of that name
# with HOME as the home folder. It is kept, so that only what has changed is built again. What the commands configure gets
# further options.
set -euo pipefail
sources=$1 build=$2 document=$4 name=$5 options=("${@:6}")
export HOME=$3 SC_COPYRIGHT_MESSAGE=DISABLE
cmake() { if [ "$1" = -S ]; then command cmake "$@" "${options[@]}"; else command cmake "$@"; fi; }

mkdir -p "$HOME"
cd "$HOME"
ln -sfn "$sources/tests" tests
ln -sfn "$build" build
commands=$(awk -v comment="<!-- test: $name -->" '/^```$/ { inside = 0 } inside; /^```sh$/ && before == comment { inside = 1 }
           { before = $0 }' "$sources/$document")
[ -n "$commands" ] || { echo "$document has no block '$name'"; exit 1; }
eval "$commands" >log 2>&1 || { cat log; exit 1; }
