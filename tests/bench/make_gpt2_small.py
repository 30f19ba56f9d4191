#!/usr/bin/env python3
"""Writes a checkpoint with the shapes of GPT-2 small and random weights: for benchmarks.

    python3 make_gpt2_small.py FOLDER

The folder gets config.json and model.safetensors (548 MB) under the names and in the layout of the
published gpt2: float32, Conv1D weights in × out, no prefix, the causal mask as a buffer in every
layer. Needs NumPy only; takes a few seconds.
"""
import argparse
import json
import math
import pathlib
import struct

import numpy

D_MODEL, LAYERS, VOCABULARY, POSITIONS = 768, 12, 50257, 1024
CONFIG = {
    "activation_function": "gelu_new",
    "architectures": ["GPT2LMHeadModel"],
    "bos_token_id": 50256,
    "eos_token_id": 50256,
    "layer_norm_epsilon": 1e-05,
    "model_type": "gpt2",
    "n_ctx": POSITIONS,
    "n_embd": D_MODEL,
    "n_head": 12,
    "n_layer": LAYERS,
    "n_positions": POSITIONS,
    "vocab_size": VOCABULARY,
}


def shapes():
    """Tensor names and shapes in the order of the file."""
    d = D_MODEL
    for n in range(LAYERS):
        yield f"h.{n}.attn.bias", (1, 1, POSITIONS, POSITIONS)
        for name, n_in, n_out in (
            ("attn.c_attn", d, 3 * d),
            ("attn.c_proj", d, d),
            ("mlp.c_fc", d, 4 * d),
            ("mlp.c_proj", 4 * d, d),
        ):
            yield f"h.{n}.{name}.weight", (n_in, n_out)
            yield f"h.{n}.{name}.bias", (n_out,)
        for name in ("ln_1", "ln_2"):
            yield f"h.{n}.{name}.weight", (d,)
            yield f"h.{n}.{name}.bias", (d,)
    yield "ln_f.weight", (d,)
    yield "ln_f.bias", (d,)
    yield "wpe.weight", (POSITIONS, d)
    yield "wte.weight", (VOCABULARY, d)


def values(random, name, shape):
    """Normal with a standard deviation of 0.02, as GPT-2's weights begin; gains of one."""
    if name.endswith(".attn.bias"):
        return numpy.tril(numpy.ones(shape, dtype=numpy.float32))
    if "ln_" in name and name.endswith("weight"):
        return numpy.ones(shape, dtype=numpy.float32)
    drawn = random.standard_normal(shape, dtype=numpy.float32)
    drawn *= numpy.float32(0.02)
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")

    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in shapes():
        size = 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    random = numpy.random.default_rng(2)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        for name, shape in shapes():
            file.write(values(random, name, shape).tobytes())


if __name__ == "__main__":
    main()
