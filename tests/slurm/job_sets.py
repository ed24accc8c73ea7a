"""Sets of jobs of known need and run time, drawn from a fixed seed: the same jobs on each run."""

import random
from dataclasses import dataclass, field

NODES = 16
CORES = 4  # of a node
MEMORY = 1000  # MB of a node
GPUS = 2  # of a node, where a set needs any
NEEDS = [1, 2, 4, 8, 16, 32]
SHARES = [20, 20, 25, 20, 10, 5]  # of jobs with these needs, in per cent
LOAD = 1.1  # work that is submitted, over what all cores can do until the last submission: a queue builds up
# Each pass looks at all jobs, and passes are as frequent as they can be.
EVENTS = "default_queue_depth=10000,sched_interval=1,sched_min_interval=0,batch_sched_delay=0"
PASSES = "bf_interval=1,bf_resolution=1,bf_max_job_test=10000"
# A pass that has looked at a job breaks off after bf_max_time, by the full seconds of the clock. Its default is
# bf_interval: within a pass of some milliseconds a full second passes now and then, and the rest of the queue would
# have to wait for the next pass.
WHOLE_PASSES = {"bf_max_time": 30}
PASSES_ALONE = "sched_interval=-1," + PASSES  # without the main scheduler, which completions call
FAR = ",bf_window=20000,bf_window_linear=1"  # plans reach beyond the longest limits
TWO_PARTITIONS = """\
PartitionName=left Nodes=n[0-7] Default=YES MaxTime=INFINITE State=UP
PartitionName=right Nodes=n[8-15] MaxTime=INFINITE State=UP"""
TWO_TIERS = """\
PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2"""


@dataclass
class Job:
    """What a user submits."""

    at: float  # seconds after the first submission
    cores: int  # anywhere
    seconds: int  # that it sleeps
    limit: int  # minutes: Slurm knows no shorter unit
    memory: int = 0  # MB for each core
    partition: str = ""
    gpus: int = 0  # each with the same whole number of cores, on any nodes
    account: str = ""
    qos: str = ""


@dataclass
class Outage:
    """A time for which the first nodes are reserved for maintenance, in whole seconds after the first submission."""

    begin: int
    end: int
    nodes: int


