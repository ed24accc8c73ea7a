"""Time in which the passes of a real run are at full seconds, as those of muster's policy slurm are."""

import bisect
import math

HALF_MINUTE = 30.0
COMPLETING = 0.01  # seconds from the end of a job until its nodes are cleaned up, as was first measured


class StepClock:
    """Seconds of muster for the instants of a real run. A pass is at the second that Slurm's clock showed, but each
    pass at another one. Where the main scheduler makes passes beside those of sched/backfill, the last one before a
    backfill pass is half a second before it. A pass that follows at once, as when the nodes of jobs that gave way are
    cleaned up, is COMPLETING behind the one before; of several the last one counts. What happens between two passes is
    in the last second, or half second, before the second one, or since the first one, in the same order and by the same
    proportion. A late pass therefore has all this time for itself.

    @param passes instants in seconds since the first submission, in their order
    @param clock what Slurm's clock showed at the first submission, in seconds
    @param period seconds; an instant of Slurm's clock, and all that are so far from it, are multiples of it in muster
    @param phase such an instant, in seconds: half minutes of the clock count for where jobs may start
    @param main instants of the passes of the main scheduler beside them
    """

    def __init__(self, passes, clock, period=HALF_MINUTE, phase=0.0, main=()):
        begun = clock + passes[0] - phase
        self.offset = period + math.floor(begun % period) - math.floor(begun)
        self.width = 0.5 if main else 1.0
        self.passes, self.seconds = [], []
        second = first = -math.inf  # of a pass that follows none
        for before, instant in zip([-math.inf] + passes, passes):
            if instant - first < 0.5:
                if self.seconds[-1] == second:
                    self.passes.append(instant)
                    self.seconds.append(second + COMPLETING)
                self.passes[-1] = instant
                continue
            first = instant
            second = max(math.floor(clock + instant - phase) + self.offset, second + 1)
            between = [at for at in main if before < at < instant]
            if between and before >= passes[0]:
                self.passes.append(between[-1])
                self.seconds.append(second - 0.5)
            self.passes.append(instant)
            self.seconds.append(second)

    def pauses(self):
        """Begins and ends of times in which muster would make passes that the run has not."""
        return [(before + 0.5 * self.width, after - 0.5 * self.width)
                for before, after in zip(self.seconds, self.seconds[1:]) if after - before > self.width]

    def of(self, instant):
        """The second of muster for an instant of the run."""
        following = bisect.bisect_left(self.passes, instant)
        if following == 0:
            return self.seconds[0] - (self.passes[0] - instant)
        if following == len(self.passes):
            return self.seconds[-1] + instant - self.passes[-1]
        before, after = self.passes[following - 1:following + 1]
        return self.seconds[following] - self.width_before(following) * (after - instant) / (after - before)

    def width_before(self, number):
        """The seconds before a pass in which all is that happens since the one before."""
        return min(self.width, self.seconds[number] - self.seconds[number - 1])

    def of_end(self, ended, cleaned):
        """The second for the end of a job, from which its nodes are completing for COMPLETING: over the pass behind it
        where they were when that pass began, and else until then at the latest."""
        following = bisect.bisect_left(self.passes, ended)
        if following in (0, len(self.passes)):
            return self.of(ended)
        last = self.seconds[following] - COMPLETING
        return max(self.of(ended), last + 0.001) if cleaned > self.passes[following] else min(self.of(ended), last)

    def second_of_start(self, instant):
        """The second of the pass in which a job started."""
        return self.seconds[max(bisect.bisect_right(self.passes, instant) - 1, 0)]

    def instant(self, second):
        """The instant of the run for a second of muster, as of a start there."""
        following = bisect.bisect_left(self.seconds, second)
        if following == 0:
            return self.passes[0] - (self.seconds[0] - second)
        if following == len(self.seconds):
            return self.passes[-1] + second - self.seconds[-1]
        width = self.width_before(following)
        if self.seconds[following] - second >= width:
            return self.passes[following - 1]  # where muster has another pass, before anything else happens
        before, after = self.passes[following - 1:following + 1]
        return after - (self.seconds[following] - second) / width * (after - before)
