#!/usr/bin/env python3
"""Makes tiny checkpoints of the families with mixtures of experts, as make_families.py does for others.

    python3 make_expert_families.py FOLDER [NAME...]

The functions follow the papers (Mixtral, Qwen2, Qwen3, gpt-oss's model card, DeepSeek-V2, DeepSeek-V3) and
the descriptions of transformers' models.
"""
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

from make_families import VOCABULARY, Weights, attend, base_config, causal, frequencies, head, heads
from make_families import gated, llama_weights, make, qkv, rotate
from make_rope_scaling import yarn

D, UNITS, EXPERTS = 16, 10, 6


def chosen(scores, k, choice=None):
    """0 but for the k largest of each row; those where `choice` is largest, if it is given."""
    places = (scores if choice is None else choice).topk(k, -1).indices
    return torch.zeros_like(scores).scatter(-1, places, scores.gather(-1, places))


def mixture(weights, results):
    """weights: T × experts; results: T × d for each expert."""
    return sum(weights[:, e, None] * y for e, y in enumerate(results))


def decoder(c, w, ids, attention, feed_forward):
    """attention(s, i, n) and feed_forward(s, i, n): of layer i, whose names begin with s, from normed rows."""
    a, x, eps = {}, w["model.embed_tokens.weight"][ids], c["rms_norm_eps"]
    for i in range(c["num_hidden_layers"]):
        s = f"model.layers.{i}."
        a[s + "self_attn"], y = attention(s + "self_attn.", i, w.rms(s + "input_layernorm", x, eps))
        x = x + y
        x = x + feed_forward(s + "mlp.", i, w.rms(s + "post_attention_layernorm", x, eps))
    return a, head(c, w, w.rms("model.norm", x, eps))


def attention(c, w, window=lambda i: None, qk_norm=False):
    d_k = c.get("head_dim") or D // c["num_attention_heads"]
    f = frequencies(c["rope_theta"], d_k)

    def run(s, i, n):
        q, k, v = qkv(c, w, s, n)
        if qk_norm:
            q, k = (w.rms(s + name, x, c["rms_norm_eps"]) for name, x in (("q_norm", q), ("k_norm", k)))
        a, z = attend(rotate(q, f), rotate(k, f), v, causal(len(n), window(i)), d_k**-0.5)
        return a, w.apply(s + "o_proj", z)

    return run


def add_experts(w, s, shared=None, shared_units=7):
    """In place of the one feed-forward network of a layer."""
    for name in ("gate_proj", "up_proj", "down_proj"):
        w.pop(s + name + ".weight", None)
    w.linear(s + "gate", D, EXPERTS)
    for name, units in [(f"experts.{e}", UNITS) for e in range(EXPERTS)] + ([(shared, shared_units)] if shared else []):
        w.linear(f"{s}{name}.gate_proj", D, units)
        w.linear(f"{s}{name}.up_proj", D, units)
        w.linear(f"{s}{name}.down_proj", units, D)


def all_experts(w, s, n):
    return [gated(w, f"{s}experts.{e}.", n, F.silu) for e in range(EXPERTS)]


# ---- Mixtral, Qwen ----------------------------------------------------------------------------------


def mixtral():
    c = base_config("mixtral", intermediate_size=UNITS, num_local_experts=EXPERTS, num_experts_per_tok=2,
                    sliding_window=4, rope_theta=1000000.0, output_router_logits=False, router_aux_loss_coef=0.02)
    w = llama_weights(c)
    for i in range(3):
        s = f"model.layers.{i}."
        add_experts(w, s + "mlp.")
        for name in [name for name in w if name.startswith(s + "mlp.")]:
            own = name.replace("mlp.", "block_sparse_moe.").replace("gate_proj", "w1")
            w[own.replace("down_proj", "w2").replace("up_proj", "w3")] = w.pop(name)

    def experts(w, s, n):
        weights = chosen(w.apply(s + "gate", n).softmax(-1), 2)
        results = [w.apply(f"{s}experts.{e}.w2", F.silu(w.apply(f"{s}experts.{e}.w1", n)) *
                           w.apply(f"{s}experts.{e}.w3", n)) for e in range(EXPERTS)]
        return mixture(weights / weights.sum(-1, keepdim=True), results)

    return c, w, lambda w, ids: decoder(
        c, w, ids, attention(c, w, lambda i: 4), lambda s, i, n: experts(w, s.replace("mlp.", "block_sparse_moe."), n))


