#!/usr/bin/env python3
"""Seeds for the fuzzers of binary files. Usage: seeds.py FOLDER writes them to FOLDER/gguf and FOLDER/torch."""

import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "app"))
import gguf_writer  # noqa: E402
import torch_writer  # noqa: E402

F32, F16, Q8_0, BF16 = 0, 1, 8, 30
TOKENS = ["c", "a", "t", "Ġ", "ca", "cat", "<s>", "1"]


def zeros(shape, kind=F32):
    count = 1
    for size in shape:
        count *= size
    data = {F32: b"\0\0\x80?" * count, F16: b"\0<" * count, BF16: b"\x80?" * count, Q8_0: (b"\0<" + b"\1" * 32) * (count // 32)}
    return shape, kind, data[kind]


def model(architecture, biased, normed):
    """One layer of 2 heads, d_model 4, whose every number is 1."""
    tensors = {"token_embd.weight": zeros((8, 4)), "output_norm.weight": zeros((4,)), "output.weight": zeros((8, 4), F16)}
    for name, shape in {"attn_norm": (4,), "attn_q": (4, 4), "attn_k": (4, 4), "attn_v": (4, 4), "attn_output": (4, 4),
                        "ffn_norm": (4,), "ffn_gate": (6, 4), "ffn_up": (6, 4), "ffn_down": (4, 6)}.items():
        tensors[f"blk.0.{name}.weight"] = zeros(shape)
    for name in ("attn_q", "attn_k", "attn_v") if biased else ():
        tensors[f"blk.0.{name}.bias"] = zeros((4,), BF16)
    for name in ("attn_q_norm", "attn_k_norm") if normed else ():
        tensors[f"blk.0.{name}.weight"] = zeros((2,))
    metadata = {"block_count": 1, "embedding_length": 4, "feed_forward_length": 6, "attention.head_count": 2,
                "attention.head_count_kv": 2, "attention.layer_norm_rms_epsilon": 1e-6, "rope.freq_base": 10000.0,
                "rope.dimension_count": 2, "context_length": 16, "attention.key_length": 2, "attention.value_length": 2}
    return {"general.architecture": architecture, **{f"{architecture}.{key}": x for key, x in metadata.items()}}, tensors


def tokenizer(pre):
    return {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": pre, "tokenizer.ggml.tokens": TOKENS,
            "tokenizer.ggml.token_type": [1] * 6 + [3, 1], "tokenizer.ggml.merges": ["c a", "ca t"],
            "tokenizer.ggml.add_bos_token": True, "tokenizer.ggml.bos_token_id": 6}


def write(kind, name, data):
    (FOLDER / kind).mkdir(parents=True, exist_ok=True)
    (FOLDER / kind / name).write_bytes(data)


for architecture, pre in (("llama", "llama-bpe"), ("qwen2", "qwen2"), ("qwen3", "gpt-2"), ("gemma", "gpt-4o")):
    metadata, tensors = model(architecture, architecture == "qwen2", architecture == "qwen3")
    write("gguf", architecture, gguf_writer.written({**metadata, **tokenizer(pre)}, tensors))
    write("gguf", f"{architecture}-bare", gguf_writer.written(metadata, {**tensors, "rope_freqs.weight": zeros((1,))}, 2))
write("gguf", "tokenizer", gguf_writer.written(tokenizer("deepseek-v3")))
write("gguf", "types", gguf_writer.written({"a": True, "b": [1, -2], "c": [], "d": 0.5}, {"x": zeros((2, 32), Q8_0), "y": zeros((1, 2, 3))}))
write("gguf", "lists", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + gguf_writer.text("a") + struct.pack("<IIQIQ", 9, 9, 1, 4, 1) + b"\1\0\0\0")

STATE = {"w": ("0", 4, 0, (2, 2), (2, 1)), "t": ("0", 4, 0, (2, 2), (1, 2)), "b": ("0", 4, 2, (2,), (1,))}
for protocol in (2, 4):
    write("torch", f"protocol{protocol}", torch_writer.pickled(STATE, protocol))
