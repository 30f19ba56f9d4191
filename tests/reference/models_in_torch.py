"""Computes the whole models of attn's problem files in PyTorch: run(problem) gives the steps by id.

The kinds transformer, encoder and decoder run PyTorch's own modules, with hooks that note what passes
by. GPT-2, BERT and Llama are written here from their published descriptions. attention_only is a
stack of nn.MultiheadAttention, each added to its input.
"""
import math

import torch
from torch import nn
from torch.nn import functional

import make_rope_scaling

SOURCE = "PyTorch {}, float64".format(".".join(torch.__version__.split(".")[:2]))
ACTIVATIONS = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "silu": functional.silu,
}


class Steps(dict):
    """What was computed, by id. Calling it notes a tensor and passes it on."""

    def __call__(self, name, tensor):
        self[name] = tensor.detach()
        return tensor

    def output_hook(self, name):
        return lambda module, inputs, output: self.update({name: output.detach()})

    def input_hook(self, name):
        return lambda module, inputs: self.update({name: inputs[0].detach()})

    def lists(self):
        return {name: tensor.tolist() for name, tensor in self.items()}


# ---- Reading a problem -----------------------------------------------------------------------


def numbers(rows):
    return torch.tensor(rows, dtype=torch.float64)


def sinusoids(n_tokens, d_model, base=10000.0):
    """T × d_model: sines in even columns, cosines in odd ones."""
    angle = [[p / base ** ((c - c % 2) / d_model) for c in range(d_model)] for p in range(n_tokens)]
    return numbers(
        [[math.cos(a) if c % 2 else math.sin(a) for c, a in enumerate(row)] for row in angle]
    )


def looked_up(tokens, table):
    if isinstance(tokens[0], list):
        return [looked_up(entry, table) for entry in tokens]
    return [table[token] for token in tokens]


def embedded(problem, table=None):
    """N × T × d_model: the embeddings, or the table's rows for the tokens."""
    table = problem.get("embedding_table", table)
    x = numbers(problem["embeddings"] if "embeddings" in problem else looked_up(problem["tokens"], table))
    return x if x.dim() == 3 else x.unsqueeze(0)


def selected(keys, n_keys):
    """The keys that "1,3-4" means."""
    ends = [[int(end) for end in part.split("-")] for part in keys.split(",")]
    return [any(end[0] <= j <= end[-1] for end in ends) for j in range(n_keys)]


def hidden(specs, n_queries, n_keys, key_tokens, entries):
    """N × T_q × T_k: True where a key is hidden. Knows causal, window, keys, padding and none."""
    i, j = torch.arange(n_queries).unsqueeze(1), torch.arange(n_keys)
    mask = torch.zeros(entries, n_queries, n_keys, dtype=torch.bool)
    for spec in [specs] if isinstance(specs, str) else specs or []:
        kind, _, arguments = spec.partition(":")
        if kind == "causal":
            mask |= j > i
        elif kind == "window":
            left, right = (arguments.split(",") + ["0"])[:2]
            mask |= (j < i - int(left)) | (j > i + int(right))
        elif kind == "keys":
            mask |= torch.tensor(selected(arguments, n_keys))
        elif kind == "padding":
            lists = key_tokens if isinstance(key_tokens[0], list) else [key_tokens] * entries
            mask |= torch.tensor([[t == "<pad>" for t in tokens] for tokens in lists]).unsqueeze(1)
        elif kind != "none":
            raise ValueError(spec)
    return mask


def per_head(mask, heads):
    """nn.MultiheadAttention takes N·h × T_q × T_k."""
    return mask.repeat_interleave(heads, dim=0)


def tensors(problem, prefix=""):
    """The weights by name, without the prefix."""
    return {
        name[len(prefix) :] if name.startswith(prefix) else name: numbers(rows)
        for name, rows in problem.get("weights", {}).items()
    }


def layer_count(weights, start):
    return 1 + max(int(n[len(start) :].split(".")[0]) for n in weights if n.startswith(start))


# ---- PyTorch's own modules ---------------------------------------------------------------------


