#!/usr/bin/env python3
"""Families of models: tiny checkpoints whose numbers PyTorch made, read by attn.

    families_test.py ATTN [NAME...]

Skipped (exit code 77) without PyTorch.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "reference"))
try:
    import make_expert_families
    import make_families
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

ATTN = sys.argv[1]
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


def run(*args):
    made = subprocess.run([ATTN, *args], capture_output=True, text=True)
    if made.returncode != 0:
        raise RuntimeError(f"attn {' '.join(args)}: {made.stderr}")
    return made.stdout


def source_of(folder, expected):
    """The options that give what an encoder reads."""
    source = expected.get("source")
    if source is None:
        return []
    if isinstance(source[0], int):
        return ["--source-ids", ids_text(source)]
    (folder / "source.json").write_text(json.dumps(source))
    return ["--source-rows", str(folder / "source.json")]


def ids_text(ids):
    return ",".join(str(i) for i in ids)


def steps_of(folder, given, wanted, more=()):
    """`given`: ids, or the option that gives embeddings and its file."""
    source = given if isinstance(given[0], str) else ["--ids", ids_text(given)]
    text = run("explain", str(folder), *source, *more, "--steps", ",".join(wanted), "--json")
    return {name: step["data"] for name, step in json.loads(text)["steps"].items()}


def numbers(tree):
    return [x for item in tree for x in numbers(item)] if isinstance(tree, list) else [tree]


def gap(expected, found):
    one, other = numbers(expected), numbers(found)
    if len(one) != len(other):
        return float("inf")
    return max(abs(a - (0.0 if b is None else b)) for a, b in zip(one, other))


def check_family(folder):
    name = folder.name
    expected = json.loads((folder / "expected.json").read_text())
    wanted = {scope + ".weights": a for scope, a in expected["weights"].items()}
    wanted |= {last: expected[last] for last in ("logits", "output") if last in expected}
    if "embeddings" in expected:
        (folder / "x.json").write_text(json.dumps(expected["embeddings"]))
    given = expected.get("ids") or ["--embeddings", str(folder / "x.json")]
    source = source_of(folder, expected)
    found = steps_of(folder, given, list(wanted), source)
    for step, right in wanted.items():
        check(step in found and gap(right, found[step]) < 1e-9,
              f"{name}: {step} differs by {gap(right, found.get(step, []))}")
    if not expected["generated"]:
        return
    for more in ([], ["--no-cache"]):
        count = str(len(expected["generated"]))
        text = run("generate", str(folder), "--ids", ids_text(expected["ids"]), "--count", count, "--json",
                   *source, *more)
        got = [token["id"] for token in json.loads(text)["tokens"]]
        check(got == expected["generated"], f"{name}: generates {got}, not {expected['generated']}")


def check_window(folder, scope, window, ids):
    """A query sees itself and window - 1 keys before it, no more and no fewer."""
    weights = steps_of(folder, ids, [scope + ".weights"])[scope + ".weights"]
    for head in weights:
        for i, row in enumerate(head):
            seen = [j for j, a in enumerate(row) if a > 0]
            check(seen == list(range(max(0, i - window + 1), i + 1)), f"{folder.name}: query {i} sees {seen}")


def check_prefix(folder, prefix, layer, module, reads="norm1"):
    """One attention alone, with the settings of its layer, has the weights that it has in the model."""
    scope = f"layers.{layer}.{module}"
    read = f"layers.{layer}.norm1" if reads == "norm1" else f"layers.{layer - 1}.{reads}"
    whole = steps_of(folder, make_families.IDS, [read, scope + ".weights"])
    x = folder / "norm.json"
    x.write_text(json.dumps(whole[read]))
    text = run("explain", str(folder), "--prefix", f"{prefix}{scope}.", "--embeddings", str(x), "--steps", "weights",
               "--json")
    alone = json.loads(text)["steps"]["weights"]["data"]
    check(gap(whole[scope + ".weights"], alone) < 1e-12, f"{folder.name}: {scope} alone differs")


def check_alone(folder, prefix, scope, norm, cross):
    """The same for an attention of an encoder-decoder, with the encoder's output as its memory."""
    expected = json.loads((folder / "expected.json").read_text())
    whole = steps_of(folder, expected["ids"], [norm, "memory", scope + ".weights"], source_of(folder, expected))
    files = []
    for option, step in (("--embeddings", norm), ("--memory", "memory"))[: 2 if cross else 1]:
        path = folder / (step + ".json")
        path.write_text(json.dumps(whole[step]))
        files += [option, str(path)]
    text = run("explain", str(folder), "--prefix", f"{prefix}{scope}.", *files, "--steps", "weights", "--json")
    alone = json.loads(text)["steps"]["weights"]["data"]
    check(gap(whole[scope + ".weights"], alone) < 1e-12, f"{folder.name}: {scope} alone differs")


