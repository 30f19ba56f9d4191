#!/usr/bin/env python3
"""How fast attn starts, and reads and writes files, beside Python's json and NumPy.

    python3 files.py ATTN [FOLDER]

FOLDER keeps the files; without it, they are removed. Figures are medians of runs in turn (99 for
the start, one for the most tokens, five otherwise): CPU seconds of all threads unless they say "on
the clock", or the most memory of a run.
"""
import json
import multiprocessing
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import pairs

MEGA = 1e6
NUMBERS = 4 * 768 * 768 + 64 * 768  # of a layer of GPT-2, and of 64 tokens
READ_PROBLEM = """
import json, sys, numpy as np
problem = json.load(open(sys.argv[1]))
arrays = [np.array(problem["embeddings"])] + [np.array(w) for w in problem["weights"].values()]
"""
READ_NPZ = """
import sys, numpy as np
arrays = [np.load(sys.argv[1])[name] for name in np.load(sys.argv[1])]
"""
READ_TRACE = """
import json, sys, numpy as np
trace = json.load(open(sys.argv[1]))
arrays = [np.array(s["data"], float) for k in ("steps", "givens") for s in trace[k].values()]
"""


def python(code, path):
    return [sys.executable, "-c", code, str(path)]


def write_problem(path):
    """A layer of GPT-2: 2.4 million numbers as JSON."""
    random = np.random.default_rng(0)
    arrays = {name: 0.02 * random.standard_normal((768, 768)) for name in ("w_q", "w_k", "w_v", "w_o")}
    embeddings = random.standard_normal((64, 768))
    weights = {name: array.tolist() for name, array in arrays.items()}
    problem = {"format": "attn.problem", "heads": 12, "mask": "causal", "embeddings": embeddings.tolist()}
    path.write_text(json.dumps({**problem, "weights": weights}))


def write_small(path, tokens, d_model, heads):
    """A problem whose numbers attn makes, so that reading it takes no time."""
    made = lambda seed, rows: {"randn": [rows, d_model], "seed": seed}
    weights = {name: made(seed, d_model) for seed, name in enumerate(("w_q", "w_k", "w_v", "w_o"))}
    problem = {"heads": heads, "mask": "causal", "embeddings": made(9, tokens), "weights": weights}
    path.write_text(json.dumps(problem))


def start(table, attn, folder):
    for command in ("--version", "explain"):
        one, = pairs.pair([attn, command], None, times=99)
        table.row(f"attn {command}", 1e3 * one.cpu, None, "< 10", "ms")


def reading(table, attn, folder):
    problem, trace = folder / "gpt2.json", folder / "trace.json"
    writer = multiprocessing.Process(target=write_problem, args=(problem,))
    writer.start()  # a process of its own: what we have in memory counts as that of whatever we run
    writer.join()
    summary = lambda path: [attn, "explain", str(path), "--summary"]
    one, other = pairs.pair(summary(problem), python(READ_PROBLEM, problem))
    table.row("problem of GPT-2's size, JSON", one.cpu, other.cpu, "≤ 0.6")
    table.row("  memory beside that of its numbers", one.peak / MEGA, 8 * NUMBERS / MEGA, "", "MB")
    for ending in ("npz", "safetensors"):
        arrays = folder / f"gpt2.{ending}"
        subprocess.run([attn, "convert", str(problem), "--quiet", "-o", str(arrays)], check=True)
        one, *other = pairs.pair(summary(arrays), python(READ_NPZ, arrays) if ending == "npz" else None)
        table.row(f"the same, {ending}", one.cpu, other[0].cpu if other else None, "")
        table.row("  memory beside that of its numbers", one.peak / MEGA, 8 * NUMBERS / MEGA, "", "MB")
    write_small(folder / "t512.json", 512, 512, 8)
    with open(trace, "wb") as file:
        subprocess.run([attn, "explain", str(folder / "t512.json"), "--json"], stdout=file, check=True)
    one, other = pairs.pair([attn, "explain", str(trace), "--summary"], python(READ_TRACE, trace), 5)
    table.row("trace, JSON", one.cpu, other.cpu, "≤ 0.5")


def writing(table, attn, folder):
    """How fast a format is written: its bytes, in the time beyond that of computing the trace."""
    attend = [attn, "explain", str(folder / "t512.json"), "--quiet"]
    compute = [*attend, "--format", "safetensors", "-o", "/dev/null"]  # numbers as they are in memory
    for name, target in (("json", "≥ 500"), ("csv", ""), ("npz", ""), ("safetensors", "")):
        written = folder / f"written.{name}"
        one, base = pairs.pair([*attend, "-o", str(written)], compute)
        speed = lambda seconds: written.stat().st_size / max(seconds, 1e-3) / MEGA
        table.row(f"trace written, {name}", speed(one.cpu - base.cpu), None, "", "MB/s")
        table.row("  on the clock", speed(one.seconds - base.seconds), None, target, "MB/s")
        table.row("  memory beside that of the trace", one.peak / MEGA, base.peak / MEGA, "", "MB")
        (copy,) = pairs.pair(["cp", str(written), str(folder / "copied")], None)
        table.row("  cp of that file, on the clock", speed(copy.seconds), None, "", "MB/s")
    one, base = pairs.pair(attend, compute)
    table.row("text, T = 512, 8 heads", one.cpu, base.cpu, "")
    table.row("  on the clock", one.seconds, base.seconds, "")
    table.row("  memory beside that of the trace", one.peak / MEGA, base.peak / MEGA, "", "MB")


def long_text(table, attn, folder):
    """The output alone of so many tokens that their scores would take 32 GiB."""
    made = lambda seed: {"randn": [65536, 64], "seed": seed}
    (folder / "long.json").write_text(json.dumps({"q": made(1), "k": made(2), "v": made(3)}))
    one = pairs.run([attn, "explain", str(folder / "long.json"), "--steps", "output", "--format", "npy"])
    table.row("T = 65,536, output alone, on the clock", one.seconds, None, "")
    table.row("  memory", one.peak / MEGA, None, "≤ 1000", "MB")


def main():
    attn = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    table = pairs.Table()
    start(table, attn, folder)
    reading(table, attn, folder)
    writing(table, attn, folder)
    long_text(table, attn, folder)
    if len(sys.argv) <= 2:
        shutil.rmtree(folder)


main()