def watch_attention(steps, scope, attention):
    """Notes weights per head and the output; the layers themselves ask for no weights."""
    inner = attention.forward

    def forward(query, key, value, **options):
        options.update(need_weights=True, average_attn_weights=False)
        output, weights = inner(query, key, value, **options)
        return steps(scope + ".output", output), steps(scope + ".weights", weights)

    attention.forward = forward


def watch_layer(steps, scope, layer, norm_first):
    """A sum is the input of the norm that follows it: its own or, with norm_first, the next one."""
    norms = [name for name in ("norm1", "norm2", "norm3") if hasattr(layer, name)]
    watch_attention(steps, scope + ".self_attn", layer.self_attn)
    if hasattr(layer, "multihead_attn"):
        watch_attention(steps, scope + ".multihead_attn", layer.multihead_attn)
    for number, name in enumerate(norms):
        norm, summed = getattr(layer, name), number if norm_first else number + 1
        norm.register_forward_hook(steps.output_hook(f"{scope}.{name}"))
        if summed:
            norm.register_forward_pre_hook(steps.input_hook(f"{scope}.residual{summed}"))
    if norm_first:
        layer.register_forward_hook(steps.output_hook(f"{scope}.residual{len(norms)}"))
    layer.linear1.register_forward_hook(steps.output_hook(scope + ".linear1"))
    layer.linear2.register_forward_pre_hook(steps.input_hook(scope + ".activation"))
    layer.linear2.register_forward_hook(steps.output_hook(scope + ".linear2"))


def stack(steps, problem, weights, start, encoder):
    """An nn.TransformerEncoder or nn.TransformerDecoder whose weights begin with `start`."""
    model, ff = problem["model"], weights[start + "layers.0.linear1.weight"]
    eps, norm_first = model.get("layer_norm_eps", 1e-5), model.get("norm_first", False)
    layer = (nn.TransformerEncoderLayer if encoder else nn.TransformerDecoderLayer)(
        d_model=ff.shape[1],
        nhead=problem["heads"],
        dim_feedforward=ff.shape[0],
        dropout=0.0,
        activation=ACTIVATIONS[model.get("activation", "relu")],
        layer_norm_eps=eps,
        batch_first=True,
        norm_first=norm_first,
    )
    norm = nn.LayerNorm(ff.shape[1], eps=eps) if start + "norm.weight" in weights else None
    count = layer_count(weights, start + "layers.")
    layers = (nn.TransformerEncoder if encoder else nn.TransformerDecoder)(layer, count, norm)
    layers = layers.double().eval()
    layers.load_state_dict({n[len(start) :]: w for n, w in weights.items() if n.startswith(start)})
    for number, one in enumerate(layers.layers):
        watch_layer(steps, f"{start}layers.{number}", one, norm_first)
    if norm:
        layers.norm.register_forward_hook(steps.output_hook(start + "norm"))
    return layers


def run_stacks(problem):
    """The kinds transformer, encoder and decoder."""
    kind, heads, weights = problem["model"]["kind"], problem["heads"], tensors(problem)
    steps = Steps()
    x = embedded(problem)
    start = {"transformer": ("encoder.", "decoder."), "encoder": ("", None), "decoder": (None, "")}[kind]
    positions = problem.get("positions") == "sinusoidal"

    def positioned(m):
        return m + sinusoids(*m.shape[1:]) if positions else m

    def mask(key, n_queries, n_keys, key_tokens, entries):
        return per_head(hidden(problem.get(key), n_queries, n_keys, key_tokens, entries), heads)

    entries, n_queries = x.shape[:2]
    memory, source = None, problem.get("source") or problem.get("memory") or {}
    if kind == "transformer":
        s = positioned(embedded(source, problem.get("embedding_table")))
        own = mask("source_mask", s.shape[1], s.shape[1], source.get("tokens"), entries)
        memory = steps("memory", stack(steps, problem, weights, start[0], True)(s, mask=own))
    elif kind == "decoder":
        memory = embedded(source)
    x = positioned(x)
    own = mask("mask", n_queries, n_queries, problem.get("tokens"), entries)
    if kind == "encoder":
        steps("output", stack(steps, problem, weights, "", True)(x, mask=own))
    else:
        cross = mask("memory_mask", n_queries, memory.shape[1], source.get("tokens"), entries)
        decoder = stack(steps, problem, weights, start[1], False)
        steps("output", decoder(x, memory, tgt_mask=own, memory_mask=cross))
    return steps