def rewrite(path, change):
    """The tensors of a file after change(name, list of numbers)."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        values = list(struct.unpack(f"<{(end - begin) // 8}d", body[begin:end]))
        body[begin:end] = struct.pack(f"<{len(values)}d", *change(name, values))
    path.write_bytes(data[: 8 + size] + bytes(body))


def check_unit_gains(folder, ids):
    """Weights of 0 mean a gain of 1: every row of a norm has a mean square of 1."""
    rewrite(folder / "model.safetensors", lambda name, v: [0.0] * len(v) if "norm" in name else v)
    for row in steps_of(folder, ids, ["norm"])["norm"]:
        square = sum(x * x for x in row) / len(row)
        check(abs(square - 1) < 1e-4, f"{folder.name}: the mean square of a row of norm is {square}")


def chosen_experts(folder, layer):
    """The scores of a router and, for each row, the experts that have a weight and these weights."""
    scope = f"layers.{layer}."
    steps = steps_of(folder, make_families.IDS, [scope + "router_scores", scope + "router_weights"])
    return steps[scope + "router_scores"], [{e: x for e, x in enumerate(row) if x != 0}
                                            for row in steps[scope + "router_weights"]]


def check_router(folder, layer, count, total, groups=None):
    """So many experts in each row; their weights add up to `total`, or are `factor` times the scores (total: None,
    factor); of 3 groups of two, so many at most."""
    scores, rows = chosen_experts(folder, layer)
    for score, row in zip(scores, rows):
        check(len(row) == count, f"{folder.name}: a token chooses {sorted(row)}")
        sum_of_scores = sum(score[e] for e in row)
        factor = total[1] if isinstance(total, tuple) else total / sum_of_scores
        for e, weight in row.items():
            check(abs(weight - factor * score[e]) < 1e-12, f"{folder.name}: expert {e} has the weight {weight}")
        check(groups is None or len({e // 2 for e in row}) <= groups, f"{folder.name}: {sorted(row)} are of more groups")


def check_choice(folder, layer, change):
    """After `change` some token chooses other experts, from the same scores."""
    scores, before = chosen_experts(folder, layer)
    change(folder)
    same, after = chosen_experts(folder, layer)
    check(gap(scores, same) == 0, f"{folder.name}: the scores have changed")
    check(any(sorted(a) != sorted(b) for a, b in zip(before, after)), f"{folder.name}: all choose what they chose")


def all_groups(folder):
    path = folder / "config.json"
    path.write_text(path.read_text().replace('"topk_group": 1', '"topk_group": 3'))


def no_correction(folder):
    rewrite(folder / "model.safetensors", lambda name, v: [0.0] * len(v) if "correction_bias" in name else v)


def check_routers(root):
    """Mixtral, Qwen3-MoE and gpt-oss divide by the sum; Qwen2-MoE and DeepSeek-V2 do not; V3 does, then multiplies."""
    for name, layer, *rest in (("mixtral", 0, 2, 1), ("qwen2_moe", 0, 3, (None, 1)), ("qwen3_moe", 1, 3, 1),
                               ("gpt_oss", 3, 3, 1), ("deepseek_v2", 1, 2, (None, 16), 1),
                               ("deepseek_v2_lite", 2, 3, (None, 1)), ("deepseek_v3", 1, 2, 2.5, 2)):
        check_router(root / name, layer, *rest)
    check_choice(root / "deepseek_v2", 1, all_groups)
    check_choice(root / "deepseek_v3", 1, no_correction)
    check_router(root / "deepseek_v3", 1, 2, 2.5, 2)


def check_outline(folder, last):
    """Shapes of all steps, without a weight: their numbers are NaN."""
    rewrite(folder / "model.safetensors", lambda name, v: [float("nan")] * len(v))
    lines = run("explain", str(folder), "--outline").splitlines()
    found = [line.split("  ")[0] for line in lines if last in line]
    check(found, f"{folder.name}: the outline has no line with {last}")


# Tensors that a model may lack: those that attn does not read, copies of a table, and those that transformers
# fills in itself.
NOT_NEEDED = ("t5 encoder.embed_tokens", "t5 decoder.embed_tokens", "t5_gated encoder.embed_tokens",
              "t5_gated decoder.embed_tokens", "bart model.encoder.embed_tokens", "bart model.decoder.embed_tokens",
              "EncDecAttention.relative_attention_bias", "vit.embeddings.", "model.encoder.conv", "eh_proj.weight",
              "bart model.shared", "whisper model.encoder.embed_positions", "final_logits_bias")


def dropped_names(header):
    """The names of tensors, without the numbers of layers and experts."""
    return sorted({re.sub(r"\.\d+\.", ".#.", re.sub(r"\.\d+\.", ".#.", name)) for name in header})


def without(source, folder, pattern):
    """The model in a folder, without the tensors of that name in all layers and experts."""
    data = (source / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    text = re.escape(pattern).replace(r"\.\#\.", r"\.\d+\.")
    kept, body = {}, b""
    for name, entry in header.items():
        if name == "__metadata__" or re.fullmatch(text, name):
            continue
        begin, end = entry["data_offsets"]
        kept[name] = dict(entry, data_offsets=[len(body), len(body) + end - begin])
        body += data[8 + size + begin : 8 + size + end]
    made = json.dumps(kept).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(made)) + made + body)
    return header


def check_dropped(folder, place):
    """Without any tensor, in all layers at once, the model is refused: it never computes something else."""
    expected = json.loads((folder / "expected.json").read_text())
    lesser = place / folder.name
    lesser.mkdir()
    (lesser / "config.json").write_text((folder / "config.json").read_text())
    given = ["--ids", ids_text(expected["ids"])] if "ids" in expected else ["--embeddings", str(folder / "x.json")]
    for pattern in dropped_names(without(folder, lesser, "")):
        if pattern == "__metadata__":
            continue
        without(folder, lesser, pattern)
        made = subprocess.run([ATTN, "explain", str(lesser), *given, *source_of(folder, expected), "--outline"],
                              capture_output=True, text=True)
        needed = not any(part in f"{folder.name} {pattern}" for part in NOT_NEEDED)
        check((made.returncode == 3) == needed, f"{folder.name} without {pattern}: exit code {made.returncode}")
        last = ".".join(pattern.split(".#.")[-1].split(".")[-2:]).replace("wi_0", "wi")
        check(not needed or last in made.stderr, f"{folder.name} without {pattern}: {made.stderr}")


# Numbers of a configuration that change nothing in these models: of training, of generating, of what attn is given,
# or of what other keys say.
NO_EFFECT = ("dropout", "pdrop", "layerdrop", "init", "bos_token_id", "eos_token_id", "pad_token_id", "aux_loss",
             "max_position_embeddings", "pretraining_tp", "ep_size", "num_mel_bins", "max_source_positions",
             "max_target_positions", "image_size", "patch_size", "num_channels", "encoder_stride",
             "decoder_start_token_id", "experts_per_token", "initial_context_length", "num_nextn_predict_layers",
             "word_embed_proj_dim", "deepseek_v2_lite n_group", "deepseek_v2_lite topk_group", "bart num_hidden_layers",
             "whisper num_hidden_layers", "whisper_sinusoids num_hidden_layers", "rope_scaling/beta_",
             "falcon_alibi num_kv_heads", "falcon_multi_query num_kv_heads", "max_window_layers",
             "qwen3_moe intermediate_size", "smollm3 no_rope_layer_interval")


def changed_numbers(tree):
    """Each number of the configuration, and the configuration with another one in its place."""
    for key, value in tree.items():
        if isinstance(value, dict):
            for inner, changed in changed_numbers(value):
                yield f"{key}/{inner}", {**tree, key: changed}
        elif isinstance(value, int) and not isinstance(value, bool):
            yield key, {**tree, key: value + 1}
        elif isinstance(value, float):
            yield key, {**tree, key: value * 1.5 + 0.01}


def check_config(folder, place):
    """Every number of the configuration acts: another one gives other logits, or is refused."""
    expected = json.loads((folder / "expected.json").read_text())
    other = place / (folder.name + "_config")
    other.mkdir()
    (other / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    given = ["--ids", ids_text(expected["ids"])] if "ids" in expected else ["--embeddings", str(folder / "x.json")]
    last = "logits" if "logits" in expected else "output"
    for key, config in changed_numbers(json.loads((folder / "config.json").read_text())):
        (other / "config.json").write_text(json.dumps(config))
        made = subprocess.run([ATTN, "explain", str(other), *given, *source_of(folder, expected), "--steps", last,
                               "--json"], capture_output=True, text=True)
        acts = made.returncode == 3 or gap(expected[last], json.loads(made.stdout)["steps"][last]["data"]) > 1e-9
        idle = any(name in f"{folder.name} {key}" for name in NO_EFFECT)
        check(acts or idle, f"{folder.name}: another {key} changes nothing")


def tried(what, test, *args):
    try:
        test(*args)
    except (RuntimeError, KeyError) as error:
        failures.append(f"{what}: {error}")


PREFIXED = (("mistral", "model.", 1, "self_attn"), ("qwen2", "model.", 2, "self_attn"),
            ("smollm3", "model.", 3, "self_attn"), ("gemma2", "model.", 0, "self_attn"),
            ("qwen3", "model.", 1, "self_attn"), ("gemma3_text", "model.", 1, "self_attn"),
            ("gemma3_text", "model.", 2, "self_attn"), ("embeddinggemma", "", 1, "self_attn"),
            ("olmo3", "model.", 2, "self_attn", "residual2"), ("mixtral", "model.", 1, "self_attn"),
            ("gpt_oss", "model.", 2, "self_attn"), ("deepseek_v3", "model.", 1, "self_attn"),
            ("phi3", "model.", 0, "self_attn"), ("granite", "model.", 0, "self_attn"),
            ("gpt_neox", "gpt_neox.", 1, "attention"))

ALONE = (("t5", "", "encoder.block.1.layer.0.SelfAttention", "encoder.block.1.norm1", False),
         ("t5", "", "decoder.block.1.layer.0.SelfAttention", "decoder.block.1.norm1", False),
         ("t5", "", "decoder.block.0.layer.1.EncDecAttention", "decoder.block.0.norm2", True),
         ("whisper", "model.", "encoder.layers.1.self_attn", "encoder.layers.1.norm1", False),
         ("whisper", "model.", "decoder.layers.1.encoder_attn", "decoder.layers.1.norm2", True))


def check_no_memory(folder):
    """Cross attention alone needs the encoder's output."""
    (folder / "x.json").write_text("[" + ",".join(["[" + ",".join(["0.5"] * 16) + "]"] * 3) + "]")
    made = subprocess.run([ATTN, "explain", str(folder), "--prefix", "decoder.block.0.layer.1.EncDecAttention.",
                           "--embeddings", str(folder / "x.json")], capture_output=True, text=True)
    check(made.returncode == 3 and "--memory" in made.stderr, f"{folder.name}: {made.stderr}")


