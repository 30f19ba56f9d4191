"""Runs two programs in turn and compares their medians, so that a busy machine slows both alike."""
import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple


class Run(NamedTuple):
    """What one run took, all of its threads and children together."""

    seconds: float
    peak: int  # bytes of memory
    cpu: float  # seconds


def run(command, stdin=None):
    """Runs `command`, whose output goes through a pipe and is thrown away; ends if it fails."""
    start = time.perf_counter()
    source = open(stdin, "rb") if stdin else subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE)
    while os.read(process.stdout.fileno(), 1 << 20):
        pass
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.stdout.close()
    if stdin:
        source.close()
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return Run(seconds, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def median(runs):
    """The median of each figure."""
    return Run(*map(statistics.median, zip(*runs)))


def pair(one, other, times=5):
    """Both in turn, `times` times after one round that does not count: the medians of each."""
    commands = [each for each in (one, other) if each]
    rounds = [[run(each) for each in commands] for _ in range(times + 1)][1:]
    return [median(runs) for runs in zip(*rounds)]


class Table:
    """One line for each comparison, printed as soon as it is known."""

    FORM = "{:44} {:>12} {:>12} {:>7}  {}"

    def __init__(self):
        print(self.FORM.format("what", "attn", "other", "ratio", "target"), flush=True)

    def row(self, what, attn, other, target, unit="s"):
        """Two figures of one unit and their ratio; `other` may be None."""
        show = lambda figure: "" if figure is None else f"{figure:.4g} {unit}"
        ratio = "" if other is None else f"{attn / other:.2f}"
        print(self.FORM.format(what, show(attn), show(other), ratio, target), flush=True)
