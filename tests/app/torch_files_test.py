#!/usr/bin/env python3
"""What Python writes in PyTorch's format, and PyTorch itself where it is installed, as attn reads it.

Usage: torch_files_test.py TENSOR_TOOL. The tool reads a file and writes it again, here as .npz.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

from torch_writer import pickled

TOOL = sys.argv[1]
failures = []


def check(what, right):
    if not right:
        failures.append(what)


def read(path):
    out = path.with_suffix(".npz")
    ran = subprocess.run([TOOL, path, out], capture_output=True, text=True)
    return numpy.load(out) if ran.returncode == 0 else ran.stderr


def by_hand(folder):
    numbers = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
    state = {"w": ("0", 6, 0, (2, 3), (3, 1)), "t": ("0", 6, 0, (3, 2), (1, 3)), "b": ("0", 6, 4, (2,), (1,))}
    for protocol in (2, 4):
        path = folder / f"hand{protocol}.pt"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("hand/data.pkl", pickled(state, protocol))
            archive.writestr("hand/data/0", numbers)
        arrays = read(path)
        check(f"protocol {protocol}: {arrays}", not isinstance(arrays, str))
        if isinstance(arrays, str):
            continue
        check("w", arrays["w"].tolist() == [[1, 2, 3], [4, 5, 6]])
        check("t", arrays["t"].tolist() == [[1, 4], [2, 5], [3, 6]])
        check("b", arrays["b"].tolist() == [5, 6])


with tempfile.TemporaryDirectory() as name:
    by_hand(pathlib.Path(name))

try:
    import torch
except ImportError:
    torch = None
    print("not tested: torch")
if torch:
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "torch.pt"
        torch.manual_seed(0)
        model = torch.nn.MultiheadAttention(8, 2).half()
        state = dict(model.state_dict(), ids=torch.arange(3), long=torch.randn(4, 5).bfloat16()[1:, ::2], turned=torch.randn(2, 3).double().T)
        torch.save(state, path)
        arrays = read(path)
        check(f"torch.save: {arrays}", not isinstance(arrays, str))
        for key, tensor in state.items():
            check(key, not isinstance(arrays, str) and (arrays[key] == tensor.double().numpy()).all())
        torch.save({"state_dict": model.state_dict(), "epoch": 3}, path)
        check("nested", "state_dict.in_proj_weight" in read(path))
        torch.save(model, path)
        said = read(path)
        check(f"a whole module: {said}", isinstance(said, str) and "torch.nn.modules.activation.MultiheadAttention" in said)
print("\n".join(failures))
sys.exit(1 if failures else 0)
