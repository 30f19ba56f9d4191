#!/usr/bin/env python3
"""Makes torch_mha_*.json: what torch.nn.MultiheadAttention computes, in the layout of attn's files.

    python3 make_torch_mha.py             expected numbers anew, for the inputs and weights in the files
    python3 make_torch_mha.py --seed 7    new inputs and weights as well

The numbers in the repository come from PyTorch 1.13.1 on a CPU: a MultiheadAttention(6, 2,
batch_first=True) in float64, its weights drawn as float32. Each case is two files: NAME.json, a
problem, and NAME.expected.json, an answers file.

Two conventions differ. PyTorch multiplies by the transposed weights, x @ w.T, and stacks those of Q,
K and V on top of each other; and its masks say True where a key is hidden.
"""
import argparse
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
D_MODEL, HEADS = 6, 2
N_QUERIES, N_MEMORY = 4, 5
SOURCE = "torch.nn.MultiheadAttention(6, 2, batch_first=True), float64, PyTorch {}"


def transposed(rows):
    return [list(column) for column in zip(*rows)]


def weights_from_state(state):
    """A state_dict of plain lists as w_q … b_o."""
    weights = {}
    for part, letter in enumerate("qkv"):
        rows = slice(part * D_MODEL, (part + 1) * D_MODEL)
        weights["w_" + letter] = transposed(state["in_proj_weight"][rows])
        weights["b_" + letter] = state["in_proj_bias"][rows]
    weights["w_o"] = transposed(state["out_proj.weight"])
    weights["b_o"] = state["out_proj.bias"]
    return weights


def state_from_weights(weights):
    """The way back."""
    return {
        "in_proj_weight": sum((transposed(weights["w_" + letter]) for letter in "qkv"), []),
        "in_proj_bias": sum((weights["b_" + letter] for letter in "qkv"), []),
        "out_proj.weight": transposed(weights["w_o"]),
        "out_proj.bias": weights["b_o"],
    }


def problems(state, query, memory):
    """The two problems: causal self-attention, and attention to a memory whose end is padding."""
    common = {"heads": HEADS, "embeddings": query, "weights": weights_from_state(state)}
    return {
        "torch_mha_self_causal": {**common, "mask": "causal"},
        "torch_mha_cross_padded": {
            **common,
            "memory": {"embeddings": memory},
            "mask": "padding:3,4",
        },
    }


def text(value, indent=0):
    """JSON with every list of numbers on a line of its own."""
    if not isinstance(value, (dict, list)) or (isinstance(value, list) and not isinstance(value[0], list)):
        return json.dumps(value, ensure_ascii=False)
    pad = "\n" + " " * (indent + 2)
    if isinstance(value, list):
        return "[" + pad + ("," + pad).join(text(item, indent + 2) for item in value) + "]"
    items = (f"{json.dumps(key)}: {text(item, indent + 2)}" for key, item in value.items())
    return "{" + pad + ("," + pad).join(items) + "\n" + " " * indent + "}"


def write(name, source, content):
    (HERE / f"{name}.json").write_text(text({"_source": source, **content}) + "\n", encoding="utf-8")


def read_inputs():
    """State, query and memory from the files as they are."""
    problem = json.loads((HERE / "torch_mha_cross_padded.json").read_text(encoding="utf-8"))
    state = state_from_weights(problem["weights"])
    return state, problem["embeddings"], problem["memory"]["embeddings"]


def draw_inputs(torch, seed):
    torch.manual_seed(seed)
    layer = torch.nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True)
    torch.nn.init.uniform_(layer.in_proj_bias, -0.5, 0.5)
    torch.nn.init.uniform_(layer.out_proj.bias, -0.5, 0.5)
    state = {name: tensor.double().tolist() for name, tensor in layer.state_dict().items()}
    query, memory = torch.randn(N_QUERIES, D_MODEL), torch.randn(N_MEMORY, D_MODEL)
    return state, query.double().tolist(), memory.double().tolist()


def expected(torch, state, query, memory):
    """What PyTorch computes for the two problems, weights per head."""
    layer = torch.nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True).double().eval()
    layer.load_state_dict({name: torch.tensor(rows).double() for name, rows in state.items()})
    x = torch.tensor([query], dtype=torch.float64)
    m = torch.tensor([memory], dtype=torch.float64)
    later = torch.ones(N_QUERIES, N_QUERIES, dtype=torch.bool).triu(1)
    padding = torch.tensor([[j >= 3 for j in range(N_MEMORY)]])
    with torch.no_grad():
        runs = {
            "torch_mha_self_causal": layer(x, x, x, attn_mask=later, average_attn_weights=False),
            "torch_mha_cross_padded": layer(
                x, m, m, key_padding_mask=padding, average_attn_weights=False
            ),
        }
    return {
        name: {"weights": weights[0].tolist(), "output": output[0].tolist()}
        for name, (output, weights) in runs.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, help="draw new inputs and weights")
    seed = parser.parse_args().seed

    import torch

    torch.set_default_dtype(torch.float32)
    state, query, memory = read_inputs() if seed is None else draw_inputs(torch, seed)
    source = SOURCE.format(torch.__version__)
    for name, problem in problems(state, query, memory).items():
        write(name, source, problem)
    for name, answers in expected(torch, state, query, memory).items():
        write(name + ".expected", source, answers)


if __name__ == "__main__":
    main()
