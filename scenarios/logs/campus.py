"""Makes the log of quickswap_on_a_log.toml: scenarios/logs/campus.py | gzip -9n > scenarios/logs/campus.swf.gz

Three weeks of 40 users on 16 servers of 16 cores. A user has a kind of jobs, submits runs of like jobs in office hours,
and asks for a round time, mostly far too long. The random numbers are those of a fixed seed: it prints the same log
again.
"""

from math import cos, exp, log, pi, sqrt
from random import Random

KINDS = [  # queue, cores, GB of each core, users, share of all work, median run time in h
    ("serial", 1, 2, 8, 0.03, 12.0),
    ("serial_fat", 1, 24, 6, 0.06, 16.0),
    ("group", 8, 2, 10, 0.29, 8.0),
    ("group_fat", 8, 7, 6, 0.16, 10.0),
    ("wide", 32, 3, 6, 0.28, 6.0),
    ("half", 128, 2, 4, 0.18, 2.0),
]
CORES, WEEKS, LOAD = 256, 3, 0.65
HOUR, DAY = 3600, 86400
REQUESTS = [0.5, 1, 2, 4, 8, 12, 24, 48, 96]  # h
DAYS = [1.0, 1.2, 1.2, 1.1, 0.8, 0.15, 0.15]  # from Monday on
HOURS = [0.1] * 7 + [0.3, 1, 2, 2.2, 2, 1.2, 1.8, 2.2, 2, 1.6, 1.2, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2]

random = Random(29).random


def exponential(mean):
    return -mean * log(1.0 - random())


def normal():
    return sqrt(-2.0 * log(1.0 - random())) * cos(2.0 * pi * random())


def moment():
    """A moment of the weeks, by the rates of the hours and days."""
    while True:
        t = random() * WEEKS * 7 * DAY
        if random() * max(DAYS) * max(HOURS) < DAYS[int(t / DAY) % 7] * HOURS[int(t / HOUR) % 24]:
            return t


def jobs_of_user(user, kind, work):
    """Jobs with so many core seconds in all."""
    queue, cores, memory, _, _, median = kind
    median *= exp(0.6 * normal())
    habit = 1.0 + exponential(2.0)  # by which the request is too long
    made = []
    while work > 0.0:
        start, count = moment(), 1 + int(exponential(5.0 if cores < 32 else 2.0))
        typical = median * exp(0.8 * normal()) * HOUR
        request = next((r for r in REQUESTS if r * HOUR >= habit * typical), REQUESTS[-1]) * HOUR
        for _ in range(count):
            run = min(typical * exp(0.3 * normal()), request)
            failed = random() < 0.08
            if failed:
                run = min(run, 10 + exponential(120))
            run = max(int(run), 1)
            made.append((int(start), run, cores, int(request), memory, 0 if failed else 1, user, queue))
            work -= run * cores
            start += exponential(60 if random() < 0.7 else 1800)
    return made


jobs, user = [], 0
for kind in KINDS:
    weights = [1.0 / (n + 1) for n in range(kind[3])]  # few users have most of the work
    for weight in weights:
        user += 1
        jobs += jobs_of_user(user, kind, weight / sum(weights) * kind[4] * LOAD * CORES * WEEKS * 7 * DAY)
jobs = sorted(j for j in jobs if j[0] < WEEKS * 7 * DAY)
first = jobs[0][0]
queues = [k[0] for k in KINDS]

print("; Version: 2.2")
print("; Computer: a cluster of 16 servers with 16 cores")
print("; Installation: none; the jobs are made up for a scenario, by campus.py")
print(f"; MaxJobs: {len(jobs)}")
print(f"; MaxRecords: {len(jobs)}")
print(f"; UnixStartTime: {1704067200 + first}")
print("; TimeZoneString: UTC")
print(f"; MaxNodes: 16\n; MaxProcs: {CORES}\n; MaxQueues: {len(KINDS)}")
for number, queue in enumerate(queues, 1):
    print(f"; Queue: {number} {queue}")
print("; Note: field 10 is what was asked for, in kB of each processor; waits are not known (-1)")
for number, (submit, run, cores, request, memory, state, user, queue) in enumerate(jobs, 1):
    print(number, submit - first, -1, run, cores, -1, -1, cores, request, memory * 1000 ** 3 // 1024, state, user, 1,
          -1, queues.index(queue) + 1, -1, -1, -1)
