"""Time in which the passes of a real run are at full seconds, as those of muster's policy slurm are."""

import bisect
import math

HALF_MINUTE = 30.0


class StepClock:
    """Seconds of muster for the instants of a real run. A pass is at the second that Slurm's clock showed, but each
    pass at another one. What happens between two passes is in the last second before the second one, in the same order
    and by the same proportion. A late pass therefore has the whole second for itself, and there is no pass in muster
    that finds anything new and that Slurm did not make.

    @param passes instants in seconds since the first submission, in their order
    @param clock what Slurm's clock showed at the first submission, in seconds
    @param period seconds; an instant of Slurm's clock, and all that are so far from it, are multiples of it in muster
    @param phase such an instant, in seconds: half minutes of the clock count for where jobs may start
    """

    def __init__(self, passes, clock, period=HALF_MINUTE, phase=0.0):
        self.passes = passes
        begun = clock + passes[0] - phase
        self.offset = period + math.floor(begun % period) - math.floor(begun)
        self.seconds = []
        for instant in passes:
            shown = math.floor(clock + instant - phase) + self.offset
            self.seconds.append(max(shown, self.seconds[-1] + 1) if self.seconds else shown)

    def of(self, instant):
        """The second of muster for an instant of the run."""
        following = bisect.bisect_left(self.passes, instant)
        if following == 0:
            return self.seconds[0] - (self.passes[0] - instant)
        if following == len(self.passes):
            return self.seconds[-1] + instant - self.passes[-1]
        before, after = self.passes[following - 1:following + 1]
        return self.seconds[following] - 1.0 + (instant - before) / (after - before)

    def second_of_start(self, instant, is_between):
        """The second of the pass in which a job started. @param is_between whether it was none of these passes, so that
        muster starts the job in the next one"""
        at = bisect.bisect_right(self.passes, instant) - 1 + is_between
        return self.seconds[min(max(at, 0), len(self.seconds) - 1)]

    def instant(self, second):
        """The instant of the run for a second of muster, as of a start there."""
        following = bisect.bisect_left(self.seconds, second)
        if following == 0:
            return self.passes[0] - (self.seconds[0] - second)
        if following == len(self.seconds):
            return self.passes[-1] + second - self.seconds[-1]
        if self.seconds[following] - second >= 1.0:
            return self.passes[following - 1]  # where muster has another pass, before anything else happens
        before, after = self.passes[following - 1:following + 1]
        return after - (self.seconds[following] - second) * (after - before)
