"""Sets of jobs of known need and run time, drawn from a fixed seed: the same jobs on each run."""

import random
from dataclasses import dataclass, field

NODES = 16
CORES = 4  # of a node
MEMORY = 1000  # MB of a node
NEEDS = [1, 2, 4, 8, 16, 32]
SHARES = [20, 20, 25, 20, 10, 5]  # of jobs with these needs, in per cent
LOAD = 1.1  # work that is submitted, over what all cores can do until the last submission: a queue builds up
# Slurm looks at all jobs, at once where it can, and as often as it can elsewhere.
PROMPT = "default_queue_depth=10000,sched_interval=1,sched_min_interval=0,batch_sched_delay=0"
PROMPT_BACKFILL = PROMPT + ",bf_interval=1,bf_resolution=1,bf_max_job_test=10000"
TWO_PARTITIONS = """\
PartitionName=left Nodes=n[0-7] Default=YES MaxTime=INFINITE State=UP
PartitionName=right Nodes=n[8-15] MaxTime=INFINITE State=UP"""


@dataclass
class Job:
    """What a user submits."""

    at: float  # seconds after the first submission
    cores: int  # anywhere
    seconds: int  # that it sleeps
    limit: int  # minutes: Slurm knows no shorter unit
    memory: int = 0  # MB for each core
    partition: str = ""


@dataclass
class JobSet:
    """Jobs, how Slurm is configured for them, and the policies of muster that are held against it."""

    name: str
    about: str
    scheduler: str
    parameters: str
    policies: list
    limit: str = "exact"  # exact: a minute for each second; random: whole minutes without regard to the run time
    memory: list = field(default_factory=list)  # MB for each core, each as likely
    partitions: list = field(default_factory=list)  # names; each has as many of the nodes
    lines_of_partitions: str = None
    select: str = "CR_Core"
    whole_nodes: bool = False  # needs are multiples of a node's cores
    in_order: float = 0.95  # least share of the jobs that start in the same order in muster
    wait_within: float = 0.03  # share by which the mean wait may differ, unless the real runs differ by more

    def jobs(self, count, seed=1):
        """So many jobs in the order of their submission."""
        draw = random.Random(f"{seed} of the jobs")
        extra = random.Random(f"{seed} of {self.name}")
        largest = NODES * CORES // max(1, len(self.partitions))
        drawn = [(draw.choices(NEEDS, SHARES)[0], draw.randint(1, 8), draw.expovariate(1.0)) for _ in range(count)]
        work = sum(cores * (seconds + 1) for cores, seconds, _ in drawn)  # a second goes by between two jobs
        length = work / (LOAD * NODES * CORES)
        total = sum(pause for *_, pause in drawn[:-1])
        jobs, at = [], 0.0
        for cores, seconds, pause in drawn:
            limit = seconds if self.limit == "exact" else extra.randint(1, 8)
            memory = extra.choice(self.memory) if self.memory else 0
            partition = extra.choice(self.partitions) if self.partitions else ""
            if self.whole_nodes:
                cores = max(cores, CORES)
            if memory > 0:
                cores = min(cores, NODES * min(CORES, MEMORY // memory))
            jobs.append(Job(round(at, 3), min(cores, largest), seconds, limit, memory, partition))
            at += pause * length / total
        return jobs


FCFS = {"name": "fcfs"}
EASY = {"name": "easy_backfill"}
CONSERVATIVE = {"name": "conservative_backfill", "on_early_end": "replan"}
SETS = [
    JobSet("fcfs", "sched/builtin: first come, first served", "sched/builtin", PROMPT, [FCFS]),
    JobSet("backfill", "sched/backfill, limits 60 times the run times", "sched/backfill", PROMPT_BACKFILL,
           [CONSERVATIVE, EASY]),
    JobSet("bad_limits", "sched/backfill, limits of 1 to 8 minutes whatever the run time", "sched/backfill",
           PROMPT_BACKFILL, [CONSERVATIVE, EASY], limit="random"),
    JobSet("whole_nodes", "as bad_limits, but each job takes whole nodes", "sched/backfill", PROMPT_BACKFILL,
           [CONSERVATIVE, EASY], limit="random", whole_nodes=True),
    JobSet("memory", "sched/builtin, 100, 250 or 500 MB for each core of nodes of 1000 MB", "sched/builtin", PROMPT,
           [FCFS], memory=[100, 250, 500], select="CR_Core_Memory"),
    JobSet("partitions", "sched/builtin, two partitions of half the nodes", "sched/builtin", PROMPT, [FCFS],
           partitions=["left", "right"], lines_of_partitions=TWO_PARTITIONS),
]
