#!/usr/bin/env python3
"""The schemas against samples, their traces and broken files.

Usage: schema_test.py ATTN SOURCE_DIR. Exit code 77 (skipped) without jsonschema 4 or newer.
"""

import json
import pathlib
import shutil
import re
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: python3-jsonschema 4 or newer is not installed")
    sys.exit(77)

ATTN, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def attn(*args, stdin=None):
    return subprocess.run([ATTN, *args], input=stdin, capture_output=True, encoding="utf-8")


def validator(name):
    schema = json.loads(attn("schema", name).stdout)
    Draft202012Validator.check_schema(schema)
    if schema["$id"] != f"urn:attn:{name}:1":
        failures.append(f"schema {name}: $id is not its name and major version")
    return Draft202012Validator(schema)


PROBLEM, TRACE, ANSWERS, CHECK, CELL, COMPARE, GENERATE, TOKENS, SHEET, SPEC, EXERCISE, CLASS = (
    validator(name) for name in ("problem", "trace", "answers", "check", "cell", "compare", "generate", "tokens",
                                 "sheet", "spec", "exercise", "class"))


def check(schema, what, instance, good):
    error = next(schema.iter_errors(instance), None)
    if good and error is not None:
        failures.append(f"{what}: {error.message[:200]} at {list(error.absolute_path)}")
    if not good and error is None:
        failures.append(f"{what}: is valid, but should not be")


def check_problem(what, problem, good):
    """The program has to agree with the schema."""
    check(PROBLEM, what, problem, good)
    ran = attn("explain", "-", "--json", stdin=json.dumps(problem))
    if (ran.returncode == 0) != good:
        failures.append(f"{what}: attn ends with exit code {ran.returncode}\n{ran.stderr}")
    if ran.returncode == 0:
        check(TRACE, what + " (its trace)", json.loads(ran.stdout), True)


def changed(document, path, value):
    """A copy with another value at the path, or nothing there for `...`."""
    copy = json.loads(json.dumps(document))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return copy


