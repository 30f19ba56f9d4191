#!/usr/bin/env python3
"""What Python writes in PyTorch's format, and PyTorch itself where it is installed, as attn reads it.

Usage: torch_files_test.py TENSOR_TOOL. The tool reads a file and writes it again, here as .npz.
"""

import collections
import io
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import types
import zipfile

import numpy

TOOL = sys.argv[1]
failures = []


def check(what, right):
    if not right:
        failures.append(what)


def read(path):
    out = path.with_suffix(".npz")
    ran = subprocess.run([TOOL, path, out], capture_output=True, text=True)
    return numpy.load(out) if ran.returncode == 0 else ran.stderr


class Stub:
    """A name of torch's, which pickle writes without torch."""


def stub(module, name):
    made = type(name, (Stub,), {}) if name[0].isupper() else types.FunctionType((lambda: None).__code__, {}, name)
    made.__module__, made.__qualname__ = module, name
    sys.modules.setdefault(module, types.ModuleType(module))
    setattr(sys.modules[module], name, made)
    return made


class Tensor:
    def __init__(self, key, kind, count, offset, shape, strides):
        self.storage, self.rest = ("storage", kind, key, "cpu", count), (offset, shape, strides, False, collections.OrderedDict())

    def __reduce__(self):
        return REBUILD, (Held(self.storage), *self.rest)


class Held:
    def __init__(self, what):
        self.what = what


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        return value.what if isinstance(value, Held) else None


def by_hand(folder):
    numbers = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
    state = collections.OrderedDict(
        w=Tensor("0", FLOAT, 6, 0, (2, 3), (3, 1)), t=Tensor("0", FLOAT, 6, 0, (3, 2), (1, 3)), b=Tensor("0", FLOAT, 6, 4, (2,), (1,)))
    for protocol in (2, 4):
        pickled = io.BytesIO()
        Pickler(pickled, protocol).dump(state)
        path = folder / f"hand{protocol}.pt"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("hand/data.pkl", pickled.getvalue())
            archive.writestr("hand/data/0", numbers)
        arrays = read(path)
        check(f"protocol {protocol}: {arrays}", not isinstance(arrays, str))
        if isinstance(arrays, str):
            continue
        check("w", arrays["w"].tolist() == [[1, 2, 3], [4, 5, 6]])
        check("t", arrays["t"].tolist() == [[1, 4], [2, 5], [3, 6]])
        check("b", arrays["b"].tolist() == [5, 6])


REBUILD, FLOAT = stub("torch._utils", "_rebuild_tensor_v2"), stub("torch", "FloatStorage")
with tempfile.TemporaryDirectory() as name:
    by_hand(pathlib.Path(name))
for module in ("torch._utils", "torch"):
    del sys.modules[module]

try:
    import torch
except ImportError:
    torch = None
    print("without PyTorch: only what Python's pickle writes")
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
