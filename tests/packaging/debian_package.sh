#!/usr/bin/env bash
# usage: debian_package.sh BUILD: the package names what it depends on, and what is installed from it is whole, and runs.
set -euo pipefail
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cd "$1"
cpack -G DEB -B "$out" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
package=$(ls "$out"/muster_*.deb)
dpkg-deb -f "$package" Depends | grep 'libc6.*libsystemc'
# Into a root of its own, in which what muster depends on is not known as installed.
mkdir -p "$out"/root/var/lib/dpkg/{info,updates}
touch "$out"/root/var/lib/dpkg/{status,available}
dpkg --root="$out/root" --force-depends --force-not-root --force-bad-path --force-script-chrootless -i "$package" >"$out/log" 2>&1 ||
  { cat "$out/log"; exit 1; }
dpkg --root="$out/root" --verify muster
"$out/root/usr/bin/muster" list scenarios >"$out/list"
grep "^$out/root/usr/share/muster/scenarios/quickswap_one_or_all.toml" "$out/list"
"$out/root/usr/bin/muster" run "$out/root/usr/share/muster/scenarios/quickswap_one_or_all.toml" --set policy.name=msf \
  --set arrivals.rate=4 --set run.jobs=2000 --replications 2 --out "$out/results" | grep 'Results are in'
