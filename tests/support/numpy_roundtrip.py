#!/usr/bin/env python3
"""NumPy reads what attn writes, and attn what NumPy writes, bit for bit.

    numpy_roundtrip.py TENSOR_TOOL

Exit code 77 (skipped) without NumPy. Safetensors files are put together by hand.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

TOOL = sys.argv[1]
TYPES = ["<f8", ">f8", "<f4", ">f4", "<f2", ">f2", "<i8", ">i8", "<i4", ">i4", "<i2", ">i2", "|i1",
         "<u8", ">u8", "<u4", ">u4", "<u2", ">u2", "|u1", "|b1"]
SHAPES = [(5,), (3, 4), (2, 3, 4), (2, 3, 4, 5), (1, 1), (0,), (3, 0, 2)]
SAFETENSORS_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4",
                     "I16": "<i2", "I8": "|i1", "U64": "<u8", "U32": "<u4", "U16": "<u2",
                     "U8": "|u1", "BOOL": "|b1"}


def convert(source, target):
    return subprocess.run([TOOL, source, target], capture_output=True, text=True)


def read_safetensors(path):
    """The arrays of a file as attn writes it: all F64, aligned to 8."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    assert length % 8 == 0
    arrays = {}
    for name, info in json.loads(data[8:8 + length]).items():
        begin, end = info["data_offsets"]
        assert info["dtype"] == "F64"
        arrays[name] = np.frombuffer(data[8 + length + begin:8 + length + end],
                                     "<f8").reshape(info["shape"])
    return arrays


def write_safetensors(path, arrays):
    """`arrays`: name → (dtype's name, array)."""
    header, data = {"__metadata__": {"format": "np"}}, b""
    for name, (dtype, array) in arrays.items():
        raw = array.tobytes()
        header[name] = {"dtype": dtype, "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def check_same(found, expected, what):
    assert list(found) == list(expected), (what, list(found), list(expected))
    for name, array in expected.items():
        wide = np.ascontiguousarray(array).astype("<f8")
        assert found[name].dtype == np.dtype("<f8"), (what, name)
        assert found[name].shape == array.shape, (what, name)
        is_nan = np.isnan(wide)
        assert np.array_equal(np.isnan(found[name]), is_nan), (what, name)
        assert found[name][~is_nan].tobytes() == wide[~is_nan].tobytes(), (what, name)


def check_conversions(source, expected, folder):
    """Reads with attn, writes both containers with attn, reads them here."""
    for target in (folder / "out.npz", folder / "out.safetensors"):
        done = convert(source, target)
        assert done.returncode == 0, (source, done.stderr)
        if target.suffix == ".npz":
            with np.load(target, allow_pickle=False) as found:
                check_same(dict(found), expected, source)
            assert zipfile.ZipFile(target).testzip() is None
        else:
            check_same(read_safetensors(target), expected, source)


def samples(dtype):
    """Arrays of all shapes with random bits, in both memory orders."""
    random = np.random.default_rng(7)
    arrays = {}
    for shape in SHAPES:
        if dtype == "|b1":
            array = random.integers(0, 2, shape).astype(dtype)
        else:
            size = np.dtype(dtype).itemsize * int(np.prod(shape))
            array = np.frombuffer(random.bytes(size), dtype).reshape(shape)
        name = "x".join(map(str, shape))
        arrays[name] = array
        arrays[name + " é"] = np.asfortranarray(array)
    return arrays


def check_good(folder):
    for dtype in TYPES:
        arrays = samples(dtype)
        np.savez(folder / "in.npz", **arrays)
        check_conversions(folder / "in.npz", arrays, folder)
        np.savez_compressed(folder / "in.npz", **arrays)
        check_conversions(folder / "in.npz", arrays, folder)
        for version in ((1, 0), (2, 0), (3, 0)):
            for array in arrays.values():
                with open(folder / "in.npy", "wb") as file:
                    np.lib.format.write_array(file, array, version)
                done = convert(folder / "in.npy", folder / "out.npy")
                assert done.returncode == 0, done.stderr
                check_same({"": np.load(folder / "out.npy")}, {"": array}, (dtype, version))
    halves = np.arange(0x10000, dtype="<u2")
    np.save(folder / "in.npy", halves.view("<f2"))
    assert convert(folder / "in.npy", folder / "out.npy").returncode == 0
    check_same({"": np.load(folder / "out.npy")}, {"": halves.view("<f2")}, "all halves")


def check_safetensors(folder):
    path = folder / "in.safetensors"
    for name, dtype in SAFETENSORS_TYPES.items():
        arrays = {key: np.ascontiguousarray(array) for key, array in samples(dtype).items()}
        write_safetensors(path, {key: (name, array) for key, array in arrays.items()})
        check_conversions(path, arrays, folder)
    halves = np.arange(0x10000, dtype="<u2")
    write_safetensors(path, {"w": ("BF16", halves)})
    check_conversions(path, {"w": (halves.astype("<u4") << 16).view("<f4")}, folder)


def check_bytes(folder):
    """An .npy file of float64 comes back from attn as NumPy wrote it, byte for byte."""
    for shape in SHAPES:
        np.save(folder / "in.npy", np.random.default_rng(3).standard_normal(shape))
        assert convert(folder / "in.npy", folder / "out.npy").returncode == 0
        assert (folder / "in.npy").read_bytes() == (folder / "out.npy").read_bytes(), shape


def check_refused(folder):
    bad = [
        ("dtype", np.array([1j])), ("dtype", np.array(["a"])), ("dtype", np.array([b"a"])),
        ("dtype", np.array([[1], None], dtype=object)), ("dtype", np.array([1], "M8[D]")),
        ("dtype", np.array([1], "m8[s]")), ("dtype", np.array([1], np.longdouble)),
        ("dtype", np.array([(1, 2)], [("x", "<f8"), ("y", "<f4")])), ("rank", np.float64(1)),
    ]
    for word, array in bad:
        np.save(folder / "in.npy", array)
        np.savez(folder / "in.npz", good=np.zeros(3), bad=array)
        for name in ("in.npy", "in.npz"):
            done = convert(folder / name, folder / "out.npz")
            assert done.returncode == 3, (name, array)
            assert done.stderr.startswith(word + ": "), done.stderr


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_good(folder)
        check_safetensors(folder)
        check_bytes(folder)
        check_refused(folder)
    print("agrees with NumPy", np.__version__)


with np.errstate(all="ignore"):
    main()
