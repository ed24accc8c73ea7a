#!/usr/bin/env python3
"""What holds muster against a real Slurm, without one: values by hand."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from agreement import agreement, kendall, share_in_order, summary  # noqa: E402
from job_sets import CORES, GPUS, MEMORY, NODES, SETS, Job, Outage  # noqa: E402
from real_run import Outcome, RealRun, complaints, outcomes_of_log, passes_of_log  # noqa: E402
from replay import Delays, foretold_delays, mean_phase, measured_delays, off_passes  # noqa: E402
from replay_scenario import lines_of, need_columns, scenario, scenario_of_tiers  # noqa: E402
from slurm_cluster import line_of, words_of_qos  # noqa: E402
from step_clock import StepClock  # noqa: E402

# As slurmctld 22.05 writes it: job 1 comes before those that are measured, job 3 is started by the backfill scheduler.
LOG = """\
slurmctld: a line without a time
[2026-01-02T03:04:00.100] _slurm_rpc_submit_batch_job: JobId=1 InitPrio=4294901759 usec=824
[2026-01-02T03:04:00.200] sched: Allocate JobId=1 NodeList=n0 #CPUs=1 Partition=p
[2026-01-02T03:04:01.300] _job_complete: JobId=1 done
[2026-01-02T03:04:02.000] _slurm_rpc_submit_batch_job: JobId=2 InitPrio=4294901758 usec=787
[2026-01-02T03:04:02.500] sched: Allocate JobId=2 NodeList=n[0-1] #CPUs=8 Partition=p
[2026-01-02T03:04:02.600] _slurm_rpc_submit_batch_job: JobId=3 InitPrio=4294901757 usec=729
[2026-01-02T03:04:03.500] sched/backfill: _start_job: Started JobId=3 in p on n2
[2026-01-02T03:04:04.600] _job_complete: JobId=3 WEXITSTATUS 0
[2026-01-02T03:04:04.601] _job_complete: JobId=3 done
[2026-01-02T03:04:04.611] TRACE_JOBS: cleanup_completing: JobId=3
[2026-01-02T03:04:05.650] _job_complete: JobId=2 done
[2026-01-02T03:04:05.650] TRACE_JOBS: cleanup_completing: JobId=2
"""
COMPLETIONS = "".join(f"JobId={job} UserId=u(1) JobState=COMPLETED Partition=p StartTime=2026-01-02T03:04:{start} "
                      f"EndTime=2026-01-02T03:04:{end} NodeList={nodes} NodeCnt=1 ProcCnt={cores} Tres=cpu={cores}\n"
                      for job, start, end, nodes, cores in [(1, "00", "01", "n0", 1), (3, "03", "04", "n2", 4),
                                                            (2, "02", "05", "n[0-1]", 8)])
JOBS = [Job(0.0, 8, 3, 3), Job(0.6, 4, 1, 1)]


class parts_of_the_comparison_with_slurm(unittest.TestCase):
    def test_times_of_jobs_are_those_of_the_log_in_milliseconds(self):
        outcomes, _ = outcomes_of_log(LOG, 2)
        for outcome, times, nodes in zip(outcomes, [(0.0, 0.5, 3.65), (0.6, 1.5, 2.601)], ["n[0-1]", "n2"]):
            for here, there in zip((outcome.submitted, outcome.started, outcome.ended), times):
                self.assertAlmostEqual(here, there, places=5)
            self.assertEqual(outcome.nodes, nodes)
        self.assertAlmostEqual(outcomes[1].cleaned - outcomes[1].ended, 0.01, places=5)
        # Lines of one millisecond keep their order.
        self.assertLess(outcomes[0].ended, outcomes[0].cleaned)

    def test_a_job_that_was_requeued_has_its_last_start(self):
        lines = ("[2026-01-02T03:04:03.600] preempted JobId=2 has been requeued to reclaim resources for JobId=3\n"
                 "[2026-01-02T03:04:04.000] sched: Allocate JobId=2 NodeList=n7 #CPUs=8 Partition=p\n")
        at = LOG.index("[2026-01-02T03:04:04.600]")
        outcomes, _ = outcomes_of_log(LOG[:at] + lines + LOG[at:], 2)
        self.assertEqual([one.requeued for one in outcomes], [1, 0])
        self.assertAlmostEqual(outcomes[0].started, 2.0, places=5)
        self.assertEqual(outcomes[0].nodes, "n7")

    def test_passes_are_those_of_the_log(self):
        line = "[2026-01-02T03:04:%s] debug:  sched: Running job scheduler for full queue.\n"
        _, first = outcomes_of_log(LOG, 2)
        log = "".join(line % at for at in ("00.500", "02.490", "03.490", "04.490")) + LOG
        passes = passes_of_log("sched/builtin", log, first, 1.5)
        self.assertEqual([round(instant, 3) for instant in passes], [0.49, 1.49])
        other = log.replace("sched: Running job scheduler for full queue.",
                            "sched/backfill: _attempt_backfill: beginning")
        self.assertEqual(passes_of_log("sched/backfill", log, first, 1.5), [])
        self.assertEqual(passes_of_log("sched/backfill", other, first, 1.5), passes)
        found = measured_delays(JOBS, outcomes_of_log(LOG, 2)[0], passes)
        self.assertEqual((found.passes, found.every), (passes, passes[1] - passes[0]))

    def test_a_submission_that_is_logged_behind_the_start_leaves_it(self):
        lines = LOG.splitlines(keepends=True)
        lines[4:6] = lines[5:6] + ["[2026-01-02T03:04:02.501] _slurm_rpc_submit_batch_job: JobId=2 InitPrio=1 usec=1\n"]
        outcomes, _ = outcomes_of_log("".join(lines), 2)
        self.assertEqual((outcomes[0].submitted, outcomes[0].started), (0.0, 0.0))

    def test_a_log_that_contradicts_the_record_of_completed_jobs_is_refused(self):
        outcomes, first = outcomes_of_log(LOG, 2)
        self.assertEqual(complaints(JOBS, outcomes, first, COMPLETIONS), [])
        for there, other in [("ProcCnt=8", "ProcCnt=9"), ("NodeList=n2", "NodeList=n3"), ("04:05 NodeL", "04:09 NodeL"),
                             ("COMPLETED Partition=p StartTime=2026-01-02T03:04:03",
                              "TIMEOUT Partition=p StartTime=2026-01-02T03:04:03"),
                             ("JobId=3", "JobId=4")]:
            self.assertNotEqual(complaints(JOBS, outcomes, first, COMPLETIONS.replace(there, other)), [], there)
        self.assertNotEqual(complaints([JOBS[0], Job(0.6, 4, 2, 2)], outcomes, first, COMPLETIONS), [])

    def test_means_of_a_run(self):
        # Waits 0.5 and 0.9; 8 cores for 3.15 s and 4 for 1.101 s of 16 for 3.65 s.
        one = summary(JOBS, outcomes_of_log(LOG, 2)[0], 16)
        self.assertAlmostEqual(one.mean_wait, 0.7, places=5)
        self.assertAlmostEqual(one.p95_wait, 0.9, places=5)
        self.assertAlmostEqual(one.makespan, 3.65, places=5)
        self.assertAlmostEqual(one.utilisation, (8 * 3.15 + 4 * 1.101) / (16 * 3.65), places=5)

    def test_order_of_starts(self):
        self.assertEqual(share_in_order([1, 2, 3, 4], [5, 6, 7, 8]), 1.0)
        self.assertEqual(share_in_order([1, 2, 3, 4], [4, 3, 2, 1]), 0.25)
        self.assertEqual(share_in_order([1, 2, 3, 4], [9, 2, 3, 4]), 0.75)
        self.assertEqual(share_in_order([1, 1, 1], [3, 2, 1]), 1.0)  # of one instant: any order
        self.assertEqual(share_in_order([3, 2, 1], [1, 1, 1]), 1.0)
        self.assertEqual(kendall([1, 2, 3], [1, 2, 3]), 1.0)
        self.assertEqual(kendall([1, 2, 3], [3, 2, 1]), -1.0)
        self.assertAlmostEqual(kendall([1, 2, 3], [1, 3, 2]), 1 / 3)

    def test_starts_of_one_pass_count_as_one_instant(self):
        these = [Outcome(0.0, start) for start in (1.001, 1.002, 2.0)]
        those = [Outcome(0.0, start) for start in (1.002, 1.001, 2.5)]
        both = agreement(these, those)
        self.assertEqual((both.in_order, both.kendall), (1.0, 1.0))
        self.assertAlmostEqual(both.apart, 0.502 / 3)

    def test_passes_are_found_from_starts(self):
        starts = [0.3, 0.301, 1.31, 4.34, 9.36, 10.4]
        jobs, outcomes = [Job(0.0, 1, 2, 2)] * 6, [Outcome(0.0, start, start + 2.25) for start in starts]
        found = measured_delays(jobs, outcomes)
        self.assertAlmostEqual(found.launch, 0.25)
        self.assertAlmostEqual(found.every, 1.01)
        self.assertEqual(len(found.passes), 11)
        for number, instant in [(-1, -0.71), (0, 0.3), (1, 1.31), (2, 2.32), (9, 9.36), (10, 10.4), (12, 12.42)]:
            self.assertAlmostEqual(found.instant(number), instant)
        for instant, number in [(-0.8, -1), (-0.6, 0), (0.3, 0), (0.31, 1), (1.311, 2), (10.4, 10), (10.41, 11),
                                (12, 12)]:
            self.assertEqual(found.number_of_next(instant), number, instant)
        # From pass 0 until 2.55 is pass 3, from 10.4 until 12.65 three passes later.
        self.assertEqual([found.held(jobs[n], outcomes[n]) for n in (0, 1, 5)], [3, 3, 3])
        # Of another run: 2.25 s take three passes of 1.01 s, 1.25 s two.
        foretold = foretold_delays(found, [Outcome(0.0, 7.0), Outcome(0.0, 5.0)])
        self.assertAlmostEqual(foretold.instant(2), 7.02)
        self.assertEqual([foretold.held(Job(0.0, 1, n, n), None) for n in (1, 2)], [2, 3])
        self.assertEqual(off_passes(found, outcomes), 0.0)
        self.assertAlmostEqual(off_passes(found, outcomes + [Outcome(0.0, 5.0, 6.0)]), 1 / 7)

    def test_passes_in_step_are_at_the_seconds_that_slurms_clock_showed(self):
        # The clock shows 47.7 at the first submission: passes at 48.1, 49.12, 51.0 and 51.99. The last one is a second
        # late in muster, as no two are at one second.
        clock = StepClock([0.4, 1.42, 3.3, 4.29], 47.7)
        self.assertEqual(clock.seconds, [48, 49, 51, 52])
        for instant, second in [(-0.6, 47.0), (0.4, 48.0), (0.91, 48.5), (1.42, 49.0), (2.36, 50.5), (3.3, 51.0),
                                (5.29, 53.0)]:
            self.assertAlmostEqual(clock.of(instant), second)
        for second, instant in [(48, 0.4), (49, 1.42), (50, 1.42), (51, 3.3), (52, 4.29), (54, 6.29)]:
            self.assertAlmostEqual(clock.instant(second), instant)
        self.assertEqual([clock.second_of_start(instant) for instant in (1.42, 1.45)], [49, 49])
        # At second 50 muster would make a pass of its own.
        self.assertEqual(clock.pauses(), [(49.5, 50.5)])
        # Ends at 0.91, and at 1.416 just before the pass at 1.42: cleaned up by then, or not.
        for ended, cleaned, second in [(0.91, 1.0, 48.5), (1.416, 1.419, 48.99), (1.416, 1.43, 48.996078),
                                       (0.91, 1.43, 48.991)]:
            self.assertAlmostEqual(clock.of_end(ended, cleaned), second, places=5)
        # Priorities are computed when the clock shows 40.2, 100.2, ..: 8.2 s later is second 8 of the second period.
        self.assertEqual(StepClock([0.7], 47.7, 60.0, 40.2).seconds, [68])

    def test_passes_of_the_main_scheduler_in_step_are_half_a_second_before_the_next_backfill_pass(self):
        # None between the first two passes. Of two between the next ones the later one counts.
        clock = StepClock([0.4, 1.42, 2.43, 3.44], 47.7, main=[0.1, 1.5, 1.53, 2.83])
        self.assertEqual(clock.seconds, [48, 49, 49.5, 50, 50.5, 51])
        self.assertEqual(clock.pauses(), [(48.25, 48.75)])
        for instant, second in [(0.91, 48.75), (1.53, 49.5), (1.98, 49.75), (2.83, 50.5)]:
            self.assertAlmostEqual(clock.of(instant), second)
            self.assertAlmostEqual(clock.instant(second), instant)
        self.assertEqual([clock.second_of_start(instant) for instant in (1.43, 1.54, 2.44)], [49, 49.5, 50])

    def test_a_pass_that_follows_at_once_in_step_is_where_nodes_are_cleaned_up(self):
        # Two passes follow the first one, the later of which counts. What ends in between is over by then.
        clock = StepClock([0.4, 0.45, 0.5, 1.41], 47.7)
        for seconds, expected in [(clock.passes, [0.4, 0.5, 1.41]), (clock.seconds, [48, 48.01, 49])]:
            self.assertEqual(seconds, expected)
        self.assertAlmostEqual(clock.of(0.45), 48.005)
        self.assertAlmostEqual(clock.instant(48.005), 0.45)
        self.assertAlmostEqual(clock.of_end(0.45, 0.48), 48.0)
        self.assertEqual(clock.pauses(), [])

    def test_the_phase_of_the_main_scheduler_is_a_mean_around_the_clock(self):
        run = RealRun([], 0.0, [0.0, 1.0, 2.0, 4.0], [0.9, 1.1, 3.8], None, None, [], "")  # 0.9, 0.1, 0.9
        self.assertAlmostEqual(mean_phase(run), 0.9622, places=4)

    def test_needs_beside_cores_and_outages_are_in_the_scenario(self):
        columns = need_columns([Job(0.0, 4, 1, 1, 0, "", 2, "a"), Job(0.0, 2, 1, 1)], True)
        self.assertEqual({name: cell(Job(0.0, 4, 1, 1, 0, "", 2, "a")) for name, cell in columns.items()},
                         {"memory": "1000 MB", "gpu": 2, "user": "a"})
        text = scenario(NODES, columns, 0.0, {"name": "slurm"}, Outage(40, 50, 8))
        for part in [f"gpu = {GPUS}", 'gpu = { kind = "devices" }', "at = 40", "known = true", 'action = "return"']:
            self.assertIn(part, text)
        # Nodes are drained in the pauses, but not within the outage.
        text = scenario(NODES, columns, 0.0, {"name": "slurm"}, Outage(40, 50, 8), [(30.5, 31.5), (44.5, 45.5)])
        self.assertEqual([text.count(f"at = {at}") for at in (30.5, 31.5, 44.5)], [1, 1, 0])
        self.assertEqual(need_columns([Job(0.0, 4, 1, 1)], False), {})
        self.assertNotIn("events", scenario(NODES, {}, 0.0, {"name": "fcfs"}, None))

    def test_times_of_priorities_are_minutes_in_slurm_conf(self):
        self.assertEqual(line_of("PriorityCalcPeriod", 60), "PriorityCalcPeriod=1")
        self.assertEqual(line_of("PriorityType", "multifactor"), "PriorityType=priority/multifactor")
        self.assertEqual(line_of("PriorityWeightFairshare", 60), "PriorityWeightFairshare=60")

    def test_partitions_that_preempt_are_classes_of_their_tiers(self):
        self.assertEqual(line_of("PreemptType", "partition_prio"), "PreemptType=preempt/partition_prio")
        text = scenario_of_tiers({"low": 8, "high": 2}, {"name": "slurm"}, [(1.5, 2.5)])
        for part in ['name = "low"', 'name = "high"', "PriorityTier = 1", "PriorityTier = 2", "at = 1.5"]:
            self.assertIn(part, text)

    def test_a_qos_has_the_same_limits_in_both(self):
        policy = {one.name: one.loops() for one in SETS}["qos"]
        self.assertEqual(words_of_qos(policy["qos"]["standard"]), ["Priority=50", "GrpTRES=cpu=32"])
        self.assertEqual(words_of_qos(policy["qos"]["high"]), ["Priority=100", "MaxTRESPerUser=cpu=32"])
        self.assertEqual(lines_of({"qos": {"low": {}, "high": {"Preempt": "low", "GrpCPUs": 8}}}),
                         'qos = { low = {}, high = { Preempt = "low", GrpCPUs = 8 } }')
        columns = need_columns([Job(0.0, 4, 1, 1, qos="high"), Job(0.0, 2, 1, 1)], False)
        self.assertEqual([columns["qos"](Job(0.0, 4, 1, 1, qos=qos)) for qos in ("high", "")], ["high", ""])

    def test_the_policy_with_slurms_loops_has_the_parameters_of_each_set(self):
        loops = {one.name: one.loops() for one in SETS}
        self.assertEqual((loops["fcfs"]["SchedulerType"], loops["fcfs"]["sched_interval"]), ("builtin", 1))
        alone = loops["whole_nodes"]
        self.assertNotIn("bf_max_time", alone)
        self.assertEqual((alone["SchedulerType"], alone["sched_interval"], alone["bf_window"]), ("backfill", -1, 20000))

    def test_sets_are_the_same_each_time_and_fit_their_nodes(self):
        for one in SETS:
            jobs = one.jobs(300)
            self.assertEqual(jobs, one.jobs(300))
            self.assertTrue(all(a.at <= b.at for a, b in zip(jobs, jobs[1:])))
            for job in jobs:
                on_a_node = min(CORES, MEMORY // job.memory) if job.memory else CORES
                self.assertLessEqual(job.cores, on_a_node * NODES // max(1, len(one.partitions)), one.name)
                self.assertTrue(job.limit * one.slower >= job.seconds or one.limit == "random")
                self.assertTrue(job.gpus == 0 or (job.cores % job.gpus == 0 and job.gpus <= GPUS * NODES))
            self.assertEqual({job.seconds for job in jobs}, {one.slower * seconds for seconds in range(1, 9)})


if __name__ == "__main__":
    unittest.main()
