"""The jobs of a real run in muster: submitted when they were submitted there, and run as long as they sleep."""

import bisect
import csv
import json
import math
import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field, replace

from job_sets import CORES, MEMORY, NODES, Job
from real_run import Outcome

SCENARIO = """\
name = "replay"

[platform]
servers = [{{ name = "n", count = {nodes}, cores = {cores}{resources} }}]
costs = {{ dispatch_latency = {launch} }}
{declared}
[arrivals]
process = "log"
file = "jobs.csv"
class_by = "all"
estimate = "requested"
{memory}
[policy]
{policy}

[run]
replications = 1
"""


@dataclass
class Delays:
    """What a real Slurm takes beyond the sleeps, in seconds.

    @param launch from the start of a job to its end, less what it sleeps: daemons, messages, processes
    @param every mean time between the passes in which jobs start; 0: jobs start as soon as they can
    @param passes the instants of all passes from the first start to the last one; the first one alone: evenly from it
    """

    launch: float = 0.0
    every: float = 0.0
    passes: list = field(default_factory=list)

    def number_of_next(self, instant):
        """Of the first pass at or after an instant; negative before the first one."""
        if instant <= self.passes[0]:
            return -math.floor((self.passes[0] - instant) / self.every)
        if instant > self.passes[-1]:
            return len(self.passes) - 1 + math.ceil((instant - self.passes[-1]) / self.every)
        return bisect.bisect_left(self.passes, instant)

    def held(self, job, outcome):
        """Passes from the start of a job to the first one at which its cores are free again: in the real run, or where
        its passes are not known, by what it sleeps."""
        if len(self.passes) == 1:
            return math.ceil((job.seconds + self.launch) / self.every)
        at = bisect.bisect_right(self.passes, outcome.started + 0.001) - 1
        return max(1, self.number_of_next(outcome.ended) - at)

    def instant(self, number):
        """Of a pass."""
        if number < 0:
            return self.passes[0] + number * self.every
        if number >= len(self.passes):
            return self.passes[-1] + (number - len(self.passes) + 1) * self.every
        return self.passes[number]


def measured_delays(jobs, outcomes, passes=None, every=1.0):
    """Of a real run. Where its passes are not known, those without a start are spread evenly between those with one.

    @param passes their instants
    @param every seconds between two passes, as Slurm is configured
    """
    launch = statistics.mean(one.ended - one.started - job.seconds for job, one in zip(jobs, outcomes))
    starts = sorted(one.started for one in outcomes)
    if passes:
        return Delays(launch, (passes[-1] - passes[0]) / max(1, len(passes) - 1) or every, passes)
    passes = starts[:1]
    for start in starts[1:]:
        last, number = passes[-1], round((start - passes[-1]) / every)
        if number > 0:
            passes += [last + (start - last) * n / number for n in range(1, number)] + [start]
    return Delays(launch, (passes[-1] - passes[0]) / max(1, len(passes) - 1) or every, passes)


def foretold_delays(measured, outcomes):
    """Of a run by what was measured in another one: of this run only its first start is taken."""
    return Delays(measured.launch, measured.every, [min(one.started for one in outcomes)])


def off_passes(delays, outcomes):
    """Share of the starts that are further than a tenth of a second from all passes."""
    far = [all(abs(one.started - instant) > 0.1 for instant in delays.passes) for one in outcomes]
    return sum(far) / len(far)


