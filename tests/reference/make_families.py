#!/usr/bin/env python3
"""Makes tiny checkpoints of the families that attn computes, and what PyTorch makes of them.

    python3 make_families.py FOLDER [NAME...]

FOLDER/NAME/ gets config.json and model.safetensors as Hugging Face writes them (float64), and
expected.json: ids, the attention weights of every layer by scope, logits, and the ids that greedy
decoding adds. The functions below follow the papers and the descriptions of transformers' models.
"""
import json
import pathlib
import struct
import sys

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
IDS = [3, 7, 1, 9, 4, 4, 0, 8, 2, 6, 5, 1, 0, 3, 9, 2, 7, 7, 5, 4]
VOCABULARY = 11


# ---- Weights -------------------------------------------------------------------------------------


class Weights(dict):
    def linear(self, name, n_in, n_out, bias=False):
        self[name + ".weight"] = torch.randn(n_out, n_in) / n_in**0.5
        if bias:
            self[name + ".bias"] = 0.3 * torch.randn(n_out)

    def norm(self, name, d, bias=False, mean=1.0):
        self[name + ".weight"] = mean + 0.3 * torch.randn(d)
        if bias:
            self[name + ".bias"] = 0.3 * torch.randn(d)

    def table(self, name, rows, d):
        self[name + ".weight"] = torch.randn(rows, d)

    def apply(self, name, x):
        y = x @ self[name + ".weight"].T
        return y + self[name + ".bias"] if name + ".bias" in self else y

    def layer_norm(self, name, x, eps):
        bias = self.get(name + ".bias")
        return F.layer_norm(x, x.shape[-1:], self[name + ".weight"], bias, eps)

    def rms(self, name, x, eps, one=0.0):
        size = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
        return x / size * (one + self[name + ".weight"])


# ---- One attention -------------------------------------------------------------------------------


def heads(x, n):
    """T × n·d becomes n × T × d."""
    return x.reshape(x.shape[0], n, -1).transpose(0, 1)


def frequencies(base, d):
    return base ** -(torch.arange(0, d, 2) / d)