def run_attention_only(problem):
    """x + attention, layer after layer: no feed-forward, no norm."""
    steps, weights, heads = Steps(), tensors(problem), problem["heads"]
    x = embedded(problem)
    if problem.get("positions") == "sinusoidal":
        x = x + sinusoids(*x.shape[1:])
    entries, n_tokens, d_model = x.shape
    mask = hidden(problem.get("mask"), n_tokens, n_tokens, problem.get("tokens"), entries)
    for number in range(layer_count(weights, "layers.")):
        scope = f"layers.{number}.self_attn"
        own = {n[len(scope) + 1 :]: w for n, w in weights.items() if n.startswith(scope)}
        attention = nn.MultiheadAttention(
            d_model, heads, bias="in_proj_bias" in own, batch_first=True
        ).double()
        attention.load_state_dict(own)
        watch_attention(steps, scope, attention)
        x = steps(f"layers.{number}.residual1", x + attention(x, x, x, attn_mask=per_head(mask, heads))[0])
    steps("output", x)
    return steps


# ---- GPT-2, BERT, Llama --------------------------------------------------------------------------


def linear(x, weights, name):
    """nn.Linear: weights out × in."""
    y = x @ weights[name + ".weight"].T
    return y + weights[name + ".bias"] if name + ".bias" in weights else y


def conv1d(x, weights, name):
    """GPT-2's Conv1D: weights in × out."""
    return x @ weights[name + ".weight"] + weights[name + ".bias"]


def layer_norm(x, weights, name, eps):
    gain = weights.get(name + ".weight", weights.get(name + ".gamma"))
    bias = weights.get(name + ".bias", weights.get(name + ".beta"))
    return functional.layer_norm(x, x.shape[-1:], gain, bias, eps)


def rms_norm(x, weights, name, eps):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * weights[name + ".weight"]


def split(x, heads):
    """T × h·d to h × T × d."""
    return x.unflatten(-1, (heads, -1)).transpose(-2, -3)


def attend(steps, scope, q, k, v, mask):
    """h × T × d each, fewer heads in k and v if they are shared; T × h·d back."""
    shared = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(shared, 0), v.repeat_interleave(shared, 0)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    weights = steps(scope + ".weights", scores.masked_fill(mask, -math.inf).softmax(-1))
    return (weights @ v).transpose(-2, -3).flatten(-2)


def own_mask(problem, n_tokens, default):
    return hidden(problem.get("mask", default), n_tokens, n_tokens, problem.get("tokens"), 1)[0]


def with_loss(steps, problem, logits):
    steps("logits", logits)
    steps("probabilities", logits.softmax(-1))
    if "labels" in problem:
        words = problem.get("vocabulary", {}).get("tokens", [])
        labels = [words.index(w) if isinstance(w, str) else w for w in problem["labels"]]
        labels = torch.tensor([-100 if label is None else label for label in labels])
        loss = functional.cross_entropy(logits, labels, reduction="none")
        steps("loss", loss.unsqueeze(-1))
        steps("mean_loss", functional.cross_entropy(logits, labels).reshape(1, 1))
    return steps


