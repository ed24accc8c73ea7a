"""How far two runs of the same jobs agree, and what each of them is like."""

import bisect
import math
from dataclasses import dataclass


@dataclass
class Summary:
    """Means of a run; times in seconds."""

    mean_wait: float
    p95_wait: float
    makespan: float
    utilisation: float


def summary(jobs, outcomes, cores):
    """@param cores of all nodes"""
    waits = sorted(one.wait for one in outcomes)
    makespan = max(one.ended for one in outcomes) - min(one.submitted for one in outcomes)
    busy = sum(job.cores * (one.ended - one.started) for job, one in zip(jobs, outcomes))
    return Summary(sum(waits) / len(waits), waits[math.ceil(0.95 * len(waits)) - 1], makespan,
                   busy / (cores * makespan))


def kendall(here, there):
    """Pairs in the same order less pairs in the opposite one, over both; a pair that is equal in one has no order."""
    same = opposite = 0
    for i in range(len(here)):
        for j in range(i):
            product = (here[i] - here[j]) * (there[i] - there[j])
            same += product > 0
            opposite += product < 0
    return (same - opposite) / (same + opposite) if same + opposite else 1.0


def share_in_order(here, there):
    """The most jobs that can be kept so that all of them have the same order in both, as a share of all jobs. Jobs that
    are equal in one have any order there."""
    tails = []  # of the longest sequences that do not fall: the least last element, by length
    for _, value in sorted(zip(here, there)):
        at = bisect.bisect_right(tails, value)
        tails[at:at + 1] = [value]
    return len(tails) / len(here)


@dataclass
class Agreement:
    """Of the starts of two runs.

    @param in_order see share_in_order
    @param kendall see kendall
    @param apart mean of the absolute differences of the starts, each since its submission, in seconds
    """

    in_order: float
    kendall: float
    apart: float


def agreement(these, those, together=0.1):
    """@param together seconds: starts that are less apart count as one instant"""
    here, there = ([round(one.started / together) * together for one in run] for run in (these, those))
    apart = sum(abs(a.wait - b.wait) for a, b in zip(these, those)) / len(these)
    return Agreement(share_in_order(here, there), kendall(here, there), apart)
