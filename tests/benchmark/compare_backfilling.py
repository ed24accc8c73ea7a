#!/usr/bin/env python3
"""Mean wait, flow time and bounded slowdown of a log under FCFS, EASY and conservative backfilling, by a plain loop.

It reads a file of the Standard Workload Format, plain or gzipped. A job needs the processors that it requested (field
8), else those that it got (field 5); its run time is field 4, its estimate the requested time (field 9), else the run
time. Jobs without run time, without processors or with more than there are do not count. Of the events of a second ends
come first, then arrivals, then one pass of the policy. Ties go by the order of the file. A running job that exceeds its
estimate is expected to take twice as long, and so on.

  tests/benchmark/compare_backfilling.py LOG.swf.gz --cores 128
  tests/benchmark/compare_backfilling.py LOG.swf --cores 128 --policies easy --order shortest --killed --starts out.csv
"""

import argparse
import bisect
import collections
import gzip
import heapq
import math

BOUND = 10  # seconds, of the bounded slowdown
POLICIES = ("fcfs", "easy", "compress", "replan")
ORDERS = ("arrival", "shortest", "smallest_area", "expansion_factor", "fair_share")

Job = collections.namedtuple("Job", "number arrival run estimate cores user")


def read_log(path, cores, killed):
    """The jobs that count, by arrival, and how many lines do not, by reason."""
    jobs, left_out = [], collections.Counter()
    with gzip.open(path, "rt", errors="replace") if path.endswith(".gz") else open(path, errors="replace") as lines:
        for line in lines:
            fields = line.split()
            if not fields or fields[0].startswith(";"):
                continue
            number, arrival, run = int(fields[0]), int(float(fields[1])), int(float(fields[3]))
            got, requested, time = int(fields[4]), int(fields[7]), int(float(fields[8]))
            need = requested if requested > 0 else got
            if run <= 0 or need <= 0 or need > cores:
                left_out["no run time" if run <= 0 else "no processors" if need <= 0 else "too many processors"] += 1
                continue
            estimate = time if time > 0 else run
            jobs.append(Job(number, arrival, min(run, estimate) if killed else run, estimate, need, int(fields[11])))
    return sorted(jobs, key=lambda j: j.arrival), left_out


class Profile:
    """Free cores over time: free[i] from times[i] on."""

    def __init__(self, now, cores):
        self.times, self.free = [now], [cores]

    def _split(self, at):
        place = bisect.bisect_left(self.times, at)
        if place == len(self.times) or self.times[place] != at:
            self.times.insert(place, at)
            self.free.insert(place, self.free[place - 1])
        return place

    def add(self, start, end, cores):
        first, last = self._split(start), self._split(end)
        for place in range(first, last):
            self.free[place] += cores

    def earliest(self, duration, cores, only_now=False):
        """The first time from which so many cores are free for so long; with only_now None unless it is the first."""
        start = None
        for time, free in zip(self.times, self.free):
            if start is not None and time >= start + duration:
                break
            if free < cores:
                if only_now:
                    return None
                start = None
            elif start is None:
                start = time
        return start


