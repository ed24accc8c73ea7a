#!/usr/bin/env python3
"""Random products of features: every kind of jobs x policy x costs x faults x delays x arrivals x load x options.

Each scenario is small and must end with a result or a message, within 20 s of processor time and 2 GB. Its estimates
lie in their ranges, the parts of an explained mean add up to it, and its results are the same bytes with two workers,
after the run was killed and gone on with, and with every hop held against the protocol. With the sanitizers only the
last of these three is run, as the others take the same steps.

  tests/fuzz/random_products.py build/muster --count 2000
  tests/fuzz/random_products.py build-sanitize/muster --count 400 --first 5 --sanitized
"""

import argparse
import collections
import csv
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SECONDS = 20  # processor time of a run, at most
PATIENCE = 100  # elapsed time over processor time, at most: the machine may be busy
BYTES = 2 << 30
# Under the sanitizers address space is no measure, and everything takes longer.
SANITIZED_SECONDS = 200

DISTRIBUTIONS = [
    '{{ distribution = "exponential", mean = {mean} }}',
    '{{ distribution = "deterministic", value = {mean} }}',
    '{{ distribution = "hyperexponential", mean = {mean}, scv = 4.0 }}',
    '{{ distribution = "erlang", phases = 3, mean = {mean} }}',
    '{{ distribution = "lognormal", mean = {mean}, scv = 2.0 }}',
    '{{ distribution = "pareto", shape = 2.2, mean = {mean} }}',
    '{{ distribution = "weibull", shape = 0.6, mean = {mean} }}',
]
INTERARRIVALS = [
    '{ distribution = "deterministic", value = 1.0 }',
    '{ distribution = "erlang", phases = 4, mean = 1.0 }',
    '{ distribution = "hyperexponential", mean = 1.0, scv = 4.0 }',
    '{ distribution = "uniform", low = 0.0, high = 2.0 }',
]
UTILITIES = [
    '{ function = "linear" }',
    '{ function = "logarithmic", steepness = 5.0 }',
    '{ function = "exponential", steepness = 3.0 }',
    '{ function = "steps", tasks = 2 }',
    '{ function = "set_up", share = 0.3, steepness = 2.0 }',
    '{ points = [[0.0, 0.0], [0.5, 0.8], [1.0, 1.0]] }',
]
DEADLINES = [
    '{ distribution = "constant", slots = 4 }',
    '{ distribution = "uniform", from = 0, to = 6 }',
    '{ distribution = "two_valued", tight = 1, loose = 9 }',
]
# Rows of the table of the policy behind its name.
POLICIES = {
    "rigid": [
        ("adaptive_quickswap",), ("balanced_splitting",), ("divisor_filling",), ("fcfs",), ("first_fit",),
        ("kill_restart",), ("last_come_first_served",), ("max_weight",), ("msf",), ("msfq",),
        ("msfq", 'drain = "if_heavy_waits"'), ("nmsr",), ("randomized_timers",), ("randomized_timers", 'weight = "log"'),
        ("server_filling",), ("server_filling", 'fill = "until_misfit"'), ("server_filling_srpt",),
        ("static_quickswap",), ("static_quickswap", 'hand_over = "while_draining"'),
        ("static_quickswap", 'drain = "always"'), ("easy_backfill",), ("easy_backfill", "reservations = 3"),
        ("easy_backfill", 'order = "expansion_factor"', 'backfill_order = "shortest"'), ("conservative_backfill",),
        ("conservative_backfill", 'on_early_end = "replan"', 'order = "fair_share"'),
        ("conservative_backfill", 'pass = "each_event"'),
    ],
    "rigid with tasks": [
        ("adaptive_quickswap",), ("dominant_resource_fairness",), ("fcfs",), ("first_fit",), ("kill_restart",),
        ("max_weight",), ("msf",), ("randomized_timers",), ("tetris",), ("easy_backfill",),
        ("easy_backfill", "reservations = 3", 'backfill_order = "smallest_area"'), ("conservative_backfill",),
        ("conservative_backfill", 'on_early_end = "replan"'),
    ],
    "pooled": [("fcfs_pooled",), ("balanced_fair", "interruptions_per_job = 2.0"), ("balanced_fair", "theta = 0.5")],
    "slotted": [("edf",), ("equal_partitioning",), ("equal_partitioning", 'share = "fractional"'), ("fifo",),
                ("ispeed",), ("ispeed", 'gain = "literal"')],
}
# With tasks: a rule of placement each, unless the policy places by itself.
PLACEMENTS = ["first", "random", "best_fit", "worst_fit", "fewest_servers", "dot_product", "clustering", "fragmentation"]
SHARE_SERVERS = ["fcfs", "first_fit", "msf"]
PLACE_BY_THEMSELVES = ["tetris", "easy_backfill", "conservative_backfill"]
RESOURCES = ('resources = { memory = { kind = "amount", unit = "B" }, gpu = { kind = "devices", shares = 2 }, '
             'licence = { kind = "amount", of = "cluster", amount = 4 }, '
             'fpga = { kind = "devices", of = "cluster", amount = 2, shares = 4 } }')
