"""The jobs of a real run in muster: submitted when they were submitted there, and run as long as they sleep."""

import bisect
import csv
import math
import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field, replace

from job_sets import NODES, Job
from real_run import Outcome
from replay_scenario import need_columns, scenario, scenario_of_tiers
from step_clock import COMPLETING, HALF_MINUTE, StepClock

LAUNCH = 0.3  # seconds that a job took beyond its sleep when runs were first measured


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


def run_jobs(muster, text, submitted):
    """The rows of jobs.csv by id, of a scenario that submits jobs. @param submitted rows of its list or log, heads
    first"""
    with tempfile.TemporaryDirectory(prefix="muster_replay_") as folder:
        with open(os.path.join(folder, "submitted.csv"), "w", encoding="utf-8", newline="") as lines:
            csv.writer(lines).writerows(submitted)
        with open(os.path.join(folder, "replay.toml"), "w", encoding="utf-8") as lines:
            lines.write(text)
        done = subprocess.run([muster, "run", "replay.toml", "--trace", "jobs", "--out", "out", "--quiet"], cwd=folder,
                              text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"muster has not replayed the jobs:\n{done.stderr}")
        with open(os.path.join(folder, "out", "jobs.csv"), encoding="utf-8", newline="") as lines:
            rows = sorted(csv.DictReader(lines), key=lambda row: int(row["id"]))
    if len(rows) != len(submitted) - 1:
        raise RuntimeError(f"muster has replayed {len(rows)} of {len(submitted) - 1} jobs")
    return rows


def replay_of_nodes(muster, jobs, outcomes, policy, delays, nodes, by_node, outage, pauses):
    """Outcomes that muster has for these jobs alone, on so many nodes.

    Where there are passes, a job arrives at the first one after its submission, and its size is the passes that it
    holds its cores, until the first one after its end. Passes are evenly spaced in muster; its starts are then those of
    the passes of the same numbers.
    """
    columns = need_columns(jobs, by_node)
    every = delays.every
    arrivals = [delays.number_of_next(one.submitted) if every else one.submitted for one in outcomes]
    first = min(arrivals)
    submitted = [["job", "arrival", "size", "cores", "requested", *columns]]
    for number, (job, one, arrival) in enumerate(zip(jobs, outcomes, arrivals)):
        size = delays.held(job, one) * every if every else job.seconds
        submitted.append([number, f"{(arrival - first) * (every or 1.0):.6f}", f"{size:.6f}", job.cores,
                          job.limit * 60] + [cell(job) for cell in columns.values()])
    text = scenario(nodes, columns, 0.0 if every else delays.launch, policy, outage, pauses)
    starts = [float(row["started"]) for row in run_jobs(muster, text, submitted)]
    starts = [delays.instant(first + round(start / every)) if every else first + start for start in starts]
    return [Outcome(one.submitted, start, start + job.seconds + delays.launch)
            for job, one, start in zip(jobs, outcomes, starts)]