SMALL = {
    "tokens": ["a", "b"],
    "embeddings": [[1, 0], [0, 1]],
    "weights": {"w_q": [[1, 0], [0, 1]], "w_k": [[1, 0], [0, 1]], "w_v": [[1, 0], [0, 1]]},
}
GIVEN = {"q": [[1, 2]], "k": [[1, 2]], "v": [[3, 4]]}
GOOD_PROBLEMS = [
    ({}, SMALL),
    ({"_comment": [1], "$schema": "x", "format": "attn.problem", "format_version": "1.3"}, SMALL),
    ({"mask": ["causal", "padding:1", "window:1,1", "keys:a"]}, SMALL),
    ({"mask": [], "heads": 2, "kv_heads": 2, "scale": 0.5, "softcap": 3, "dtype": "float16"}, SMALL),
    ({"allowed": [1, 0], "bias": [[0, "-Infinity"], [1.5, 0]], "align": "end"}, SMALL),
    ({"allowed": [[[True, False]]], "empty_row": "uniform", "scale": "none"}, SMALL),
    ({"masking": {"mode": "add", "fill": "-inf", "_why": 1}, "mask": "causal"}, SMALL),
    ({"positions": "sinusoidal"}, SMALL),
    ({"positions": {"kind": "rope", "base": 100, "rotary_dim": 2, "offset": 3}}, SMALL),
    ({"positions": {"kind": "alibi", "slopes": [0.5]}}, SMALL),
    ({"embeddings": {"randn": [2, 2], "seed": 1, "std": 0.5}}, SMALL),
    ({"embeddings": {"randn": [2, 2], "seed": 1, "skip": [6, {"rand": [2]}], "numpy": True}}, SMALL),
    ({"embeddings": {"randint": [2, 2], "high": 5, "seed": 1, "skip": {"randint": [2], "high": 3}, "numpy": "default_rng"}}, SMALL),
    ({"weights": {**SMALL["weights"], "b_q": {"linear": [2, 2], "bias": True, "seed": 3, "skip": [{"linear": [2, 2]}]}}}, SMALL),
    ({"hidden": [[0, 1], [False, True]], "dropout": {"p": 0.5, "keep": [[1, 0], [1, 1]]}}, SMALL),
    ({"layout": "columns", "target": [[1, 0], [0, 1]]}, SMALL),
    ({"attention_weights": [[0.5, 0.5]], "v": [[1], [2]], "heads": 1}, {}),
    ({"embeddings": [[1, 0]], "weights": {"w_v": [[1], [2]]}}, {}),
    ({"weights": {"W_query": {"eye": 2}, "W_key": {"eye": 2}, "W_value": {"eye": 2}}}, SMALL),
    ({"weights": {"qkv_layer.weight": {"rand": [6, 2], "seed": 1}, "mask": [[1, 0], [1, 1]]}, "fused": "per-head", "heads": 2}, SMALL),
    ({"weights": {f"heads.{n}.{p}.weight": [[1, 0]] for n in (0, 1) for p in ("query", "key", "value")}}, SMALL),
    ({"embeddings": "[[1. 0.]\n [0. 1.]]", "bias": "0, -inf; 1, 0"}, SMALL),
    ({"embeddings": "\\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}", "allowed": "1 0; 1 1"}, SMALL),
    ({"embeddings": [1, 0], "tokens": ["a"]}, SMALL),
    ({"embeddings": [["1/2", "√2/2"], ["e/(e+1)", "−0.5"]], "bias": [["-1/2", "-Infinity"]]}, SMALL),
    ({"embeddings": {"eye": 2}, "bias": {"zeros": [2, 2]}, "allowed": {"ones": [2, 2]}}, SMALL),
    ({"memory": {"tokens": ["c"], "embeddings": [[1, 1]]}}, SMALL),
    ({"past": {"k": [[1, 1]], "v": [[2, 2]], "tokens": ["p"]}, "key_lengths": [2]}, SMALL),
    ({"weights": {**SMALL["weights"], "bias_k": [1, 0], "bias_v": [0, 1], "add_zero_attn": True}}, SMALL),
    ({"weights": {"query.weight": [[1, 0], [0, 1]], "key.weight": {"eye": 2}, "value.weight": [[1, 0], [0, 1]]}, "heads": 1}, SMALL),
    ({"weights": {"in_proj_weight": {"randn": [6, 2], "seed": 0}, "out_proj.weight": {"eye": 2}}, "heads": 2}, SMALL),
    ({"key_tokens": ["k"], "title": "", "description": ""}, GIVEN),
    ({"embeddings": [[1, 0]]}, {}),
    ({"embeddings": {"rand": [2, 2], "seed": 7}, "mask": "queries"}, SMALL),
    ({"masking": {"before_scale": True}, "mask": "causal"}, SMALL),
    ({"memory": {"embeddings": [[1, 1]], "values": [[1, 1]]}}, SMALL),
    ({"memory": {"tokens": ["a"], "embedding_table": {"a": [1, 1]}}}, SMALL),
    ({"q": [[[[1]]]], "k": [[[[1]]]], "v": [[[[1]]]]}, {}),
]
BROKEN_PROBLEMS = [
    ({"heds": 2}, SMALL),
    ({"heads": 0}, SMALL),
    ({"heads": 1.5}, SMALL),
    ({"heads": "2"}, SMALL),
    ({"kv_heads": 1}, SMALL),
    ({"format": "attn.answers"}, SMALL),
    ({"format_version": "2.0"}, SMALL),
    ({"title": 1}, SMALL),
    ({"tokens": []}, SMALL),
    ({"tokens": ["a", 1]}, SMALL),
    ({"embeddings": [["one", 0], [0, 1]]}, SMALL),
    ({"embeddings": [[[[1, 0], [0, 1]]]]}, SMALL),
    ({"embeddings": {"randn": [2, 2]}}, SMALL),
    ({"embeddings": {"random": [2, 2]}}, SMALL),
    ({"embeddings": {"randn": [2, 2], "seed": 1, "numpy": "default_rng"}}, SMALL),
    ({"embeddings": {"linear": [2, 2], "seed": 1, "numpy": True}}, SMALL),
    ({"embeddings": {"randint": [2, 2], "seed": 1}}, SMALL),
    ({"embeddings": {"randn": [2, 2], "seed": 1, "skip": {"randn": [2], "seed": 2}}}, SMALL),
    ({"embeddings": {"file": "x.doc"}}, SMALL),
    ({"weights": {"w_q": [[1, 0], [0, 1]], "w_k": [[1, 0], [0, 1]], "w_v": [[1, 0], [0, 1]], "w_x": [[1]]}}, SMALL),
    ({"embeddings": "one row"}, SMALL),
    ({"hidden": [[2, 1], [0, 1]]}, SMALL),
    ({"dropout": {"p": 1, "keep": [[1, 1]]}}, SMALL),
    ({"dropout": {"p": 0.5}}, SMALL),
    ({"layout": "cols"}, SMALL),
    ({"target": "none"}, SMALL),
    ({"attention_weights": 1, "v": [[1]]}, {}),
    ({"fused": "heads"}, SMALL),
    ({"weights": []}, SMALL),
    ({"mask": "casual"}, SMALL),
    ({"mask": "window"}, SMALL),
    ({"mask": "keys:"}, SMALL),
    ({"mask": [[1, 0], [0, 1]]}, SMALL),
    ({"allowed": [[2, 0], [0, 1]]}, SMALL),
    ({"bias": [["NaN", 0], [0, 1]]}, SMALL),
    ({"key_lengths": [-1]}, SMALL),
    ({"align": "middle"}, SMALL),
    ({"masking": "add"}, SMALL),
    ({"masking": {"mode": "erase"}}, SMALL),
    ({"masking": {"fill": "Infinity"}}, SMALL),
    ({"empty_row": 0}, SMALL),
    ({"scale": "a half"}, SMALL),
    ({"softcap": 0}, SMALL),
    ({"positions": "rotary"}, SMALL),
    ({"positions": {"base": 10}}, SMALL),
    ({"positions": {"kind": "alibi", "base": 10}}, SMALL),
    ({"positions": {"kind": "rope", "rotary_dim": 1}}, SMALL),
    ({"dtype": "float8"}, SMALL),
    ({"memory": {"tokens": ["c"]}}, SMALL),
    ({"past": {"k": [[1, 1]]}}, SMALL),
    ({"q": [[1]]}, {}),
    ({**SMALL}, GIVEN),
    ({}, {}),
]

