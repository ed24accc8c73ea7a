#!/usr/bin/env bash
# usage: debian_package.sh BUILD with_mpi|without_mpi: the package names what it depends on, and what is installed from it is whole, and runs.
set -euo pipefail
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

mpi=$2
cd "$1"
cpack -G DEB -B "$out" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
package=$(ls "$out"/muster_*.deb)
dpkg-deb -f "$package" Depends | grep 'libc6.*libsystemc'
# Several machines are a recommendation.
! dpkg-deb -f "$package" Depends | grep -i mpi || exit 1
dpkg-deb -f "$package" Recommends | grep muster-mpi
if [ "$mpi" = with_mpi ]; then
  ranks=$(ls "$out"/muster-mpi_*.deb)
  dpkg-deb -f "$ranks" Depends | grep 'openmpi-bin.*libopenmpi'
fi
# Whoever links the library is bound by its licence alone: no part of it is under the GPL.
dpkg-deb -f "$package" Depends | grep coinor-libclp
! dpkg-deb -f "$package" Depends | grep glpk || exit 1
dpkg-deb -f "$package" Depends | grep 'libpugixml.*' | grep libzip
# Into a root of its own, in which what muster depends on is not known as installed.
mkdir -p "$out"/root/var/lib/dpkg/{info,updates}
touch "$out"/root/var/lib/dpkg/{status,available}
into_root() {
  dpkg --root="$out/root" --force-depends --force-not-root --force-bad-path --force-script-chrootless -i "$1" >"$out/log" 2>&1 ||
    { cat "$out/log"; exit 1; }
}
into_root "$package"
dpkg --root="$out/root" --verify muster
doc=$out/root/usr/share/doc/muster
for text in copyright changelog.gz README.md examples/foreign_policy/my_policy.cpp examples/library/rigid_jobs.cpp; do
  test -s "$doc/$text" || { echo "$text is missing"; exit 1; }
done
grep -q '^License: Apache-2.0' "$doc/copyright"
for file in man/man1/muster.1 bash-completion/completions/muster; do
  cmp "$out/root/usr/share/$file" "generated/muster.$(case $file in man/*) echo 1 ;; *) echo bash ;; esac)"
done
# What the first document links to is beside it.
grep -o '](\([^):#]*\)' "$doc/README.md" | cut -c 3- | while read -r target; do
  test -s "$doc/$target" || { echo "$target is missing"; exit 1; }
done
# What the documents link to among themselves is installed.
find "$doc" -name '*.md' -not -path '*/examples/*' | while read -r page; do
  { grep -o ']([A-Za-z_./]*[.]md' "$page" || true; } | cut -c 3- | while read -r target; do
    test -s "${page%/*}/$target" || { echo "$page links to $target, which is missing"; exit 1; }
  done
done
# Headers that include each other by any other path would break on a folder of that name in a user's project.
! grep -rE '#include "(modules|policies|platform)/' "$out/root/usr/include/muster" || exit 1
"$out/root/usr/bin/muster" list scenarios >"$out/list"
grep "^$out/root/usr/share/muster/scenarios/quickswap_one_or_all.toml" "$out/list"
run() {
  "$@" "$out/root/usr/bin/muster" run "$out/root/usr/share/muster/scenarios/quickswap_one_or_all.toml" \
    --set policy.name=msf --set arrivals.rate=4 --set run.jobs=2000 --replications 2 --force --out "$out/results"
}
run env | grep 'Results are in'
python=$(find "$out" -maxdepth 1 -name 'python3-muster_*.deb')
if [ -n "$python" ]; then
  dpkg-deb -f "$python" Depends | grep 'muster (= .*python3 (>= 3'
  into_root "$python"
  PYTHONPATH=$out/root/usr/lib/python3/dist-packages /usr/bin/python3 -c "import muster, sys
with muster.Cluster(sys.argv[1], set={'policy.name': 'msf', 'arrivals.rate': 4}) as c: c.step(1)" \
    "$out/root/usr/share/muster/scenarios/quickswap_one_or_all.toml"
fi
# What an FMU is made of is found where it is installed, and shows nothing but FMI's functions.
"$out/root/usr/bin/muster" export-fmu "$out/root/usr/share/muster/scenarios/quickswap_one_or_all.toml" \
  --set policy.name=msf --set arrivals.rate=4 --out "$out/cluster.fmu" | grep 'cluster.fmu is written'
! nm -D --defined-only "$out"/root/usr/lib/*/muster/muster_fmu.so | grep -v ' fmi3' || exit 1
[ "$mpi" = with_mpi ] || exit 0
into_root "$ranks"
run env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 | grep 'Results are in'