def check_note(folder, what):
    """One attention alone is said to have the names of its own family, not of Llama, whose names they are, too."""
    (folder / "x.json").write_text(json.dumps([[0.5] * 16] * 3))
    text = run("explain", str(folder), "--prefix", "model.layers.1.self_attn.", "--embeddings", str(folder / "x.json"))
    check(f"the names of {what} and" in " ".join(text.split()), f"{folder.name}: no note on the names of {what}")


def check_rows(folder):
    """A decoder that is given the rows of its ids, before positions are added, predicts what it predicts from ids."""
    expected = json.loads((folder / "expected.json").read_text())
    source = source_of(folder, expected)
    word = "decoder.token_embeddings" if folder.name != "t5" else "decoder.x"
    (folder / "x.json").write_text(json.dumps(steps_of(folder, expected["ids"], [word], source)[word]))
    given = ["--embeddings", str(folder / "x.json")]
    check(gap(expected["logits"], steps_of(folder, given, ["logits"], source)["logits"]) < 1e-9,
          f"{folder.name}: other logits from rows")
    made = subprocess.run([ATTN, "explain", str(folder), *given, *source, "--ids", "1"], capture_output=True, text=True)
    check(made.returncode == 3 and "beside ids" in made.stderr, f"{folder.name}: {made.stderr}")
    made = subprocess.run([ATTN, "generate", str(folder), *source, *given], capture_output=True, text=True)
    check(made.returncode == 3 and "rows of" in made.stderr, f"{folder.name}: generates from rows: {made.stderr}")
    (folder / "x.json").write_text("[[1, 2, 3]]")
    made = subprocess.run([ATTN, "explain", str(folder), *given, *source], capture_output=True, text=True)
    check("embeddings has 3 columns, but d_model" in " ".join(made.stderr.split()),
          f"{folder.name}: narrow rows: {made.stderr}")


