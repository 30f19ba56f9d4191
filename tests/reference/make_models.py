#!/usr/bin/env python3
"""Makes models/ and parts/: what PyTorch computes for whole models, in the layout of attn's files.

    python3 make_models.py

The numbers in the repository come from PyTorch 1.13 on a CPU, in float64. Each case is two files:
NAME.json, a problem with random weights (rounded to four decimals before anything is computed), and
NAME.expected.json, its steps by their ids in attn. A folder NAME/ in place of NAME.json holds a
checkpoint as Hugging Face saves it: config.json, and float32 weights as .safetensors.
"""
import json
import pathlib
import struct

import torch

from make_torch_mha import text
from models_in_torch import SOURCE, run

HERE = pathlib.Path(__file__).resolve().parent / "models"
PARTS = HERE.parent / "parts"


# ---- Random weights ------------------------------------------------------------------------------


def rounded(values):
    return [rounded(v) for v in values] if isinstance(values, list) else round(values, 4)


def drawn(*shape, std=0.5, mean=0.0):
    return rounded((mean + std * torch.randn(*shape, dtype=torch.float64)).tolist())


def drawn_norm(weights, name, d, bias="bias", gain="weight"):
    weights[f"{name}.{gain}"] = drawn(d, mean=1.0, std=0.2)
    if bias:
        weights[f"{name}.{bias}"] = drawn(d, std=0.2)


def drawn_linear(weights, name, n_in, n_out, bias=True):
    weights[name + ".weight"] = drawn(n_out, n_in)
    if bias:
        weights[name + ".bias"] = drawn(n_out, std=0.2)


def drawn_stack(start, layers, d, ff, decoder=False, norm=True):
    weights = {}
    for number in range(layers):
        s = f"{start}layers.{number}."
        for attention in ["self_attn", "multihead_attn"] if decoder else ["self_attn"]:
            weights[s + attention + ".in_proj_weight"] = drawn(3 * d, d)
            weights[s + attention + ".in_proj_bias"] = drawn(3 * d, std=0.2)
            drawn_linear(weights, s + attention + ".out_proj", d, d)
        drawn_linear(weights, s + "linear1", d, ff)
        drawn_linear(weights, s + "linear2", ff, d)
        for name in ["norm1", "norm2", "norm3"] if decoder else ["norm1", "norm2"]:
            drawn_norm(weights, s + name, d)
    if norm:
        drawn_norm(weights, start + "norm", d)
    return weights


def drawn_gpt2(prefix, layers, d, ff, vocabulary, positions):
    weights = {"wte.weight": drawn(vocabulary, d), "wpe.weight": drawn(positions, d)}
    for number in range(layers):
        s = f"h.{number}."
        drawn_norm(weights, s + "ln_1", d)
        for name, n_in, n_out in (
            ("attn.c_attn", d, 3 * d),
            ("attn.c_proj", d, d),
            ("mlp.c_fc", d, ff),
            ("mlp.c_proj", ff, d),
        ):
            weights[f"{s}{name}.weight"] = drawn(n_in, n_out)
            weights[f"{s}{name}.bias"] = drawn(n_out, std=0.2)
        drawn_norm(weights, s + "ln_2", d)
    drawn_norm(weights, "ln_f", d)
    return {prefix + name: rows for name, rows in weights.items()}


def drawn_bert(prefix, layers, d, ff, vocabulary, positions, head, old_names=False):
    weights = {}
    norm = {"gain": "gamma", "bias": "beta"} if old_names else {}
    for name, rows in (("word", vocabulary), ("position", positions), ("token_type", 2)):
        weights[f"embeddings.{name}_embeddings.weight"] = drawn(rows, d)
    drawn_norm(weights, "embeddings.LayerNorm", d, **norm)
    for number in range(layers):
        s = f"encoder.layer.{number}."
        for name in ("query", "key", "value"):
            drawn_linear(weights, f"{s}attention.self.{name}", d, d)
        drawn_linear(weights, s + "attention.output.dense", d, d)
        drawn_norm(weights, s + "attention.output.LayerNorm", d, **norm)
        drawn_linear(weights, s + "intermediate.dense", d, ff)
        drawn_linear(weights, s + "output.dense", ff, d)
        drawn_norm(weights, s + "output.LayerNorm", d, **norm)
    weights = {prefix + name: rows for name, rows in weights.items()}
    if head:
        weights["cls.predictions.bias"] = drawn(vocabulary, std=0.2)
        drawn_linear(weights, "cls.predictions.transform.dense", d, d)
        drawn_norm(weights, "cls.predictions.transform.LayerNorm", d, **norm)
    return weights


