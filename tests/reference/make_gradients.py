#!/usr/bin/env python3
"""Makes gradients/: what PyTorch's autograd computes, by the ids of attn's steps and givens.

    python3 make_gradients.py

The numbers in the repository come from PyTorch 1.13 on a CPU, in float64. Of a single attention there
are two files: NAME.json, a random problem, and NAME.expected.json, its gradients and the upstream
gradient that they start from. The gradients of whole models belong to the problems in models/. The
loss is the mean loss where there are labels, else the sum of output * upstream.
"""
import json
import math
import pathlib

import torch

import models_in_torch
from make_torch_mha import text

HERE = pathlib.Path(__file__).resolve().parent
MODELS = (
    "transformer_post_relu transformer_pre_gelu transformer_batch_masks encoder_pre_silu_batch "
    "encoder_pre_gelu_tanh decoder_post_relu attention_only gpt2_prefixed bert_masked_lm llama_grouped llama_tied"
).split()
T, D = 4, 6  # tokens, d_model


def rounded(values, digits):
    if isinstance(values, dict):
        return {name: rounded(rows, digits) for name, rows in values.items()}
    return [rounded(v, digits) for v in values] if isinstance(values, list) else round(values, digits)


def drawn(*shape, std=1.0):
    return rounded((std * torch.randn(*shape, dtype=torch.float64)).tolist(), 3)


# ---- One attention -------------------------------------------------------------------------------


def layer(heads=None, kv_heads=None, biases=True, d_k=3, d_v=2, output=True):
    """A problem with random weights."""
    h, kv = heads or 1, kv_heads or heads or 1
    widths = {"q": h * d_k, "k": kv * d_k, "v": kv * d_v}
    weights = {"w_" + part: drawn(D, width, std=0.6) for part, width in widths.items()}
    if biases:
        weights |= {"b_" + part: drawn(width, std=0.4) for part, width in widths.items()}
    if output:
        weights |= {"w_o": drawn(h * d_v, 5, std=0.6), "b_o": drawn(5)}
    problem = {"embeddings": drawn(T, D), "weights": weights}
    if heads:
        problem["heads"] = heads
    if kv_heads:
        problem["kv_heads"] = kv_heads
    return problem


def allowed(n_queries, n_keys, *leading):
    """Random, with at least one visible key for each query."""
    mask = torch.rand(*leading, n_queries, n_keys) < 0.6
    mask[..., 0] = True
    return mask.int().tolist()


def cases():
    yield "plain", layer(biases=False, output=False)
    yield "causal_heads", {**layer(heads=2), "mask": "causal"}
    yield "grouped", {**layer(heads=4, kv_heads=2), "allowed": allowed(T, T, 4)}
    yield "batch", {**layer(heads=2), "embeddings": drawn(2, T, D), "allowed": allowed(T, T, 2, 1)}
    yield "cross", {
        **layer(heads=2),
        "memory": {"embeddings": drawn(5, D), "values": drawn(5, D)},
        "allowed": allowed(T, 5),
    }
    yield "past", {
        **layer(heads=2),
        "past": {"k": drawn(2, 3, 3), "v": drawn(2, 3, 2)},
        "allowed": allowed(T, T + 3),
    }
    for mode, fill in (("replace", -1.5), ("add", -2.0), ("multiply", None), ("renormalize", None)):
        masking = {"mode": mode} if fill is None else {"mode": mode, "fill": fill}
        yield "mode_" + mode, {**layer(heads=2), "allowed": allowed(T, T), "masking": masking}
    yield "before_scale", {
        **layer(heads=1),
        "allowed": allowed(T, T),
        "bias": drawn(T, T),
        "masking": {"mode": "replace", "before_scale": True},
    }
    yield "bias_softcap", {**layer(heads=2), "bias": drawn(2, T, T), "softcap": 1.5, "mask": "causal"}
    yield "unscaled_rope", {**layer(heads=2, d_k=4), "positions": "rope", "scale": "none"}
    yield "rope_interleaved", {**layer(heads=2, d_k=4), "positions": "rope-interleaved", "scale": 0.3}
    yield "alibi", {**layer(heads=2), "positions": "alibi", "mask": "causal"}
    yield "sinusoidal_labels", {
        **layer(heads=2),
        "positions": "sinusoidal",
        "vocabulary": {"tokens": ["a", "b", "c"], "w": drawn(5, 3), "b": drawn(3)},
        "labels": ["b", None, "a", "c"],
    }
    yield "no_weights", {"embeddings": drawn(T, D), "mask": "queries:1"}
    empty = allowed(T, T)
    empty[2] = [0] * T
    yield "empty_uniform", {**layer(), "allowed": empty, "empty_row": "uniform"}


