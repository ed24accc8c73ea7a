#!/usr/bin/env python3
"""Holds muster against a real Slurm on this host: the same jobs in both, several runs of each set.

Prints for each set what the real runs were like, what muster makes of the same submissions, and how far the starts
agree. Exit status: 0 agreement within the bounds, or Slurm is not installed; 1 no agreement; 2 Slurm does
not work.
"""

import argparse
import csv
import os
import signal
import sys

sys.dont_write_bytecode = True
import slurm_cluster  # noqa: E402
from agreement import agreement, summary  # noqa: E402
from job_sets import CORES, NODES, SETS  # noqa: E402
from real_run import run  # noqa: E402
from replay import (Delays, foretold_delays, foretold_loops, in_step, measured_delays, off_passes, own_passes,
                    replay)  # noqa: E402

IN_ORDER = 0.95  # least share of the jobs that start in the same order in muster in step
WAIT_WITHIN = 0.03  # share by which its mean wait may differ


def words():
    parser = argparse.ArgumentParser(prog="./muster test --slurm", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--muster", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=300, help="of a set (default: 300)")
    parser.add_argument("--runs", type=int, default=3, help="real runs of a set (default: 3)")
    parser.add_argument("--set", nargs="+", metavar="NAME", choices=[one.name for one in SETS],
                        default=[one.name for one in SETS], help="sets (default: all): " +
                        "; ".join(f"{one.name}: {one.about}" for one in SETS))
    parser.add_argument("--out", metavar="DIR", help="folder for a table of the jobs of each run")
    return parser.parse_args()


def line(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def row(name, jobs, outcomes, other=None):
    """A line of the table. @param other outcomes that these are compared with"""
    one = summary(jobs, outcomes, NODES * CORES)
    cells = [name, f"{one.mean_wait:.2f}", f"{one.p95_wait:.2f}", f"{one.makespan:.1f}", f"{one.utilisation:.1%}"]
    if other is None:
        line(*cells, "", "", "")
        return
    both = agreement(other, outcomes)
    line(*cells, f"{both.in_order:.1%}", f"{both.kendall:.3f}", f"{both.apart:.2f}")


def write_jobs(path, jobs, outcomes, replayed):
    with open(path, "w", encoding="utf-8", newline="") as text:
        rows = csv.writer(text)
        rows.writerow(["job", "cores", "seconds", "limit", "memory", "partition", "submitted", "started", "ended",
                       "nodes", "by_backfill", "started_in_muster"])
        for number, (job, one, other) in enumerate(zip(jobs, outcomes, replayed), 1):
            rows.writerow([number, job.cores, job.seconds, job.limit, job.memory, job.partition, f"{one.submitted:.3f}",
                           f"{one.started:.3f}", f"{one.ended:.3f}", one.nodes, int(one.by_backfill),
                           f"{other.started:.3f}"])


def hold(job_set, arguments):
    """Runs a set. @return what is wrong, a text each"""
    jobs = job_set.jobs(arguments.jobs)
    print(f"\n{job_set.name}: {job_set.about}. {len(jobs)} jobs\n")
    line("run", "mean wait, s", "p95 wait, s", "makespan, s", "utilisation", "in order", "Kendall", "starts apart, s")
    line(*["---"] * 8)
    wrong, real, made = [], [], []
    foretold = [summary(jobs, one, NODES * CORES).mean_wait for one in foretold_loops(arguments.muster, job_set, jobs)]
    print(f"<!-- slurm, foretold: mean wait {sum(foretold) / len(foretold):.2f} s, {min(foretold):.2f} to "
          f"{max(foretold):.2f} s by the instant of the first pass -->", flush=True)
    for number in range(1, arguments.runs + 1):
        one_run = run(job_set, jobs)
        outcomes = one_run.outcomes
        wrong += [f"{job_set.name}, run {number}: {text}" for text in one_run.complaints]
        if arguments.out:
            with open(os.path.join(arguments.out, f"{job_set.name}_{number}.log"), "w", encoding="utf-8") as text:
                text.write(one_run.log)
        if one_run.complaints:
            break
        real.append(outcomes)
        row(f"Slurm {number}", jobs, outcomes, real[0] if number > 1 else None)
        delays = measured_delays(jobs, outcomes, [] if job_set.has_two_loops() else one_run.passes)
        first = delays if number == 1 else first
        row("slurm, its own passes", jobs, own_passes(arguments.muster, job_set, jobs, one_run), outcomes)
        loops = in_step(arguments.muster, job_set, jobs, one_run)
        row("slurm, in step", jobs, loops, outcomes)
        made.append(loops)
        if job_set.tiers:
            print(f"<!-- {sum(one.requeued for one in outcomes)} jobs gave way, in muster "
                  f"{sum(one.requeued for one in loops)}; "
                  f"{sum(a.requeued != b.requeued for a, b in zip(outcomes, loops))} jobs differ in that -->")
        for policy in job_set.policies:
            at_once = replay(arguments.muster, jobs, outcomes, policy, Delays(), job_set.by_node)
            row(policy["name"] + ", at once", jobs, at_once, outcomes)
            replayed = replay(arguments.muster, jobs, outcomes, policy, delays, job_set.by_node)
            row(policy["name"] + ", passes", jobs, replayed, outcomes)
            if number > 1:
                by_the_first = foretold_delays(first, outcomes)
                row(policy["name"] + ", foretold", jobs,
                    replay(arguments.muster, jobs, outcomes, policy, by_the_first, job_set.by_node), outcomes)
        print(f"<!-- a job takes {delays.launch:.3f} s beyond its sleep, a pass comes every {delays.every:.3f} s, "
              f"{off_passes(delays, outcomes):.1%} of the starts are at none -->")
        if arguments.out:
            write_jobs(os.path.join(arguments.out, f"{job_set.name}_{number}.csv"), jobs, outcomes, made[-1])
    waits = [summary(jobs, one, NODES * CORES).mean_wait for one in real]
    for number, (outcomes, replayed, wait) in enumerate(zip(real, made, waits), 1):
        share = agreement(outcomes, replayed).in_order
        if share < IN_ORDER:
            wrong.append(f"{job_set.name}, run {number}: {share:.1%} of the jobs start in the same order, expected "
                         f"{IN_ORDER:.1%}")
        other = summary(jobs, replayed, NODES * CORES).mean_wait
        allowed = WAIT_WITHIN * wait
        if abs(other - wait) > allowed:
            wrong.append(f"{job_set.name}, run {number}: mean wait {other:.3f} s, expected {wait:.3f} s within "
                         f"{allowed:.3f} s")
    return wrong


def main():
    arguments = words()
    missing = slurm_cluster.missing_packages(any(one.accounts for one in SETS if one.name in arguments.set))
    if missing:
        print(f"skipped: Slurm is not installed here; Debian packages that are missing: {' '.join(missing)}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(128 + signal.SIGHUP))
    if arguments.out:
        os.makedirs(arguments.out, exist_ok=True)
    print(f"{slurm_cluster.version()}, {NODES} nodes of {CORES} cores", flush=True)
    wrong = []
    try:
        for job_set in SETS:
            if job_set.name in arguments.set:
                wrong += hold(job_set, arguments)
    except slurm_cluster.SlurmError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print("\n" + ("\n".join(wrong) or "all sets agree within their bounds"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