def rotate(x, freq, factor=1.0):
    """The first 2·len(freq) columns, paired by halves."""
    n = 2 * len(freq)
    angle = torch.arange(x.shape[-2])[:, None] * freq
    cos, sin = factor * torch.cat([angle, angle], -1).cos(), factor * torch.cat([angle, angle], -1).sin()
    turned, rest = x[..., :n], x[..., n:]
    half = torch.cat([-turned[..., n // 2 :], turned[..., : n // 2]], -1)
    return torch.cat([turned * cos + half * sin, rest], -1)


def causal(n, window=None):
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    seen = j <= i
    return seen if window is None else seen & (j > i - window)


def attend(q, k, v, seen, scale, cap=None):
    """Weights (h × T × T) and the heads side by side."""
    k, v = (t.repeat_interleave(q.shape[0] // t.shape[0], 0) for t in (k, v))
    s = q @ k.transpose(-1, -2) * scale
    if cap is not None:
        s = cap * torch.tanh(s / cap)
    a = s.masked_fill(~seen, -torch.inf).softmax(-1)
    return a, (a @ v).transpose(0, 1).reshape(q.shape[1], -1)


ACTIVATIONS = {
    "silu": F.silu,
    "gelu": F.gelu,
    "relu": F.relu,
    "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x**3))),
}
ACTIVATIONS["gelu_pytorch_tanh"] = ACTIVATIONS["gelu_new"]


# ---- Llama and those that differ in settings --------------------------------------------------------


def llama_weights(c, prefix="model.", bias=False, norms=("input_layernorm", "post_attention_layernorm"),
                  mean=1.0, fused=False, qk_norm=None):
    w, d, h, kv = Weights(), c["hidden_size"], c["num_attention_heads"], c["num_key_value_heads"]
    d_k, ff = c.get("head_dim") or d // h, c["intermediate_size"]
    w.table(prefix + "embed_tokens", VOCABULARY, d)
    for i in range(c["num_hidden_layers"]):
        s = f"{prefix}layers.{i}."
        if fused:
            w.linear(s + "self_attn.qkv_proj", d, (h + 2 * kv) * d_k)
            w.linear(s + "mlp.gate_up_proj", d, 2 * ff)
        else:
            for name, n in (("q", h), ("k", kv), ("v", kv)):
                w.linear(s + f"self_attn.{name}_proj", d, n * d_k, bias)
            w.linear(s + "mlp.gate_proj", d, ff)
            w.linear(s + "mlp.up_proj", d, ff)
        w.linear(s + "self_attn.o_proj", h * d_k, d)
        w.linear(s + "mlp.down_proj", ff, d)
        for name in norms:
            w.norm(s + name, d, mean=mean)
        if qk_norm == "head":
            w.norm(s + "self_attn.q_norm", d_k, mean=mean)
            w.norm(s + "self_attn.k_norm", d_k, mean=mean)
        if qk_norm == "whole":
            w.norm(s + "self_attn.q_norm", h * d_k, mean=mean)
            w.norm(s + "self_attn.k_norm", kv * d_k, mean=mean)
    w.norm(prefix + "norm", d, mean=mean)
    if not c["tie_word_embeddings"]:
        w.linear("lm_head", d, VOCABULARY)
    return w


def qkv(c, w, s, n, fused=False):
    h, kv = c["num_attention_heads"], c["num_key_value_heads"]
    if fused:
        d_k = c["hidden_size"] // h
        q, k, v = w.apply(s + "qkv_proj", n).split([h * d_k, kv * d_k, kv * d_k], -1)
    else:
        q, k, v = (w.apply(s + f"{x}_proj", n) for x in "qkv")
    return heads(q, h), heads(k, kv), heads(v, kv)


def gated(w, s, n, activation):
    if s + "gate_up_proj.weight" in w:
        gate, up = w.apply(s + "gate_up_proj", n).chunk(2, -1)
    else:
        gate, up = w.apply(s + "gate_proj", n), w.apply(s + "up_proj", n)
    return w.apply(s + "down_proj", activation(gate) * up)


def head(c, w, x, table="model.embed_tokens", logits="lm_head"):
    return x @ (w[table + ".weight"] if c["tie_word_embeddings"] else w[logits + ".weight"]).T


def llama(c, w, ids, window=lambda i: None, rope=None, scale=None, fused=False, branch=1.0, into=1.0):
    """rope(i): frequencies of layer i, and the factor of cosine and sine; None: not rotated."""
    eps, a, d_k = c["rms_norm_eps"], {}, c.get("head_dim") or c["hidden_size"] // c["num_attention_heads"]
    rope = rope or (lambda i: (frequencies(c["rope_theta"], d_k), 1.0))
    x = into * w["model.embed_tokens.weight"][ids]
    for i in range(c["num_hidden_layers"]):
        s = f"model.layers.{i}."
        q, k, v = qkv(c, w, s + "self_attn.", w.rms(s + "input_layernorm", x, eps), fused)
        if rope(i) is not None:
            q, k = rotate(q, *rope(i)), rotate(k, *rope(i))
        a[s + "self_attn"], z = attend(q, k, v, causal(len(ids), window(i)), scale or d_k**-0.5)
        x = x + branch * w.apply(s + "self_attn.o_proj", z)
        n = w.rms(s + "post_attention_layernorm", x, eps)
        x = x + branch * gated(w, s + "mlp.", n, ACTIVATIONS[c["hidden_act"]])
    return a, head(c, w, w.rms("model.norm", x, eps))


def base_config(name, **own):
    return {
        "architectures": [name.title() + "ForCausalLM"],
        "attention_dropout": 0.0,
        "bos_token_id": 1,
        "eos_token_id": 10,
        "hidden_act": "silu",
        "hidden_size": 16,
        "initializer_range": 0.02,
        "intermediate_size": 12,
        "max_position_embeddings": 64,
        "model_type": name,
        "num_attention_heads": 4,
        "num_hidden_layers": 3,
        "num_key_value_heads": 2,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": False,
        "torch_dtype": "float64",
        "transformers_version": "4.51.0",
        "use_cache": True,
        "vocab_size": VOCABULARY,
        **own,
    }


def mistral():
    c = base_config("mistral", sliding_window=4, head_dim=6)
    return c, llama_weights(c), lambda w, ids: llama(c, w, ids, window=lambda i: 4)


def qwen2():
    c = base_config("qwen2", use_sliding_window=True, sliding_window=3, max_window_layers=1,
                    rope_theta=1000000.0, tie_word_embeddings=True)
    return c, llama_weights(c, bias=True), lambda w, ids: llama(
        c, w, ids, window=lambda i: 3 if i >= 1 else None)


def smollm3():
    c = base_config("smollm3", num_hidden_layers=4, no_rope_layer_interval=4, no_rope_layers=[1, 1, 1, 0],
                    rope_theta=2000000.0, attention_bias=False, mlp_bias=False, use_sliding_window=False,
                    sliding_window=None, layer_types=["full_attention"] * 4, tie_word_embeddings=True,
                    rope_scaling=None, pretraining_tp=2)
    return c, llama_weights(c), lambda w, ids: llama(
        c, w, ids, rope=lambda i: None if i == 3 else (frequencies(2000000.0, 4), 1.0))


def granite():
    c = base_config("granite", attention_multiplier=0.35, embedding_multiplier=6.0, logits_scaling=2.5,
                    residual_multiplier=0.22, attention_bias=False, mlp_bias=False, rope_scaling=None,
                    tie_word_embeddings=True)

    def run(w, ids):
        a, logits = llama(c, w, ids, scale=0.35, branch=0.22, into=6.0)
        return a, logits / 2.5

    return c, llama_weights(c), run


def phi3():
    """As Phi-3-mini-128k: longrope, whose factors are divisors of the frequencies."""
    short, long = [1.0, 1.5], [1.1, 4.0]
    c = base_config("phi3", original_max_position_embeddings=8, max_position_embeddings=32, sliding_window=6,
                    rope_scaling={"type": "longrope", "short_factor": short, "long_factor": long},
                    embd_pdrop=0.0, resid_pdrop=0.0, attention_bias=False, pad_token_id=0)

    def run(w, ids):
        divisors = torch.tensor(long if len(ids) > 8 else short)
        factor = (1 + torch.log(torch.tensor(4.0)) / torch.log(torch.tensor(8.0))).sqrt()
        return llama(c, w, ids, window=lambda i: 6, fused=True,
                     rope=lambda i: (frequencies(10000.0, 4) / divisors, factor))

    return c, llama_weights(c, fused=True), run


# ---- Gemma -----------------------------------------------------------------------------------------


def gemma_config(name, **own):
    c = base_config(name, head_dim=6, hidden_activation="gelu_pytorch_tanh", hidden_act="gelu_pytorch_tanh",
                    tie_word_embeddings=True, rms_norm_eps=1e-6, pad_token_id=0, attention_bias=False)
    c.update(own)
    return c


def gemma():
    c = gemma_config("gemma")

    def run(w, ids):
        a, act = {}, ACTIVATIONS["gelu_pytorch_tanh"]
        x = w["model.embed_tokens.weight"][ids] * 16**0.5
        for i in range(3):
            s = f"model.layers.{i}."
            q, k, v = qkv(c, w, s + "self_attn.", w.rms(s + "input_layernorm", x, 1e-6, 1.0))
            f = frequencies(10000.0, 6)
            a[s + "self_attn"], z = attend(rotate(q, f), rotate(k, f), v, causal(len(ids)), 6**-0.5)
            x = x + w.apply(s + "self_attn.o_proj", z)
            x = x + gated(w, s + "mlp.", w.rms(s + "post_attention_layernorm", x, 1e-6, 1.0), act)
        return a, head(c, w, w.rms("model.norm", x, 1e-6, 1.0))

    return c, llama_weights(c, mean=0.0), run


SANDWICH = ("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
            "post_feedforward_layernorm")


def sandwich(c, w, ids, window, rope, scale, cap=None, qk_norm=False, prefix="model.", seen=causal):
    a, act, one = {}, ACTIVATIONS["gelu_pytorch_tanh"], 1.0
    x = w[prefix + "embed_tokens.weight"][ids] * c["hidden_size"] ** 0.5
    for i in range(c["num_hidden_layers"]):
        s = f"{prefix}layers.{i}."
        q, k, v = qkv(c, w, s + "self_attn.", w.rms(s + SANDWICH[0], x, 1e-6, one))
        if qk_norm:
            q = w.rms(s + "self_attn.q_norm", q, 1e-6, one)
            k = w.rms(s + "self_attn.k_norm", k, 1e-6, one)
        q, k = rotate(q, rope(i)), rotate(k, rope(i))
        a[s + "self_attn"], z = attend(q, k, v, seen(len(ids), window(i)), scale, cap)
        x = x + w.rms(s + SANDWICH[1], w.apply(s + "self_attn.o_proj", z), 1e-6, one)
        n = gated(w, s + "mlp.", w.rms(s + SANDWICH[2], x, 1e-6, one), act)
        x = x + w.rms(s + SANDWICH[3], n, 1e-6, one)
    return a, head(c, w, w.rms(prefix + "norm", x, 1e-6, one), prefix + "embed_tokens")


def gemma2():
    c = gemma_config("gemma2", query_pre_attn_scalar=9, sliding_window=3, attn_logit_softcapping=5.0,
                     final_logit_softcapping=3.0, cache_implementation="hybrid")

    def run(w, ids):
        a, logits = sandwich(c, w, ids, lambda i: 3 if i % 2 == 0 else None,
                             lambda i: frequencies(10000.0, 6), 9**-0.5, 5.0)
        return a, 3.0 * torch.tanh(logits / 3.0)

    return c, llama_weights(c, norms=SANDWICH, mean=0.0), run


def gemma3_text():
    c = gemma_config("gemma3_text", query_pre_attn_scalar=7, sliding_window=3, sliding_window_pattern=3,
                     rope_local_base_freq=100.0, rope_theta=1000000.0, num_hidden_layers=4,
                     rope_scaling={"factor": 8.0, "rope_type": "linear"}, attn_logit_softcapping=None,
                     final_logit_softcapping=None)

    def run(w, ids):
        local = lambda i: (i + 1) % 3 != 0
        return sandwich(c, w, ids, lambda i: 3 if local(i) else None,
                        lambda i: frequencies(100.0, 6) if local(i) else frequencies(1000000.0, 6) / 8,
                        7**-0.5, qk_norm=True)

    return c, llama_weights(c, norms=SANDWICH, mean=0.0, qk_norm="head"), run


def embeddinggemma():
    """Looks ahead; sliding_window is the width of both sides; its names have no prefix."""
    c = gemma_config("gemma3_text", query_pre_attn_scalar=7, sliding_window=7, num_hidden_layers=3,
                     layer_types=["sliding_attention", "sliding_attention", "full_attention"],
                     rope_local_base_freq=100.0, rope_theta=1000000.0, use_bidirectional_attention=True)
    local = lambda i: i < 2

    def seen(n, window):
        apart = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs()
        return apart < (window or n)

    def run(w, ids):
        return sandwich(c, w, ids, lambda i: 7 // 2 + 1 if local(i) else None,
                        lambda i: frequencies(100.0 if local(i) else 1000000.0, 6), 7**-0.5, qk_norm=True,
                        prefix="", seen=seen)

    return c, llama_weights(c, "", norms=SANDWICH, mean=0.0, qk_norm="head"), run


# ---- Qwen3, OLMo ------------------------------------------------------------------------------------


def qwen3():
    c = base_config("qwen3", head_dim=6, attention_bias=False, rope_scaling=None, sliding_window=None,
                    use_sliding_window=False, max_window_layers=2, tie_word_embeddings=True)

    def run(w, ids):
        a, x, f = {}, w["model.embed_tokens.weight"][ids], frequencies(10000.0, 6)
        for i in range(3):
            s = f"model.layers.{i}."
            q, k, v = qkv(c, w, s + "self_attn.", w.rms(s + "input_layernorm", x, 1e-5))
            q, k = w.rms(s + "self_attn.q_norm", q, 1e-5), w.rms(s + "self_attn.k_norm", k, 1e-5)
            a[s + "self_attn"], z = attend(rotate(q, f), rotate(k, f), v, causal(len(ids)), 6**-0.5)
            x = x + w.apply(s + "self_attn.o_proj", z)
            x = x + gated(w, s + "mlp.", w.rms(s + "post_attention_layernorm", x, 1e-5), F.silu)
        return a, head(c, w, w.rms("model.norm", x, 1e-5))

    return c, llama_weights(c, qk_norm="head"), run


def olmo(c, w, ids, window, rope):
    a, x, eps = {}, w["model.embed_tokens.weight"][ids], c["rms_norm_eps"]
    h, kv = c["num_attention_heads"], c["num_key_value_heads"]
    for i in range(c["num_hidden_layers"]):
        s = f"model.layers.{i}."
        q = heads(w.rms(s + "self_attn.q_norm", w.apply(s + "self_attn.q_proj", x), eps), h)
        k = heads(w.rms(s + "self_attn.k_norm", w.apply(s + "self_attn.k_proj", x), eps), kv)
        v = heads(w.apply(s + "self_attn.v_proj", x), kv)
        q, k = rotate(q, *rope(i)), rotate(k, *rope(i))
        a[s + "self_attn"], z = attend(q, k, v, causal(len(ids), window(i)), q.shape[-1] ** -0.5)
        x = x + w.rms(s + "post_attention_layernorm", w.apply(s + "self_attn.o_proj", z), eps)
        x = x + w.rms(s + "post_feedforward_layernorm", gated(w, s + "mlp.", x, F.silu), eps)
    return a, head(c, w, w.rms("model.norm", x, eps))


OLMO = ("post_attention_layernorm", "post_feedforward_layernorm")


def olmo2():
    c = base_config("olmo2", rope_theta=500000.0, attention_bias=False, rope_scaling=None)
    return c, llama_weights(c, norms=OLMO, qk_norm="whole"), lambda w, ids: olmo(
        c, w, ids, lambda i: None, lambda i: (frequencies(500000.0, 4), 1.0))


def olmo3():
    c = base_config("olmo3", rope_theta=500000.0, attention_bias=False, sliding_window=3, num_hidden_layers=4,
                    rope_scaling={"rope_type": "linear", "factor": 4.0},
                    layer_types=["sliding_attention"] * 3 + ["full_attention"])
    return c, llama_weights(c, norms=OLMO, qk_norm="whole"), lambda w, ids: olmo(
        c, w, ids, lambda i: 3 if i < 3 else None,
        lambda i: (frequencies(500000.0, 4) / (1 if i < 3 else 4), 1.0))


# ---- Phi, GPT-NeoX, OPT ------------------------------------------------------------------------------


def phi(qk_norm=False):
    c = base_config("phi", partial_rotary_factor=0.5, layer_norm_eps=1e-5, hidden_act="gelu_new",
                    num_attention_heads=2, num_key_value_heads=2, qk_layernorm=qk_norm, rope_scaling=None, resid_pdrop=0.0, embd_pdrop=0.0)
    del c["rms_norm_eps"]
    w, d = Weights(), 16
    w.table("model.embed_tokens", VOCABULARY, d)
    for i in range(3):
        s = f"model.layers.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "dense"):
            w.linear(s + "self_attn." + name, d, d, True)
        w.norm(s + "input_layernorm", d, True)
        for name in ("q_layernorm", "k_layernorm") if qk_norm else ():
            w.norm(s + "self_attn." + name, 8, True)
        w.linear(s + "mlp.fc1", d, 12, True)
        w.linear(s + "mlp.fc2", 12, d, True)
    w.norm("model.final_layernorm", d, True)
    w.linear("lm_head", d, VOCABULARY, True)

    def run(w, ids):
        a, x, f = {}, w["model.embed_tokens.weight"][ids], frequencies(10000.0, 4)
        for i in range(3):
            s = f"model.layers.{i}."
            n = w.layer_norm(s + "input_layernorm", x, 1e-5)
            q, k, v = qkv(c, w, s + "self_attn.", n)
            if qk_norm:
                q = w.layer_norm(s + "self_attn.q_layernorm", q, 1e-5)
                k = w.layer_norm(s + "self_attn.k_layernorm", k, 1e-5)
            a[s + "self_attn"], z = attend(rotate(q, f), rotate(k, f), v, causal(len(ids)), 8**-0.5)
            ff = w.apply(s + "mlp.fc2", ACTIVATIONS["gelu_new"](w.apply(s + "mlp.fc1", n)))
            x = w.apply(s + "self_attn.dense", z) + ff + x
        return a, w.apply("lm_head", w.layer_norm("model.final_layernorm", x, 1e-5))

    return c, w, run


def gpt_neox(parallel=True):
    c = base_config("gpt_neox", num_attention_heads=2, rotary_pct=0.5, rotary_emb_base=1000, layer_norm_eps=1e-5, hidden_act="gelu",
                    use_parallel_residual=parallel, attention_bias=True, classifier_dropout=0.1)
    for key in ("rms_norm_eps", "rope_theta", "num_key_value_heads"):
        del c[key]
    w, d = Weights(), 16
    w.table("gpt_neox.embed_in", VOCABULARY, d)
    for i in range(3):
        s = f"gpt_neox.layers.{i}."
        w.linear(s + "attention.query_key_value", d, 3 * d, True)
        w.linear(s + "attention.dense", d, d, True)
        w.norm(s + "input_layernorm", d, True)
        w.norm(s + "post_attention_layernorm", d, True)
        w.linear(s + "mlp.dense_h_to_4h", d, 12, True)
        w.linear(s + "mlp.dense_4h_to_h", 12, d, True)
    w.norm("gpt_neox.final_layer_norm", d, True)
    w.linear("embed_out", d, VOCABULARY)

    def run(w, ids):
        a, x, f = {}, w["gpt_neox.embed_in.weight"][ids], frequencies(1000.0, 4)
        for i in range(3):
            s = f"gpt_neox.layers.{i}."
            fused = w.apply(s + "attention.query_key_value", w.layer_norm(s + "input_layernorm", x, 1e-5))
            q, k, v = fused.reshape(len(ids), 2, 24).transpose(0, 1).chunk(3, -1)  # per head [q | k | v]
            a[s + "attention"], z = attend(rotate(q, f), rotate(k, f), v, causal(len(ids)), 8**-0.5)
            z = w.apply(s + "attention.dense", z)
            n = w.layer_norm(s + "post_attention_layernorm", x if parallel else x + z, 1e-5)
            x = x + z + w.apply(s + "mlp.dense_4h_to_h", F.gelu(w.apply(s + "mlp.dense_h_to_4h", n)))
        return a, w.apply("embed_out", w.layer_norm("gpt_neox.final_layer_norm", x, 1e-5))

    return c, w, run


def opt():
    c = {"model_type": "opt", "activation_function": "relu", "architectures": ["OPTForCausalLM"], "bos_token_id": 2,
         "do_layer_norm_before": True, "eos_token_id": 10, "ffn_dim": 12, "hidden_size": 16, "init_std": 0.02,
         "layerdrop": 0.0, "max_position_embeddings": 32, "num_attention_heads": 4, "num_hidden_layers": 3,
         "pad_token_id": 1, "vocab_size": VOCABULARY, "word_embed_proj_dim": 16, "tie_word_embeddings": True,
         "_remove_final_layer_norm": False}
    w, d = Weights(), 16
    w.table("model.decoder.embed_tokens", VOCABULARY, d)
    w.table("model.decoder.embed_positions", 32 + 2, d)
    for i in range(3):
        s = f"model.decoder.layers.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            w.linear(s + "self_attn." + name, d, d, True)
        w.norm(s + "self_attn_layer_norm", d, True)
        w.norm(s + "final_layer_norm", d, True)
        w.linear(s + "fc1", d, 12, True)
        w.linear(s + "fc2", 12, d, True)
    w.norm("model.decoder.final_layer_norm", d, True)

    def run(w, ids):
        s, a = "model.decoder.", {}
        x = w[s + "embed_tokens.weight"][ids] + w[s + "embed_positions.weight"][2 : 2 + len(ids)]
        for i in range(3):
            s = f"model.decoder.layers.{i}."
            n = w.layer_norm(s + "self_attn_layer_norm", x, 1e-5)
            q, k, v = (heads(w.apply(s + f"self_attn.{p}_proj", n), 4) for p in "qkv")
            a[s + "self_attn"], z = attend(q, k, v, causal(len(ids)), 0.5)
            x = x + w.apply(s + "self_attn.out_proj", z)
            n = w.layer_norm(s + "final_layer_norm", x, 1e-5)
            x = x + w.apply(s + "fc2", F.relu(w.apply(s + "fc1", n)))
        x = w.layer_norm("model.decoder.final_layer_norm", x, 1e-5)
        return a, x @ w["model.decoder.embed_tokens.weight"].T

    return c, w, run


# ---- Encoders ---------------------------------------------------------------------------------------


def encoder(w, x, layer, names, eps, heads_n=4):
    """names: q, k, v, o, norm, up, down, norm, within a layer."""
    a = {}
    for i in range(3):
        s = layer.format(i)
        q, k, v = (heads(w.apply(s + n, x), heads_n) for n in names[:3])
        a[s + names[8]], z = attend(q, k, v, torch.ones(x.shape[0], x.shape[0], dtype=torch.bool), 0.5)
        x = w.layer_norm(s + names[4], x + w.apply(s + names[3], z), eps)
        ff = w.apply(s + names[6], F.gelu(w.apply(s + names[5], x)))
        x = w.layer_norm(s + names[7], x + ff, eps)
    return a, x


def encoder_weights(layer, names, embeddings):
    w, d = Weights(), 16
    for name, rows in embeddings.items():
        w.table(name, rows, d)
    for i in range(3):
        s = layer.format(i)
        for n in names[:4]:
            w.linear(s + n, d, d, True)
        w.linear(s + names[5], d, 12, True)
        w.linear(s + names[6], 12, d, True)
        w.norm(s + names[4], d, True)
        w.norm(s + names[7], d, True)
    return w


ROBERTA = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
           "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm", "attention")
DISTIL = ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm",
          "ffn.lin1", "ffn.lin2", "output_layer_norm", "attention")


def roberta():
    c = {"model_type": "roberta", "architectures": ["RobertaForMaskedLM"], "hidden_act": "gelu", "hidden_size": 16,
         "intermediate_size": 12, "layer_norm_eps": 1e-5, "max_position_embeddings": 30, "num_attention_heads": 4,
         "num_hidden_layers": 3, "pad_token_id": 1, "type_vocab_size": 1, "vocab_size": VOCABULARY,
         "bos_token_id": 0, "eos_token_id": 2, "attention_probs_dropout_prob": 0.1}
    p, layer = "roberta.embeddings.", "roberta.encoder.layer.{}."
    w = encoder_weights(layer, ROBERTA, {p + "word_embeddings": VOCABULARY, p + "position_embeddings": 30,
                                         p + "token_type_embeddings": 1})
    w.norm(p + "LayerNorm", 16, True)
    w.linear("lm_head.dense", 16, 16, True)
    w.norm("lm_head.layer_norm", 16, True)
    w["lm_head.bias"] = 0.3 * torch.randn(VOCABULARY)

    def run(w, ids):
        kept = torch.tensor([int(i != 1) for i in ids])  # id 1 is padding, and has position 1
        places = torch.cumsum(kept, 0) * kept + 1
        x = w[p + "word_embeddings.weight"][ids] + w[p + "position_embeddings.weight"][places]
        x = w.layer_norm(p + "LayerNorm", x + w[p + "token_type_embeddings.weight"][0], 1e-5)
        a, x = encoder(w, x, layer, ROBERTA, 1e-5)
        x = w.layer_norm("lm_head.layer_norm", F.gelu(w.apply("lm_head.dense", x)), 1e-5)
        return a, x @ w[p + "word_embeddings.weight"].T + w["lm_head.bias"]

    return c, w, run


def distilbert():
    c = {"model_type": "distilbert", "activation": "gelu", "architectures": ["DistilBertForMaskedLM"], "dim": 16,
         "hidden_dim": 12, "max_position_embeddings": 24, "n_heads": 4, "n_layers": 3, "pad_token_id": 0,
         "sinusoidal_pos_embds": False, "tie_weights_": True, "vocab_size": VOCABULARY, "dropout": 0.1}
    p, layer = "distilbert.embeddings.", "distilbert.transformer.layer.{}."
    w = encoder_weights(layer, DISTIL, {p + "word_embeddings": VOCABULARY, p + "position_embeddings": 24})
    w.norm(p + "LayerNorm", 16, True)
    w.linear("vocab_transform", 16, 16, True)
    w.norm("vocab_layer_norm", 16, True)
    w["vocab_projector.bias"] = 0.3 * torch.randn(VOCABULARY)

    def run(w, ids):
        x = w[p + "word_embeddings.weight"][ids] + w[p + "position_embeddings.weight"][: len(ids)]
        a, x = encoder(w, w.layer_norm(p + "LayerNorm", x, 1e-12), layer, DISTIL, 1e-12)
        x = w.layer_norm("vocab_layer_norm", F.gelu(w.apply("vocab_transform", x)), 1e-12)
        return a, x @ w[p + "word_embeddings.weight"].T + w["vocab_projector.bias"]

    return c, w, run


def modernbert():
    c = {"model_type": "modernbert", "architectures": ["ModernBertForMaskedLM"], "attention_bias": False,
         "classifier_activation": "gelu", "classifier_bias": False, "decoder_bias": True,
         "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "hidden_activation": "gelu",
         "hidden_size": 16, "intermediate_size": 12, "local_attention": 7, "local_rope_theta": 100.0,
         "max_position_embeddings": 64, "mlp_bias": False, "norm_bias": False, "norm_eps": 1e-5,
         "num_attention_heads": 4, "num_hidden_layers": 4, "vocab_size": VOCABULARY, "pad_token_id": 0,
         "position_embedding_type": "absolute", "tie_word_embeddings": True}
    w, d = Weights(), 16
    w.table("model.embeddings.tok_embeddings", VOCABULARY, d)
    w.norm("model.embeddings.norm", d)
    for i in range(4):
        s = f"model.layers.{i}."
        if i > 0:
            w.norm(s + "attn_norm", d)
        w.linear(s + "attn.Wqkv", d, 3 * d)
        w.linear(s + "attn.Wo", d, d)
        w.norm(s + "mlp_norm", d)
        w.linear(s + "mlp.Wi", d, 24)
        w.linear(s + "mlp.Wo", 12, d)
    w.norm("model.final_norm", d)
    w.linear("head.dense", d, d)
    w.norm("head.norm", d)
    w["decoder.bias"] = 0.3 * torch.randn(VOCABULARY)

    def run(w, ids):
        a, n = {}, len(ids)
        x = w.layer_norm("model.embeddings.norm", w["model.embeddings.tok_embeddings.weight"][ids], 1e-5)
        apart = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs()
        for i in range(4):
            s = f"model.layers.{i}."
            y = x if i == 0 else w.layer_norm(s + "attn_norm", x, 1e-5)
            q, k, v = (heads(t, 4) for t in w.apply(s + "attn.Wqkv", y).chunk(3, -1))
            f = frequencies(160000.0 if i % 3 == 0 else 100.0, 4)
            seen = apart <= (99 if i % 3 == 0 else 3)  # half of local_attention on each side
            a[s + "attn"], z = attend(rotate(q, f), rotate(k, f), v, seen, 0.5)
            x = x + w.apply(s + "attn.Wo", z)
            into, gate = w.apply(s + "mlp.Wi", w.layer_norm(s + "mlp_norm", x, 1e-5)).chunk(2, -1)
            x = x + w.apply(s + "mlp.Wo", F.gelu(into) * gate)
        x = w.layer_norm("model.final_norm", x, 1e-5)
        x = w.layer_norm("head.norm", F.gelu(w.apply("head.dense", x)), 1e-5)
        return a, x @ w["model.embeddings.tok_embeddings.weight"].T + w["decoder.bias"]

    return c, w, run


def vit():
    """From its embeddings, which are in expected.json; the last step is `output`."""
    c = {"model_type": "vit", "architectures": ["ViTModel"], "hidden_act": "gelu", "hidden_size": 16,
         "image_size": 4, "patch_size": 2, "num_channels": 3, "intermediate_size": 12, "layer_norm_eps": 1e-12,
         "num_attention_heads": 4, "num_hidden_layers": 3, "qkv_bias": True, "encoder_stride": 16}
    layer = "vit.encoder.layer.{}."
    w, d = Weights(), 16
    for i in range(3):
        s = layer.format(i)
        for name in ("query", "key", "value"):
            w.linear(s + "attention.attention." + name, d, d, True)
        w.linear(s + "attention.output.dense", d, d, True)
        w.norm(s + "layernorm_before", d, True)
        w.norm(s + "layernorm_after", d, True)
        w.linear(s + "intermediate.dense", d, 12, True)
        w.linear(s + "output.dense", 12, d, True)
    w.norm("vit.layernorm", d, True)
    w["vit.embeddings.cls_token"] = torch.randn(1, 1, d)
    w["vit.embeddings.position_embeddings"] = torch.randn(1, 5, d)
    w["vit.embeddings.patch_embeddings.projection.weight"] = torch.randn(d, 3, 2, 2)

    def run(w, x):
        a = {}
        for i in range(3):
            s = layer.format(i)
            n = w.layer_norm(s + "layernorm_before", x, 1e-12)
            q, k, v = (heads(w.apply(s + "attention.attention." + p, n), 4) for p in ("query", "key", "value"))
            a[s + "attention"], z = attend(q, k, v, torch.ones(len(x), len(x), dtype=torch.bool), 0.5)
            x = x + w.apply(s + "attention.output.dense", z)
            n = w.layer_norm(s + "layernorm_after", x, 1e-12)
            x = x + w.apply(s + "output.dense", F.gelu(w.apply(s + "intermediate.dense", n)))
        return a, w.layer_norm("vit.layernorm", x, 1e-12)

    return c, w, run


def bloom():
    c = {"model_type": "bloom", "architectures": ["BloomForCausalLM"], "apply_residual_connection_post_layernorm": False,
         "bos_token_id": 1, "eos_token_id": 10, "hidden_size": 16, "layer_norm_epsilon": 1e-5, "n_head": 4, "n_layer": 3,
         "pretraining_tp": 1, "slow_but_exact": False, "vocab_size": VOCABULARY, "tie_word_embeddings": True}
    w, d = Weights(), 16
    w.table("transformer.word_embeddings", VOCABULARY, d)
    w.norm("transformer.word_embeddings_layernorm", d, True)
    for i in range(3):
        s = f"transformer.h.{i}."
        w.norm(s + "input_layernorm", d, True)
        w.linear(s + "self_attention.query_key_value", d, 3 * d, True)
        w.linear(s + "self_attention.dense", d, d, True)
        w.norm(s + "post_attention_layernorm", d, True)
        w.linear(s + "mlp.dense_h_to_4h", d, 64, True)
        w.linear(s + "mlp.dense_4h_to_h", 64, d, True)
    w.norm("transformer.ln_f", d, True)

    def run(w, ids):
        a, n = {}, len(ids)
        x = w.layer_norm("transformer.word_embeddings_layernorm", w["transformer.word_embeddings.weight"][ids], 1e-5)
        slopes = torch.tensor([2.0 ** (-2 * (h + 1)) for h in range(4)])
        for i in range(3):
            s = f"transformer.h.{i}."
            fused = w.apply(s + "self_attention.query_key_value", w.layer_norm(s + "input_layernorm", x, 1e-5))
            q, k, v = fused.reshape(n, 4, 12).transpose(0, 1).chunk(3, -1)
            scores = q @ k.transpose(-1, -2) / 2 + slopes[:, None, None] * torch.arange(n)  # by key, not by distance
            p = scores.masked_fill(~causal(n), -torch.inf).softmax(-1)
            a[s + "self_attention"] = p
            x = x + w.apply(s + "self_attention.dense", (p @ v).transpose(0, 1).reshape(n, -1))
            y = w.apply(s + "mlp.dense_h_to_4h", w.layer_norm(s + "post_attention_layernorm", x, 1e-5))
            x = x + w.apply(s + "mlp.dense_4h_to_h", ACTIVATIONS["gelu_new"](y))
        return a, w.layer_norm("transformer.ln_f", x, 1e-5) @ w["transformer.word_embeddings.weight"].T

    return c, w, run


# ---- Encoder-decoders -------------------------------------------------------------------------------

SOURCE = [5, 1, 6, 2, 9, 3, 10]


def buckets(n_q, n_k, both, count=8, most=6):
    """T5's buckets of key − query, as Hugging Face's code computes them."""
    d = torch.arange(n_k)[None, :] - torch.arange(n_q)[:, None]
    n, first = count, torch.zeros_like(d)
    if both:
        n = count // 2
        first, d = (d > 0).long() * n, d.abs()
    else:
        d = (-d).clamp(min=0)
    exact = n // 2
    far = torch.log(d.clamp(min=1).float() / exact) / torch.log(torch.tensor(most / exact)) * (n - exact)
    return first + torch.where(d < exact, d, (exact + far.long()).clamp(max=n - 1))


def biased(q, k, v, seen, scale, bias=0.0):
    s = (q @ k.transpose(-1, -2) * scale + bias).masked_fill(~seen, -torch.inf)
    a = s.softmax(-1)
    return a, (a @ v).transpose(0, 1).reshape(q.shape[1], -1)


def t5(name="t5", gate=False, tied=True):
    c = {"architectures": ["T5ForConditionalGeneration"], "d_ff": 12, "d_kv": 6, "d_model": 16, "dropout_rate": 0.1,
         "decoder_start_token_id": 0, "eos_token_id": 10, "is_encoder_decoder": True, "layer_norm_epsilon": 1e-6,
         "model_type": "t5", "num_decoder_layers": 2, "num_heads": 4, "num_layers": 3, "pad_token_id": 0,
         "relative_attention_max_distance": 6, "relative_attention_num_buckets": 8, "tie_word_embeddings": tied,
         "vocab_size": VOCABULARY, "feed_forward_proj": "gated-gelu" if gate else "relu"}
    w, d, inner = Weights(), 16, 24
    w.table("shared", VOCABULARY, d)
    w["encoder.embed_tokens.weight"] = w["decoder.embed_tokens.weight"] = w["shared.weight"]
    if not tied:
        w.linear("lm_head", d, VOCABULARY)
    for stack, layers, parts in (("encoder", 3, ("SelfAttention",)), ("decoder", 2, ("SelfAttention", "EncDecAttention"))):
        for i in range(layers):
            for j, part in enumerate(parts):
                s = f"{stack}.block.{i}.layer.{j}."
                for x in "qkv":
                    w.linear(s + f"{part}.{x}", d, inner)
                w.linear(s + part + ".o", inner, d)
                w.norm(s + "layer_norm", d)
                if i == 0 and j == 0:
                    w.table(s + part + ".relative_attention_bias", 8, 4)
            s = f"{stack}.block.{i}.layer.{len(parts)}."
            for x in ("wi_0", "wi_1") if gate else ("wi",):
                w.linear(s + "DenseReluDense." + x, d, 12)
            w.linear(s + "DenseReluDense.wo", 12, d)
            w.norm(s + "layer_norm", d)
        w.norm(stack + ".final_layer_norm", d)
    w.table("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias", 8, 4)  # in old files; unused

    def attention(w, s, part, x, memory, bias, seen, a):
        n = w.rms(s + "layer_norm", x, 1e-6)
        m = n if memory is None else memory
        q, k, v = (heads(w.apply(s + f"{part}.{y}", z), 4) for y, z in (("q", n), ("k", m), ("v", m)))
        a[s + part], z = biased(q, k, v, seen, 1.0, bias)
        return x + w.apply(s + part + ".o", z)

    def stack(w, name, x, layers, seen, a, memory=None):
        table = w[f"{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        bias = table[buckets(len(x), len(x), memory is None)].permute(2, 0, 1)
        for i in range(layers):
            s = f"{name}.block.{i}.layer."
            x = attention(w, s + "0.", "SelfAttention", x, None, bias, seen, a)
            if memory is not None:
                everything = torch.ones(len(x), len(memory), dtype=torch.bool)
                x = attention(w, s + "1.", "EncDecAttention", x, memory, 0.0, everything, a)
            s += "1." if memory is None else "2."
            n = w.rms(s + "layer_norm", x, 1e-6)
            s += "DenseReluDense."
            h = (ACTIVATIONS["gelu_new"](w.apply(s + "wi_0", n)) * w.apply(s + "wi_1", n) if gate
                 else F.relu(w.apply(s + "wi", n)))
            x = x + w.apply(s + "wo", h)
        return w.rms(name + ".final_layer_norm", x, 1e-6)

    def run(w, ids):
        a, n = {}, len(SOURCE)
        memory = stack(w, "encoder", w["shared.weight"][SOURCE], 3, torch.ones(n, n, dtype=torch.bool), a)
        x = stack(w, "decoder", w["shared.weight"][ids], 2, causal(len(ids)), a, memory)
        return a, (x * 16**-0.5) @ w["shared.weight"].T if tied else w.apply("lm_head", x)

    return c, w, run


def seq2seq_layers(w, prefix, layers, cross, k_bias=True):
    d = 16
    for i in range(layers):
        s = f"{prefix}layers.{i}."
        for part in ("self_attn", "encoder_attn") if cross else ("self_attn",):
            for x in ("q_proj", "k_proj", "v_proj", "out_proj"):
                w.linear(s + f"{part}.{x}", d, d, x != "k_proj" or k_bias)
            w.norm(s + part + "_layer_norm", d, True)
        w.linear(s + "fc1", d, 12, True)
        w.linear(s + "fc2", 12, d, True)
        w.norm(s + "final_layer_norm", d, True)


def seq2seq_stack(w, prefix, x, layers, seen, a, memory=None, first=False):
    """Norms after the sums, as BART; `first`: before the branches, as Whisper."""

    def branch(name, x, f):
        if first:
            return x + f(w.layer_norm(name, x, 1e-5))
        return w.layer_norm(name, x + f(x), 1e-5)

    def attention(s, x, keys, seen):
        q, k, v = (heads(w.apply(s + f"{y}_proj", z), 4) for y, z in (("q", x), ("k", keys), ("v", keys)))
        a[s[:-1]], z = biased(q, k, v, seen, 0.5)
        return w.apply(s + "out_proj", z)

    for i in range(layers):
        s = f"{prefix}layers.{i}."
        x = branch(s + "self_attn_layer_norm", x, lambda y: attention(s + "self_attn.", y, y, seen))
        if memory is not None:
            everything = torch.ones(len(x), len(memory), dtype=torch.bool)
            x = branch(s + "encoder_attn_layer_norm", x,
                       lambda y: attention(s + "encoder_attn.", y, memory, everything))
        x = branch(s + "final_layer_norm", x, lambda y: w.apply(s + "fc2", F.gelu(w.apply(s + "fc1", y))))
    return x


def bart():
    c = {"activation_function": "gelu", "architectures": ["BartForConditionalGeneration"], "bos_token_id": 0,
         "d_model": 16, "decoder_attention_heads": 4, "decoder_ffn_dim": 12, "decoder_layers": 2,
         "encoder_attention_heads": 4, "encoder_ffn_dim": 12, "encoder_layers": 3, "eos_token_id": 10,
         "is_encoder_decoder": True, "max_position_embeddings": 30, "model_type": "bart", "num_hidden_layers": 3,
         "pad_token_id": 1, "scale_embedding": True, "vocab_size": VOCABULARY, "normalize_before": False,
         "normalize_embedding": True, "add_bias_logits": False, "add_final_layer_norm": False}
    w, d = Weights(), 16
    w.table("model.shared", VOCABULARY, d)
    for stack, layers in (("encoder", 3), ("decoder", 2)):
        p = f"model.{stack}."
        w[p + "embed_tokens.weight"] = w["model.shared.weight"]
        w.table(p + "embed_positions", 30 + 2, d)
        w.norm(p + "layernorm_embedding", d, True)
        seq2seq_layers(w, p, layers, stack == "decoder")
    w["final_logits_bias"] = 0.3 * torch.randn(1, VOCABULARY)
    w["final_logits_bias"][0, c["eos_token_id"]] = -9.0  # so that it goes on

    def embedded(w, p, ids):
        x = 4.0 * w["model.shared.weight"][ids] + w[p + "embed_positions.weight"][2 : 2 + len(ids)]
        return w.layer_norm(p + "layernorm_embedding", x, 1e-5)

    def run(w, ids):
        a, n = {}, len(SOURCE)
        memory = seq2seq_stack(w, "model.encoder.", embedded(w, "model.encoder.", SOURCE), 3,
                               torch.ones(n, n, dtype=torch.bool), a)
        x = seq2seq_stack(w, "model.decoder.", embedded(w, "model.decoder.", ids), 2, causal(len(ids)), a, memory)
        return a, x @ w["model.shared.weight"].T + w["final_logits_bias"][0]

    return c, w, run


def sinusoids(n, d):
    """OpenAI's: sines, then cosines, wavelengths from 2π to 10000·2π."""
    step = torch.log(torch.tensor(10000.0)) / (d // 2 - 1)
    angle = torch.arange(n)[:, None] * torch.exp(-step * torch.arange(d // 2))
    return torch.cat([angle.sin(), angle.cos()], 1)


def whisper(stored=True):
    """From what the convolutions make, which is in expected.json as `source`."""
    c = {"activation_function": "gelu", "architectures": ["WhisperForConditionalGeneration"], "d_model": 16,
         "decoder_attention_heads": 4, "decoder_ffn_dim": 12, "decoder_layers": 2, "encoder_attention_heads": 4,
         "encoder_ffn_dim": 12, "encoder_layers": 3, "eos_token_id": 10, "is_encoder_decoder": True,
         "max_source_positions": 10, "max_target_positions": 32, "model_type": "whisper", "num_hidden_layers": 3,
         "num_mel_bins": 4, "scale_embedding": False, "vocab_size": VOCABULARY, "pad_token_id": 10}
    w, d = Weights(), 16
    w["model.encoder.conv1.weight"], w["model.encoder.conv1.bias"] = torch.randn(d, 4, 3), torch.randn(d)
    w["model.encoder.conv2.weight"], w["model.encoder.conv2.bias"] = torch.randn(d, d, 3), torch.randn(d)
    if stored:
        w["model.encoder.embed_positions.weight"] = sinusoids(10, d)
    w.table("model.decoder.embed_tokens", VOCABULARY, d)
    w.table("model.decoder.embed_positions", 32, d)
    for stack, layers in (("encoder", 3), ("decoder", 2)):
        seq2seq_layers(w, f"model.{stack}.", layers, stack == "decoder", k_bias=False)
        w.norm(f"model.{stack}.layer_norm", d, True)
    source = torch.randn(7, d)

    def run(w, ids):
        a = {}
        x = source + sinusoids(7, d)
        x = seq2seq_stack(w, "model.encoder.", x, 3, torch.ones(7, 7, dtype=torch.bool), a, first=True)
        memory = w.layer_norm("model.encoder.layer_norm", x, 1e-5)
        x = w["model.decoder.embed_tokens.weight"][ids] + w["model.decoder.embed_positions.weight"][: len(ids)]
        x = seq2seq_stack(w, "model.decoder.", x, 2, causal(len(ids)), a, memory, first=True)
        x = w.layer_norm("model.decoder.layer_norm", x, 1e-5)
        return a, x @ w["model.decoder.embed_tokens.weight"].T

    run.source = source
    return c, w, run


# ---- Falcon -----------------------------------------------------------------------------------------


def falcon(form="multi_query"):
    """form: "multi_query" as 7B, "grouped" as 40B, "alibi" as RW, which has one branch after the other."""
    grouped, alibi = form == "grouped", form == "alibi"
    kv = {"multi_query": 1, "grouped": 2, "alibi": 4}[form]
    c = {"model_type": "falcon", "alibi": alibi, "apply_residual_connection_post_layernorm": False, "bias": alibi,
         "architectures": ["FalconForCausalLM"], "bos_token_id": 1, "eos_token_id": 10, "hidden_size": 16,
         "layer_norm_epsilon": 1e-5, "multi_query": not alibi, "new_decoder_architecture": grouped,
         "num_attention_heads": 4, "num_hidden_layers": 3, "num_kv_heads": kv, "parallel_attn": not alibi,
         "vocab_size": VOCABULARY}
    w, d, p = Weights(), 16, "transformer."
    before = ("ln_attn", "ln_mlp") if grouped else ("input_layernorm", "post_attention_layernorm")
    w.table(p + "word_embeddings", VOCABULARY, d)
    for i in range(3):
        s = f"{p}h.{i}."
        w.linear(s + "self_attention.query_key_value", d, (4 + 2 * kv) * 4, alibi)
        w.linear(s + "self_attention.dense", d, d, alibi)
        w.linear(s + "mlp.dense_h_to_4h", d, 64, alibi)
        w.linear(s + "mlp.dense_4h_to_h", 64, d, alibi)
        for name in before[: 1 if form == "multi_query" else 2]:
            w.norm(s + name, d, True)
    w.norm(p + "ln_f", d, True)

    def run(w, ids):
        a, n, f = {}, len(ids), frequencies(10000.0, 4)
        x = w[p + "word_embeddings.weight"][ids]
        slopes = torch.tensor([2.0 ** (-2 * (h + 1)) for h in range(4)])
        for i in range(3):
            s = f"{p}h.{i}."
            y = w.layer_norm(s + before[0], x, 1e-5)
            # for each key head: its queries, its key, its value
            fused = w.apply(s + "self_attention.query_key_value", y).reshape(n, kv, 4 // kv + 2, 4)
            q = fused[:, :, :-2].reshape(n, 4, 4).transpose(0, 1)
            k, v = (fused[:, :, j].transpose(0, 1).repeat_interleave(4 // kv, 0) for j in (-2, -1))
            if alibi:
                scores = (q @ k.transpose(-1, -2) + slopes[:, None, None] * torch.arange(n)) / 2  # before the scale
            else:
                scores = rotate(q, f) @ rotate(k, f).transpose(-1, -2) / 2
            a[s + "self_attention"] = scores.masked_fill(~causal(n), -torch.inf).softmax(-1)
            z = (a[s + "self_attention"] @ v).transpose(0, 1).reshape(n, -1)
            z = w.apply(s + "self_attention.dense", z)
            if alibi:
                x = x + z
                y = w.layer_norm(s + before[1], x, 1e-5)
                z = 0.0
            elif grouped:
                y = w.layer_norm(s + before[1], x, 1e-5)
            x = x + z + w.apply(s + "mlp.dense_4h_to_h", F.gelu(w.apply(s + "mlp.dense_h_to_4h", y)))
        return a, w.layer_norm(p + "ln_f", x, 1e-5) @ w[p + "word_embeddings.weight"].T

    return c, w, run


# ---- Files ------------------------------------------------------------------------------------------

CAUSAL = {f.__name__: f for f in (mistral, qwen2, qwen3, smollm3, granite, phi3, gemma, gemma2, gemma3_text, olmo2,
                                  olmo3, phi, gpt_neox, opt, bloom)}
for form in ("multi_query", "grouped", "alibi"):
    CAUSAL["falcon_" + form] = lambda form=form: falcon(form)
CAUSAL["phi_qk_layernorm"] = lambda: phi(True)
CAUSAL["gpt_neox_sequential"] = lambda: gpt_neox(False)
ENCODERS = {f.__name__: f for f in (roberta, distilbert, modernbert, vit, embeddinggemma)}
SEQ2SEQ = {f.__name__: f for f in (t5, bart, whisper)}
SEQ2SEQ["t5_gated"] = lambda: t5(gate=True, tied=False)
SEQ2SEQ["whisper_sinusoids"] = lambda: whisper(stored=False)
PREFIXES = ("model.", "transformer.", "gpt_neox.", "roberta.", "distilbert.", "vit.")


def write_safetensors(path, weights):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name in sorted(weights):
        raw = weights[name].contiguous().numpy().tobytes()
        header[name] = {"dtype": "F64", "shape": list(weights[name].shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def scope_of(name):
    return next((name[len(p) :] for p in PREFIXES if name.startswith(p)), name)


def make(folder, name, family, generates):
    torch.manual_seed(sum(map(ord, name)))
    config, weights, run = family()
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    write_safetensors(place / "model.safetensors", weights)
    given = torch.randn(5, 16) if name == "vit" else IDS
    attentions, logits = run(weights, given)
    ids = list(IDS)
    for _ in range(4 if generates else 0):
        ids.append(int(run(weights, ids)[1][-1].argmax()))
        if ids[-1] == config["eos_token_id"]:
            break
    expected = {"weights": {scope_of(n): a.tolist() for n, a in attentions.items()}, "generated": ids[len(IDS) :]}
    expected |= {"embeddings": given.tolist(), "output": logits.tolist()} if name == "vit" else {
        "ids": IDS, "logits": logits.tolist()}
    if name in SEQ2SEQ:
        expected["source"] = run.source.tolist() if hasattr(run, "source") else SOURCE
    (place / "expected.json").write_text(json.dumps(expected) + "\n")


def main(folder, *names):
    for families, generates in ((CAUSAL, True), (ENCODERS, False), (SEQ2SEQ, True)):
        for name, family in families.items():
            if name in names or not names:
                make(pathlib.Path(folder), name, family, generates)


if __name__ == "__main__":
    main(*sys.argv[1:])