class Gradients:
    """Tensors whose gradients are kept, by their ids."""

    def __init__(self):
        self.tensors = {}

    def given(self, name, rows):
        return self(name, torch.tensor(rows, dtype=torch.float64, requires_grad=True))

    def __call__(self, name, tensor):
        if tensor.requires_grad:
            tensor.retain_grad()
            self.tensors[name] = tensor
        return tensor

    def lists(self):
        found = {n: t.grad.tolist() for n, t in self.tensors.items() if t.grad is not None}
        return {n: [g] if n.startswith("b_") else g for n, g in found.items()}  # 1 × d


def rotated(x, interleaved):
    n_tokens, d = x.shape[-2:]
    angle = torch.arange(n_tokens, dtype=torch.float64).unsqueeze(1) / 10000.0 ** (
        torch.arange(0, d, 2, dtype=torch.float64) / d
    )
    left, right = (x[..., 0::2], x[..., 1::2]) if interleaved else x.chunk(2, -1)
    turned = left * angle.cos() - right * angle.sin(), right * angle.cos() + left * angle.sin()
    return torch.stack(turned, -1).flatten(-2) if interleaved else torch.cat(turned, -1)


def masked(problem, note, scores, mask, bias):
    if bias is not None:
        scores = scores + bias
    masking = problem.get("masking", {})
    mode, fill = masking.get("mode", "replace"), masking.get("fill", -math.inf)
    if mask is not None and mode == "replace":
        scores = scores.masked_fill(~mask, fill)
    elif mask is not None and mode == "add":
        scores = scores + torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, fill)
    acts = mask is not None and mode in ("replace", "add")
    return note("masked_scores", scores) if acts or bias is not None else scores


def weights_of(problem, note, scores, mask):
    """Softmax, and what masks do after it."""
    mode = problem.get("masking", {}).get("mode", "replace")
    a = scores.softmax(-1)
    if problem.get("empty_row") == "uniform":
        empty = ~mask.any(-1, keepdim=True)
        safe = scores.masked_fill(empty, 0.0).softmax(-1)
        a = torch.where(empty, torch.full_like(safe, 1.0 / safe.shape[-1]), safe)
    a = note("weights", a)
    if mode in ("multiply", "renormalize"):
        a = note("masked_weights", a * mask)
    if mode == "renormalize":
        a = note("renormalized_weights", a / a.sum(-1, keepdim=True))
    if problem.get("mask") == "queries:1":
        a = a * torch.tensor([[1.0], [0.0], [1.0], [1.0]], dtype=torch.float64)
    return a