def run_gpt2(problem):
    steps, weights, heads = Steps(), tensors(problem, "transformer."), problem["heads"]
    eps, ids = problem["model"].get("layer_norm_eps", 1e-5), problem["ids"]
    activation = ACTIVATIONS[problem["model"].get("activation", "gelu_tanh")]
    mask = own_mask(problem, len(ids), "causal")
    token = steps("token_embeddings", weights["wte.weight"][ids])
    x = steps("x", token + steps("position_embeddings", weights["wpe.weight"][: len(ids)]))
    for number in range(layer_count(weights, "h.")):
        s = f"h.{number}."
        n = steps(s + "norm1", layer_norm(x, weights, s + "ln_1", eps))
        q, k, v = (split(m, heads) for m in conv1d(n, weights, s + "attn.c_attn").chunk(3, -1))
        z = conv1d(attend(steps, s + "attn", q, k, v, mask), weights, s + "attn.c_proj")
        x = steps(s + "residual1", x + steps(s + "attn.output", z))
        n = steps(s + "norm2", layer_norm(x, weights, s + "ln_2", eps))
        a = steps(s + "linear1", conv1d(n, weights, s + "mlp.c_fc"))
        a = steps(s + "activation", activation(a))
        x = steps(s + "residual2", x + steps(s + "linear2", conv1d(a, weights, s + "mlp.c_proj")))
    x = steps("output", steps("norm", layer_norm(x, weights, "ln_f", eps)))
    return with_loss(steps, problem, x @ weights.get("lm_head.weight", weights["wte.weight"]).T)


def run_bert(problem):
    steps, weights, heads = Steps(), tensors(problem, "bert."), problem["heads"]
    eps, ids = problem["model"].get("layer_norm_eps", 1e-12), problem["ids"]
    activation = ACTIVATIONS[problem["model"].get("activation", "gelu")]
    mask = own_mask(problem, len(ids), None)
    table = weights["embeddings.word_embeddings.weight"]
    x = steps("token_embeddings", table[ids])
    x = x + steps("position_embeddings", weights["embeddings.position_embeddings.weight"][: len(ids)])
    kinds = [0] * len(ids)  # the first of two sentences
    x = x + steps("token_type_embeddings", weights["embeddings.token_type_embeddings.weight"][kinds])
    x = steps("x", layer_norm(steps("embedding_sum", x), weights, "embeddings.LayerNorm", eps))
    for number in range(layer_count(weights, "encoder.layer.")):
        s = f"encoder.layer.{number}."
        own = s + "attention.self."
        q, k, v = (split(linear(x, weights, own + p), heads) for p in ("query", "key", "value"))
        z = attend(steps, s + "attention", q, k, v, mask)
        z = steps(s + "attention.output", linear(z, weights, s + "attention.output.dense"))
        x = steps(s + "residual1", x + z)
        x = steps(s + "norm1", layer_norm(x, weights, s + "attention.output.LayerNorm", eps))
        a = steps(s + "linear1", linear(x, weights, s + "intermediate.dense"))
        a = steps(s + "activation", activation(a))
        x = steps(s + "residual2", x + steps(s + "linear2", linear(a, weights, s + "output.dense")))
        x = steps(s + "norm2", layer_norm(x, weights, s + "output.LayerNorm", eps))
    steps("output", x)
    head = "cls.predictions."
    if head + "bias" not in weights:
        return steps
    a = steps("predictions.linear", linear(x, weights, head + "transform.dense"))
    a = steps("predictions.activation", activation(a))
    a = steps("predictions.norm", layer_norm(a, weights, head + "transform.LayerNorm", eps))
    return with_loss(steps, problem, a @ table.T + weights[head + "bias"])


def rotated(x, base, scaling=None):
    """h × T × d: column c is paired with column c + d/2; with a scaling, perhaps in fewer columns."""
    n_tokens, d = x.shape[-2:]
    position = torch.arange(n_tokens, dtype=torch.float64).unsqueeze(1)
    if scaling is None:
        angle, factor = position / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d), 1.0
    else:
        d = int(d * scaling.get("partial_rotary_factor", 1.0))
        stretched = make_rope_scaling.KINDS[scaling["rope_type"]]
        frequencies, factor = stretched(scaling, scaling.get("rope_theta", base), d, n_tokens)
        angle = position * frequencies
    left, right = x[..., :d].chunk(2, -1)
    cos, sin = angle.cos() * factor, angle.sin() * factor
    return torch.cat([left * cos - right * sin, right * cos + left * sin, x[..., d:]], -1)


