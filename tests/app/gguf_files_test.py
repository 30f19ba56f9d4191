#!/usr/bin/env python3
"""GGUF files, written here with struct from small models of Hugging Face, against the folders they come from.

Usage: gguf_files_test.py ATTN TENSOR_TOOL SOURCE_DIR. Weights and metadata are changed as llama.cpp's convert_hf_to_gguf.py does.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

import gguf_writer

ATTN, TOOL, MODELS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]) / "tests/reference/models"
failures = []
NAMES = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
LAYER = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
F32, F16, BF16, Q8_0 = 0, 1, 30, 8


def check(what, right):
    if not right:
        failures.append(what)


def tensors_of(path):
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    return {name: numpy.frombuffer(raw[8 + size + row["data_offsets"][0]:8 + size + row["data_offsets"][1]], "<f4").reshape(row["shape"])
            for name, row in header.items() if name != "__metadata__"}


def q8(rows):
    blocks = rows.reshape(-1, 32)
    out = b""
    for block in blocks:
        scale = numpy.float16(numpy.abs(block).max() / 127)
        out += scale.tobytes() + numpy.round(block / numpy.float32(scale or 1)).astype(numpy.int8).tobytes()
    return out


def stored(array, kind):
    if kind in (F32, 12):  # as if
        return array.astype("<f4").tobytes()
    if kind == F16:
        return array.astype("<f2").tobytes()
    if kind == BF16:
        return (array.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    return q8(array)


def written(metadata, tensors, version=3):
    return gguf_writer.written(metadata, {name: (w.shape, kind, stored(w, kind)) for name, (w, kind) in tensors.items()}, version)


def permuted(w, heads):
    return w.reshape(heads, 2, w.shape[0] // heads // 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def renamed(name):
    module, ending = name.rsplit(".", 1)
    if module in NAMES:
        return f"{NAMES[module]}.{ending}"
    layer, rest = module.removeprefix("model.layers.").split(".", 1)
    return f"blk.{layer}.{LAYER[rest]}.{ending}"


def llama():
    folder = MODELS / "hugging_face_llama"
    config = json.loads((folder / "config.json").read_text())
    heads, kv = config["num_attention_heads"], config["num_key_value_heads"]
    tensors = {}
    everything = {k: w for part in folder.glob("*.safetensors") for k, w in tensors_of(part).items() if "rotary_emb" not in k}
    for name, w in everything.items():
        if name.endswith("q_proj.weight"):
            w = permuted(w, heads)
        if name.endswith("k_proj.weight"):
            w = permuted(w, kv)
        tensors[renamed(name)] = (w, F32)
    metadata = {"general.architecture": "llama", "llama.block_count": config["num_hidden_layers"],
                "llama.embedding_length": config["hidden_size"], "llama.feed_forward_length": config["intermediate_size"],
                "llama.attention.head_count": heads, "llama.attention.head_count_kv": kv,
                "llama.attention.layer_norm_rms_epsilon": config["rms_norm_eps"], "llama.rope.freq_base": config["rope_theta"],
                "llama.rope.dimension_count": config["hidden_size"] // heads,
                "llama.context_length": config["max_position_embeddings"], "tokenizer.ggml.model": "llama",
                "tokenizer.ggml.tokens": [f"▁t{i}" for i in range(config["vocab_size"])]}
    return folder, metadata, tensors


def logits(*args):
    ran = subprocess.run([ATTN, "explain", *args, "--ids", "1,5,3,7", "--steps", "logits", "--json"], capture_output=True, text=True)
    return numpy.array(json.loads(ran.stdout)["steps"]["logits"]["data"]) if ran.returncode == 0 else ran.stderr


def refused(path, bytes_, *parts):
    path.write_bytes(bytes_)
    said = logits(str(path))
    check(f"not refused with {parts}: {said}", isinstance(said, str) and all(part in " ".join(said.split()) for part in parts))


with tempfile.TemporaryDirectory() as name:
    path = pathlib.Path(name) / "model.gguf"
    folder, metadata, tensors = llama()
    config_size = len(metadata["tokenizer.ggml.tokens"])
    expected = logits(str(folder))
    path.write_bytes(written(metadata, tensors))
    found = logits(str(path))
    check(f"llama: {found}", not isinstance(found, str) and numpy.abs(found - expected).max() < 1e-6)
    path.write_bytes(written(metadata, tensors, 2))
    check("version 2", not isinstance(logits(str(path)), str))
    for kind, near in ((F16, 0.02), (BF16, 0.2)):
        path.write_bytes(written(metadata, {k: (w, kind) for k, (w, _) in tensors.items()}))
        found = logits(str(path))
        check(f"type {kind}: {found}", not isinstance(found, str) and numpy.abs(found - expected).max() < near)
    wide = numpy.random.default_rng(0).standard_normal((3, 64)).astype("<f4")
    path.write_bytes(written({"general.architecture": "llama"}, {"x": (wide, Q8_0)}))
    subprocess.run([TOOL, path, path.with_suffix(".npz")], check=True)
    found = numpy.load(path.with_suffix(".npz"))["x"]
    check("Q8_0", found.shape == wide.shape and 0 < numpy.abs(found - wide).max() < numpy.abs(wide).max() / 120)
    factors = {**tensors, "rope_freqs.weight": (numpy.ones(metadata["llama.rope.dimension_count"] // 2, "<f4"), F32)}
    path.write_bytes(written(metadata, factors))
    found = logits(str(path))
    check(f"factors of 1: {found}", not isinstance(found, str) and numpy.abs(found - expected).max() < 1e-6)
    factors["rope_freqs.weight"] = (numpy.full(metadata["llama.rope.dimension_count"] // 2, 8, "<f4"), F32)
    path.write_bytes(written(metadata, factors))
    found = logits(str(path))
    check("factors of 8 change nothing", not isinstance(found, str) and numpy.abs(found - expected).max() > 1e-3)
    ran = subprocess.run([ATTN, "explain", str(path), "--ids", "1,2", "--steps", "logits"], capture_output=True, text=True)
    check("names of tokens: " + ran.stderr, "␣t1" in ran.stdout)

    lettered = {**metadata, "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.merges": ["c a"],
                "tokenizer.ggml.tokens": [*"abcdefghij", "ca", *(f"w{i}" for i in range(11, config_size))]}
    path.write_bytes(written(lettered, tensors))
    by_text, by_ids = (subprocess.run([ATTN, "explain", str(path), *words, "--steps", "logits", "--json"], capture_output=True, text=True)
                       for words in (("--text", "cab"), ("--ids", "10,1")))
    check("--text: " + by_text.stderr, by_text.returncode == by_ids.returncode == 0
          and json.loads(by_text.stdout)["steps"] == json.loads(by_ids.stdout)["steps"] and '"ca"' in by_text.stdout)
    ran = subprocess.run([ATTN, "generate", str(path), "--text", "cab", "--count", "2", "--json"], capture_output=True, text=True)
    check("generate: " + ran.stderr, ran.returncode == 0 and json.loads(ran.stdout)["text"].startswith("cab"))
    path.write_bytes(written(metadata, tensors))
    ran = subprocess.run([ATTN, "explain", str(path), "--text", "cab"], capture_output=True, text=True)
    check("SentencePiece: " + ran.stderr, ran.returncode == 3 and "not-supported" in ran.stderr and '"llama"' in ran.stderr)

    whole = written(metadata, tensors)
    refused(path, written({**metadata, "general.architecture": "rwkv6"}, tensors), "not-supported", "rwkv6")
    refused(path, written({**metadata, "llama.expert_count": 8}, tensors), "not-supported", "experts")
    refused(path, written(metadata, {**tensors, "odd.weight": (wide, F32)}), "unknown-tensor")
    refused(path, written(metadata, {**tensors, "output.weight": (tensors["output.weight"][0], 12)}), "dtype", "Q4_K")
    refused(path, b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "gguf-format", "version")
    refused(path, b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "gguf-format")
    refused(path, b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "gguf-format")
    refused(path, b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**63), "gguf-format")
    for size in (*range(4, 400, 7), len(whole) - 1):
        refused(path, whole[:size], "gguf-format")
print("\n".join(failures))
sys.exit(1 if failures else 0)