def drawn_llama(layers, d, ff, vocabulary, heads, kv_heads, tied):
    weights = {"model.embed_tokens.weight": drawn(vocabulary, d)}
    for number in range(layers):
        s = f"model.layers.{number}."
        shared = d // heads * kv_heads
        for name, n_in, n_out in (
            ("self_attn.q_proj", d, d),
            ("self_attn.k_proj", d, shared),
            ("self_attn.v_proj", d, shared),
            ("self_attn.o_proj", d, d),
            ("mlp.gate_proj", d, ff),
            ("mlp.up_proj", d, ff),
            ("mlp.down_proj", ff, d),
        ):
            drawn_linear(weights, s + name, n_in, n_out, bias=False)
        drawn_norm(weights, s + "input_layernorm", d, bias=None)
        drawn_norm(weights, s + "post_attention_layernorm", d, bias=None)
    drawn_norm(weights, "model.norm", d, bias=None)
    if not tied:
        weights["lm_head.weight"] = drawn(vocabulary, d)
    return weights


# ---- The cases ---------------------------------------------------------------------------------


def transformers():
    yield "transformer_post_relu", {
        "model": {"kind": "transformer"},
        "heads": 2,
        "source": {"embeddings": drawn(4, 4)},
        "embeddings": drawn(3, 4),
        "mask": "causal",
        "weights": {**drawn_stack("encoder.", 2, 4, 6), **drawn_stack("decoder.", 2, 4, 6, True)},
    }
    yield "transformer_pre_gelu", {
        "model": {"kind": "transformer", "norm_first": True, "activation": "gelu"},
        "heads": 3,
        "source": {"embeddings": drawn(3, 6)},
        "embeddings": drawn(4, 6),
        "mask": "causal",
        "weights": {**drawn_stack("encoder.", 1, 6, 8), **drawn_stack("decoder.", 1, 6, 8, True)},
    }
    yield "transformer_batch_masks", {
        "model": {"kind": "transformer", "layer_norm_eps": 1e-3},
        "heads": 2,
        "source": {
            "tokens": [["je", "bois", "<pad>", "<pad>"], ["tu", "bois", "un", "verre"]],
            "embeddings": drawn(2, 4, 4),
        },
        "source_mask": "padding",
        "tokens": [["I", "drink", "<pad>"], ["you", "drink", "one"]],
        "embeddings": drawn(2, 3, 4),
        "mask": ["causal", "padding"],
        "memory_mask": ["padding", "keys:1"],
        "weights": {**drawn_stack("encoder.", 1, 4, 6), **drawn_stack("decoder.", 1, 4, 6, True)},
    }
    yield "transformer_keys_window", {
        "model": {"kind": "transformer", "norm_first": True, "activation": "silu"},
        "heads": 1,
        "positions": "sinusoidal",
        "source": {"embeddings": drawn(5, 4)},
        "source_mask": ["window:2,1", "keys:4"],
        "embeddings": drawn(3, 4),
        "mask": ["causal", "keys:1"],
        "memory_mask": ["window:1,1"],
        "weights": {**drawn_stack("encoder.", 1, 4, 4), **drawn_stack("decoder.", 1, 4, 4, True)},
    }