def run_llama(problem):
    steps, weights, heads = Steps(), tensors(problem, "model."), problem["heads"]
    model, ids, kv_heads = problem["model"], problem["ids"], problem.get("kv_heads", heads)
    eps, base = model["layer_norm_eps"], model.get("rope_base", 10000.0)
    activation = ACTIVATIONS[model.get("activation", "silu")]
    scaling = problem.get("positions", {}).get("scaling")
    mask = own_mask(problem, len(ids), "causal")
    x = steps("x", weights["embed_tokens.weight"][ids])
    for number in range(layer_count(weights, "layers.")):
        s = f"layers.{number}."
        own = s + "self_attn"
        n = steps(s + "norm1", rms_norm(x, weights, s + "input_layernorm", eps))
        q = split(linear(n, weights, own + ".q_proj"), heads)
        k = split(linear(n, weights, own + ".k_proj"), kv_heads)
        v = split(linear(n, weights, own + ".v_proj"), kv_heads)
        q = steps(own + ".q_rotated", rotated(q, base, scaling))
        k = steps(own + ".k_rotated", rotated(k, base, scaling))
        z = linear(attend(steps, own, q, k, v, mask), weights, own + ".o_proj")
        x = steps(s + "residual1", x + steps(own + ".output", z))
        n = steps(s + "norm2", rms_norm(x, weights, s + "post_attention_layernorm", eps))
        a = activation(steps(s + "linear1", linear(n, weights, s + "mlp.gate_proj")))
        up = steps(s + "linear3", linear(n, weights, s + "mlp.up_proj"))
        a = steps(s + "gate", steps(s + "activation", a) * up)
        x = steps(s + "residual2", x + steps(s + "linear2", linear(a, weights, s + "mlp.down_proj")))
    x = steps("output", steps("norm", rms_norm(x, weights, "norm", eps)))
    return with_loss(steps, problem, x @ weights.get("lm_head.weight", weights["embed_tokens.weight"]).T)


def run_norm(problem):
    """nn.LayerNorm; RMSNorm, which PyTorch 1.13 does not have, from Zhang and Sennrich 2019."""
    steps, weights, kind = Steps(), tensors(problem), problem["model"]["kind"]
    x = embedded(problem)
    gain = weights.get("weight", weights.get("norm.weight"))
    eps = problem["model"].get("layer_norm_eps", 1e-5 if kind == "layer_norm" else 1e-6)
    if kind == "layer_norm":
        y = functional.layer_norm(x, x.shape[-1:], gain, weights.get("bias"), eps)
    else:
        y = x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * gain
    steps("output", steps("norm", y))
    return steps


def run_feed_forward(problem):
    steps, weights = Steps(), tensors(problem)
    act = ACTIVATIONS[problem["model"].get("activation", "relu")]
    first, last, gate = next(
        names
        for names in (("linear1", "linear2", "linear3"), ("0", "2", ""), ("gate_proj", "down_proj", "up_proj"))
        if names[0] + ".weight" in weights
    )
    x = embedded(problem)
    y = steps("activation", act(steps("linear1", linear(x, weights, first))))
    if gate + ".weight" in weights:
        y = steps("gate", y * steps("linear3", linear(x, weights, gate)))
    steps("output", steps("linear2", linear(y, weights, last)))
    return steps


KINDS = {
    "layer_norm": run_norm,
    "rms_norm": run_norm,
    "feed_forward": run_feed_forward,
    "transformer": run_stacks,
    "encoder": run_stacks,
    "decoder": run_stacks,
    "attention_only": run_attention_only,
    "gpt2": run_gpt2,
    "bert": run_bert,
    "llama": run_llama,
}


def run(problem):
    """The steps of a problem, as nested lists; without a batch axis if the problem has none."""
    steps = KINDS[problem["model"]["kind"]](problem)
    tokens = problem.get("tokens", [""])
    batch = isinstance(tokens[0], list) or numbers(problem.get("embeddings", [])).dim() == 3
    batched = "ids" not in problem  # PyTorch's modules are given a batch of one
    one = Steps((n, t[0] if batched and not batch else t) for n, t in steps.items())
    if "vocabulary" in problem:
        vocabulary = problem["vocabulary"]
        logits = one["output"] @ numbers(vocabulary["w"]) + numbers(vocabulary.get("b", 0.0))
        with_loss(one, problem, logits)
    return one.lists()
