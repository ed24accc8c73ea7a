#!/usr/bin/env python3
"""Times fewer jobs that control variates take for the same precision of mean response times, at load 0.95.

Usage: tests/benchmark/variance.py MUSTER [JOBS [STUDY...]]. Every shipped study that control variates can help (not
those of slotted jobs), 20 replications of JOBS jobs (200,000) of each point. Some minutes.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
# Load: 4.1 cores of 32 for each arrival of one-or-all, 3 of 15 for each of the four classes. With graphs, of the set of
# classes that is pressed hardest: it has 1.6 times the load of all with dedicated servers, 1.088 times with the others.
ONE_OR_ALL, FOUR_CLASSES, ALL = "arrivals.rate=7.4", "arrivals.rate=4.75", "arrivals.load=0.95"
AT_HIGH_LOAD = [
    ("quickswap_one_or_all", ONE_OR_ALL),
    ("quickswap_nmsr", ONE_OR_ALL),
    ("quickswap_threshold", ONE_OR_ALL),
    ("quickswap_phases", ONE_OR_ALL),
    ("quickswap_four_class", FOUR_CLASSES),
    ("energy", FOUR_CLASSES),
    ("graph_shapes", 'platform.graph="graphs/dedicated.txt"', "arrivals.load=0.594"),
    ("graph_shapes", 'platform.graph="graphs/ring.graphml"', "arrivals.load=0.873"),
    ("graph_shapes", 'platform.graph="graphs/random_2.txt"', "arrivals.load=0.873"),
    ("graph_shapes", 'platform.graph="graphs/tree.txt"', "arrivals.load=0.873"),
    ("graph_shapes", 'platform.graph="graphs/complete.txt"', ALL),
    ("balanced_fairness_two_servers", ALL),
    ("balanced_fairness_three_servers", ALL),
    ("balanced_fairness_random_2_of_100", ALL),
    ("balanced_fairness_random_3_of_100", ALL),
    ("interruption_cost", ALL, "platform.costs={ save = 0.0, restore = 0.0, migration = 0.0 }"),
    ("preemption_cost", ALL, "platform.costs={ save = 0.0, restore = 0.0, migration = 0.0 }"),
    ("preemption_cost_four_class", ALL, "platform.costs={ save = 0.0, restore = 0.0, migration = 0.0 }"),
    ("reality_gap", FOUR_CLASSES, "platform.link={ latency = 0.0 }"),
    ("sizing", "arrivals.factor=1.9", "platform.servers.node.count=4"),
    ("which_policy", ALL),
    ("reality_gap_balanced_fairness", ALL),
    ("cluster_shapes", ALL),
    ("quickswap_borg_b", ALL),
    ("preemption_cost_borg_b", ALL, "platform.costs={ save = 0.0, restore = 0.0, migration = 0.0 }"),
]


def factors(muster, name, settings, jobs, out):
    """By point: what the sweep has put into it, and the factors of `all`, weighted, and the least of the classes."""
    set_all = [word for s in (*settings, f"run.jobs={jobs}", "run.replications=20", "run.warm_up=0.2")
               for word in ("--set", s)]
    subprocess.run([muster, "run", SCENARIOS / f"{name}.toml", "--quiet", "--out", out, "-j", "2", *set_all],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = json.loads((out / "manifest.json").read_text())["control_variates"]
    found = {(t["point"], t["class"], t["metric"]): t["variance_factor"] for t in told}
    points = {}
    with open(out / "results.csv", newline="") as rows:
        for row in csv.DictReader(rows):
            if row["metric"] not in ("response_time", "weighted_response_time"):
                continue
            keys = list(row)[2:list(row).index("class")]
            notes = ", ".join(n for n in ("unstable", "biased") if n in row["note"])
            at = int(row["point"])
            point = points.setdefault(at, (", ".join(row[k] for k in keys) + (f" ({notes})" if notes else ""), {}))
            point[1][row["class"], row["metric"]] = found.get((at, row["class"], row["metric"]), 1.0)
    for words, of in points.values():
        classes = [f for (name, metric), f in of.items() if metric == "response_time" and name != "all"]
        yield of["all", "response_time"], of.get(("all", "weighted_response_time"), 1.0), min(classes), words


def main():
    muster, jobs, only = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "200000", sys.argv[3:]
    print("     all weighted    least of the classes")
    with tempfile.TemporaryDirectory() as folder:
        for at, (name, *settings) in enumerate(AT_HIGH_LOAD):
            if only and name not in only:
                continue
            print(f"{name}, {', '.join(settings)}")
            for of_all, weighted, least, words in factors(muster, name, settings, jobs, pathlib.Path(folder) / str(at)):
                print(f"{of_all:8.1f} {weighted:8.1f} {least:8.1f}  {words}", flush=True)


if __name__ == "__main__":
    main()