def single_stacks():
    yield "encoder_post_gelu", {
        "model": {"kind": "encoder", "activation": "gelu"},
        "heads": 2,
        "embeddings": drawn(4, 4),
        "weights": drawn_stack("", 2, 4, 6, norm=False),
    }
    yield "encoder_pre_gelu_tanh", {
        "model": {"kind": "encoder", "norm_first": True, "activation": "gelu_tanh"},
        "heads": 4,
        "embeddings": drawn(3, 8),
        "mask": "keys:2",
        "weights": drawn_stack("", 1, 8, 5),
    }
    yield "encoder_pre_silu_batch", {
        "model": {"kind": "encoder", "norm_first": True, "activation": "silu"},
        "heads": 2,
        "embeddings": drawn(2, 3, 4),
        "mask": "causal",
        "weights": drawn_stack("", 1, 4, 6, norm=False),
    }
    yield "decoder_post_relu", {
        "model": {"kind": "decoder"},
        "heads": 2,
        "memory": {"embeddings": drawn(4, 4)},
        "embeddings": drawn(3, 4),
        "mask": "causal",
        "memory_mask": "keys:3",
        "weights": drawn_stack("", 2, 4, 6, decoder=True, norm=False),
    }
    yield "decoder_pre_gelu", {
        "model": {"kind": "decoder", "norm_first": True, "activation": "gelu"},
        "heads": 2,
        "memory": {"embeddings": drawn(3, 6)},
        "embeddings": drawn(3, 6),
        "mask": "causal",
        "weights": drawn_stack("", 1, 6, 4, decoder=True),
    }
    yield "attention_only", {
        "model": {"kind": "attention_only"},
        "heads": 2,
        "embeddings": drawn(4, 4),
        "mask": "causal",
        "weights": {
            name: rows
            for name, rows in drawn_stack("", 2, 4, 1, norm=False).items()
            if ".self_attn." in name
        },
    }


def lone_parts():
    """A norm or a feed-forward network alone, with PyTorch's names or those of nn.Sequential."""
    torch.manual_seed(27)
    norm = {"weight": drawn(5, mean=1.0, std=0.2), "bias": drawn(5, std=0.2)}
    yield "layer_norm", {
        "model": {"kind": "layer_norm"},
        "embeddings": drawn(3, 5),
        "weights": norm,
    }
    yield "layer_norm_bare", {
        "model": {"kind": "layer_norm", "layer_norm_eps": 1e-3},
        "embeddings": drawn(2, 4),
    }
    yield "rms_norm", {
        "model": {"kind": "rms_norm"},
        "embeddings": drawn(3, 5),
        "weights": {"norm.weight": drawn(5, mean=1.0, std=0.2)},
    }
    for activation in ("relu", "gelu", "gelu_tanh", "silu"):
        weights = {}
        drawn_linear(weights, "linear1", 4, 6)
        drawn_linear(weights, "linear2", 6, 4)
        yield f"feed_forward_{activation}", {
            "model": {"kind": "feed_forward", "activation": activation},
            "embeddings": drawn(3, 4),
            "weights": weights,
        }
    weights = {}
    drawn_linear(weights, "0", 4, 6)
    drawn_linear(weights, "2", 6, 4)
    yield "feed_forward_sequential", {
        "model": {"kind": "feed_forward"},
        "embeddings": drawn(3, 4),
        "weights": weights,
    }
    weights = {}
    for name, n_in, n_out in ("gate_proj", 4, 6), ("up_proj", 4, 6), ("down_proj", 6, 4):
        drawn_linear(weights, name, n_in, n_out, bias=False)
    yield "feed_forward_gated", {
        "model": {"kind": "feed_forward", "activation": "silu"},
        "embeddings": drawn(3, 4),
        "weights": weights,
    }


def hugging_face():
    yield "gpt2_prefixed", {
        "model": {"kind": "gpt2"},
        "heads": 2,
        "ids": [3, 1, 4, 1],
        "labels": [1, 4, 1, None],
        "weights": drawn_gpt2("transformer.", 2, 4, 16, vocabulary=7, positions=6),
    }
    yield "gpt2_bare", {
        "model": {"kind": "gpt2", "layer_norm_eps": 1e-4, "activation": "relu"},
        "heads": 3,
        "ids": [0, 4, 2],
        "mask": "none",
        "weights": drawn_gpt2("", 1, 6, 8, vocabulary=5, positions=3),
    }
    yield "bert", {
        "model": {"kind": "bert"},
        "heads": 2,
        "ids": [2, 5, 1, 0],
        "mask": "keys:3",
        "weights": drawn_bert("bert.", 2, 4, 6, vocabulary=6, positions=5, head=False),
    }
    yield "bert_masked_lm", {
        "model": {"kind": "bert", "layer_norm_eps": 1e-12},
        "heads": 3,
        "ids": [2, 4, 1, 3],
        "labels": [None, None, 0, None],
        "weights": drawn_bert("bert.", 1, 6, 8, vocabulary=7, positions=4, head=True),
    }
    yield "llama_tied", {
        "model": {"kind": "llama", "layer_norm_eps": 1e-6},
        "heads": 2,
        "ids": [5, 0, 3, 3],
        "labels": [0, 3, 3, 1],
        "weights": drawn_llama(2, 4, 6, vocabulary=6, heads=2, kv_heads=2, tied=True),
    }
    yield "llama_grouped", {
        "model": {"kind": "llama", "layer_norm_eps": 1e-5, "rope_base": 500},
        "heads": 4,
        "kv_heads": 2,
        "ids": [1, 6, 2, 4, 0],
        "weights": drawn_llama(1, 16, 6, vocabulary=7, heads=4, kv_heads=2, tied=False),
    }