@dataclass
class JobSet:
    """Jobs, how Slurm is configured for them, and the policies of muster that are held against it."""

    name: str
    about: str
    scheduler: str
    parameters: str
    policies: list
    # exact: a minute for each second; random: 1 to 8 minutes; apart: multiples of 10 minutes, another one for each job
    limit: str = "exact"
    memory: list = field(default_factory=list)  # MB for each core, each as likely
    partitions: list = field(default_factory=list)  # names; each has as many of the nodes
    # Names of partitions of all nodes, by ascending PriorityTier, and their shares of the jobs.
    tiers: dict = field(default_factory=dict)
    lines_of_partitions: str = None
    priority: dict = field(default_factory=dict)  # parameters of slurm.conf, which the policy slurm has as well
    select: str = "CR_Core"
    cores_of_gpu: list = field(default_factory=list)  # each as likely; 0: no GPUs. A job with fewer cores has no GPU
    accounts: dict = field(default_factory=dict)  # names, and shares of the jobs
    # Of each QOS its share of the jobs, and its parameters as the policy slurm has them. One that gives way comes first.
    qos: dict = field(default_factory=dict)
    outage: Outage = None
    slower: int = 1  # factor of sleeps and of times between submissions
    load: float = LOAD
    # Whether muster plans reservations on nodes, as sched/backfill does, and not on a number of cores. Each core comes
    # with its share of the node's memory, which takes no room from any job.
    by_node: bool = False
    whole_nodes: bool = False  # needs are multiples of a node's cores

    def loops(self):
        """muster's policy with Slurm's own loops, by the parameters of the set."""
        settings = {"name": "slurm", "SchedulerType": self.scheduler.partition("/")[2], **self.priority}
        for option in self.parameters.split(","):
            name, _, value = option.partition("=")
            settings[name] = int(value)
        if self.qos:
            settings["qos"] = self.parameters_of_qos()
        return settings

    def parameters_of_qos(self):
        """The parameters of each QOS by its name."""
        return {name: parameters for name, (_, parameters) in self.qos.items()}

    def slurm_parameters(self):
        """Of slurm.conf's SchedulerParameters."""
        if self.scheduler == "sched/builtin":
            return self.parameters
        return ",".join([self.parameters, *(f"{name}={value}" for name, value in WHOLE_PASSES.items())])

    def has_two_loops(self):
        """Whether the main scheduler makes passes, too, beside those of sched/backfill."""
        return self.scheduler == "sched/backfill" and "sched_interval=-1" not in self.parameters

    def jobs(self, count, seed=1):
        """So many jobs in the order of their submission."""
        draw = random.Random(f"{seed} of the jobs")
        extra = random.Random(f"{seed} of {self.name}")
        largest = NODES * CORES // max(1, len(self.partitions))
        drawn = [(draw.choices(NEEDS, SHARES)[0], draw.randint(1, 8), draw.expovariate(1.0)) for _ in range(count)]
        work = sum(cores * (seconds + 1) for cores, seconds, _ in drawn)  # a second goes by between two jobs
        length = work / (self.load * NODES * CORES)
        total = sum(pause for *_, pause in drawn[:-1])
        apart = extra.sample(range(1, 1001), count)
        jobs, at = [], 0.0
        for (cores, seconds, pause), tens in zip(drawn, apart):
            limit = {"exact": seconds, "random": extra.randint(1, 8), "apart": 10 * tens}[self.limit]
            memory = extra.choice(self.memory) if self.memory else 0
            partition = extra.choice(self.partitions) if self.partitions else ""
            if self.tiers:
                partition = extra.choices(list(self.tiers), self.tiers.values())[0]
            account = extra.choices(list(self.accounts), self.accounts.values())[0] if self.accounts else ""
            qos = extra.choices(list(self.qos), [share for share, _ in self.qos.values()])[0] if self.qos else ""
            of_gpu = extra.choice(self.cores_of_gpu) if self.cores_of_gpu else 0
            if self.whole_nodes:
                cores = max(cores, CORES)
            if memory > 0:
                cores = min(cores, NODES * min(CORES, MEMORY // memory))
            gpus = cores // of_gpu if of_gpu else 0
            jobs.append(Job(round(at * self.slower, 3), min(cores, largest), seconds * self.slower, limit, memory,
                            partition, gpus, account, qos))
            at += pause * length / total
        return jobs


FCFS = {"name": "fcfs"}
EASY = {"name": "easy_backfill"}
CONSERVATIVE = {"name": "conservative_backfill", "on_early_end": "replan"}
SETS = [
    JobSet("fcfs", "sched/builtin: first come, first served", "sched/builtin", EVENTS, [FCFS]),
    JobSet("backfill", "sched/backfill, limits 60 times the run times", "sched/backfill", PASSES_ALONE,
           [CONSERVATIVE, EASY], by_node=True),
    JobSet("bad_limits", "sched/backfill, limits of 1 to 8 minutes whatever the run time", "sched/backfill",
           PASSES_ALONE, [CONSERVATIVE, EASY], by_node=True, limit="random"),
    JobSet("whole_nodes", "sched/backfill, jobs of whole nodes, limits that are at least 10 minutes apart",
           "sched/backfill", PASSES_ALONE + FAR, [CONSERVATIVE, EASY], by_node=True, limit="apart", whole_nodes=True),
    JobSet("two_loops", "as whole_nodes, but completions call the main scheduler, too", "sched/backfill",
           EVENTS + "," + PASSES + FAR, [CONSERVATIVE, EASY], by_node=True, limit="apart", whole_nodes=True),
    JobSet("memory", "sched/builtin, 100, 250 or 500 MB for each core of nodes of 1000 MB", "sched/builtin", EVENTS,
           [FCFS], memory=[100, 250, 500], select="CR_Core_Memory"),
    JobSet("partitions", "sched/builtin, two partitions of half the nodes", "sched/builtin", EVENTS, [FCFS],
           partitions=["left", "right"], lines_of_partitions=TWO_PARTITIONS),
    JobSet("multifactor", "sched/builtin, small jobs first by priority/multifactor", "sched/builtin", EVENTS, [],
           priority={"PriorityType": "multifactor", "PriorityWeightJobSize": 10000, "PriorityFavorSmall": "yes"}),
    JobSet("gpus", "sched/backfill, nodes with 2 GPUs, each of which comes with 1 or 2 cores, or jobs without",
           "sched/backfill", PASSES_ALONE, [], cores_of_gpu=[0, 1, 2], by_node=True),
    JobSet("maintenance", "sched/backfill, half of the nodes reserved from 70 to 80 s", "sched/backfill", PASSES_ALONE,
           [], outage=Outage(70, 80, NODES // 2), load=1.5, by_node=True),
    JobSet("preemption", "sched/builtin, a partition whose jobs make those of another one give way (requeue)",
           "sched/builtin", EVENTS, [], tiers={"low": 8, "high": 2}, lines_of_partitions=TWO_TIERS, load=0.8,
           priority={"PriorityType": "basic", "PreemptType": "partition_prio", "PreemptMode": "requeue"}),
    JobSet("fair_share", "sched/builtin, three accounts by priority/multifactor, sleeps of 5 to 40 s", "sched/builtin",
           EVENTS, [], accounts={"a": 6, "b": 3, "c": 1}, slower=5, load=1.5,
           priority={"PriorityType": "multifactor", "PriorityWeightFairshare": 100000, "PriorityCalcPeriod": 60}),
    JobSet("qos", "sched/builtin, three QOS with priorities and limits of jobs, of cores and of a user's cores",
           "sched/builtin", EVENTS, [], accounts={"a": 1}, load=0.8,
           qos={"low": (3, {"MaxJobsPerUser": 4}), "standard": (5, {"Priority": 50, "GrpCPUs": 32}),
                "high": (2, {"Priority": 100, "MaxCPUsPerUser": 32})},
           priority={"PriorityType": "multifactor", "PriorityWeightQOS": 10000}),
    JobSet("preemption_by_qos", "sched/builtin, a QOS whose jobs make those of another one give way (requeue)",
           "sched/builtin", EVENTS, [], accounts={"a": 1}, tiers={"p": 1}, load=1.0,
           qos={"low": (8, {}), "high": (2, {"Priority": 100, "Preempt": "low"})},
           priority={"PriorityType": "multifactor", "PriorityWeightQOS": 10000, "PreemptType": "qos",
                     "PreemptMode": "requeue"}),
]
