#!/usr/bin/env python3
"""Writes the small files of tests/reference/arrays that NumPy and Python's zipfile make.

Run with NumPy 1.24: python3 tests/support/make_array_files.py
"""

import io
import pathlib
import zipfile

import numpy as np

FOLDER = pathlib.Path(__file__).parent.parent / "reference" / "arrays"
ARRAYS = {
    "w": np.array([[1, 2], [3, 4.5]]),
    "columns": np.asfortranarray(np.array([[1, 2, 3], [4, 5, 6]], np.int32)),
}


class Pipe(io.BytesIO):
    """A file that cannot go back, so that sizes follow the members (data descriptors)."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation

    def tell(self):
        raise io.UnsupportedOperation


def main():
    FOLDER.mkdir(exist_ok=True)
    np.savez(FOLDER / "stored.npz", **ARRAYS)
    np.savez_compressed(FOLDER / "compressed.npz", **ARRAYS)
    pipe = Pipe()
    np.savez(pipe, **ARRAYS)
    (FOLDER / "streamed.npz").write_bytes(pipe.getvalue())
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 0  # every number into the longer fields
    np.savez(FOLDER / "zip64.npz", **ARRAYS)
    zipfile.ZIP64_LIMIT = limit


main()
