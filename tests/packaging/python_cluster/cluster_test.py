#!/usr/bin/env python3
"""Clusters in Python, with the program that is installed beside the module.

usage: cluster_test.py PROGRAM SCENARIO
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import muster

try:
    import pandas
except ImportError:
    pandas = None

PROGRAM, SCENARIO = sys.argv[1:3]
SMALL = {"run.jobs": 1000}
ENDLESS = {"run.jobs": 10**9}


def results_of_program(**settings):
    """results.csv of a run of one replication."""
    with tempfile.TemporaryDirectory() as folder:
        words = [f"--set={key}={value}" for key, value in settings.items()]
        subprocess.run([PROGRAM, "run", SCENARIO, *words, "--replications", "1", "--quiet", "--out", folder + "/out"],
                       check=True, stderr=subprocess.DEVNULL)
        return pathlib.Path(folder, "out/results.csv").read_text(encoding="utf-8")


def results(**settings):
    """results.csv of a cluster that runs without a stop."""
    with muster.Cluster(SCENARIO, set=settings) as c:
        c.run()
        return c.results_csv()


def processes_of_this():
    """The processes below this one that have not ended."""
    children = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = pathlib.Path("/proc", process, "stat").read_text(encoding="utf-8")
        except OSError:
            continue  # it has ended
        state, parent = stat.rpartition(")")[2].split()[:2]
        if state != "Z":
            children.setdefault(int(parent), []).append(int(process))
    below = children.get(os.getpid(), [])
    for process in below:
        below += children.get(process, [])
    return sorted(below)


class Results(unittest.TestCase):
    def test_are_those_of_the_program_whatever_the_steps(self):
        steps = random.Random(1)
        with muster.Cluster(SCENARIO, set=SMALL) as c:
            waiting = c["waiting.wide"]
            while not c.finished:
                if c.step(steps.expovariate(0.5), stop_at_event=steps.random() < 0.5):
                    self.assertNotEqual(c["waiting.wide"], waiting)
                waiting = c["waiting.wide"]
            text = c.results_csv()
        self.assertEqual(text, results_of_program(**{"run.jobs": 1000}))

    def test_take_settings_as_the_program_does(self):
        text = results(**{"run.jobs": 500, "arrivals.load": 0.8, "policy": {"name": "msf"}, "run.seed": 7})
        same = results_of_program(**{"run.jobs": 500, "arrivals.load": 0.8, "policy.name": "msf", "run.seed": 7})
        self.assertEqual(text, same)

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_are_a_frame_of_the_same_rows(self):
        with muster.Cluster(SCENARIO, set=SMALL) as c:
            c.run()
            frame, text = c.results(), c.results_csv()
        self.assertEqual(len(frame), text.count("\n") - 1)
        self.assertEqual(list(frame.columns), text.splitlines()[0].split(","))
        row = frame[(frame["class"] == "all") & (frame["metric"] == "response_time")]
        self.assertIn(f",all,response_time,s,{row['estimate'].item()!r},", text)

    def test_before_the_window_has_ended_are_an_error(self):
        with muster.Cluster(SCENARIO) as c:
            self.assertFalse(c.finished)
            self.assertRaises(muster.ClusterError, c.results_csv)

    def test_of_another_replication_are_others(self):
        with muster.Cluster(SCENARIO, set=SMALL, replication=1) as c:
            c.run()
            self.assertNotEqual(c.results_csv(), results(**SMALL))


class Time(unittest.TestCase):
    def test_is_in_the_unit_of_the_scenario(self):
        with muster.Cluster(SCENARIO, set={"time_unit": "min"}) as c:
            c.step(0.5)
            c.step(1)
            self.assertEqual((c.now, c.unit), (1.5, "min"))
            c.run_until(2)
            c.run_until(c.now)
            self.assertEqual(c.now, 2)

    def test_that_has_passed_is_refused(self):
        with muster.Cluster(SCENARIO) as c:
            c.step(2)
            self.assertRaisesRegex(ValueError, "expected a time from 2 to .* s, found 1", c.run_until, 1)
            self.assertRaisesRegex(ValueError, "expected a duration from 0 to .* s, found -1", c.step, -1)
            self.assertRaises(ValueError, c.step, float("nan"))
            self.assertEqual(c.now, 2)

    def test_stops_at_the_same_events_that_short_steps_find(self):
        """The instants at which a number changes, against steps to just before and just behind each of them."""
        with muster.Cluster(SCENARIO) as c, muster.Cluster(SCENARIO) as other:
            c["completed"], other["completed"]
            for _ in range(200):
                before = c["completed"]
                self.assertTrue(c.step(1e6, stop_at_event=True))
                other.run_until(c.now - 2e-9)
                self.assertEqual(other["completed"], before)
                other.run_until(c.now + 2e-9)
                self.assertEqual(other["completed"], c["completed"])
                self.assertGreater(c["completed"], before)
                c.run_until(other.now)

    def test_stops_at_each_of_many_events_in_a_row(self):
        """Arrivals after each thousandth of a second, among them some at which the module looks at signals."""
        arrivals = {"process": "deterministic", "rate": 1000}
        with muster.Cluster(SCENARIO, set={"arrivals": arrivals, "platform.costs.set_up": 10}) as c:
            self.assertRaisesRegex(ValueError, "expected a whole number that has been read", c.step, 1, True)
            for n in range(1, 100):
                self.assertEqual(c["arrived"], n - 1)
                self.assertTrue(c.step(1, stop_at_event=True))
                self.assertAlmostEqual(c.now, n / 1000, delta=1e-9)


class Snapshots(unittest.TestCase):
    def test_branch_one_state_into_several_speeds(self):
        uninterrupted = results(**SMALL)
        with muster.Cluster(SCENARIO, set=SMALL) as c:
            c.step(100)
            start = c.snapshot()
            self.assertEqual(start.now, 100)
            state = {name: c[name] for name in c}
            branches = {}
            for speed in [0.7, 1.0, 1.4, 0.7]:
                c.restore(start)
                self.assertEqual(c.now, 100)
                self.assertEqual({name: c[name] for name in c}, state)
                if speed != 1.0:
                    c.set_speed("large", speed)
                    c["speed.small"] = speed
                c.run()
                self.assertEqual(branches.setdefault(speed, c.results_csv()), c.results_csv())
        self.assertEqual(branches[1.0], uninterrupted)
        mean = {speed: float(text.splitlines()[1].split(",")[5]) for speed, text in branches.items()}
        self.assertGreater(mean[0.7], mean[1.0])
        self.assertGreater(mean[1.0], mean[1.4])

    def test_of_another_cluster_are_refused(self):
        with muster.Cluster(SCENARIO) as c, muster.Cluster(SCENARIO) as other:
            self.assertRaises(ValueError, c.restore, other.snapshot())


class Variables(unittest.TestCase):
    def setUp(self):
        self.c = muster.Cluster(SCENARIO)
        self.addCleanup(self.c.close)

    def test_add_up(self):
        for _ in range(50):
            self.c.step(1)
            here = sum(self.c[f"{state}.{name}"] for state in ["waiting", "running"] for name in ["wide", "narrow"])
            self.assertEqual(self.c["arrived"], self.c["completed"] + here)
            self.assertIsInstance(here, int)

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_are_a_frame(self):
        self.c.step(10)
        frame = self.c.variables()
        self.assertEqual(list(frame.index), list(self.c))
        self.assertEqual(len(frame), len(self.c))
        self.assertEqual(frame["value"].to_dict(), {name: self.c[name] for name in self.c})
        self.assertEqual(list(frame.columns), ["unit", "help", "input", "value"])
        self.assertTrue(frame.loc["speed.large", "input"])
        self.assertFalse(frame.loc["waiting.wide", "input"])

    def test_that_do_not_exist_are_key_errors_with_the_nearest_name(self):
        self.assertIn("waiting.wide", self.c)
        self.assertNotIn("waiting.wid", self.c)
        with self.assertRaisesRegex(KeyError, "waiting.wid'; did you mean 'waiting.wide'"):
            self.c["waiting.wid"]
        with self.assertRaisesRegex(KeyError, "speed.larg'; did you mean 'speed.large'"):
            self.c["speed.larg"] = 1
        self.assertRaisesRegex(ValueError, "did you mean 'speed.large'", self.c.set_speed, "larg", 1)
        self.assertRaisesRegex(ValueError, "did you mean 'in_service.small'", self.c.drain, "smal")

    def test_refuse_values_that_they_do_not_take(self):
        for name, value in [("speed.large", 0), ("speed.large", float("nan")), ("arrival_rate", 1000),
                            ("in_service.small", 0.5), ("waiting.wide", 1)]:
            with self.assertRaises(ValueError, msg=name):
                self.c[name] = value
        self.assertRaises(ValueError, self.c.set_policy_parameter, "threshold", 3)
        self.c.run_until(1)

    def test_are_set_by_name_or_by_function(self):
        self.c.set_speed("large", 0.5)
        self.c.set_arrival_rate(1.25)
        self.c.drain("small")
        self.assertEqual([self.c[n] for n in ["speed.large", "arrival_rate", "in_service.small"]], [0.5, 1.25, 0])
        self.c.restore_servers("small")
        self.c["speed.large"] = 1
        self.assertEqual([self.c[n] for n in ["speed.large", "in_service.small"]], [1, 1])

    def test_that_are_set_stay_so_when_a_name_is_refused(self):
        self.c["speed.large"] = 0.5
        self.assertRaises(KeyError, lambda: self.c["speed"])
        self.c.step(1)
        self.assertEqual(self.c["speed.large"], 0.5)

    def test_of_the_policy_are_those_of_its_scenario_when_set_at_once(self):
        policy = {"name": "static_quickswap", "threshold": 3}
        with muster.Cluster(SCENARIO, set={**SMALL, "policy": "static_quickswap"}) as c:
            c.set_policy_parameter("threshold", 3)
            c.run()
            self.assertEqual(c.results_csv(), results(**SMALL, policy=policy))
            self.assertNotEqual(c.results_csv(), results(**SMALL, policy="static_quickswap"))
            self.assertRaisesRegex(ValueError, "expected an integer, found a string", c.set_policy_parameter,
                                   "threshold", "three")

    def test_of_the_policy_are_set_by_name_as_by_function(self):
        with muster.Cluster(SCENARIO, set={**SMALL, "policy": "static_quickswap"}) as c:
            start = c.snapshot()
            found = []
            for setter in [lambda: c.set_policy_parameter("threshold", 3),
                           lambda: c.__setitem__("policy.threshold", 3)]:
                c.restore(start)
                c.step(5)
                self.assertNotEqual(c["policy.threshold"], 3)
                setter()
                c.step(1)
                self.assertEqual(c["policy.threshold"], 3)
                c.run()
                found.append(c.results_csv())
            self.assertEqual(*found)
            self.assertRaisesRegex(ValueError, "expected a whole number from 0", c.__setitem__, "policy.threshold", -1)
            self.assertNotIn("policy.drain", c)


class Clusters(unittest.TestCase):
    def test_stand_side_by_side(self):
        with muster.Cluster(SCENARIO, set=SMALL) as c, muster.Cluster(SCENARIO, set={**SMALL, "run.seed": 2}) as other:
            while not (c.finished and other.finished):
                c.step(3)
                other.step(5)
            self.assertEqual(c.results_csv(), results(**SMALL))
            self.assertEqual(other.results_csv(), results(**SMALL, **{"run.seed": 2}))

    def test_run_in_threads(self):
        found = {}

        def run(seed):
            found[seed] = results(**SMALL, **{"run.seed": seed})

        threads = [threading.Thread(target=run, args=[seed]) for seed in range(1, 4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(found, {seed: results(**SMALL, **{"run.seed": seed}) for seed in range(1, 4)})

    def test_end_their_processes(self):
        before = processes_of_this()
        with muster.Cluster(SCENARIO) as c:
            kept = c.snapshot()
            self.assertGreater(len(processes_of_this()), len(before))
        del kept
        self.assertEqual(processes_of_this(), before)
        self.assertEqual(repr(c), "<muster.Cluster 'cluster_from_scenario', closed>")
        self.assertRaisesRegex(ValueError, "the cluster is closed", c.step, 1)
        self.assertRaisesRegex(ValueError, "the cluster is closed", lambda: c["arrived"])
        c.close()

    def test_whose_process_is_killed_are_errors_and_leave_others_alone(self):
        with muster.Cluster(SCENARIO) as other:
            before = processes_of_this()
            c = muster.Cluster(SCENARIO)
            for process in set(processes_of_this()) - set(before):
                os.kill(process, signal.SIGKILL)
            self.assertRaises(muster.ClusterError, c.step, 1)
            self.assertRaises(muster.ClusterError, c.step, 1)
            c.close()
            other.step(1)
            self.assertEqual(other.now, 1)
        self.assertTrue(issubclass(muster.ClusterError, RuntimeError))


class Refusals(unittest.TestCase):
    def refused(self, error, words, scenario=SCENARIO, **settings):
        with self.assertRaisesRegex(error, words):
            muster.Cluster(scenario, set=settings)

    def test_of_settings_say_what_was_expected(self):
        self.refused(ValueError, "policy.nam: unknown key; did you mean 'name'?", **{"policy.nam": "msf"})
        self.refused(ValueError, "unknown policy 'mfs'; did you mean 'msf'?", **{"policy.name": "mfs"})
        self.refused(ValueError, "run.jobs: expected an integer, found a string", **{"run.jobs": "many"})
        self.refused(ValueError, "arrivals.load", **{"sweep": {"arrivals.load": [0.5, 0.6]}})
        self.refused(TypeError, "expected a number, .* found None", **{"run.jobs": None})

    def test_of_a_file_name_it(self):
        self.refused(ValueError, "no_such.toml", scenario=pathlib.Path("no_such.toml"))


class Interruptions(unittest.TestCase):
    def test_of_a_wait_leave_the_cluster_where_it_can_go_on(self):
        """A cluster that would run for hours: Ctrl-C comes in the middle of the wait."""
        with muster.Cluster(SCENARIO, set=ENDLESS) as c, muster.Cluster(SCENARIO, set=ENDLESS) as other:
            interrupt = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
            with self.assertRaises(KeyboardInterrupt):
                interrupt.start()
                c.run()
            interrupt.join()
            c.step(10)
            other.run_until(c.now)
            self.assertEqual({name: c[name] for name in c}, {name: other[name] for name in other})

    def test_of_a_wait_for_another_thread_s_step(self):
        """One thread runs a cluster for hours, which another one wants to use."""
        before = processes_of_this()
        c = muster.Cluster(SCENARIO, set=ENDLESS)
        of_cluster = set(processes_of_this()) - set(before)
        ended = []

        def run():
            try:
                c.run()
            except muster.ClusterError:
                ended.append(True)

        thread = threading.Thread(target=run)
        thread.start()
        interrupt = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
        with self.assertRaises(KeyboardInterrupt):
            interrupt.start()
            while True:
                c.step(0)  # waits as soon as the thread has begun
        interrupt.join()
        for process in of_cluster:
            os.kill(process, signal.SIGKILL)
        thread.join()
        self.assertEqual(ended, [True])

    def test_from_a_terminal_end_python_s_wait_alone(self):
        """A terminal signals all processes of its group, those of clusters, too."""
        program = ("import muster, os, signal, sys, threading\n"
                   "c = muster.Cluster(sys.argv[1], set={'run.jobs': 10**9})\n"
                   "threading.Timer(0.2, os.killpg, [0, signal.SIGINT]).start()\n"
                   "try:\n    c.run()\n"
                   "except KeyboardInterrupt:\n    c.step(1)\n    print('goes on')\n")
        done = subprocess.run([sys.executable, "-c", program, SCENARIO], start_new_session=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.stdout, "goes on\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
