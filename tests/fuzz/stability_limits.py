#!/usr/bin/env python3
"""Limits of stability: random rigid workloads of each policy, simulated at 0.97 and 1.03 of the limit that `check` prints.

A queue without limit grows with the length of the run: of a run four times as long the mean number of jobs in the
system is about four times as large, of a stable one about the same. Contradicted are a limit below which the queue
grows, unless `check` says that a long queue stays long there, and a limit above which it does not; each in runs of ten
and a hundred times as many jobs too.

  tests/fuzz/stability_limits.py build/muster --workloads 60 --jobs 100000
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BELOW, ABOVE = 0.97, 1.03
GROWS, SETTLES = 3.0, 2.0  # mean jobs in the system of a run four times as long, over that of the shorter run
SECONDS = 120

# The table of each policy; {low} stands for the smallest class, {threshold} for less than all cores.
POLICIES = {
    "fcfs": "", "first_fit": "", "msf": "", "adaptive_quickswap": "", "static_quickswap": "", "max_weight": "",
    "server_filling": "", "server_filling_srpt": "", "divisor_filling": "", "nmsr": "", "randomized_timers": "",
    "balanced_splitting": "", "kill_restart": "", "msfq": "threshold = {threshold}\n",
    "last_come_first_served": "",
}
SIZES = [
    '{{ distribution = "exponential", mean = {mean} }}',
    '{{ distribution = "erlang", phases = 3, mean = {mean} }}',
    '{{ distribution = "deterministic", value = {mean} }}',
    '{{ distribution = "hyperexponential", mean = {mean}, scv = 4.0 }}',
]


def workload(policy, seed):
    """A scenario, its rate still to be given."""
    r = random.Random(f"{policy} {seed}")
    one_or_all = policy == "msfq" or r.random() < 0.25
    cores = r.choice([2, 3, 4, 6, 8, 12, 16])
    if one_or_all:
        needs = [1, cores]
    else:
        divisors = [n for n in range(1, cores + 1) if cores % n == 0]
        some = divisors if r.random() < 0.5 else range(1, cores + 1)
        needs = sorted(r.sample(list(some), min(len(some), r.choice([2, 3, 4]))))
    # A job's work is about the same in each class, so that all of them count.
    shares = [r.uniform(0.3, 1.0) / need for need in needs]
    total = sum(shares)
    size = (lambda: SIZES[0]) if r.random() < 0.5 else (lambda: r.choice(SIZES))
    text = f'name = "limits"\n[platform]\nservers = [{{ name = "node", cores = {cores} }}]\n'
    for need, share in zip(needs, shares):
        mean = round(r.uniform(0.5, 2.0), 3)
        text += (f'[[classes]]\nname = "need_{need}"\nneed = {need}\nshare = {share / total:.9f}\n'
                 f"size = {size().format(mean=mean)}\n")
    text += f'[policy]\nname = "{policy}"\n' + POLICIES[policy].format(threshold=cores - 1)
    return text + "[run]\nreplications = 1\ncontrol_variates = false\n"


class limits:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.counts = collections.Counter()
        self.contradictions = []

    def muster(self, words, *more):
        done = subprocess.run([self.options.muster, *words, os.path.join(self.folder, "limits.toml"), *more],
                              capture_output=True, text=True, timeout=SECONDS, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)} {' '.join(more)}: {done.stdout}{done.stderr}")
        return done.stdout

    def check(self, rates):
        rows = json.loads(self.muster(["check"], "--format", "json", "--set", f"sweep.'arrivals.rate'={rates}"))
        return rows["points"]

    def mean_in_system(self, rate, jobs):
        out = self.muster(["run"], "--format", "json", "--set", f"arrivals.rate={rate!r}", "--set", f"run.jobs={jobs}",
                          "--force", "--out", os.path.join(self.folder, "out"), "-j", "1")
        del out
        with open(os.path.join(self.folder, "out", "results.csv")) as file:
            for line in file:
                fields = line.split(",")
                if "jobs_in_system" in fields and "all" in fields:
                    return float(fields[fields.index("jobs_in_system") + 2])
        raise RuntimeError("no jobs_in_system")

    def growth(self, rate, jobs):
        """The mean number of jobs in the system of a run four times as long, over that of a run of so many jobs."""
        first = self.mean_in_system(rate, jobs)
        return self.mean_in_system(rate, 4 * jobs) / first

    def contradiction(self, row):
        """The growth, where it is not that of the verdict in ten and a hundred times longer runs either; else None."""
        for jobs in self.options.jobs, 10 * self.options.jobs, 100 * self.options.jobs:
            growth = self.growth(float(row["arrivals.rate"]), jobs)
            if not (growth > GROWS if row["verdict"] == "stable" else growth < SETTLES):
                return None
        return growth

    def hold(self, policy, seed):
        with open(os.path.join(self.folder, "limits.toml"), "w") as file:
            file.write(workload(policy, seed))
        first = self.check([1e-3, 2e-3])[0]
        text = str(first["policy_limit"])
        if "(simulated)" not in text and not text.startswith("<="):
            number = float(re.search(r"[\d.]+(e[+-]?\d+)?", text).group())
            below, above = self.check([BELOW * number, ABOVE * number])
        else:
            below, above = self.nearest_verdicts(first["work_bound"])
        for row, part in (below, BELOW), (above, ABOVE):
            if row:
                self.side(policy, seed, row, part, text)

    def nearest_verdicts(self, bound):
        """Where `check` simulates point by point: the highest rate that it calls stable, the lowest called unstable."""
        rates = [round(part * bound, 6) for part in (0.5, 0.6, 0.7, 0.8, 0.88, 0.94, 0.97, 1.03)]
        rows = None
        while rows is None:
            try:
                rows = self.check(rates)
            except RuntimeError as error:
                if "a lower arrival rate" not in str(error):  # nmsr derives its chain only where it can be stable
                    raise
                rates.pop()
        stable = [row for row in rows if row["verdict"] == "stable"]
        unstable = [row for row in rows if row["verdict"] == "UNSTABLE"]
        return stable[-1] if stable else None, unstable[0] if unstable else None

    def side(self, policy, seed, row, part, text):
        self.counts[f"{part} {row['verdict']}"] += 1
        if row["verdict"] == "not known":
            return
        growth = self.contradiction(row)
        if growth is None:
            return
        if row["verdict"] == "stable" and row.get("long_queue") == "stays long":
            self.counts["stable with a queue that stays long"] += 1
        else:
            self.contradictions.append(f"{policy} {seed}: {part} of {text} is {row['verdict']}, growth {growth:.2f}")
            print(self.contradictions[-1], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("muster")
    parser.add_argument("--workloads", type=int, default=60, help="of each policy")
    parser.add_argument("--first", type=int, default=0, help="number of the first of them")
    parser.add_argument("--jobs", type=int, default=100_000, help="of the shorter run")
    parser.add_argument("--policies", nargs="*", default=sorted(POLICIES))
    options = parser.parse_args()
    options.muster = os.path.abspath(options.muster)
    with tempfile.TemporaryDirectory() as folder:
        all_limits = limits(options, folder)
        for policy in options.policies:
            before = all_limits.counts.copy()
            for seed in range(options.first, options.first + options.workloads):
                try:
                    all_limits.hold(policy, seed)
                except subprocess.TimeoutExpired:
                    all_limits.counts["longer than two minutes"] += 1
                except RuntimeError as error:
                    if "expected" not in str(error):
                        raise
                    all_limits.counts["not taken by the policy"] += 1
            print(policy, dict(all_limits.counts - before), flush=True)
    print(f"{dict(all_limits.counts)}: {len(all_limits.contradictions)} contradicted")
    return 1 if all_limits.contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