def qwen2_moe():
    """Layer 1 has no experts."""
    c = base_config("qwen2_moe", decoder_sparse_step=1, mlp_only_layers=[1], moe_intermediate_size=UNITS,
                    norm_topk_prob=False, num_experts=EXPERTS, num_experts_per_tok=3, qkv_bias=True,
                    shared_expert_intermediate_size=7, sliding_window=3, use_sliding_window=True, max_window_layers=1,
                    output_router_logits=False, router_aux_loss_coef=0.001)
    w = llama_weights(c, bias=True)
    for i in (0, 2):
        add_experts(w, f"model.layers.{i}.mlp.", "shared_expert")
        w.linear(f"model.layers.{i}.mlp.shared_expert_gate", D, 1)

    def experts(w, s, i, n):
        if i == 1:
            return gated(w, s, n, F.silu)
        weights = chosen(w.apply(s + "gate", n).softmax(-1), 3)
        share = torch.sigmoid(w.apply(s + "shared_expert_gate", n))
        return mixture(weights, all_experts(w, s, n)) + share * gated(w, s + "shared_expert.", n, F.silu)

    return c, w, lambda w, ids: decoder(c, w, ids, attention(c, w, lambda i: 3 if i == 0 else None),
                                        lambda s, i, n: experts(w, s, i, n))


def qwen3_moe():
    c = base_config("qwen3_moe", attention_bias=False, decoder_sparse_step=1, head_dim=6, mlp_only_layers=[],
                    max_window_layers=3, moe_intermediate_size=UNITS, norm_topk_prob=True, num_experts=EXPERTS,
                    num_experts_per_tok=3, rope_scaling=None, sliding_window=None, use_sliding_window=False,
                    output_router_logits=False, router_aux_loss_coef=0.001)
    w = llama_weights(c, qk_norm="head")
    for i in range(3):
        add_experts(w, f"model.layers.{i}.mlp.")

    def experts(w, s, n):
        weights = chosen(w.apply(s + "gate", n).softmax(-1), 3)
        return mixture(weights / weights.sum(-1, keepdim=True), all_experts(w, s, n))

    return c, w, lambda w, ids: decoder(c, w, ids, attention(c, w, qk_norm=True), lambda s, i, n: experts(w, s, n))


# ---- gpt-oss -------------------------------------------------------------------------------------------


def gpt_oss():
    scaling = {"rope_type": "yarn", "factor": 8.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
               "original_max_position_embeddings": 16}
    c = base_config("gpt_oss", attention_bias=True, experts_per_token=3, head_dim=6, intermediate_size=UNITS,
                    layer_types=["sliding_attention", "full_attention"] * 2, num_experts_per_tok=3,
                    num_hidden_layers=4, num_local_experts=EXPERTS, rope_scaling=scaling, rope_theta=150000.0,
                    sliding_window=3, swiglu_limit=7.0, initial_context_length=16, max_position_embeddings=128,
                    output_router_logits=False, router_aux_loss_coef=0.9)
    w = Weights({name: x for name, x in llama_weights(c, bias=True).items() if ".mlp." not in name})
    for i in range(4):
        s = f"model.layers.{i}."
        w[s + "self_attn.o_proj.bias"] = 0.3 * torch.randn(D)
        w[s + "self_attn.sinks"] = torch.randn(4)
        w.linear(s + "mlp.router", D, EXPERTS, True)
        s += "mlp.experts."
        w[s + "gate_up_proj"] = 3.0 * torch.randn(EXPERTS, D, 2 * UNITS)  # so that the limit holds some numbers
        w[s + "gate_up_proj_bias"] = torch.randn(EXPERTS, 2 * UNITS)
        w[s + "down_proj"] = 0.1 * torch.randn(EXPERTS, UNITS, D)
        w[s + "down_proj_bias"] = 0.3 * torch.randn(EXPERTS, D)
    f, factor = yarn(scaling, 150000.0, 6, 0)

    def with_sinks(w, s, i, n):
        q, k, v = qkv(c, w, s, n)
        q, k = rotate(q, f, factor), rotate(k, f, factor)
        k, v = k.repeat_interleave(2, 0), v.repeat_interleave(2, 0)
        scores = (q @ k.transpose(-1, -2) * 6**-0.5).masked_fill(~causal(len(n), 3 if i % 2 == 0 else None), -torch.inf)
        sinks = w[s + "sinks"][:, None, None].expand(-1, len(n), 1)
        a = torch.cat([scores, sinks], -1).softmax(-1)[..., :-1]
        return a, w.apply(s + "o_proj", (a @ v).transpose(0, 1).reshape(len(n), -1))

    def experts(w, s, n):
        best = w.apply(s + "router", n).topk(3, -1)  # then softmax, of these alone
        weights = torch.zeros(len(n), EXPERTS).scatter(-1, best.indices, best.values.softmax(-1))
        s, results = s + "experts.", []
        for e in range(EXPERTS):
            both = n @ w[s + "gate_up_proj"][e] + w[s + "gate_up_proj_bias"][e]
            gate, up = both[:, ::2].clamp(max=7), both[:, 1::2].clamp(-7, 7)
            results.append((up + 1) * gate * torch.sigmoid(1.702 * gate) @ w[s + "down_proj"][e] + w[s + "down_proj_bias"][e])
        return mixture(weights, results)

    return c, w, lambda w, ids: decoder(c, w, ids, lambda s, i, n: with_sinks(w, s, i, n),
                                        lambda s, i, n: experts(w, s, n))


