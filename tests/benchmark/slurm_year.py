#!/usr/bin/env python3
"""slurm_year.py JOBS FOLDER writes year.toml and year.csv: a log like that of a site, under the policy slurm.

1,000 nodes of 32 cores, a million jobs in 1.3 years: campaigns of jobs that are alike, by 300 users of 40 accounts,
more of them by day and on weekdays. A fifth of the jobs have 2 to 64 nodes, limits are three to four times the run
times, and the load is 0.8. Fair share, the size of jobs and their age make priorities.
"""

import math
import pathlib
import random
import sys

NODES, CORES, USERS, ACCOUNTS, LOAD = 1000, 32, 300, 40, 0.8
CAMPAIGNS_PER_SECOND = 1e6 / (8760 * 3600.0) / 4.0
LIMITS = {1800: 0.08, 3600: 0.14, 14400: 0.18, 28800: 0.12, 43200: 0.10, 86400: 0.2, 172800: 0.10, 259200: 0.08}

SCENARIO = f"""name = "year"
time_unit = "s"

[run]
replications = 1

[platform.resources]
memory = {{ kind = "amount", unit = "B" }}

[platform]
servers = [{{ name = "n", count = {NODES}, cores = {CORES}, resources = {{ memory = {128 * 2**30} }} }}]

[[classes]]
name = "batch"
servers = ["n"]

[arrivals]
process = "list"
file = "year.csv"
estimate = "requested"

[policy]
name = "slurm"
PriorityType = "multifactor"
PriorityWeightAge = 10000
PriorityWeightFairshare = 100000
PriorityWeightJobSize = 20000
"""


def shape(draw):
    """Nodes of a job, and cores on each."""
    if draw.random() < 0.2:
        nodes = draw.choices([2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64], [30, 6, 22, 5, 16, 3, 9, 2, 4, 1, 2])[0]
        return nodes, draw.choices([32, 16, 24, 28], [80, 8, 6, 6])[0]
    return 1, draw.choices([1, 2, 4, 8, 12, 16, 24, 32], [26, 8, 16, 14, 4, 10, 4, 18])[0]


def wave(time):
    """The rate of arrivals at a time over its mean, about."""
    rate = 1 + 0.65 * math.sin((time / 3600 % 24 - 9) / 24 * 2 * math.pi)
    return rate * (0.6 if int(time / 86400) % 7 >= 5 else 1.16)


def campaigns(jobs, draw):
    """Arrival, run time, nodes, cores, GB a node, limit and user of each job, by arrival."""
    weights = [1 / (user + 3) ** 0.8 for user in range(USERS)]
    rows, time = [], 0.0
    while len(rows) < jobs:
        time += draw.expovariate(CAMPAIGNS_PER_SECOND * wave(time))
        user = draw.choices(range(USERS), weights)[0]
        count = min(1 + int(draw.expovariate(1 / 3.5)), 60) if draw.random() < 0.7 else 1
        nodes, cores = shape(draw)
        limit = draw.choices(list(LIMITS), list(LIMITS.values()))[0]
        memory = cores * draw.choices([1, 2, 3.5, 4], [3, 5, 1, 3])[0]
        typical = draw.betavariate(1.2, 3)
        arrival = time
        for _ in range(count):
            size = max(5, int(limit * min(1, typical * draw.lognormvariate(0, 0.35))))
            rows.append((arrival, size, nodes, cores, memory, limit, user))
            arrival += draw.choice([0, 0, 1, 2])
    return sorted(rows[:jobs], key=lambda row: row[0])


def main():
    jobs, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = campaigns(jobs, random.Random(7))
    work = sum(size * nodes * cores for _, size, nodes, cores, *_ in rows)
    factor = LOAD * NODES * CORES * rows[-1][0] / work
    with open(folder / "year.csv", "w") as csv:
        csv.write("id,arrival,size,class,tasks,cores,memory,requested,user\n")
        for number, (arrival, size, nodes, cores, memory, limit, user) in enumerate(rows, 1):
            requested = max(60, math.ceil(limit * factor / 1800) * 1800)
            size = min(max(5, int(size * factor)), requested)
            csv.write(f"{number},{arrival:.0f},{size},batch,{nodes},{cores},{int(memory * 2**30)},{requested},"
                      f"user{user:03d}\n")
    with open(folder / "year.toml", "w") as toml:
        toml.write(SCENARIO)
        for account in range(ACCOUNTS):
            toml.write(f'\n[policy.accounts."account{account:02d}"]\nFairshare = {1 + account % 7 * 10}\n')
        for user in range(USERS):
            toml.write(f'\n[policy.users."user{user:03d}"]\naccount = "account{user % ACCOUNTS:02d}"\nFairshare = 1\n')


if __name__ == "__main__":
    main()