def scaled():
    for name, scaling in (
        ("llama3", {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}),
        ("yarn", {"factor": 4, "rope_theta": 500, "partial_rotary_factor": 0.5}),
    ):
        lengths = {"original_max_position_embeddings": 64}
        yield "llama_" + name, {
            "model": {"kind": "llama", "layer_norm_eps": 1e-5},
            "heads": 2,
            "ids": [1, 6, 2, 4, 0],
            "positions": {"kind": "rope", "scaling": {"rope_type": name, **scaling, **lengths}},
            "weights": drawn_llama(1, 16, 6, vocabulary=7, heads=2, kv_heads=1, tied=True),
            "kv_heads": 1,
        }


# ---- Folders as Hugging Face writes them -----------------------------------------------------


def in_float32(rows):
    return torch.tensor(rows, dtype=torch.float32)


def safetensors(path, weights):
    """The length of the header, the header, the numbers."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name in sorted(weights):
        tensor = weights[name].contiguous()
        raw = tensor.numpy().tobytes()
        kind = {torch.float32: "F32", torch.int64: "I64"}[tensor.dtype]
        offsets = [len(data), len(data) + len(raw)]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": offsets}
        data += raw
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


def folder(name, config, shards):
    """config.json and model.safetensors, or shards with their index."""
    place = HERE / name
    place.mkdir(exist_ok=True)
    (place / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    if len(shards) == 1:
        return safetensors(place / "model.safetensors", shards[0])
    files = [f"model-{i:05}-of-{len(shards):05}.safetensors" for i in range(1, len(shards) + 1)]
    for file, weights in zip(files, shards):
        safetensors(place / file, weights)
    total = sum(4 * tensor.numel() for weights in shards for tensor in weights.values())
    index = {
        "metadata": {"total_size": total},
        "weight_map": {n: file for file, weights in zip(files, shards) for n in sorted(weights)},
    }
    (place / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")


def gpt2_folder():
    """As the published gpt2: no prefix, and the causal mask of every layer as `h.N.attn.bias`."""
    config = {
        "activation_function": "gelu_new",
        "architectures": ["GPT2LMHeadModel"],
        "attn_pdrop": 0.1,
        "bos_token_id": 10,
        "embd_pdrop": 0.1,
        "eos_token_id": 10,
        "initializer_range": 0.02,
        "layer_norm_epsilon": 1e-05,
        "model_type": "gpt2",
        "n_ctx": 8,
        "n_embd": 8,
        "n_head": 2,
        "n_layer": 2,
        "n_positions": 8,
        "resid_pdrop": 0.1,
        "summary_activation": None,
        "summary_first_dropout": 0.1,
        "summary_proj_to_labels": True,
        "summary_type": "cls_index",
        "summary_use_proj": True,
        "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}},
        "vocab_size": 11,
    }
    weights = drawn_gpt2("", 2, 8, 32, vocabulary=11, positions=8)
    extra = {f"h.{n}.attn.bias": torch.ones(8, 8).tril().reshape(1, 1, 8, 8) for n in range(2)}
    problem = {"model": {"kind": "gpt2"}, "heads": 2, "ids": [7, 0, 10, 3, 3]}
    return config, problem, [weights], extra


def bert_folder():
    """As the published bert-base-uncased: LayerNorm.gamma and beta, a pooler, a second head."""
    config = {
        "architectures": ["BertForMaskedLM"],
        "attention_probs_dropout_prob": 0.1,
        "gradient_checkpointing": False,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "hidden_size": 8,
        "initializer_range": 0.02,
        "intermediate_size": 16,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 8,
        "model_type": "bert",
        "num_attention_heads": 2,
        "num_hidden_layers": 2,
        "pad_token_id": 0,
        "position_embedding_type": "absolute",
        "transformers_version": "4.6.0.dev0",
        "type_vocab_size": 2,
        "use_cache": True,
        "vocab_size": 12,
    }
    weights = drawn_bert("bert.", 2, 8, 16, 12, 8, head=True, old_names=True)
    extra = {
        "bert.embeddings.position_ids": torch.arange(8).unsqueeze(0),
        "bert.pooler.dense.weight": in_float32(drawn(8, 8)),
        "bert.pooler.dense.bias": in_float32(drawn(8)),
        "cls.seq_relationship.weight": in_float32(drawn(2, 8)),
        "cls.seq_relationship.bias": in_float32(drawn(2)),
    }
    problem = {"model": {"kind": "bert"}, "heads": 2, "ids": [2, 9, 4, 11, 3]}
    return config, problem, [weights], extra


def llama_folder():
    """In two shards, with the rotary frequencies that older versions saved."""
    config = {
        "architectures": ["LlamaForCausalLM"],
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "hidden_act": "silu",
        "hidden_size": 8,
        "initializer_range": 0.02,
        "intermediate_size": 12,
        "max_position_embeddings": 32,
        "mlp_bias": False,
        "model_type": "llama",
        "num_attention_heads": 4,
        "num_hidden_layers": 2,
        "num_key_value_heads": 2,
        "pretraining_tp": 1,
        "rms_norm_eps": 1e-05,
        "rope_scaling": None,
        "rope_theta": 10000.0,
        "tie_word_embeddings": False,
        "torch_dtype": "float32",
        "transformers_version": "4.43.0",
        "use_cache": True,
        "vocab_size": 13,
    }
    weights = drawn_llama(2, 8, 12, vocabulary=13, heads=4, kv_heads=2, tied=False)
    last = [n for n in weights if n.startswith(("model.layers.1", "model.norm", "lm_head"))]
    shards = [
        {n: rows for n, rows in weights.items() if n not in last},
        {n: weights[n] for n in last},
    ]
    extra = {"model.layers.1.self_attn.rotary_emb.inv_freq": in_float32([1.0])}
    problem = {
        "model": {"kind": "llama", "layer_norm_eps": 1e-5},
        "heads": 4,
        "kv_heads": 2,
        "ids": [1, 12, 5, 5, 8],
    }
    return config, problem, shards, extra


def write(name, content, place=HERE):
    place.mkdir(exist_ok=True)
    (place / (name + ".json")).write_text(text(content) + "\n", encoding="utf-8")


def write_folder(name, case):
    """The expected numbers are those of the float32 weights, computed in float64."""
    config, problem, shards, extra = case
    tensors32 = [{n: in_float32(rows) for n, rows in shard.items()} for shard in shards]
    problem["weights"] = {n: t.double().tolist() for shard in tensors32 for n, t in shard.items()}
    tensors32[-1].update(extra)
    folder(name, config, tensors32)
    steps = run(problem)
    kept = {n: rows for n, rows in steps.items() if n in ("output", "logits") or ".weights" in n}
    write(name + ".expected", {"source": SOURCE, "ids": problem["ids"], "steps": kept})


def main():
    torch.set_num_threads(1)
    torch.manual_seed(12)
    for cases in (transformers, single_stacks, hugging_face):
        for name, problem in cases():
            write(name, {"_source": SOURCE, **problem})
            write(name + ".expected", {"source": SOURCE, "steps": run(problem)})
    for name, case in (
        ("hugging_face_gpt2", gpt2_folder),
        ("hugging_face_bert", bert_folder),
        ("hugging_face_llama", llama_folder),
    ):
        write_folder(name, case())
    for name, problem in scaled():
        write(name, {"_source": SOURCE, **problem})
        write(name + ".expected", {"source": SOURCE, "steps": run(problem)})
    for name, problem in lone_parts():
        write(name, {"_source": SOURCE, **problem}, PARTS)
        write(name + ".expected", {"source": SOURCE, "steps": run(problem)}, PARTS)


if __name__ == "__main__":
    main()
