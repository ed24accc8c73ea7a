"""The jobs of a real run in muster: submitted when they were submitted there, and run as long as they sleep."""

import csv
import math
import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass

from job_sets import CORES, MEMORY, NODES
from real_run import Outcome

SCENARIO = """\
name = "replay"

[platform]
servers = [{{ name = "n", count = {nodes}, cores = {cores}{resources} }}]
placement = "{placement}"
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
    @param pass_every time between the passes in which jobs start; 0: jobs start as soon as they can
    @param pass_at the instant of one of the passes
    """

    launch: float = 0.0
    pass_every: float = 0.0
    pass_at: float = 0.0

    def next_pass(self, instant):
        """The first pass at or after an instant."""
        if self.pass_every == 0.0:
            return instant
        return self.pass_at + self.pass_every * math.ceil((instant - self.pass_at) / self.pass_every - 1e-9)


def measured_delays(jobs, outcomes):
    """Of a real run. The passes are the straight line through its starts that leaves least beside it."""
    launch = statistics.mean(one.ended - one.started - job.seconds for job, one in zip(jobs, outcomes))
    starts = sorted(one.started for one in outcomes)
    at, every = starts[0], 1.0
    for _ in range(3):
        numbers = [round((start - at) / every) for start in starts]
        middle, centre = statistics.mean(numbers), statistics.mean(starts)
        every = (sum((n - middle) * (t - centre) for n, t in zip(numbers, starts)) /
                 sum((n - middle) ** 2 for n in numbers))
        at = centre - every * middle
    return Delays(launch, every, at)


def off_passes(delays, outcomes):
    """Share of the starts that are further than a tenth of a second from all passes."""
    far = [abs((one.started - delays.pass_at + 0.5 * delays.pass_every) % delays.pass_every - 0.5 * delays.pass_every)
           > 0.1 for one in outcomes]
    return sum(far) / len(far)


def replay_of_nodes(muster, jobs, outcomes, policy, delays, nodes, placement="first"):
    """Outcomes that muster has for these jobs alone, on so many nodes. Every job that starts at a pass holds its cores
    until the first pass after its end: that is its size where there are passes, and its arrival is the first pass after
    its submission."""
    with_memory = any(job.memory for job in jobs)
    with tempfile.TemporaryDirectory(prefix="muster_replay_") as folder:
        with open(os.path.join(folder, "jobs.csv"), "w", encoding="utf-8", newline="") as text:
            rows = csv.writer(text)
            rows.writerow(["job", "arrival", "size", "cores", "requested"] + ["memory"] * with_memory)
            first = min(delays.next_pass(one.submitted) for one in outcomes)
            for number, (job, one) in enumerate(zip(jobs, outcomes)):
                size = job.seconds
                if delays.pass_every:
                    size = delays.pass_every * math.ceil((job.seconds + delays.launch) / delays.pass_every)
                rows.writerow([number, f"{delays.next_pass(one.submitted) - first:.6f}", f"{size:.6f}", job.cores,
                               job.limit * 60] + [f"{job.memory * job.cores} MB"] * with_memory)
        with open(os.path.join(folder, "replay.toml"), "w", encoding="utf-8") as text:
            text.write(SCENARIO.format(
                nodes=nodes, cores=CORES, placement=placement, launch=0.0 if delays.pass_every else delays.launch,
                policy="\n".join(f'{key} = "{value}"' for key, value in policy.items()),
                resources=f', resources = {{ memory = "{MEMORY} MB" }}' if with_memory else "",
                declared='[platform.resources]\nmemory = { kind = "amount", unit = "B" }\n' if with_memory else "",
                memory='memory = "memory"\n' if with_memory else ""))
        subprocess.run([muster, "run", "replay.toml", "--trace", "jobs", "--out", "out", "--quiet"], cwd=folder, check=True,
                       text=True, capture_output=True)
        with open(os.path.join(folder, "out", "jobs.csv"), encoding="utf-8", newline="") as text:
            rows = sorted(csv.DictReader(text), key=lambda row: int(row["id"]))
    if len(rows) != len(jobs):
        raise RuntimeError(f"muster has replayed {len(rows)} of {len(jobs)} jobs")
    # Jobs of one pass have the order of their numbers in both.
    return [Outcome(one.submitted, float(row["started"]) + first, float(row["started"]) + first + job.seconds +
                    delays.launch) for job, one, row in zip(jobs, outcomes, rows)]


def replay(muster, jobs, outcomes, policy, delays):
    """Outcomes in the order of the jobs. Each partition is a cluster of its own."""
    partitions = sorted({job.partition for job in jobs})
    made = {}
    for partition in partitions:
        chosen = [number for number, job in enumerate(jobs) if job.partition == partition]
        made.update(zip(chosen, replay_of_nodes(muster, [jobs[n] for n in chosen], [outcomes[n] for n in chosen], policy,
                                                delays, NODES // len(partitions))))
    return [made[number] for number in range(len(jobs))]
