"""A set of jobs on a real Slurm: what became of each."""

import re
import time
from dataclasses import dataclass
from datetime import datetime

from job_sets import CORES, GPUS, NODES, Job
from slurm_cluster import SlurmCluster, SlurmError

LINE = re.compile(r"\[([-0-9T:.]+)\] (.*)")
SUBMITTED = re.compile(r"_slurm_rpc_submit_batch_job: JobId=(\d+) ")
STARTED = re.compile(r"sched: Allocate JobId=(\d+) NodeList=(\S+)|"
                     r"sched/backfill: _start_job: Started JobId=(\d+) in \S+ on (\S+)")
PASSES = {"sched/builtin": re.compile(r"debug:  sched: Running job scheduler"),  # and those of the main scheduler
          "sched/backfill": re.compile(r"(debug:  )?sched/backfill: _attempt_backfill: beginning")}
PRIORITIES = re.compile(r"debug:  priority/multifactor: init: ")  # computed first, and then every PriorityCalcPeriod
COMPLETED = re.compile(r"_job_complete: JobId=(\d+) done")
REQUEUED = re.compile(r"preempted JobId=(\d+) has been requeued")
CLEANED = re.compile(r"TRACE_JOBS: cleanup_completing: JobId=(\d+)")
COMPLETION = re.compile(r"JobId=(\d+) .*JobState=(\S+) .*StartTime=(\S+) EndTime=(\S+) NodeList=(\S+) .*ProcCnt=(\d+)")


@dataclass
class Outcome:
    """What became of a job. Times are in seconds since the first submission.

    @param started for the last time
    @param cleaned when the last of its nodes was no longer COMPLETING
    @param requeued how often it has given way to another one
    """

    submitted: float
    started: float = None
    ended: float = None
    cleaned: float = None
    nodes: str = None
    by_backfill: bool = False
    requeued: int = 0

    @property
    def wait(self):
        return self.started - self.submitted


def seconds(text):
    return datetime.fromisoformat(text).timestamp()


def lines_of(log):
    """Instants and texts of the lines of a log. Of lines of the same millisecond each is a microsecond later than the
    one before."""
    last, same = None, 0
    for found in filter(None, map(LINE.match, log.splitlines())):
        same = same + 1 if found[1] == last else 0
        last = found[1]
        yield seconds(last) + 1e-6 * same, found[2]


def outcomes_of_log(log, count):
    """Outcomes of the last `count` jobs in the order of their numbers, and the moment of the first submission, by the
    log of slurmctld, which has milliseconds. The line of a submission may stand behind that of the start."""
    jobs = {}
    for at, text in lines_of(log):
        if one := SUBMITTED.match(text):
            jobs.setdefault(int(one[1]), Outcome(at))
        elif one := STARTED.match(text):
            job = jobs.setdefault(int(one[1] or one[3]), Outcome(at))
            job.started, job.nodes, job.by_backfill = at, one[2] or one[4], one[3] is not None
        elif one := COMPLETED.match(text):
            jobs[int(one[1])].ended = at
        elif one := REQUEUED.match(text):
            jobs[int(one[1])].requeued += 1
        elif one := CLEANED.match(text):
            jobs[int(one[1])].cleaned = at
    outcomes = [jobs[number] for number in sorted(jobs)][-count:]
    first = min(job.submitted for job in outcomes)
    for job in outcomes:
        job.submitted -= first
        job.started = None if job.started is None else job.started - first
        job.ended = None if job.ended is None else job.ended - first
        job.cleaned = None if job.cleaned is None else job.cleaned - first
    return outcomes, first


def instants_of(line, log, first):
    """The instants of all lines that begin so, in seconds since the first submission. @param first its moment"""
    return [at - first for at, text in lines_of(log) if line.match(text)]


def passes_of_log(scheduler, log, first, last):
    """The instants of the passes that a scheduler has made, from a second before the first submission on, in seconds
    since the first submission. @param first its moment @param last the end of the last job, in seconds"""
    return [instant for instant in instants_of(PASSES[scheduler], log, first) if -1.0 <= instant <= last]