def replay(muster, jobs, outcomes, policy, delays, by_node=False, outage=None, pauses=()):
    """Outcomes in the order of the jobs. Each partition is a cluster of its own. @param by_node as of a JobSet"""
    partitions = sorted({job.partition for job in jobs})
    made = {}
    for partition in partitions:
        chosen = [number for number, job in enumerate(jobs) if job.partition == partition]
        of_it = replay_of_nodes(muster, [jobs[n] for n in chosen], [outcomes[n] for n in chosen], policy, delays,
                                NODES // len(partitions), by_node, outage, pauses)
        made.update(zip(chosen, of_it))
    return [made[number] for number in range(len(jobs))]


def replay_of_tiers(muster, jobs, outcomes, policy, tiers, pauses):
    """Outcomes that muster has for jobs of partitions of all nodes: classes of a list. Each core is a task."""
    columns = need_columns(jobs, False)
    submitted = [["id", "arrival", "size", "requested", "class", "tasks", *columns]]
    first = min(one.submitted for one in outcomes)
    for number, (job, one) in enumerate(zip(jobs, outcomes)):
        submitted.append([number, f"{one.submitted - first:.6f}", f"{job.seconds:.6f}", job.limit * 60, job.partition,
                          job.cores] + [cell(job) for cell in columns.values()])
    text = scenario_of_tiers(tiers, policy, pauses)
    made = []
    for job, one, row in zip(jobs, outcomes, run_jobs(muster, text, submitted)):
        ended = first + float(row["completed"])
        made.append(Outcome(one.submitted, ended - job.seconds, ended, requeued=int(row["preemptions"])))
    return made


def loops(muster, job_set, jobs, submitted, sizes, outage, lead, completing, phase, pauses=()):
    """Outcomes under the policy slurm, which makes passes itself, at full seconds. Tasks lie on nodes.

    @param submitted when
    @param sizes run times
    @param outage, pauses see events()
    @param lead whether a job for each partition comes first, at 0, which is over at once
    @param phase by how much main passes are behind full seconds, where there are backfill passes, too
    @param completing seconds from the end of a job until another one may start on its nodes
    """
    taken = [replace(job, seconds=size) for job, size in zip(jobs, sizes)]
    ahead = []
    if lead:
        ahead = [Job(0.0, 1, 0.001, 1, jobs[0].memory, partition, 0, jobs[0].account)
                 for partition in sorted({job.partition for job in jobs})]
    arrivals = [Outcome(0.0)] * len(ahead) + [Outcome(instant) for instant in submitted]
    policy = {**job_set.loops(), "completing_time": completing}
    if job_set.has_two_loops():
        policy["main_phase"] = phase
    if job_set.tiers:
        return replay_of_tiers(muster, ahead + taken, arrivals, policy, job_set.tiers, pauses)[len(ahead):]
    return replay(muster, ahead + taken, arrivals, policy, Delays(), True, outage, pauses)[len(ahead):]


def mean_phase(real):
    """How far passes of the main scheduler are behind those of sched/backfill, as a share of the time between these, on
    average around the clock."""
    x = y = 0.0
    for before, after in zip(real.passes, real.passes[1:]):
        for at in real.main_passes:
            if before <= at < after:
                angle = 2.0 * math.pi * (at - before) / (after - before)
                x, y = x + math.cos(angle), y + math.sin(angle)
    return math.atan2(y, x) / (2.0 * math.pi) % 1.0


def own_passes(muster, job_set, jobs, real):
    """Outcomes under the policy slurm with passes from the first submission on. Of the real run it has submissions and
    run times."""
    sizes = [one.ended - one.started for one in real.outcomes]
    outage = job_set.outage and replace(job_set.outage, begin=real.outage,
                                        end=real.outage + job_set.outage.end - job_set.outage.begin)
    completing = statistics.mean(one.cleaned - one.ended for one in real.outcomes)
    return loops(muster, job_set, jobs, [one.submitted for one in real.outcomes], sizes, outage, False, completing,
                 mean_phase(real))


def foretold_loops(muster, job_set, jobs, count=30):
    """So many lists of outcomes, by nothing of a real run: submissions when they are due, run times of sleeps and
    LAUNCH. The instants of the first pass are spread over half a minute, or over the time from one computation of
    priorities to the next one, and the phases of the two loops over a second."""
    period = job_set.priority.get("PriorityCalcPeriod", HALF_MINUTE)
    made = []
    for number in range(count):
        lead = period + number * (period + 1.0) / count
        outage = job_set.outage and replace(job_set.outage, begin=math.floor(lead) + job_set.outage.begin,
                                            end=math.floor(lead) + job_set.outage.end)
        made.append(loops(muster, job_set, jobs, [job.at + lead for job in jobs],
                          [job.seconds + LAUNCH for job in jobs], outage, True, COMPLETING,
                          number * 7 % count / count))
    return made


def in_step(muster, job_set, jobs, real):
    """As own_passes, but by a StepClock: passes are those of the real run."""
    clock = StepClock(real.passes, real.clock, main=real.main_passes)
    if "PriorityCalcPeriod" in job_set.priority:
        clock = StepClock(real.passes, real.clock, job_set.priority["PriorityCalcPeriod"], real.clock + real.priorities)
    outage = None
    if job_set.outage:
        begin = round(real.clock + real.outage) + clock.offset
        outage = replace(job_set.outage, begin=begin, end=begin + job_set.outage.end - job_set.outage.begin)
    starts = [clock.second_of_start(one.started) for one in real.outcomes]
    sizes = [clock.of_end(one.ended, one.cleaned) - start
             for one, start in zip(real.outcomes, starts)]
    made = loops(muster, job_set, jobs, [clock.of(one.submitted) for one in real.outcomes], sizes, outage, True,
                 COMPLETING, 0.5, clock.pauses())
    instants = [clock.instant(one.started) for one in made]
    return [Outcome(one.submitted, start, start + one.ended - one.started, requeued=other.requeued)
            for one, start, other in zip(real.outcomes, instants, made)]
