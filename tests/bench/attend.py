#!/usr/bin/env python3
"""How fast attn computes, beside PyTorch: float64, d_model 512, 8 heads, causal.

    python3 attend.py BUILD/tests/attn_bench

Each figure is the median of five rounds, attn and PyTorch in turn; a round is the median of some
runs in one process. One thread: CPU milliseconds; two threads: milliseconds on the clock.
PyTorch makes the same steps and keeps all of them.
"""
import json
import statistics
import subprocess
import sys

import pairs

TORCH = """
import statistics, sys, time, torch
tokens, clock = int(sys.argv[1]), getattr(time, sys.argv[2])
torch.set_num_threads(int(sys.argv[3]))
torch.set_default_dtype(torch.float64)
x, weights = torch.randn(tokens, 512), [0.05 * torch.randn(512, 512) for _ in range(4)]
hidden = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)

def attend():
    q, k, v = ((x @ w).view(tokens, 8, 64).transpose(0, 1) for w in weights[:3])
    scores = q @ k.transpose(1, 2)
    scaled = scores / 8
    masked = scaled.masked_fill(hidden, float("-inf"))
    shares = torch.softmax(masked, -1)
    context = shares @ v
    concat = context.transpose(0, 1).reshape(tokens, 512)
    return q, k, v, scores, scaled, masked, shares, context, concat, concat @ weights[3]

def timed():
    start = clock()
    kept = attend()
    return clock() - start

attend()
print(1e3 * statistics.median(timed() for _ in range(7)))
"""


def of_attn(bench, what, tokens, threads):
    """CPU milliseconds and those on the clock of a run of `what`, a function of attend_bench.cpp."""
    name = f"^{what}/tokens:{tokens}/threads:{threads}/"
    command = [bench, f"--benchmark_filter={name}", "--benchmark_repetitions=5", "--benchmark_format=json"]
    runs = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["benchmarks"]
    median = next(run for run in runs if run["name"].endswith("_median"))
    return median["cpu_time"], median["real_time"]


def of_torch(tokens, threads):
    clock = "process_time" if threads == 1 else "perf_counter"
    command = [sys.executable, "-c", TORCH, str(tokens), clock, str(threads)]
    made = subprocess.run(command, capture_output=True, text=True)
    return float(made.stdout) if made.returncode == 0 else None


def main():
    bench = sys.argv[1]
    table = pairs.Table()
    targets = {
        ("attend", 512): "≤ 0.8", ("attend", 2048): "≤ 0.6",
        ("output_alone", 512): "", ("output_alone", 2048): "≤ 0.3",
    }
    for (what, tokens), target in targets.items():
        clock = {}
        words = "all steps" if what == "attend" else "output alone"
        for threads in (1, 2):
            rounds = [(*of_attn(bench, what, tokens, threads), of_torch(tokens, threads)) for _ in range(5)]
            cpu, real, torch = zip(*rounds)
            clock[threads] = statistics.median(real)
            other = None if None in torch else statistics.median(torch)
            one = statistics.median(cpu) if threads == 1 else clock[threads]
            table.row(f"T = {tokens}, {words}, threads: {threads}", one, other, target if threads == 1 else "", "ms")
        table.row("  two threads beside one, on the clock", clock[2], clock[1], "≤ 0.59", "ms")


main()