def check_start(folder):
    """A decoder begins with decoder_start_token_id, where no ids are given."""
    source = source_of(folder, json.loads((folder / "expected.json").read_text()))
    start = json.loads((folder / "config.json").read_text())["decoder_start_token_id"]
    for command in (("explain", "--steps", "logits"), ("generate", "--count", "2")):
        texts = [run(command[0], str(folder), *command[1:], *source, *more, "--json")
                 for more in ([], ["--ids", str(start)])]
        check(texts[0] == texts[1], f"{folder.name}: {command[0]} begins otherwise")


def main(names):
    with tempfile.TemporaryDirectory() as place:
        make_families.main(place, *names)
        make_expert_families.main(place, *names)
        root = pathlib.Path(place)
        (root / "lesser").mkdir()
        for folder in sorted(root.iterdir()):
            if folder.name == "lesser":
                continue
            tried(folder.name, check_family, folder)
            tried(folder.name, check_dropped, folder, root / "lesser")
            tried(folder.name, check_config, folder, root / "lesser")
        ids = make_families.IDS
        if not names:
            tried("mistral", check_window, root / "mistral", "layers.1.self_attn", 4, ids)
            tried("qwen2", check_window, root / "qwen2", "layers.1.self_attn", 3, ids)
            tried("qwen2", check_window, root / "qwen2", "layers.0.self_attn", 99, ids)
            for family, *place_of in PREFIXED:
                tried(family, check_prefix, root / family, *place_of)
            tried("routers", check_routers, root)
            for family, *place_of in ALONE:
                tried(family, check_alone, root / family, *place_of)
            tried("t5", check_no_memory, root / "t5")
            tried("t5", check_start, root / "t5")
            tried("qwen2", check_note, root / "qwen2", "Qwen2")
            for family in ("t5", "bart", "whisper"):
                tried(family, check_rows, root / family)
            tried("gemma", check_unit_gains, root / "gemma", ids)
            for family, last in (("qwen3", "4×11"), ("t5", "4×11"), ("whisper", "4×11"), ("vit", "4×16")):
                tried(family, check_outline, root / family, last)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main(sys.argv[2:]))
