#!/usr/bin/env python3
"""Writes rope_scaling.json: frequencies and attention factors of scaled rotary positions.

They are computed in PyTorch (float64) from the formulas of the papers: position interpolation, dynamic NTK, YaRN,
Llama 3.1, LongRoPE. Sizes and numbers are those of published models where there are some.
"""

import json
import math
import pathlib

import torch


def plain(base, dim):
    return 1.0 / base ** (torch.arange(0, dim, 2, dtype=torch.float64) / dim)


def linear(s, base, dim, length):
    return plain(base, dim) / s["factor"], 1.0


def dynamic(s, base, dim, length):
    trained = s["max_position_embeddings"]
    ratio = max(length, trained) / trained
    return plain(base * (s["factor"] * ratio - s["factor"] + 1) ** (dim / (dim - 2)), dim), 1.0


def yarn(s, base, dim, length):
    trained = s.get("original_max_position_embeddings", s.get("max_position_embeddings"))
    factor = s.get("factor") or s["max_position_embeddings"] / trained

    def bound(turns, whole):  # the pair that makes so many turns
        pair = dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))
        return whole(pair) if s.get("truncate", True) else pair

    low = max(bound(s.get("beta_fast", 32), math.floor), 0)
    high = min(bound(s.get("beta_slow", 1), math.ceil), dim - 1)
    ramp = ((torch.arange(dim // 2, dtype=torch.float64) - low) / (high - low)).clamp(0, 1)
    f = plain(base, dim)

    def scale(m):
        return 0.1 * m * math.log(factor) + 1 if factor > 1 else 1.0

    both = "mscale" in s and "mscale_all_dim" in s
    usual = scale(s["mscale"]) / scale(s["mscale_all_dim"]) if both else scale(1)
    return f * (1 - ramp) + f / factor * ramp, s.get("attention_factor", usual)


def llama3(s, base, dim, length):
    f, trained = plain(base, dim), s["original_max_position_embeddings"]
    low, high = s["low_freq_factor"], s["high_freq_factor"]
    wave = 2 * math.pi / f
    smooth = (trained / wave - low) / (high - low)
    between = (1 - smooth) * f / s["factor"] + smooth * f
    return torch.where(wave > trained / low, f / s["factor"], torch.where(wave < trained / high, f, between)), 1.0


def longrope(s, base, dim, length):
    trained = s["original_max_position_embeddings"]
    factor = s.get("factor") or s["max_position_embeddings"] / trained
    by = torch.tensor(s["long_factor" if length > trained else "short_factor"], dtype=torch.float64)
    usual = math.sqrt(1 + math.log(factor) / math.log(trained)) if factor > 1 else 1.0
    return plain(base, dim) / by, s.get("attention_factor", usual)


KINDS = {f.__name__: f for f in (linear, dynamic, yarn, llama3, longrope)}
LONG = {"short_factor": [1.0, 1.05, 1.1, 1.4], "long_factor": [1.1, 2.0, 8.5, 30.0]}
CASES = [  # kind, base, dim, length, keys
    ("linear", 10000.0, 8, 5, {"factor": 2.5}),
    ("dynamic", 10000.0, 8, 5, {"factor": 2.0, "max_position_embeddings": 16}),
    ("dynamic", 10000.0, 8, 40, {"factor": 2.0, "max_position_embeddings": 16}),
    ("llama3", 500000.0, 128, 9, {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
     "original_max_position_embeddings": 8192}),
    ("llama3", 500000.0, 64, 9, {"factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
     "original_max_position_embeddings": 8192}),
    ("yarn", 1000000.0, 128, 9, {"factor": 4.0, "original_max_position_embeddings": 32768}),
    ("yarn", 150000.0, 64, 9, {"factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
     "original_max_position_embeddings": 4096}),
    ("yarn", 10000.0, 64, 9, {"factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 0.707,
     "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}),
    ("yarn", 10000.0, 16, 9, {"max_position_embeddings": 512, "original_max_position_embeddings": 64,
     "attention_factor": 1.5}),
    ("longrope", 10000.0, 8, 64, {**LONG, "original_max_position_embeddings": 64,
     "max_position_embeddings": 2048}),
    ("longrope", 10000.0, 8, 65, {**LONG, "original_max_position_embeddings": 64,
     "max_position_embeddings": 2048}),
    ("longrope", 10000.0, 8, 65, {**LONG, "original_max_position_embeddings": 64, "factor": 4.0}),
]


def main():
    lines = []
    for kind, base, dim, length, keys in CASES:
        frequencies, factor = KINDS[kind](keys, base, dim, length)
        lines.append(json.dumps({
            "base": base, "dim": dim, "length": length, "scaling": {"rope_type": kind, **keys},
            "frequencies": frequencies.tolist(), "attention_factor": factor}))
    path = pathlib.Path(__file__).parent / "rope_scaling.json"
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
