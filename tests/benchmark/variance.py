#!/usr/bin/env python3
"""Times fewer jobs that control variates take for the same precision of mean response times, at load 0.95.

Usage: tests/benchmark/variance.py MUSTER [JOBS]. Every shipped study whose points have ten replications or more; 20
replications of JOBS jobs (50,000) of each point. Some minutes.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
# Load: 4.1 cores of 32 for each arrival of one-or-all, 3 of 15 for each of the four classes.
AT_HIGH_LOAD = {
    "quickswap_one_or_all": "arrivals.rate=7.4",
    "quickswap_nmsr": "arrivals.rate=7.4",
    "quickswap_threshold": "arrivals.rate=7.4",
    "quickswap_phases": "arrivals.rate=7.4",
    "quickswap_four_class": "arrivals.rate=4.75",
    "energy": "arrivals.rate=4.75",
    "graph_shapes": "arrivals.load=0.95",
    "balanced_fairness_two_servers": "arrivals.load=0.95",
    "balanced_fairness_three_servers": "arrivals.load=0.95",
}


def factors(muster, name, setting, jobs, out):
    """By point: what the sweep has put into it, and the factor of `all` and the least of the classes."""
    subprocess.run([muster, "run", SCENARIOS / f"{name}.toml", "--quiet", "--out", out, "--set", setting,
                    "--set", f"run.jobs={jobs}", "--set", "run.replications=20", "--set", "run.warm_up=0.2", "-j", "2"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = json.loads((out / "manifest.json").read_text())["control_variates"]
    found = {(t["point"], t["class"]): t["variance_factor"] for t in told if t["metric"] == "response_time"}
    points = {}
    with open(out / "results.csv", newline="") as rows:
        for row in csv.DictReader(rows):
            if row["metric"] != "response_time":
                continue
            keys = list(row)[2:list(row).index("class")]
            point = points.setdefault(int(row["point"]), (", ".join(row[k] for k in keys), {}))
            point[1][row["class"]] = found.get((int(row["point"]), row["class"]), 1.0)
    return [(words, of["all"], min(of.values())) for words, of in points.values()]


def main():
    muster, jobs = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "50000"
    with tempfile.TemporaryDirectory() as folder:
        for name, setting in AT_HIGH_LOAD.items():
            print(f"{name}, {setting}: all jobs, and the class with the least")
            for words, of_all, least in factors(muster, name, setting, jobs, pathlib.Path(folder) / name):
                print(f"  {of_all:8.1f} {least:8.1f}  {words}", flush=True)


if __name__ == "__main__":
    main()
