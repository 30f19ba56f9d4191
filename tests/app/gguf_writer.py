"""GGUF files for tests: metadata and tensors, as llama.cpp writes them."""

import struct


def text(word):
    return struct.pack("<Q", len(word.encode())) + word.encode()


def value(x):
    if isinstance(x, bool):
        return struct.pack("<I?", 7, x)
    if isinstance(x, int):
        return struct.pack("<II", 4, x)
    if isinstance(x, float):
        return struct.pack("<If", 6, x)
    if isinstance(x, str):
        return struct.pack("<I", 8) + text(x)
    if x and isinstance(x[0], int):
        return struct.pack("<IIQ", 9, 5, len(x)) + struct.pack(f"<{len(x)}i", *x)
    return struct.pack("<IIQ", 9, 8, len(x)) + b"".join(map(text, x))


def written(metadata, tensors=None, version=3):
    """`tensors`: by name, each with its shape (rows first), its type's number and its bytes."""
    tensors = tensors or {}
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    for key, x in metadata.items():
        out += text(key) + value(x)
    data = b""
    for name, (shape, kind, stored) in tensors.items():
        out += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape[::-1])
        out += struct.pack("<IQ", kind, len(data))
        data += stored + b"\0" * (-len(stored) % 32)
    return out + (b"\0" * (-len(out) % 32) + data if tensors else b"")
