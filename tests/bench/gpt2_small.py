#!/usr/bin/env python3
"""How long a run takes with a model of GPT-2 small's size: random weights, 64 tokens.

    python3 gpt2_small.py ATTN [FOLDER]

FOLDER keeps the 548 MB of weights for the next time. Prints wall time, CPU time and the most memory
of each of three runs that write the logits and three that show attention weights.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

IDS = ",".join(str(i * 7919 % 50257) for i in range(64))
RUNS = {
    "logits": ["--steps", "logits", "--format", "npz", "-o", os.devnull],
    "weights": ["--steps", "h.5.attn.weights", "--head", "3"],
}


def measured(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    seconds = time.perf_counter() - start
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    attn = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    if not (folder / "model.safetensors").exists():
        maker = pathlib.Path(__file__).with_name("make_gpt2_small.py")
        subprocess.run([sys.executable, str(maker), str(folder)], check=True)
    for name, options in RUNS.items():
        for _ in range(3):
            wall, cpu, memory = measured([attn, "explain", str(folder), "--ids", IDS, *options])
            print(f"{name:8} {wall:6.2f} s  CPU {cpu:6.2f} s  {memory:6.0f} MB")


main()