def complaints(jobs, outcomes, first, completions):
    """Where the log and Slurm's own record of completed jobs, in whole seconds, are not of one mind, or a job did not
    do what was asked of it."""
    found = []
    records = {int(one[1]): one for one in COMPLETION.finditer(completions)}
    if not len(jobs) == len(outcomes) == len(records) - 1:
        found.append(f"{len(jobs)} jobs, {len(outcomes)} in the log, {len(records)} in the record of completed jobs")
    for number, (job, outcome) in enumerate(zip(jobs, outcomes), 2):
        record = records.get(number)
        if record is None or None in (outcome.started, outcome.ended, outcome.cleaned):
            found.append(f"job {number} has no start, no end, or nodes that were not cleaned up")
            continue
        _, state, start, end, nodes, cores = record.groups()
        if state != "COMPLETED":
            found.append(f"job {number} is {state}")
        if int(cores) != job.cores:
            found.append(f"job {number} has {cores} cores, expected {job.cores}")
        if nodes != outcome.nodes:
            found.append(f"job {number} ran on {nodes}, by the log on {outcome.nodes}")
        for what, here, there in [("start", outcome.started, start), ("end", outcome.ended, end)]:
            if not -0.5 <= here + first - seconds(there) <= 1.5:
                found.append(f"job {number}: {what} {there}, by the log {datetime.fromtimestamp(here + first)}")
        if outcome.ended - outcome.started < job.seconds - 0.05:
            found.append(f"job {number} ran {outcome.ended - outcome.started:.3f} s, expected at least {job.seconds} s")
    return found


def submit(cluster, job):
    tasks = job.gpus or job.cores
    words = ["-n", str(tasks), "-t", str(job.limit), "-o", "/dev/null", "--wrap", f"exec sleep {job.seconds}"]
    if job.memory:
        words += [f"--mem-per-cpu={job.memory}M"]
    if job.gpus:
        words += ["-c", str(job.cores // job.gpus), "--gpus-per-task=1"]
    if job.account:
        words += ["-A", job.account]
    if job.qos:
        words += ["--qos", job.qos]
    if job.partition:
        words += ["-p", job.partition]
    cluster.call("sbatch", *words)


def reserve(cluster, outage, begin):
    """@param begin of the outage, in seconds of the clock"""
    shown = lambda instant: datetime.fromtimestamp(instant).strftime("%Y-%m-%dT%H:%M:%S")
    cluster.call("scontrol", "create", "reservation", "ReservationName=maintenance", "Flags=MAINT", "Users=root",
                 f"StartTime={shown(begin)}", f"EndTime={shown(begin + outage.end - outage.begin)}",
                 f"Nodes=n[0-{outage.nodes - 1}]")


def wait_for_ends(cluster, count, seconds_at_most):
    """@throws SlurmError if so many jobs have not ended by then"""
    end = time.monotonic() + seconds_at_most
    while sum(one[2] == "COMPLETED" for one in COMPLETION.finditer(cluster.read("completions"))) < count:
        cluster.check_daemons()
        if time.monotonic() > end:
            raise SlurmError("jobs do not end:\n" + cluster.call("squeue"))
        time.sleep(0.5)
    time.sleep(0.5)  # until the log is written


@dataclass
class RealRun:
    """What became of the jobs of a set.

    @param outcomes in the order of the jobs
    @param clock what Slurm's clock showed at the first submission, in seconds
    @param passes their instants, in seconds since the first submission
    @param main_passes those of the main scheduler, where there are passes of sched/backfill as well
    @param priorities the same of the first computation of priorities; None: there is none
    @param outage the same of the beginning of the maintenance; None: there is none
    @param complaints see complaints(); none: all is as it should be
    @param log of slurmctld, and its record of completed jobs
    """

    outcomes: list
    clock: float
    passes: list
    main_passes: list
    priorities: float
    outage: float
    complaints: list
    log: str


def run(job_set, jobs):
    """A RealRun. @throws SlurmError if Slurm does not work"""
    with SlurmCluster(NODES, CORES, job_set.scheduler, job_set.slurm_parameters(), job_set.select,
                      job_set.lines_of_partitions, job_set.priority, GPUS if job_set.cores_of_gpu else 0,
                      list(job_set.accounts), job_set.parameters_of_qos()) as cluster:
        # Schedulers look at their first job some seconds after the start of slurmctld. Job 1 is not measured.
        submit(cluster, Job(at=0.0, cores=1, seconds=1, limit=1, memory=jobs[0].memory, partition=jobs[0].partition))
        wait_for_ends(cluster, 1, 60)
        began = time.monotonic()
        if job_set.outage:
            reserved = int(time.time()) + job_set.outage.begin
            reserve(cluster, job_set.outage, reserved)
        for job in jobs:
            time.sleep(max(0.0, began + job.at - time.monotonic()))
            submit(cluster, job)
        wait_for_ends(cluster, 1 + len(jobs), 60 + 10 * job_set.slower * len(jobs))
        log, completions = cluster.read("slurmctld.log"), cluster.read("completions")
        outcomes, first = outcomes_of_log(log, len(jobs))
        wrong = complaints(jobs, outcomes, first, completions)
        last = max(one.ended or 0.0 for one in outcomes)
        passes = passes_of_log(job_set.scheduler, log, first, last)
        main = passes_of_log("sched/builtin", log, first, last) if job_set.has_two_loops() else []
        return RealRun(outcomes, first, passes, main, next(iter(instants_of(PRIORITIES, log, first)), None),
                       reserved - first if job_set.outage else None, wrong, log + completions)
