#!/usr/bin/env python3
"""Makes rand.json and randn.json: the first numbers of torch.rand and torch.randn, as float32.

    python3 make_random.py

The numbers in the repository come from PyTorch 1.13.1 on a CPU with AVX2. torch.randn draws fewer
than 16 numbers differently from 16 or more, and the last 16 anew if 16 does not divide the count.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
CASES = [(1, 0), (5, 42), (15, 2**31), (16, 0), (17, 42), (24, 0), (31, 2**31), (32, 42)]


def lines(numbers):
    """A JSON list with four numbers on a line."""
    rows = (", ".join(map(repr, numbers[i : i + 4])) for i in range(0, len(numbers), 4))
    return "[\n      " + ",\n      ".join(rows) + "]"


def text(source, cases):
    parts = (f'    {{"n": {n}, "seed": {seed}, "values": {lines(values)}}}' for n, seed, values in cases)
    return f'{{\n  "_source": {json.dumps(source)},\n  "cases": [\n' + ",\n".join(parts) + "\n  ]\n}\n"


def main():
    import torch

    for name in ("rand", "randn"):
        draw = getattr(torch, name)
        source = f"torch.{name}(n, generator=torch.Generator().manual_seed(seed)), PyTorch {torch.__version__}"
        cases = [(n, seed, draw(n, generator=torch.Generator().manual_seed(seed)).tolist()) for n, seed in CASES]
        (HERE / f"{name}.json").write_text(text(source, cases), encoding="utf-8")


if __name__ == "__main__":
    main()