samples = sorted((SOURCE / "samples").glob("*.json"))
for path in samples:
    check_problem(path.name, json.loads(path.read_text("utf-8")), True)
for path in samples:
    trace = attn("explain", str(path), "--json", "--detail", "full").stdout
    check(TRACE, f"trace of {path.name}", json.loads(trace), True)
for page in (SOURCE / "README.md", SOURCE / "docs/problem-format.md"):
    if page.exists():
        for block in re.findall(r"```json\n(\{.*?\n)```", page.read_text("utf-8"), re.DOTALL):
            if '"file"' not in block:
                check_problem(f"{page.name}: {block[:60]}", json.loads(block), True)
for change, base in GOOD_PROBLEMS:
    check_problem(f"problem with {change}", {**base, **change}, True)
models = {path.stem: json.loads(path.read_text("utf-8"))
          for path in sorted((SOURCE / "tests/reference/models").glob("*.json"))
          if not path.name.endswith(".expected.json")}
for name, problem in models.items():
    check(PROBLEM, name, problem, True)
gpt2 = models["gpt2_bare"]
for change in ({"ids": ["a"]}, {"ids": []}, {"ids": ...}, {"model": {}}, {"model": {"kind": "gpt3"}},
               {"model": ...}, {"labels": [True]}, {"source_mask": "causal"},
               {"weights": {"file": "model.bin"}}):
    broken = {key: value for key, value in {**gpt2, **change}.items() if value is not ...}
    check_problem(f"model with {list(change)}", broken, False)
for change, base in BROKEN_PROBLEMS:
    check_problem(f"problem with {change}", {**base, **change}, False)