# ---- DeepSeek ------------------------------------------------------------------------------------------

HEADS, NOPE, ROPE, V, RANK = 4, 5, 4, 3, 6
YARN = {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 0.707, "mscale_all_dim": 0.9,
        "original_max_position_embeddings": 16}


def deepseek_config(name, **own):
    c = base_config(name, attention_bias=False, first_k_dense_replace=1, kv_lora_rank=RANK, moe_intermediate_size=UNITS,
                    moe_layer_freq=1, n_routed_experts=EXPERTS, n_shared_experts=2, num_key_value_heads=HEADS,
                    qk_nope_head_dim=NOPE, qk_rope_head_dim=ROPE, v_head_dim=V, rms_norm_eps=1e-6,
                    rope_scaling=YARN, max_position_embeddings=640, aux_loss_alpha=0.001, seq_aux=True, ep_size=1)
    return c | own


def deepseek_weights(c):
    w, d_k = Weights(), NOPE + ROPE
    w.table("model.embed_tokens", VOCABULARY, D)
    for i in range(3):
        s = f"model.layers.{i}."
        if c["q_lora_rank"] is None:
            w.linear(s + "self_attn.q_proj", D, HEADS * d_k)
        else:
            w.linear(s + "self_attn.q_a_proj", D, c["q_lora_rank"])
            w.norm(s + "self_attn.q_a_layernorm", c["q_lora_rank"])
            w.linear(s + "self_attn.q_b_proj", c["q_lora_rank"], HEADS * d_k)
        w.linear(s + "self_attn.kv_a_proj_with_mqa", D, RANK + ROPE)
        w.norm(s + "self_attn.kv_a_layernorm", RANK)
        w.linear(s + "self_attn.kv_b_proj", RANK, HEADS * (NOPE + V))
        w.linear(s + "self_attn.o_proj", HEADS * V, D)
        w.norm(s + "input_layernorm", D)
        w.norm(s + "post_attention_layernorm", D)
        if i == 0:
            for name, n, m in (("gate_proj", D, 12), ("up_proj", D, 12), ("down_proj", 12, D)):
                w.linear(s + "mlp." + name, n, m)
        else:
            add_experts(w, s + "mlp.", "shared_experts", 2 * UNITS)
    w.norm("model.norm", D)
    w.linear("lm_head", D, VOCABULARY)
    return w


def turned(x, f, factor):
    """Neighbours are pairs: complex numbers times e^(i·angle)."""
    angle = torch.arange(x.shape[-2])[:, None] * f
    return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) *
                              torch.polar(factor * torch.ones_like(angle), angle)).flatten(-2)