class Scheduler:
    def __init__(self, jobs, options, policy):
        self.jobs, self.options, self.policy = jobs, options, policy
        self.now, self.free = 0, options.cores
        self.waiting, self.reserved = [], {}  # numbers of jobs by arrival; the time of a reservation
        self.ends, self.expected = [], {}  # of running jobs; as of the last pass
        self.starts = [None] * len(jobs)
        self.early = False
        self.usage = collections.Counter()  # of ended jobs, by user

    def run(self):
        arrived = 0
        while arrived < len(self.jobs) or self.ends or self.waiting:
            self.now = min([self.ends[0][0] if self.ends else math.inf,
                            self.jobs[arrived].arrival if arrived < len(self.jobs) else math.inf,
                            min(self.reserved.values(), default=math.inf)])
            passed = False
            while self.ends and self.ends[0][0] == self.now:
                self.end(heapq.heappop(self.ends)[1])
                passed = self.options.each_event and self.make_pass()
            while arrived < len(self.jobs) and self.jobs[arrived].arrival == self.now:
                self.waiting.append(arrived)
                arrived += 1
                passed = self.options.each_event and self.make_pass()
            if not passed:
                self.make_pass()
        return self.starts

    def make_pass(self):
        exceeded = self.look_at_running_jobs()
        getattr(self, self.policy)(exceeded)
        self.early = False
        return True

    def end(self, n):
        job = self.jobs[n]
        self.free += job.cores
        self.usage[job.user] += job.cores * job.run
        self.early = self.now < self.expected.pop(n) or self.early

    def start(self, n):
        job = self.jobs[n]
        self.free -= job.cores
        self.waiting.remove(n)
        self.reserved.pop(n, None)
        self.starts[n] = self.now
        self.expected[n] = self.now + job.estimate
        heapq.heappush(self.ends, (self.now + job.run, n))

    def look_at_running_jobs(self):
        """Whether some have exceeded their estimates; they are expected to take longer then."""
        exceeded = [n for n, end in self.expected.items() if end <= self.now]
        for n in exceeded:
            while self.expected[n] <= self.now:
                self.expected[n] += self.expected[n] - self.starts[n]
        return bool(exceeded)

    def sorted(self, numbers, order):
        jobs, now = self.jobs, self.now
        if order == "shortest":
            return sorted(numbers, key=lambda n: (jobs[n].estimate, n))
        if order == "smallest_area":
            return sorted(numbers, key=lambda n: (jobs[n].estimate * jobs[n].cores, n))
        if order == "expansion_factor":
            return sorted(numbers, key=lambda n: (-(now - jobs[n].arrival) / jobs[n].estimate, n))
        if order == "fair_share":
            usage = self.usage.copy()
            for n in self.expected:
                usage[jobs[n].user] += jobs[n].cores * (now - self.starts[n])
            return sorted(numbers, key=lambda n: (usage[jobs[n].user], n))
        return sorted(numbers)

    def profile(self):
        changes = collections.Counter()
        for n, end in self.expected.items():
            changes[end] += self.jobs[n].cores
        for n, at in self.reserved.items():
            changes[at] -= self.jobs[n].cores
            changes[at + self.jobs[n].estimate] += self.jobs[n].cores
        profile = Profile(self.now, self.free + changes.pop(self.now, 0))
        for time in sorted(changes):
            profile.times.append(time)
            profile.free.append(profile.free[-1] + changes[time])
        return profile

    def fcfs(self, _):
        while self.waiting and self.jobs[self.waiting[0]].cores <= self.free:
            self.start(self.waiting[0])

    def easy(self, _):
        if not any(self.jobs[n].cores <= self.free for n in self.waiting):
            return
        profile = self.profile()
        later = self.sorted(self.waiting, self.options.backfill_order)
        reservations = 0
        for n in self.sorted(self.waiting, self.options.order):
            if reservations == self.options.reservations:
                break
            job = self.jobs[n]
            at = profile.earliest(job.estimate, job.cores)
            profile.add(at, at + job.estimate, -job.cores)
            later.remove(n)
            if at == self.now:
                self.start(n)
            else:
                reservations += 1
        for n in later:
            job = self.jobs[n]
            if job.cores <= self.free and profile.earliest(job.estimate, job.cores, True) == self.now:
                profile.add(self.now, self.now + job.estimate, -job.cores)
                self.start(n)

    def replan(self, _, numbers=None):
        self.reserved = {}
        self.reserve(self.sorted(self.waiting, self.options.order) if numbers is None else numbers)

    def compress(self, exceeded):
        added = self.sorted([n for n in self.waiting if n not in self.reserved], self.options.order)
        kept = self.sorted(self.reserved, self.options.order)
        if exceeded:
            kept.sort(key=lambda n: self.reserved[n])
            self.replan(exceeded, kept + added)
        else:
            self.reserve(kept + added if self.early else added)

    def reserve(self, numbers):
        """Makes the jobs' reservations, one after the other, anew where they have one; starts those that are due."""
        profile = self.profile()
        for n in numbers:
            job = self.jobs[n]
            if n in self.reserved:
                profile.add(self.reserved[n], self.reserved[n] + job.estimate, job.cores)
            self.reserved[n] = at = profile.earliest(job.estimate, job.cores)
            profile.add(at, at + job.estimate, -job.cores)
        for n in sorted(n for n, at in self.reserved.items() if at == self.now):
            self.start(n)


def five_digits(value):
    return f"{value:#.5g}".rstrip(".") if value < 1e5 else f"{value:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    parser.add_argument("--cores", type=int, required=True)
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=POLICIES)
    parser.add_argument("--order", choices=ORDERS, default="arrival")
    parser.add_argument("--backfill-order", choices=ORDERS, default="arrival", help="of easy, beside the reservations")
    parser.add_argument("--reservations", type=int, default=1, help="of easy")
    parser.add_argument("--each-event", action="store_true", help="a pass after each event, not after all of a second")
    parser.add_argument("--killed", action="store_true", help="jobs end when they have used the time they requested")
    parser.add_argument("--starts", help="a CSV file: the number of each job in the log, and its start by each policy")
    options = parser.parse_args()
    jobs, left_out = read_log(options.log, options.cores, options.killed)
    print(f"{len(jobs)} jobs" + "".join(f", left out: {count} ({why})" for why, count in left_out.items()))
    print(f"{'policy':<10} {'wait':>9} {'flow time':>9} {'bounded slowdown':>16}")
    columns = []
    for policy in options.policies:
        columns.append(Scheduler(jobs, options, policy).run())
        waits = [start - job.arrival for start, job in zip(columns[-1], jobs)]
        slowdowns = [max(1.0, (wait + job.run) / max(job.run, BOUND)) for wait, job in zip(waits, jobs)]
        flow = sum(wait + job.run for wait, job in zip(waits, jobs))
        print(f"{policy:<10} {five_digits(sum(waits) / len(jobs)):>9} {five_digits(flow / len(jobs)):>9} "
              f"{five_digits(math.fsum(slowdowns) / len(jobs)):>16}", flush=True)
    if options.starts:
        with open(options.starts, "w") as out:
            print("job", *options.policies, sep=",", file=out)
            for job, *starts in zip(jobs, *columns):
                print(job.number, *starts, sep=",", file=out)


if __name__ == "__main__":
    main()