whole = json.loads(attn("explain", "--mask", "causal", "--positions", "rope", "--detail", "full", "--json").stdout)
BROKEN_TRACES = [
    (["steps", "weights", "colour"], "red"),
    (["colour"], "red"),
    (["settings", "colour"], "red"),
    (["settings", "heads"], 0),
    (["settings", "dtype"], "float8"),
    (["format"], "attn.problem"),
    (["format_version"], "2.0"),
    (["order"], ...),
    (["order"], ["x", "x"]),
    (["tokens", "key"], ...),
    (["notes"], "none"),
    (["steps", "weigths"], whole["steps"]["weights"]),
    (["steps", "weights", "data"], [1.0]),
    (["steps", "weights", "data", 0, 0], "-inf"),
    (["steps", "scaled_scores", "parameters", "factor"], None),
    (["steps", "weights", "shape"], [5]),
    (["steps", "weights", "parameters"], ...),
    (["steps", "weights", "parameters", "empty_row"], "one"),
    (["steps", "scaled_scores", "parameters", "divisor"], 2.0),
    (["steps", "scaled_scores", "parameters", "factor"], ...),
    (["steps", "q_rotated", "parameters", "rotary_dim"], 3),
    (["steps", "masked_scores", "parameters", "fill"], "-inf"),
    (["steps", "mask", "hidden_by", "names"], ...),
    (["givens", "w_x"], whole["givens"]["w_q"]),
]
check(TRACE, "a whole trace", whole, True)
with_null = json.loads(attn("explain", "--mask", "causal", "--json", "--nonfinite", "null").stdout)
check(TRACE, "a trace with null", with_null, True)
if with_null["steps"]["masked_scores"]["data"][0][1] is not None:
    failures.append("--nonfinite null: a hidden score is not null")
for path, value in BROKEN_TRACES:
    check(TRACE, f"trace with {value if value is not ... else 'nothing'!r} at {path}", changed(whole, path, value), False)

GOOD_ANSWERS = [
    {"weights": [[1, 0.5], ["3/4", "1e-2"], ["−0.5", "-Infinity"], [None, "?"], ["_", ""]], "_name": "s001"},
    {"scores": [[[1, 2], [3, 4]]], "output": [[[["-1.5e+3", " 1 / 3 "]]]]},
    {step: data["data"] for step, data in whole["steps"].items()},
]
BROKEN_ANSWERS = [
    {},
    [],
    {"weigths": [[1]]},
    {"weights": [1]},
    {"weights": 1},
    {"weights": [[True]]},
    {"weights": [["half"]]},
    {"weights": [["1/2/3"]]},
    {"weights": [[{}]]},
    {"weights": []},
    {"_comment": "nothing answered", "format": 1},
]
for answers in GOOD_ANSWERS:
    check(ANSWERS, f"answers {str(answers)[:60]}", answers, True)
for answers in BROKEN_ANSWERS:
    check(ANSWERS, f"answers {str(answers)[:60]}", answers, False)

def number(*args):
    return json.loads(attn("explain", "--json", "--mask", "causal", *args).stdout)


for args in (["--cell", "output:0,0"], ["--cell", "M:0,1", "--depth", "1"], ["--cell", "x:0,0"],
             ["--cell", "A:1,0", "--heads", "2", "--head", "1"], ["--cell", "M:0,1", "--nonfinite", "null"], ["--cell", "output:cat"], ["--cell", "cat,the"]):
    check(CELL, f"a cell: {args}", number(*args), True)
tree = number("--cell", "A:1,0")
BROKEN_CELLS = [
    (["format"], "attn.trace"),
    (["format_version"], ...),
    (["color"], "red"),
    (["value"], "1"),
    (["cell", "row"], -1),
    (["cell", "col"], ...),
    (["repeated"], True),
    (["expression"], ...),
    (["operands"], []),
    (["operands", 0, "name"], ...),
    (["operands", 0, "colour"], "red"),
]
for path, value in BROKEN_CELLS:
    check(CELL, f"cell with {value if value is not ... else 'nothing'!r} at {path}", changed(tree, path, value), False)

for sides in [("mask=none", "mask=causal"), ("heads=1", "heads=2"), ("masking=add", "dtype=float32"),
              ("fill=0,mask=causal", "fill=-inf,mask=causal"), ("fault=mask.missing", "mask=causal")]:
    ran = attn("compare", "--mask", "causal", "--left", sides[0], "--right", sides[1], "--json")
    if ran.returncode != 0:
        failures.append(f"compare {sides}: exit code {ran.returncode}\n{ran.stderr}")
        continue
    compared = json.loads(ran.stdout)
    check(COMPARE, f"compare {sides}", compared, True)