TIMES = [0.0, 0.001, 0.01, 0.05, 0.2, 1.0, 1.5]

# Faults that say what a user can mend; every other one is a defect.
EXPECTED_FAULTS = ["the policy has started nothing", "no job has completed"]


class Scenario:
    """A random scenario: its text, and what must hold of its results."""

    def __init__(self, number, seed):
        self.rng = random.Random(f"{seed}:{number}")
        self.kind = self.rng.choice(["rigid", "rigid", "pooled", "slotted"])
        self.tasks = self.kind == "rigid" and self.chance(0.4)
        self.explain = self.chance(0.4)
        self.names = []
        self.cores = 0
        self.finite = False
        self.policy_name, *self.parameters = self.one_of(POLICIES["rigid with tasks" if self.tasks else self.kind])
        self.text = "\n".join([f'name = "product_{number}"', self.platform(), self.classes(), self.arrivals(),
                               self.policy(), self.run(), f"[report]\nexplain = {str(self.explain).lower()}",
                               self.events()]) + "\n"

    def chance(self, probability):
        return self.rng.random() < probability

    def one_of(self, values):
        return self.rng.choice(values)

    def time(self):
        return self.one_of(TIMES)

    def server(self, name):
        rng = self.rng
        count, cores = rng.randint(1, 4), rng.randint(1, 6)
        self.names.append(name)
        self.cores += count * cores
        row = [f'name = "{name}"', f"count = {count}", f"cores = {cores}"]
        if self.chance(0.3):
            row.append(f"capacity = {self.one_of([0.5, 1.0, 2.0])}")
        if self.faults and self.chance(0.7):
            row.append(f"faults = {{ to_failure = {self.one_of([0.5, 5.0, 50.0, 2e9])}, "
                       f"to_repair = {self.one_of([0.1, 1.0, 5.0])} }}")
        if self.chance(0.2):
            sleep = f", sleep_after = {self.time()}, wake = {self.time()}" if self.chance(0.5) else ""
            row.append(f"power = {{ idle = 10.0, active = 50.0{sleep} }}")
        if self.tasks:
            row.append(f"resources = {{ memory = {rng.randint(4, 12)}, gpu = {rng.randint(1, 3)} }}")
        return "{ " + ", ".join(row) + " }"

    def platform(self):
        self.faults = self.chance(0.3)
        servers = ", ".join(self.server(name) for name in ["a", "b", "c"][:self.rng.randint(1, 3)])
        rows = ["[platform]", f"servers = [{servers}]"]
        if self.faults and self.chance(0.5):
            rows.append(f"checkpoint_every = {self.one_of([0.0, 0.1, 1.0])}")
        if self.kind == "slotted":
            rows.append(f"slot = {self.one_of([0.5, 1.0])}")
        if self.chance(0.5):
            costs = [f"{name} = {self.time()}" for name in ["dispatch_latency", "set_up", "save", "restore", "migration"]
                     if self.chance(0.4)]
            if self.kind == "slotted" and self.chance(0.5):
                costs.append(f"epsilon = {self.one_of([0.01, 0.2, 1.0])}")
            if self.chance(0.3):
                costs.append(f"bandwidth = {self.one_of([1.0, 100.0])}")
            rows.append("costs = { " + ", ".join(costs) + " }")
        if self.chance(0.25):
            rows.append("link = " + self.one_of([
                "{ latency = 0.01 }", "{ latency = 0.001, bandwidth = 1e4 }",
                '{ topology = "racks", racks = 2, latency = 0.01, bandwidth = 1e3, uplink_latency = 0.01, '
                "uplink_bandwidth = 1e3 }", '{ topology = "fat_tree", ports = 4, latency = 0.002, bandwidth = 1e4 }',
                '{ topology = "fat_tree", ports = 4, latency = 0.002, bandwidth = 1e4, sharing = "max_min" }',
                '{ topology = "leaf_spine", leaves = 1, spines = 2, bandwidth = 1e3, sharing = "max_min" }',
                '{ topology = "dragonfly", groups = 3, routers = 2, latency = 0.01, global_bandwidth = 1e3 }']))
        if self.chance(0.25):
            rows.append("decision = " + self.one_of([
                "{ fixed = 0.001, per_job = 0.0005 }", "{ fixed = 0.1 }", "{ per_job = 0.05 }", "{ fixed = 2.0 }"]))
        self.shared = (self.kind == "rigid" and self.policy_name in SHARE_SERVERS and not self.tasks
                       and not self.faults and self.chance(0.4))
        if self.shared:
            rows.append("schedulers = " + self.one_of([
                '{ count = 2, partition = "shared" }', '{ count = 3, partition = "shared", information_delay = 0.2 }',
                '{ count = 4, partition = "shared", dispatching = "shortest_queue", information_delay = 1.5 }',
                '{ count = 2, partition = "shared", dispatching = "round_robin" }']))
        if self.tasks:
            rows.append(RESOURCES)
            if self.policy_name not in PLACE_BY_THEMSELVES:
                rows.append(f'placement = "{self.one_of(PLACEMENTS)}"')
        if self.kind == "pooled" and self.chance(0.5):
            rows.append('timers = { law = "deterministic", tick = 0.1 }')
        return "\n".join(rows)

    def classes(self):
        rng = self.rng
        self.finite = self.kind == "slotted" and self.chance(0.3)
        count = rng.randint(1, 4)
        weights = [rng.random() + 0.05 for _ in range(count)]
        shares = [round(w / sum(weights), 3) for w in weights[:-1]]
        shares.append(round(1.0 - sum(shares), 3))
        return "\n".join(self.job_class(f"c{i}", shares[i]) for i in range(count))

    def job_class(self, name, share):
        rows = ["[[classes]]", f'name = "{name}"']
        rows.append(f"jobs = {self.rng.randint(1, 20)}" if self.finite else f"share = {share}")
        if self.kind == "slotted":
            rows.append(f"units = {self.rng.randint(1, 8)}")
            rows.append(f"utility = {self.one_of(UTILITIES)}")
            if self.chance(0.6):
                rows.append(f"deadline = {self.one_of(DEADLINES)}")
            if self.chance(0.2):
                rows.append("initialisation = 0.3")
        else:
            mean = self.one_of([0.1, 1.0, 1.0, 10.0])
            rows.append("size = " + self.one_of(DISTRIBUTIONS).format(mean=mean))
        if self.tasks:
            rows.append(f"tasks = {self.rng.randint(1, 3)}")
            rows.append(f"per_task = {{ cores = 1, memory = {self.rng.randint(1, 4)}, gpu = {self.one_of([0, 0.5, 1])} }}")
            if self.chance(0.4):
                rows.append(self.one_of(["per_job = { licence = 2 }", "per_job = { fpga = 0.25 }",
                                         "per_job = { licence = 1, fpga = 1 }"]))
            if self.chance(0.2):
                rows.append(self.one_of(["exclusive = true", "at_most_per_server = 1", 'on = "one_server"']))
        elif self.kind == "rigid":
            most = self.cores
            rows.append(f"need = {self.one_of([1, 1, 2, most, self.rng.randint(1, most)])}")
        if self.kind == "pooled" and self.chance(0.5):
            rows.append("servers = " + self.one_of(["{ random = 1 }", '["a"]']))
        if self.chance(0.3):
            rows.append("state = 5.0")
        return "\n".join(rows)

    def arrivals(self):
        if self.finite:
            return f'[arrivals]\nprocess = "uniform"\nslots = {self.rng.randint(1, 10)}'
        load = self.one_of([0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.2, 3.0])
        process = self.one_of(["poisson", "poisson", "deterministic", "renewal", "batches", "profile", "modulated"])
        rows = ["[arrivals]", f"load = {load}", f'process = "{process}"']
        if process == "renewal":
            rows.append(f"interarrival = {self.one_of(INTERARRIVALS)}")
        if process == "batches":
            rows.append("mean_batch = 3")
        if process == "profile":
            rows.append(f"rates = [1, 0, 4]\nperiod = {self.one_of([1.0, 50.0])}")
        if process == "modulated":
            rows.append(f"rates = [1, 0, 4]\nstay = [{self.one_of([1.0, 50.0])}, 2.0, 5.0]")
        if self.kind == "rigid" and self.chance(0.3):
            rows.append(self.one_of(['estimate = "exact"', "estimate = { factor = 0.3 }", "estimate = { factor = 3.0 }",
                                     "estimate = { factor = 2.0 }\nkill_at_estimate = true"]))
        return "\n".join(rows)

    def speeds(self):
        if self.kind == "slotted" or not self.chance(0.3):
            return ""
        first = self.one_of([0.1, 0.5, 7.0])
        return "\n".join(f'[[events]]\nat = {first + after}\nservers = "a"\ncount = 1\n'
                         f'speed = {self.one_of([0.01, 0.5, 1.0, 3.0])}' for after in (0.0, 0.25, 13.0))

    def events(self):
        return self.speeds() + "\n" + self.outage()

    def outage(self):
        if self.faults or self.shared or self.finite or not self.chance(0.2):
            return ""
        at = self.one_of([0.0, 1.0, 7.0])
        known = "\nknown = true" if self.chance(0.5) else ""
        return (f'[[events]]\nat = {at}\nservers = "a"\naction = "{self.one_of(["drain", "fail"])}"{known}\n'
                f'[[events]]\nat = {at + self.one_of([0.5, 20.0])}\nservers = "a"\naction = "return"')

    def policy(self):
        return "\n".join(["[policy]", f'name = "{self.policy_name}"', *self.parameters])

    def run(self):
        rows = ["[run]", f"seed = {self.rng.randint(0, 10**6)}"]
        if not self.finite:
            rows.append(f"jobs = {self.one_of([1, 20, 200, 1000, 3000])}")
        if not self.finite and self.chance(0.15):
            rows.append('intervals = "batch_means"')
        else:
            rows.append(f"replications = {self.one_of([1, 2, 3, 10, 12])}")
        if not self.finite:
            rows.append(f"warm_up = {self.one_of(['0.0', '0.1', '0.5', chr(34) + 'mser5' + chr(34)])}")
        return "\n".join(rows)


