#!/usr/bin/env python3
"""The loop of docs/for-engineers.md for a port of a whole model: dump, check, fix, check.

A tiny Llama gets the bugs of the page, all at once; attn check finds one after the other, and its cause.
"""

import json
import os
import pathlib
import sys
import tempfile

from torch_page import checked, code_blocks, rows_of, section_of

section = section_of("The port of a whole model")
record = code_blocks(section)[0]
bugs = rows_of(section, 4)  # what is right, what somebody wrote, the first wrong step, the cause
failures = []

LLAMA = '''
import torch
from torch import nn

class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)

def rotated(x):
    half = x.shape[-1] // 2
    angles = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(half) / half)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj = nn.Linear(8, 8, bias=False), nn.Linear(8, 4, bias=False)
        self.v_proj, self.o_proj = nn.Linear(8, 4, bias=False), nn.Linear(8, 8, bias=False)

    def forward(self, x):
        split = lambda y: y.view(*y.shape[:2], -1, 4).transpose(1, 2)
        q, k, v = rotated(split(self.q_proj(x))), rotated(split(self.k_proj(x))), split(self.v_proj(x))
        scores = q @ k.transpose(-2, -1) / 4 ** 0.5
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        y = scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v
        return self.o_proj(y.transpose(1, 2).flatten(2))

class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj, self.up_proj = nn.Linear(8, 12, bias=False), nn.Linear(8, 12, bias=False)
        self.down_proj, self.act_fn = nn.Linear(12, 8, bias=False), nn.SiLU()

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_layernorm, self.post_attention_layernorm = Norm(8), Norm(8)
        self.self_attn, self.mlp = Attention(), FeedForward()

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(11, 8)
        self.model.layers = nn.ModuleList([Layer(), Layer()])
        self.model.norm, self.lm_head = Norm(8), nn.Linear(8, 11, bias=False)

    def forward(self, ids):
        x = self.model.embed_tokens(ids)
        for layer in self.model.layers:
            x = layer(x)
        return self.lm_head(self.model.norm(x))

torch.manual_seed(0)
model = Llama()
'''

CONFIG = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 8, "vocab_size": 11,
          "intermediate_size": 12, "num_attention_heads": 2, "num_key_value_heads": 1,
          "hidden_act": "silu", "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": False}


def first_wrong(code):
    """The id of the first wrong step, and the codes of its cause; None if everything is right."""
    report, wrong = checked(code + record, section)
    if len(report["steps"]) < 20:
        failures.append(f"only {len(report['steps'])} steps are compared")
    if wrong is None:
        return None
    causes = wrong["findings"][:1]
    return wrong["id"], [code for each in causes for code in [each["code"], *each["same_as"]]]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("config.json").write_text(json.dumps(CONFIG))
    if (found := first_wrong(LLAMA)) is not None:
        failures.append(f"the right model: {found}")
    code = LLAMA
    for right, wrong, _, _ in bugs:  # all at once, and fixed one after the other
        if right not in LLAMA:
            failures.append(f"not in the code: {right}")
        code = code.replace(right, wrong)
    for right, wrong, step, cause in bugs:
        found = first_wrong(code)
        if found is None or found[0] != step or cause not in found[1]:
            failures.append(f"{wrong}: {found} instead of {step}, {cause}")
        code = code.replace(wrong, right, 1)
    os.chdir("/")
if len(bugs) < 5:
    failures.append(f"the page has only {len(bugs)} bugs")
for failure in failures:
    print("FAILED:", failure)
print(f"{len(bugs)} bugs of a port")
sys.exit(1 if failures else 0)