for path, value in [(["format"], "attn.trace"), (["left"], ...), (["first_different"], 3),
                    (["steps", 0, "in"], "none"), (["steps", 0, "max_difference"], "-Infinity"),
                    (["steps", 0, "max_difference"], -1), (["steps", 0, "mean_difference"], ...),
                    (["steps", 0, "first_difference"], [0, 0]), (["steps", 0, "id"], ...)]:
    check(COMPARE, f"comparison with {value!r} at {path}", changed(compared, path, value), False)

for sample in ["15-induction", "17-english-french"]:
    ran = attn("generate", str(SOURCE / f"samples/{sample}.json"), "--count", "3", "--json")
    generated = json.loads(ran.stdout)
    check(GENERATE, f"attn generate {sample}", generated, True)
for path, value in [(["format"], "attn.trace"), (["end"], "ended"), (["tokens", 0, "id"], -1),
                    (["tokens", 0, "token"], 3), (["tokens", 0, "probability"], "high"), (["prompt"], ...)]:
    check(GENERATE, f"generated text with {value!r} at {path}", changed(generated, path, value), False)

# Reports of attn check: right, wrong, blank, unreadable, of another shape; with heads and a batch.
problem = str(SOURCE / "samples/09-batch.json")
first_try = str(SOURCE / "samples/answers/first-try.json")
one_head = str(SOURCE / "samples/01-one-head.json")
check(ANSWERS, "first-try.json", json.loads(pathlib.Path(first_try).read_text("utf-8")), True)
trace = json.loads(attn("explain", problem, "--json").stdout)["steps"]
weights = trace["weights"]["data"]
reports = []
for what, answers in {
    "right": {"weights": weights},
    "wrong": {"weights": changed(weights, [0, 1, 0, 0], 7)},
    "blank and unreadable": {"weights": changed(changed(weights, [0, 0, 0, 0], None), [1, 1, 0, 0], "half")},
    "ragged": {"weights": changed(weights, [0, 0, 0], [1])},
    "of another shape": {"weights": weights[0], "scores": [[1, 2]]},
}.items():
    for options in ([], ["--reveal"], ["--exact"]):
        ran = attn("check", "-", "--problem", problem, "--json", *options, stdin=json.dumps(answers))
        if ran.returncode not in (0, 1):
            failures.append(f"attn check of answers that are {what}: {ran.stderr}")
            continue
        reports.append(json.loads(ran.stdout))
        check(CHECK, f"the report about answers that are {what}", reports[-1], True)
        if reports[-1]["right"] != (what == "right"):
            failures.append(f"answers that are {what}: right is {reports[-1]['right']}")
report = json.loads(attn("check", first_try, "--problem", one_head, "--json", "--reveal").stdout)
check(CHECK, "the report about first-try.json", report, True)
if list(report) != ["format", "format_version", "generator", "right", "complete", "first_wrong",
                    "tolerance", "score", "max_score", "steps", "findings", "notes",
                    "tried"]:
    failures.append(f"check: the keys are {list(report)}")
if [len(row) for row in report["steps"][1]["cells"]] != [5] * 5:
    failures.append("check: cells do not have the shape of the step")
finding = next(i for i, step in enumerate(report["steps"]) if step["findings"])
for rule in json.loads(attn("exercise", "rules", "--json").stdout):
    named = changed(report, ["steps", finding, "findings", 0, "code"], rule["code"])
    check(CHECK, f"a report with {rule['code']}", named, True)
BROKEN_REPORTS = [
    (["right"], ...),
    (["first_wrong"], 2),
    (["tolerance", "absolute"], -1),
    (["steps", 1, "verdict"], "almost"),
    (["steps", 1, "cells", 0, 0], "maybe"),
    (["steps", 1, "findings", 0, "code"], "Scale"),
    (["steps", 1, "findings", 0, "confidence"], "sure"),
    (["steps", 1, "first_cell", "row"], -1),
    (["format"], "attn.trace"),
]
for path, value in BROKEN_REPORTS:
    check(CHECK, f"report with {value!r} at {path}", changed(report, path, value), False)