def replay_of_nodes(muster, jobs, outcomes, policy, delays, nodes, by_node):
    """Outcomes that muster has for these jobs alone, on so many nodes.

    Where there are passes, a job arrives at the first one after its submission, and its size is the passes that it
    holds its cores, until the first one after its end. Passes are evenly spaced in muster; its starts are then those of
    the passes of the same numbers.
    """
    memory = [job.memory or by_node * MEMORY // CORES for job in jobs]
    with_memory = any(memory)
    with tempfile.TemporaryDirectory(prefix="muster_replay_") as folder:
        with open(os.path.join(folder, "jobs.csv"), "w", encoding="utf-8", newline="") as text:
            rows = csv.writer(text)
            rows.writerow(["job", "arrival", "size", "cores", "requested"] + ["memory"] * with_memory)
            every = delays.every
            arrivals = [delays.number_of_next(one.submitted) if every else one.submitted for one in outcomes]
            first = min(arrivals)
            for number, (job, one, arrival) in enumerate(zip(jobs, outcomes, arrivals)):
                size = delays.held(job, one) * every if every else job.seconds
                rows.writerow([number, f"{(arrival - first) * (every or 1.0):.6f}", f"{size:.6f}", job.cores,
                               job.limit * 60] + [f"{memory[number] * job.cores} MB"] * with_memory)
        with open(os.path.join(folder, "replay.toml"), "w", encoding="utf-8") as text:
            text.write(SCENARIO.format(
                nodes=nodes, cores=CORES, launch=0.0 if every else delays.launch,
                policy="\n".join(f"{key} = {json.dumps(value)}" for key, value in policy.items()),
                resources=f', resources = {{ memory = "{MEMORY} MB" }}' if with_memory else "",
                declared='[platform.resources]\nmemory = { kind = "amount", unit = "B" }\n' if with_memory else "",
                memory='memory = "memory"\n' if with_memory else ""))
        done = subprocess.run([muster, "run", "replay.toml", "--trace", "jobs", "--out", "out", "--quiet"], cwd=folder,
                              text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"muster has not replayed the jobs:\n{done.stderr}")
        with open(os.path.join(folder, "out", "jobs.csv"), encoding="utf-8", newline="") as text:
            rows = sorted(csv.DictReader(text), key=lambda row: int(row["id"]))
    if len(rows) != len(jobs):
        raise RuntimeError(f"muster has replayed {len(rows)} of {len(jobs)} jobs")
    starts = [float(row["started"]) for row in rows]
    starts = [delays.instant(first + round(start / every)) if every else first + start for start in starts]
    return [Outcome(one.submitted, start, start + job.seconds + delays.launch)
            for job, one, start in zip(jobs, outcomes, starts)]


def replay(muster, jobs, outcomes, policy, delays, by_node=False):
    """Outcomes in the order of the jobs. Each partition is a cluster of its own. @param by_node as of a JobSet"""
    partitions = sorted({job.partition for job in jobs})
    made = {}
    for partition in partitions:
        chosen = [number for number, job in enumerate(jobs) if job.partition == partition]
        of_it = replay_of_nodes(muster, [jobs[n] for n in chosen], [outcomes[n] for n in chosen], policy, delays,
                                NODES // len(partitions), by_node)
        made.update(zip(chosen, of_it))
    return [made[number] for number in range(len(jobs))]


def with_lead(jobs, outcomes, first, every, clock):
    """Jobs and submissions for which muster's passes, a second apart, are those of a real run, and its half minutes,
    which count where a job may start, are those of Slurm's clock. Before the others a job for each partition is
    submitted, and over at once.

    @param first instant of a pass, in seconds since the first submission
    @param every seconds between two passes; times are divided by it
    @param clock what Slurm's clock shows at the first submission, in seconds
    @return jobs, outcomes, and seconds by which the submissions of the others are later
    """
    lead = 30.0 + math.floor(clock + first) % 30 - first / every
    ahead = [Job(0.0, 1, 0.001, 1, jobs[0].memory, partition) for partition in sorted({job.partition for job in jobs})]
    return (ahead + [replace(job, seconds=job.seconds / every) for job in jobs],
            [Outcome(0.0)] * len(ahead) + [Outcome(one.submitted / every + lead) for one in outcomes], lead)


def own_passes(muster, job_set, jobs, outcomes):
    """Outcomes under the policy slurm, which makes passes itself, from the first submission on. Of a real run it has
    submissions and run times."""
    taken = [replace(job, seconds=one.ended - one.started) for job, one in zip(jobs, outcomes)]
    return replay(muster, taken, outcomes, job_set.loops(), Delays(), job_set.by_node)


def in_step(muster, job_set, jobs, outcomes, first, every, clock):
    """As own_passes, but passes and half minutes are those of the run. @param first, every, clock as of with_lead"""
    taken = [replace(job, seconds=one.ended - one.started) for job, one in zip(jobs, outcomes)]
    given, submitted, lead = with_lead(taken, outcomes, first, every, clock)
    made = replay(muster, given, submitted, job_set.loops(), Delays(), job_set.by_node)[len(given) - len(jobs):]
    starts = [(one.started - lead) * every for one in made]
    return [Outcome(one.submitted, start, start + job.seconds) for job, one, start in zip(taken, outcomes, starts)]
