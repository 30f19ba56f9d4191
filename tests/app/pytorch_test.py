#!/usr/bin/env python3
"""Layers and numbers that PyTorch makes here and now, against attn.

Usage: pytorch_test.py ATTN. Exit code 77 (skipped) without torch and NumPy.
"""

import itertools
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
    import torch
except ImportError:
    print("skipped: torch and numpy are not installed")
    sys.exit(77)

ATTN = sys.argv[1]
torch.set_default_dtype(torch.float64)
failures = []
count = 0


def explained(*arguments):
    """Every step of `attn explain ARGUMENTS` as an array."""
    run = subprocess.run([ATTN, "explain", *arguments, "--json"], capture_output=True, encoding="utf-8")
    if run.returncode != 0:
        failures.append(f"{arguments}: exit code {run.returncode}\n{run.stderr}")
        return None
    return {name: numpy.array(step["data"], float) for name, step in json.loads(run.stdout)["steps"].items()}


def compare(what, steps, expected, tolerance=1e-9):
    global count
    for name, tensor in expected.items() if steps else ():
        count += 1
        array = tensor.detach().numpy()
        if steps[name].shape != array.shape or not numpy.allclose(steps[name], array, rtol=0, atol=tolerance):
            failures.append(f"{what}: {name} differs")


def save(path, tensors):
    """The safetensors format, written by hand."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        part = tensor.detach().numpy().astype("<f8").tobytes()
        header[name] = {"dtype": "F64", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def check_randn():
    for shape, seed in itertools.product(([1, 1], [3, 5], [4, 4], [5, 7], [8, 32]), (0, 42, 2**31, 2**40 + 3)):
        path = folder / "randn.json"
        ones = {"ones": [1, shape[1]]}
        path.write_text(json.dumps({"q": {"randn": shape, "seed": seed, "std": 0.02}, "k": ones, "v": ones}))
        numbers = torch.randn(*shape, generator=torch.manual_seed(seed), dtype=torch.float32) * 0.02
        compare(f"randn {shape} {seed}", explained(str(path)), {"q": numbers}, 1e-9)


def check_layers():
    """nn.MultiheadAttention: packed and separate projections, added keys, biases or none."""
    for width, added, zero, bias in itertools.product((6, 5), (False, True), (False, True), (False, True)):
        torch.manual_seed(1)
        layer = torch.nn.MultiheadAttention(
            6, 2, kdim=width, vdim=width, add_bias_kv=added, add_zero_attn=zero, bias=bias, batch_first=True
        )
        x, memory = torch.randn(1, 4, 6), torch.randn(1, 3, width)
        weights = {name: tensor.tolist() for name, tensor in layer.state_dict().items()}
        if zero:
            weights["add_zero_attn"] = True
        path = folder / "layer.json"
        path.write_text(json.dumps(
            {"heads": 2, "embeddings": x[0].tolist(), "memory": {"embeddings": memory[0].tolist()}, "weights": weights}
        ))
        output, shares = layer(x, memory, memory, average_attn_weights=False)
        what = f"MultiheadAttention kdim={width} add_bias_kv={added} add_zero_attn={zero} bias={bias}"
        compare(what, explained(str(path)), {"weights": shares[0], "output": output[0]})


def check_encoder():
    """Each layer of an nn.TransformerEncoder, by its number and by its name."""
    torch.manual_seed(2)
    layer = torch.nn.TransformerEncoderLayer(6, 2, 8, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 11).eval()  # no dropout
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter)
    model, x = folder / "encoder.safetensors", torch.randn(1, 4, 6)
    save(model, encoder.state_dict())
    numpy.save(folder / "x.npy", x[0].numpy())
    hidden = torch.ones(4, 4, dtype=torch.bool).triu(1)
    for i, block in enumerate(encoder.layers):
        output, shares = block.self_attn(x, x, x, attn_mask=hidden, average_attn_weights=False)
        for choice in (("--layer", str(i)), ("--prefix", f"layers.{i}.self_attn.")):
            steps = explained(str(model), *choice, "--heads", "2", "--mask", "causal", "--embeddings", str(folder / "x.npy"))
            compare(f"TransformerEncoder {choice}", steps, {"weights": shares[0], "output": output[0]})


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_randn()
    check_layers()
    check_encoder()
print(f"{count} arrays of PyTorch {torch.__version__}")
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures or count < 90 else 0)