def attention(problem, note):
    """softmax(Q·Kᵀ·scale + bias, hidden where not allowed) · V · W_o + b_o, step by step."""
    given = note.given
    weights = {name: given(name, rows) for name, rows in problem.get("weights", {}).items()}
    x = given("x", problem["embeddings"])
    memory = problem.get("memory")
    keys = given("memory", memory["embeddings"]) if memory else None
    values = given("memory_values", memory["values"]) if memory else None
    if problem.get("positions") == "sinusoidal":
        x = note("x_positioned", x + models_in_torch.sinusoids(*x.shape[-2:]))
    keys, values = (x, x) if keys is None else (keys, values)
    heads = problem.get("heads")

    def projected(name, source, count):
        y = source @ weights["w_" + name] if weights else source
        y = note(name, y + weights["b_" + name] if "b_" + name in weights else y.clone())
        return note(name + "_heads", y.unflatten(-1, (count, -1)).transpose(-2, -3)) if heads else y

    shared = problem.get("kv_heads", heads)
    q, k, v = projected("q", x, heads), projected("k", keys, shared), projected("v", values, shared)
    positions = problem.get("positions", "")
    if positions.startswith("rope"):
        q, k = rotated(q, "inter" in positions), rotated(k, "inter" in positions)
    if "past" in problem:
        past = {part: given("past_" + part, rows) for part, rows in problem["past"].items()}
        k, v = torch.cat([past["k"], k], -2), torch.cat([past["v"], v], -2)
    if shared != heads:
        k, v = (m.repeat_interleave(heads // shared, -3) for m in (k, v))

    factor = {"none": 1.0}.get(problem.get("scale"), problem.get("scale", 1 / math.sqrt(q.shape[-1])))
    s = note("scores", q @ k.transpose(-1, -2))
    mask = torch.tensor(problem["allowed"]).bool() if "allowed" in problem else None
    if problem.get("mask") == "causal":
        mask = torch.ones(s.shape[-2:]).tril().bool()
    bias = None
    if "bias" in problem:
        # attn keeps the bias for every head: its gradient is not summed
        bias = given("bias", torch.tensor(problem["bias"], dtype=torch.float64).expand(s.shape).tolist())
    if positions == "alibi":
        i = torch.arange(T, dtype=torch.float64)
        slopes = torch.tensor([2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]).double()
        bias = -slopes[:, None, None] * (i[:, None] - i[None, :]).abs()
    before = problem.get("masking", {}).get("before_scale", False)
    if before:
        s = masked(problem, note, s, mask, bias) * factor
        s = note("scaled_scores", s)
    else:
        s = note("scaled_scores", s * factor) if factor != 1.0 else s
        if "softcap" in problem:
            s = note("capped_scores", problem["softcap"] * torch.tanh(s / problem["softcap"]))
        s = masked(problem, note, s, mask, bias)
    a = weights_of(problem, note, s, mask)
    if not heads and "w_o" not in weights:
        return note("output", a @ v)
    z = note("context", a @ v)
    if heads:
        z = note("concat", z.transpose(-2, -3).flatten(-2))
    return note("output", z @ weights["w_o"] + weights["b_o"])


def loss_of(problem, note, output):
    if "labels" not in problem:
        upstream = drawn(*output.shape)
        return (output * torch.tensor(upstream, dtype=torch.float64)).sum(), upstream
    vocabulary = problem["vocabulary"]
    w, b = note.given("w_vocabulary", vocabulary["w"]), note.given("b_vocabulary", vocabulary["b"])
    logits = note("logits", output @ w + b)
    words = vocabulary["tokens"]
    labels = torch.tensor([-100 if w is None else words.index(w) for w in problem["labels"]])
    return torch.nn.functional.cross_entropy(logits, labels), None


# ---- Whole models --------------------------------------------------------------------------------


class WatchedSteps(models_in_torch.Steps, Gradients):
    """In place of models_in_torch.Steps: keeps the graph."""

    last = None

    def __init__(self, *args):
        dict.__init__(self, *args)
        self.tensors = {}
        WatchedSteps.last = self

    def __call__(self, name, tensor):
        self[name] = tensor
        return Gradients.__call__(self, name, tensor)

    def output_hook(self, name):
        def note(module, inputs, output):
            self(name, output)

        return note

    def input_hook(self, name):
        def note(module, inputs):
            self(name, inputs[0])

        return note

    def lists(self):
        return {n: t.grad.tolist() for n, t in self.tensors.items() if t.grad is not None}


def of_model(name):
    problem = json.loads((HERE / "models" / (name + ".json")).read_text(encoding="utf-8"))
    tables = {}

    def tensors(own, prefix=""):
        weights = plain_tensors(own, prefix)
        for tensor in weights.values():
            tensor.requires_grad_()
        tables.update(weights)
        return weights

    models_in_torch.tensors = tensors
    steps = models_in_torch.KINDS[problem["model"]["kind"]](problem)
    upstream = None
    if "mean_loss" in steps:
        loss = steps["mean_loss"].sum()
    else:
        upstream = drawn(*steps["output"].shape)
        loss = (steps["output"] * torch.tensor(upstream, dtype=torch.float64)).sum()
    loss.backward()
    gradients = steps.lists()
    for table, given in (("wte.weight", "token_table"), ("embed_tokens.weight", "token_table")):
        if table in tables:
            gradients[given] = tables[table].grad.tolist()
    return {} if upstream is None else {"upstream": upstream}, gradients


# ---- Files ---------------------------------------------------------------------------------------


def write(name, content):
    if "gradients" in content:
        content["gradients"] = rounded(content["gradients"], 12)
    (HERE / "gradients").mkdir(exist_ok=True)
    (HERE / "gradients" / (name + ".json")).write_text(text(content) + "\n", encoding="utf-8")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    for name, problem in cases():
        note = Gradients()
        loss, upstream = loss_of(problem, note, attention(problem, note))
        loss.backward()
        start = {} if upstream is None else {"upstream": upstream}
        write(name, {"_source": models_in_torch.SOURCE, **problem})
        write(name + ".expected", {**start, "gradients": note.lists()})
    for name in MODELS:
        start, gradients = of_model(name)
        write(name + ".model", {**start, "gradients": gradients})


plain_tensors = models_in_torch.tensors
models_in_torch.Steps = WatchedSteps

if __name__ == "__main__":
    main()