# The files of exercises, of every preset; the specifications that the program takes.
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "roster.csv").write_text("id\ns001\n../x\n", "utf-8")
    attn("exercise", "make", "--preset", "softmax", "--roster", str(folder / "roster.csv"), "--new-salt",
         str(folder / "salt"), "-o", str(folder / "class"))
    for preset in SPEC.schema["properties"]["preset"]["enum"]:
        attn("exercise", "make", "--preset", preset, "-o", str(folder / preset))
    sheets = [*folder.glob("*/sheets/*.json"), *folder.glob("*/key/answers/*.json")]
    if len(sheets) != 2 * (2 + 7):
        failures.append(f"there are {len(sheets)} sheets and solved sheets")
    for path in sheets:
        sheet = json.loads(path.read_text("utf-8"))
        check(SHEET, str(path), sheet, True)
        if "find-the-bug" not in str(path) and "inverse" not in str(path):  # they show only what the sheet shows
            check(PROBLEM, f"the problem of {path}", sheet["problem"], True)
    for path in folder.glob("*/key/exercise.json"):
        key = json.loads(path.read_text("utf-8"))
        check(EXERCISE, str(path), key, True)
        check(SPEC, f"the spec in {path}", key["spec"], True)
    for path in folder.glob("*/sheets/*.json"):
        judged_by = ["--key", str(path.parents[1] / "key")] if "find-the-bug" in str(path) else []
        check(CHECK, f"the report about {path}", json.loads(attn("check", str(path), *judged_by, "--json").stdout), True)
    for made in ("class", "find-the-bug"):  # the key handed in as answers, and a broken file
        handed_in = folder / f"from-{made}"
        shutil.copytree(folder / made / "key" / "answers", handed_in)
        (handed_in / "broken.json").write_text("{", "utf-8")
        ran = attn("check", str(handed_in), "--key", str(folder / made / "key"), "--json")
        summary = json.loads(ran.stdout)
        check(CLASS, f"the summary of {made}", summary, True)
        for path, value in [(["graded"], -1), (["status"], ...), (["steps", 0, "points"], "2"), (["format"], "attn.trace")]:
            check(CLASS, f"summary with {value!r} at {path}", changed(summary, path, value), False)
    for path, value in [(["seal"], "sha256:0"), (["blanks", "weights", 0, 0], 2), (["variant"], ...),
                        (["answers", "weigths"], [[1]]), (["points", "weights"], -1), (["format"], "attn.trace")]:
        check(SHEET, f"sheet with {value!r} at {path}", changed(sheet, path, value), False)
    for path, value in [(["salt"], "0"), (["salt"], "xy"), (["spec"], ...), (["generator"], 1)]:
        check(EXERCISE, f"key with {value!r} at {path}", changed(key, path, value), False)
    SPECS = [({"preset": "self"}, True), ({"preset": "self", "_why": 1, "blanks": "12.5%"}, True),
             ({"preset": "self", "mask": "causal", "steps": {"weights": 3, "scores": 0}}, True),
             ({"problem": {"q": [[1, 2], [2, 0]], "k": [[0, 1], [3, 1]], "v": [[4], [2]]}, "self_check": "cells", "title": "t", "instructions": "i"}, True),
             ({"problem": 3}, False), ({"problem": {"students": {}}}, False), ({"preset": "self", "self_check": "on"}, False),
             ({"preset": "slef"}, False), ({"preset": "self", "blank": "all"}, False),
             ({"preset": "self", "blanks": "half"}, False), ({"preset": "self", "decimals": 9}, False),
             ({"preset": "self", "tokens": 0}, False), ({"preset": "self", "steps": {}}, False),
             ({"preset": "self", "steps": {"weights": -1}}, False), ({"preset": "self", "heads": "2"}, False),
             ({"preset": "self", "name": "a b"}, False), ({"preset": "self", "accept_within": 0}, False)]
    for number, (spec, good) in enumerate(SPECS):
        check(SPEC, f"spec {spec}", spec, good)
        (folder / "spec.json").write_text(json.dumps(spec), "utf-8")
        ran = attn("exercise", "make", "--spec", str(folder / "spec.json"), "-o", str(folder / f"spec{number}"))
        if (ran.returncode == 0) != good:
            failures.append(f"spec {spec}: attn ends with exit code {ran.returncode}\n{ran.stderr}")

if len(samples) < 10:
    failures.append(f"only {len(samples)} samples were found")
for failure in failures:
    print("FAILED:", failure)
print(f"{len(samples)} samples and their traces, "
      f"{len(BROKEN_PROBLEMS) + len(BROKEN_TRACES) + len(BROKEN_ANSWERS) + len(BROKEN_REPORTS)} broken files")
sys.exit(1 if failures else 0)