def latent_attention(c, w, s, n):
    f, factor = yarn(YARN, c["rope_theta"], ROPE, 0)
    if c["q_lora_rank"] is None:
        q = w.apply(s + "q_proj", n)
    else:
        q = w.apply(s + "q_b_proj", w.rms(s + "q_a_layernorm", w.apply(s + "q_a_proj", n), 1e-6))
    q_nope, q_rope = heads(q, HEADS).split([NOPE, ROPE], -1)
    latent, k_rope = w.apply(s + "kv_a_proj_with_mqa", n).split([RANK, ROPE], -1)
    k_nope, v = heads(w.apply(s + "kv_b_proj", w.rms(s + "kv_a_layernorm", latent, 1e-6)), HEADS).split([NOPE, V], -1)
    q = torch.cat([q_nope, turned(q_rope, f, factor)], -1)
    k = torch.cat([k_nope, turned(k_rope, f, factor).expand(HEADS, -1, -1)], -1)
    scale = (NOPE + ROPE) ** -0.5 * (0.1 * YARN["mscale_all_dim"] * math.log(YARN["factor"]) + 1) ** 2
    a, z = attend(q, k, v, causal(len(n)), scale)
    return a, w.apply(s + "o_proj", z)


def best_groups(scores, worth, kept):
    """scores with 0 in all groups but the best; worth: T × groups."""
    mask = torch.zeros_like(worth).scatter(-1, worth.topk(kept, -1).indices, 1.0)
    return scores * mask.repeat_interleave(scores.shape[-1] // worth.shape[-1], -1)


def deepseek(c, weights_of):
    w = deepseek_weights(c)

    def feed_forward(w, s, i, n):
        if i == 0:
            return gated(w, s, n, F.silu)
        routed = mixture(weights_of(w, s, w.apply(s + "gate", n)), all_experts(w, s, n))
        return routed + gated(w, s + "shared_experts.", n, F.silu)

    return c, w, lambda w, ids: decoder(c, w, ids, lambda s, i, n: latent_attention(c, w, s, n),
                                        lambda s, i, n: feed_forward(w, s, i, n))


def deepseek_v2():
    c = deepseek_config("deepseek_v2", n_group=3, norm_topk_prob=False, num_experts_per_tok=2, q_lora_rank=8,
                        routed_scaling_factor=16.0, scoring_func="softmax", topk_group=1,
                        topk_method="group_limited_greedy")

    def weights_of(w, s, logits):
        scores = logits.softmax(-1)
        return 16.0 * chosen(scores, 2, best_groups(scores, scores.unflatten(-1, (3, 2)).amax(-1), 1))

    return deepseek(c, weights_of)


def deepseek_v2_lite():
    c = deepseek_config("deepseek_v2", n_group=1, norm_topk_prob=False, num_experts_per_tok=3, q_lora_rank=None,
                        routed_scaling_factor=1.0, scoring_func="softmax", topk_group=1, topk_method="greedy")
    return deepseek(c, lambda w, s, logits: chosen(logits.softmax(-1), 3))


def deepseek_v3():
    c = deepseek_config("deepseek_v3", n_group=3, norm_topk_prob=True, num_experts_per_tok=2, q_lora_rank=8,
                        routed_scaling_factor=2.5, scoring_func="sigmoid", topk_group=2, topk_method="noaux_tc",
                        rope_interleave=True, num_nextn_predict_layers=1)

    def weights_of(w, s, logits):
        scores = torch.sigmoid(logits)
        choice = scores + w[s + "gate.e_score_correction_bias"]
        worth = choice.unflatten(-1, (3, 2)).topk(2, -1).values.sum(-1)
        weights = chosen(scores, 2, best_groups(choice, worth, 2))
        return 2.5 * weights / (weights.sum(-1, keepdim=True) + 1e-20)

    c, w, run = deepseek(c, weights_of)
    for i in (1, 2):
        w[f"model.layers.{i}.mlp.gate.e_score_correction_bias"] = 0.3 * torch.randn(EXPERTS)
    w.linear("model.layers.3.eh_proj", 2 * D, D)  # of the layer that predicts one token more, not of the model
    return c, w, run


FAMILIES = {f.__name__: f for f in (mixtral, qwen2_moe, qwen3_moe, gpt_oss, deepseek_v2, deepseek_v2_lite,
                                    deepseek_v3)}


def main(folder, *names):
    for name, family in FAMILIES.items():
        if not names or name in names:
            make(pathlib.Path(folder), name, family, True)


if __name__ == "__main__":
    main(*sys.argv[1:])
