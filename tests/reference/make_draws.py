#!/usr/bin/env python3
"""Makes draws.json: matrices that PyTorch and NumPy draw after others from the same seed.

Each is beside the object that describes it in a problem.

    python3 make_draws.py

The numbers in the repository come from PyTorch 1.13.0 on a CPU with AVX2, and NumPy 1.24.2.
"""
import json
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent


def torch_cases():
    torch.manual_seed(42)
    a, b, c = torch.randn(3, 2), torch.randn(2, 2), torch.randn(3, 3)
    yield {"randn": [3, 2], "seed": 42}, a
    yield {"randn": [2, 2], "seed": 42, "skip": 6}, b
    yield {"randn": [3, 3], "seed": 42, "skip": [6, 4]}, c
    torch.manual_seed(7)
    a, b, c, d = torch.randn(3, 1), torch.randn(1, 5), torch.randn(4, 5), torch.randn(2, 4)
    yield {"randn": [1, 5], "seed": 7, "skip": 3}, b  # an odd number of numbers leaves one
    yield {"randn": [4, 5], "seed": 7, "skip": [3, 5]}, c
    yield {"randn": [2, 4], "seed": 7, "skip": [{"randn": [3]}, 5, {"randn": [4, 5]}]}, d
    torch.manual_seed(1)
    torch.randn(8, 32)
    yield {"randn": [4, 4], "seed": 1, "skip": 256}, torch.randn(4, 4)
    torch.manual_seed(123)
    a, b = torch.rand(6, 3), torch.rand(3, 2)
    yield {"rand": [3, 2], "seed": 123, "skip": 18}, b
    torch.manual_seed(5)
    a, b, c = torch.randint(0, 10, (3, 4)), torch.randint(-3, 4, (2, 2)), torch.randn(2, 2)
    yield {"randint": [3, 4], "high": 10, "seed": 5}, a
    yield {"randint": [2, 2], "low": -3, "high": 4, "seed": 5, "skip": 12}, b
    yield {"randn": [2, 2], "seed": 5, "skip": [{"randint": [4, 4], "high": 2}]}, c
    torch.manual_seed(789)
    q, k = torch.nn.Linear(3, 2, bias=False), torch.nn.Linear(3, 2)
    yield {"linear": [3, 2], "seed": 789}, q.weight.T
    yield {"linear": [3, 2], "seed": 789, "skip": 6}, k.weight.T
    bias = {"linear": [3, 2], "bias": True, "seed": 789, "skip": [{"linear": [3, 2]}, 6]}
    yield bias, k.bias
    torch.manual_seed(0)
    big = torch.nn.Linear(48, 16, bias=False)
    yield {"linear": [48, 16], "seed": 0}, big.weight.T
    torch.manual_seed(42)
    x = torch.rand(4, 8)
    yield {"linear": [8, 4], "seed": 42, "skip": [{"rand": [4, 8]}]}, torch.nn.Linear(8, 4).weight.T


def numpy_cases():
    np.random.seed(42)
    a, b, c = np.random.randn(3, 4), np.random.randn(4, 3), np.random.randn(5, 5)
    yield {"randn": [3, 4], "seed": 42, "numpy": True}, a
    yield {"randn": [4, 3], "seed": 42, "skip": 12, "numpy": True}, b
    yield {"randn": [5, 5], "seed": 42, "skip": 24, "numpy": True}, c
    np.random.seed(0)
    a, b = np.random.randn(3, 3), 0.1 * np.random.randn(3, 3)
    yield {"randn": [3, 3], "seed": 0, "skip": 9, "std": 0.1, "numpy": True}, b
    np.random.seed(4294967295)
    a, b = np.random.rand(3, 4), np.random.rand(2, 2)
    yield {"rand": [3, 4], "seed": 4294967295, "numpy": True}, a
    yield {"rand": [2, 2], "seed": 4294967295, "skip": 12, "numpy": True}, b
    np.random.seed(42)
    a, b, c = np.random.randint(0, 3, (3, 3)), np.random.randint(-5, 5, (4, 4)), np.random.randn(2, 2)
    yield {"randint": [3, 3], "high": 3, "seed": 42, "numpy": True}, a
    yield {"randint": [4, 4], "low": -5, "high": 5, "seed": 42, "numpy": True,
           "skip": [{"randint": [3, 3], "high": 3}]}, b
    yield {"randn": [2, 2], "seed": 42, "numpy": True,
           "skip": [{"randint": [3, 3], "high": 3}, {"randint": [4, 4], "low": -5, "high": 5}]}, c
    rng = np.random.default_rng(42)
    a, b = rng.random((3, 4)), rng.random((2, 2))
    yield {"rand": [3, 4], "seed": 42, "numpy": "default_rng"}, a
    yield {"rand": [2, 2], "seed": 42, "skip": 12, "numpy": "default_rng"}, b
    rng = np.random.default_rng(2**53)
    a, b, c = rng.integers(0, 10, (3, 3)), rng.integers(-100, 1000, (4, 4)), rng.random((1, 3))
    yield {"randint": [3, 3], "high": 10, "seed": 2**53, "numpy": "default_rng"}, a
    yield {"randint": [4, 4], "low": -100, "high": 1000, "seed": 2**53, "skip": 9, "numpy": "default_rng"}, b
    yield {"rand": [1, 3], "seed": 2**53, "numpy": "default_rng",
           "skip": [{"randint": [25], "high": 10}]}, c


def main():
    cases = []
    for source, numbers in [*torch_cases(), *numpy_cases()]:
        values = numbers.detach().double().numpy() if isinstance(numbers, torch.Tensor) else numbers
        case = {"source": source, "shape": list(values.shape), "values": values.ravel().astype(float).tolist()}
        cases.append("    " + json.dumps(case))
    origin = f"PyTorch {torch.__version__}, NumPy {np.__version__}"
    text = f'{{\n  "_source": {json.dumps(origin)},\n  "cases": [\n' + ",\n".join(cases) + "\n  ]\n}\n"
    (HERE / "draws.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