class Defect(Exception):
    """What must hold and does not."""


def limited(sanitized, seconds):
    def limit():
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


def processor_time():
    """Processor time of all programs that have ended so far, with those that they started, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Trial:
    """One scenario, run in every way."""

    def __init__(self, muster, number, seed, sanitized):
        self.muster = muster
        self.sanitized = sanitized
        self.seconds = SANITIZED_SECONDS if sanitized else SECONDS
        self.scenario = Scenario(number, seed)
        self.folder = tempfile.mkdtemp(prefix="muster_product_")
        self.file = os.path.join(self.folder, "scenario.toml")
        with open(self.file, "w", encoding="utf-8") as f:
            f.write(self.scenario.text)

    def run(self, out, *options):
        command = [self.muster, "run", self.file, "--out", os.path.join(self.folder, out), "--quiet", *options]
        began = processor_time()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=PATIENCE * self.seconds, check=False,
                                  preexec_fn=limited(self.sanitized, self.seconds))
        except subprocess.TimeoutExpired as expired:
            raise Defect(f"{' '.join(options) or 'run'}: no end within {PATIENCE * self.seconds} s") from expired
        if (took := processor_time() - began) > self.seconds:
            raise Defect(f"{' '.join(options) or 'run'}: took {took:.1f} s")
        return done

    def results(self, out):
        with open(os.path.join(self.folder, out, "results.csv"), "rb") as f:
            return f.read()

    def judge(self):
        """@return what came of it: "result" or the first words of the message."""
        done = self.run("one", "-j", "1")
        if done.returncode not in (0, 2, 3):
            raise Defect(f"exit status {done.returncode}: {done.stderr[-400:]}")
        if done.returncode == 0:
            self.in_range()
            self.same_bytes()
            return "result"
        if not done.stderr.strip():
            raise Defect(f"exit status {done.returncode} without a message")
        if done.returncode == 2:
            return "message: " + re.sub(r"[0-9.]+", "N", done.stderr.strip().splitlines()[0].split(": ", 2)[-1])[:90]
        if not any(words in done.stderr.lower() for words in EXPECTED_FAULTS):
            raise Defect(f"fault: {done.stderr.strip()[-400:]}")
        return "fault that was expected"

    def same_bytes(self):
        self.expect_same("checked", "--check-protocol")
        if self.sanitized:
            return
        self.expect_same("two", "-j", "2")
        self.kill_and_go_on()

    def expect_same(self, out, *options):
        done = self.run(out, *options)
        if done.returncode != 0:
            raise Defect(f"{' '.join(options)}: exit status {done.returncode}: {done.stderr[-400:]}")
        if self.results(out) != self.results("one"):
            raise Defect(f"{' '.join(options)}: other bytes")

    def kill_and_go_on(self):
        out = os.path.join(self.folder, "killed")
        with subprocess.Popen([self.muster, "run", self.file, "--out", out, "--quiet"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as begun:
            time.sleep(self.scenario.rng.uniform(0.02, 0.2))
            begun.send_signal(signal.SIGKILL)
        self.expect_same("killed")

    def in_range(self):
        rows = list(csv.DictReader(self.results("one").decode().splitlines()))
        values = {(r["class"], r["metric"]): float(r["estimate"]) for r in rows if r["estimate"]}
        for r in rows:
            self.row_in_range(r)
        for name in {c for c, _ in values}:
            self.quantiles_in_order(values, name)
            if self.scenario.explain:
                self.parts_add_up(values, name)

    @staticmethod
    def row_in_range(row):
        numbers = [float(row[c]) for c in ("estimate", "ci_low", "ci_high") if row[c]]
        what = f"{row['metric']}[{row['class']}] = {row['estimate']} ({row['ci_low']} .. {row['ci_high']})"
        if any(n != n or abs(n) == float("inf") for n in numbers):
            raise Defect(f"no number: {what}")
        if numbers and numbers[0] < 0:
            raise Defect(f"below 0: {what}")
        if len(numbers) == 3 and not numbers[1] <= numbers[0] <= numbers[2]:
            raise Defect(f"outside its interval: {what}")
        if re.search("share|utilization|fairness", row["metric"]) and numbers and numbers[0] > 1 + 1e-9:
            raise Defect(f"above 1: {what}")

    @staticmethod
    def quantiles_in_order(values, name):
        for metric in ("response_time", "waiting_time"):
            last = 0.0
            for quantile in ("_p50", "_p95", "_p99", "_max"):
                here = values.get((name, metric + quantile))
                if here is None:
                    continue
                if here < last * (1 - 1e-9):
                    raise Defect(f"{metric}{quantile}[{name}] = {here} is below a lower quantile, {last}")
                last = here

    @staticmethod
    def parts_add_up(values, name):
        parts = ["time_running", "time_overhead", "time_network", "time_decision", "time_failure", "wait_no_core",
                 "wait_fragmentation", "wait_behind_others"]
        of_resources = [values[(name, "wait_no_resource")]] if (name, "wait_no_resource") in values else []
        found = [values[(name, p)] for p in parts if (name, p) in values]
        whole = values.get((name, "response_time"))
        if len(found) == len(parts) and whole is not None and abs(sum(found + of_resources) - whole) > 1e-9 * max(whole, 1e-6):
            raise Defect(f"the parts of response_time[{name}] add up to {sum(found + of_resources)}, not to {whole}")
        waits = [values[(name, p)] for p in parts if p.startswith("wait_") and (name, p) in values]
        waiting = values.get((name, "waiting_time"))
        if len(waits) == 3 and waiting is not None:
            together = sum(waits + of_resources) + values[(name, "time_decision")]
            if abs(together - waiting) > 1e-9 * max(waiting, 1e-6):
                raise Defect(f"the parts of waiting_time[{name}] add up to {together}, not to {waiting}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("muster", help="the program")
    parser.add_argument("--count", type=int, default=40, help="number of scenarios (default: 40)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    parser.add_argument("--seed", type=int, default=1, help="of all scenarios (default: 1)")
    parser.add_argument("--sanitized", action="store_true", help="the program is built with the sanitizers")
    parser.add_argument("--keep", help="folder for the scenarios with a defect")
    parser.add_argument("--show", action="store_true", help="print the scenario with the number --first, and run nothing")
    options = parser.parse_args()
    if options.show:
        print(Scenario(options.first, options.seed).text, end="")
        return 0
    ends = collections.Counter()
    defects = 0
    for number in range(options.first, options.first + options.count):
        trial = Trial(os.path.abspath(options.muster), number, options.seed, options.sanitized)
        try:
            ends[trial.judge()] += 1
        except Defect as defect:
            defects += 1
            print(f"scenario {number}: {defect}", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                shutil.copy(trial.file, os.path.join(options.keep, f"{number}.toml"))
        finally:
            shutil.rmtree(trial.folder, ignore_errors=True)
    for end, count in ends.most_common():
        print(f"{count:6}  {end}")
    print(f"{options.count - defects} of {options.count} as expected")
    return 1 if defects or not ends["result"] else 0


if __name__ == "__main__":
    sys.exit(main())
