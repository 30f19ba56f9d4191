#!/usr/bin/env python3
"""Trains the tiny models among the samples, in a few minutes on one core.

    python3 train_models.py                 all of them
    python3 train_models.py reverse         one: induction, reverse, translation

Each becomes a sample, a problem with the trained weights, and models/NAME.expected.json: the
steps as PyTorch computes them in float64 from the weights as they are in the sample, and what the
model generates, greedily and without a cache.

The models learn to predict the next token; where to look is not part of the training. After three
tenths of the steps a small multiple of the entropy of their attention weights is added to the loss:
they must choose, and the pictures become crisp.
"""
import argparse
import itertools
import pathlib
import re

import torch
from torch import nn
from torch.nn import functional

from make_models import write
from make_torch_mha import text
from models_in_torch import SOURCE, run, sinusoids

SAMPLE_NAMES = {"induction": "15-induction", "reverse": "16-reversal", "translation": "17-english-french"}
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
PAD = -100  # the label that cross_entropy leaves out
BOS, EOS = "<bos>", "<eos>"


# ---- Training ------------------------------------------------------------------------------------


def keep_weights(attention, kept, name):
    """Every call of the attention leaves its weights, N × h × T_q × T_k, in `kept`."""
    inner = attention.forward

    def forward(query, key, value, **options):
        options.update(need_weights=True, average_attn_weights=False)
        output, kept[name] = inner(query, key, value, **options)
        kept[name, "output"] = output
        return output, kept[name]

    attention.forward = forward


def entropy(weights):
    """The mean over rows, in nats."""
    return -(weights * (weights + 1e-9).log()).sum(-1).mean()


def fit(model, batch, steps, sharpen, rate=1e-2, restrain=0.0):
    """`batch()` gives the model's inputs, the labels, and which rows of which weights to sharpen.

    `restrain` times the mean square of what the encoder's attention adds is part of the loss: what is
    known about a word stays in its row, and the decoder has to look there.
    """
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    for step in range(steps):
        inputs, labels, rows = batch()
        logits = model(*inputs)
        loss = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD)
        if step > 0.3 * steps:
            loss = loss + sharpen * sum(entropy(model.kept[n][:, :, r]) for n, r in rows.items())
        if restrain:
            loss = loss + restrain * model.kept["source", "output"].square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if (step + 1) % 1000 == 0:
            print(f"  step {step + 1}: loss {loss.item():.5f}", flush=True)


def later(n_tokens):
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).triu(1)


class AttentionOnly(nn.Module):
    """Two layers of one head each; no feed-forward, no norm, no biases but the vocabulary's."""

    def __init__(self, vocabulary, d_model):
        super().__init__()
        self.kept, self.table = {}, nn.Embedding(vocabulary, d_model)
        nn.init.normal_(self.table.weight, std=0.5)
        self.layers = nn.ModuleList(
            nn.MultiheadAttention(d_model, 1, bias=False, batch_first=True) for _ in range(2)
        )
        for number, layer in enumerate(self.layers):
            keep_weights(layer, self.kept, number)
        self.vocabulary = nn.Linear(d_model, vocabulary)

    def forward(self, ids):
        x = self.table(ids) + sinusoids(ids.shape[1], self.table.embedding_dim).float()
        for layer in self.layers:
            x = x + layer(x, x, x, attn_mask=later(ids.shape[1]))[0]
        return self.vocabulary(x)

    def named_weights(self):
        return {
            f"layers.{number}.self_attn.{name}": tensor
            for number, layer in enumerate(self.layers)
            for name, tensor in layer.state_dict().items()
        }


class EncoderDecoder(nn.Module):
    """nn.Transformer with one layer on each side, sinusoidal positions, and a vocabulary."""

    def __init__(self, source, target, vocabulary, d_model, heads, ff):
        super().__init__()
        self.kept = {}
        self.source, self.target = nn.Embedding(source, d_model), nn.Embedding(target, d_model)
        for table in (self.source, self.target):
            nn.init.normal_(table.weight, std=0.7)
        self.transformer = nn.Transformer(d_model, heads, 1, 1, ff, dropout=0.0, batch_first=True)
        keep_weights(self.transformer.encoder.layers[0].self_attn, self.kept, "source")
        keep_weights(self.transformer.decoder.layers[0].multihead_attn, self.kept, "cross")
        self.vocabulary = nn.Linear(d_model, vocabulary)

    def forward(self, source, target):
        positions = sinusoids(max(source.shape[1], target.shape[1]), self.source.embedding_dim).float()
        s = self.source(source) + positions[: source.shape[1]]
        t = self.target(target) + positions[: target.shape[1]]
        return self.vocabulary(self.transformer(s, t, tgt_mask=later(target.shape[1])))

    def named_weights(self):
        return self.transformer.state_dict()


# ---- From a trained model to a problem ---------------------------------------------------------------


def short(tensor, digits=3):
    """As nested lists, each number with that many significant digits."""
    if isinstance(tensor, torch.Tensor):
        tensor = tensor.tolist()
    if isinstance(tensor, list):
        return [short(item, digits) for item in tensor]
    return float(f"{tensor:.{digits}g}") or 0.0


def table(words, embedding):
    return dict(zip(words, short(embedding.weight)))


def vocabulary(words, layer):
    found = {"tokens": words, "w": short(layer.weight.T), "b": short(layer.bias)}
    return {**found, "end_token": EOS} if EOS in words else found


def named_weights(model):
    return {name: short(tensor) for name, tensor in model.named_weights().items()}


def with_tokens(problem, source, tokens, labels=None):
    """The same model with other words."""
    other = {**problem, "tokens": tokens}
    if source is not None:
        other["source"] = {**problem["source"], "tokens": source}
    other.pop("labels", None)
    return {**other, "labels": labels} if labels else other


def cross_weights(problem):
    """Those of the only decoder layer, averaged over its heads."""
    return torch.tensor(run(problem)["decoder.layers.0.multihead_attn.weights"]).mean(0)


def generated(problem, limit):
    """Greedily, without a cache: a row per token, with the runner-up."""
    tokens, rows = list(problem["tokens"]), []
    words, end = problem["vocabulary"]["tokens"], problem["vocabulary"].get("end_token")
    while len(rows) < limit and (not rows or rows[-1]["token"] != end):
        last = run(with_tokens(problem, None, tokens))["probabilities"][-1]
        second, first = sorted(range(len(words)), key=last.__getitem__)[-2:]
        rows.append(
            {
                "id": first,
                "token": words[first],
                "probability": last[first],
                "runner_up": words[second],
                "runner_up_probability": last[second],
            }
        )
        tokens.append(words[first])
    return rows


def compact(problem):
    """A row of a matrix is a line without spaces."""
    rows = re.sub(r"\n +\[", "\n[", text(problem))
    return re.sub(r"(?<=[\d.]), (?=[-\d])", ",", rows)


def words_of(rows):
    return [row["token"] for row in rows]


def finish(name, problem, start, limit):
    """Writes the sample and its expected steps, from the numbers as they are in the sample."""
    head = {"format": "attn.problem", "format_version": "1.0"}
    (SAMPLES / (SAMPLE_NAMES[name] + ".json")).write_text(compact({**head, **problem}) + "\n", encoding="utf-8")
    rows = generated(with_tokens(problem, None, start), limit)
    kept = ("memory", "output", "logits", "probabilities", "loss", "mean_loss")
    steps = {n: s for n, s in run(problem).items() if n in kept or n.endswith(".weights")}
    write(
        name + ".expected",
        {"source": SOURCE, "steps": steps, "start": start, "generated": rows},
    )
    return words_of(rows)


# ---- The three models ----------------------------------------------------------------------------------


def induction():
    """Random words, then the same again: to go on, find where the word was, read what came next."""
    words = ["sun", "key", "owl", "cup", "hat", "fox", "bee", "map", "ice", "oak", "jam", "pen"]
    model = AttentionOnly(len(words), d_model=24)

    def batch():
        n = int(torch.randint(2, len(words), (1,)))
        once = torch.stack([torch.randperm(len(words))[:n] for _ in range(64)])
        ids = torch.cat([once, once], 1)
        labels = torch.cat([ids[:, 1:], torch.full((64, 1), PAD)], 1)
        labels[:, :n] = PAD  # no word can be predicted before it has come once
        return (ids,), labels, {0: slice(None), 1: slice(n, None)}

    fit(model, batch, steps=3000, sharpen=0.1, rate=1.2e-2)
    once = ["owl", "key", "sun", "fox", "map", "cup"]
    n = len(once)
    problem = {
        "title": "Induction heads: what came after this word last time?",
        "description": "Two layers of attention and nothing else, trained to continue random words "
        "that repeat. In layer 0 every word looks at the word before it. In layer 1 the second 'owl' "
        "looks at 'key', the word after the first 'owl': that comes next. Try attn generate with "
        "--text \"cup hat pen cup\".",
        "_training": "3000 steps of 64 sequences. After 900 steps, 0.1 times the entropy of the "
        "attention weights is added to the loss.",
        "model": {"kind": "attention_only"},
        "heads": 1,
        "mask": "causal",
        "positions": "sinusoidal",
        "tokens": once + once,
        "labels": [None] * n + once[1:] + [None],
        "embedding_table": table(words, model.table),
        "vocabulary": vocabulary(words, model.vocabulary),
        "weights": named_weights(model),
    }

    check_induction(problem, once, 2 * n)
    for seed in range(30):  # not only the sample: any words that repeat
        order = torch.randperm(len(words), generator=torch.Generator().manual_seed(seed)).tolist()
        picked = [words[i] for i in order[: 3 + seed % 8]]
        check_induction(problem, picked, len(picked))
    print(" ", finish("induction", problem, once + once[:1], limit=n - 1))


def check_induction(problem, once, looking_back):
    """The first rows of layer 0 look back by one; layer 1 reads the next word where it came first."""
    n, twice = len(once), once + once
    steps = run(with_tokens(problem, None, twice))
    back, induction_head = (steps[f"layers.{layer}.self_attn.weights"][0] for layer in (0, 1))
    words = problem["vocabulary"]["tokens"]
    for i in range(1, looking_back):
        assert back[i][i - 1] > 0.8, (twice, i, back[i])
    for i in range(n, 2 * n - 1):
        assert induction_head[i][i - n + 1] > 0.8, (twice, i, induction_head[i])
        best = max(range(len(words)), key=steps["logits"][i].__getitem__)
        assert words[best] == twice[i + 1], (twice, i, words[best])


def reverse():
    """Words of two to eight letters, backwards."""
    letters = list("adeoprstw")
    source_words, target_words = letters + [EOS], letters + [EOS, BOS]
    model = EncoderDecoder(len(source_words), len(target_words), len(source_words), 16, 1, 32)
    end, begin = len(letters), len(letters) + 1

    def batch():
        n = int(torch.randint(2, 9, (1,)))
        forwards = torch.randint(0, len(letters), (64, n))
        backwards = forwards.flip(1)
        ends, begins = torch.full((64, 1), end), torch.full((64, 1), begin)
        source, target = torch.cat([forwards, ends], 1), torch.cat([begins, backwards], 1)
        return (source, target), torch.cat([backwards, ends], 1), {"cross": slice(None)}

    fit(model, batch, steps=5000, sharpen=0.05)
    word = "stressed"
    problem = {
        "title": "Backwards: cross attention along the other diagonal",
        "description": "An encoder-decoder, trained to write random letters backwards. Each row of the "
        "cross attention writes one letter: the row of <bos> writes the first, and looks at the last "
        "letter of the source. So the large weights are on the anti-diagonal. Try attn generate with "
        "--text \"<bos>\".",
        "_training": "5000 steps of 64 strings. After 1500 steps, 0.05 times the entropy of the cross "
        "attention's weights is added to the loss.",
        "model": {"kind": "transformer"},
        "heads": 1,
        "mask": "causal",
        "positions": "sinusoidal",
        "source": {"tokens": list(word) + [EOS], "embedding_table": table(source_words, model.source)},
        "tokens": [BOS] + list(word[::-1]),
        "labels": list(word[::-1]) + [EOS],
        "embedding_table": table(target_words, model.target),
        "vocabulary": vocabulary(source_words, model.vocabulary),
        "weights": named_weights(model),
    }

    for one in (word, "desserts", "rewards", "drawer", "adder", "stop"):
        n = len(one)
        there = with_tokens(problem, list(one) + [EOS], [BOS] + list(one[::-1]))
        weights = cross_weights(there)
        for i in range(n):
            assert weights[i].argmax() == n - 1 - i and weights[i].max() > 0.7, (one, i, weights[i])
        assert words_of(generated({**there, "tokens": [BOS]}, 12)) == list(one[::-1]) + [EOS], one
    print(" ", finish("reverse", problem, [BOS], limit=12))


SUBJECTS = {
    "I am": "Je",
    "You are": "Tu",
    "He is": "Il",
    "She is": "Elle",
    "We are": "Nous",
    "They are": "Ils",
}
VERBS = {  # je, tu, il or elle, nous, ils
    "eating": "mange manges mange mangeons mangent",
    "cutting": "coupe coupes coupe coupons coupent",
    "washing": "lave laves lave lavons lavent",
    "drawing": "dessine dessines dessine dessinons dessinent",
    "selling": "vends vends vend vendons vendent",
}
NOUNS = {  # with the article that gives the gender
    "apple": "une pomme",
    "pear": "une poire",
    "tomato": "une tomate",
    "lemon": "un citron",
    "melon": "un melon",
    "pepper": "un poivron",
}
ADJECTIVES = {  # masculine, feminine; petit and gros come before the noun, rouge and vert after it
    "": None,
    "red": "rouge rouge",
    "green": "vert verte",
    "small": "petit petite",
    "big": "gros grosse",
}


def sentences():
    """Every sentence of the small grammar, English and French."""
    persons = dict(zip(SUBJECTS, (0, 1, 2, 2, 3, 4)))
    for subject, verb, noun, adjective in itertools.product(SUBJECTS, VERBS, NOUNS, ADJECTIVES):
        article = "an" if (adjective or noun)[0] in "aeiou" else "a"
        english = f"{subject} {verb} {article} {adjective} {noun} .".split()
        un, nom = NOUNS[noun].split()
        form = ADJECTIVES[adjective].split()[un == "une"] if adjective else ""
        thing = f"{un} {form} {nom}" if adjective in ("small", "big") else f"{un} {nom} {form}"
        yield english, f"{SUBJECTS[subject]} {VERBS[verb].split()[persons[subject]]} {thing} .".split()


def ids(lists, words):
    return torch.tensor([[words.index(word) for word in one] for one in lists])


def translation():
    """A small grammar's sentences; every tenth is kept out of the training."""
    pairs = list(sentences())
    order = torch.randperm(len(pairs)).tolist()
    test, train = [pairs[i] for i in order[::10]], [pairs[i] for n, i in enumerate(order) if n % 10]
    example = ("I am eating an apple .".split(), "Je mange une pomme .".split())
    assert example in pairs
    source_words = sorted({word for english, _ in pairs for word in english})
    target_words = sorted({word for _, french in pairs for word in french}) + [EOS, BOS]
    out_words = target_words[:-1]
    model = EncoderDecoder(len(source_words), len(target_words), len(out_words), 16, 1, 32)
    by_length = {}
    for english, french in train:
        by_length.setdefault(len(english), []).append((english, french))
    tensors = [
        (
            ids([e for e, _ in some], source_words),
            ids([[BOS] + f for _, f in some], target_words),
            ids([f + [EOS] for _, f in some], target_words),
        )
        for some in by_length.values()
    ]
    shares = torch.tensor([float(len(source)) for source, _, _ in tensors])

    def batch():
        source, target, labels = tensors[int(torch.multinomial(shares, 1))]
        some = torch.randint(0, len(source), (64,))
        return (source[some], target[some]), labels[some], {"cross": slice(None)}

    fit(model, batch, steps=1500, sharpen=0.02, restrain=20)
    english, french = example
    problem = {
        "title": "English to French: each word finds its source",
        "description": "An encoder-decoder, trained on 810 sentences such as this one. Each row of the "
        "cross attention writes one word. The row of 'Je' writes 'mange', and looks at 'eating'. The "
        "row of 'mange' writes 'une', and looks at 'apple': the noun decides between 'un' and 'une'. "
        "Try attn generate with --text \"<bos>\".",
        "_training": "1500 steps of 64 sentences. After 450 steps, 0.02 times the entropy of the cross "
        "attention's weights is added to the loss; and throughout, 20 times the mean square of what "
        "the encoder's attention adds, so that every word stays in its place.",
        "model": {"kind": "transformer"},
        "heads": 1,
        "mask": "causal",
        "positions": "sinusoidal",
        "source": {"tokens": english, "embedding_table": table(source_words, model.source)},
        "tokens": [BOS] + french,
        "labels": french + [EOS],
        "embedding_table": table(target_words, model.target),
        "vocabulary": vocabulary(out_words, model.vocabulary),
        "weights": named_weights(model),
    }
    check_translation(problem, pairs, example, {tuple(english) for english, _ in test})
    print(" ", finish("translation", problem, [BOS], limit=12))


def check_translation(problem, pairs, example, unseen):
    """Learned sentences are right; in all sentences, verbs and nouns are read where they are."""
    nouns = {words.split()[1] for words in NOUNS.values()}
    right = [0, 0]
    for english, french in pairs:
        steps = run(with_tokens(problem, english, [BOS] + french))
        words = problem["vocabulary"]["tokens"]
        best = [words[max(range(len(words)), key=row.__getitem__)] for row in steps["logits"]]
        assert best == french + [EOS] or tuple(english) in unseen, (english, best)
        right[tuple(english) in unseen] += best == french + [EOS]
        weights = torch.tensor(steps["decoder.layers.0.multihead_attn.weights"]).mean(0)
        for row, word in enumerate(french):  # the row that writes the word
            looks_at = english[weights[row].argmax()]
            assert row != 1 or looks_at in VERBS, (english, word, looks_at)
            assert word not in nouns or looks_at in NOUNS, (english, word, looks_at)
    learned = len(pairs) - len(unseen)
    print(f"  right: {right[0]} of {learned} learned, {right[1]} of {len(unseen)} new")
    english, french = example
    weights = cross_weights(with_tokens(problem, english, [BOS] + french))
    assert weights[french.index("mange")][english.index("eating")] > 0.9
    assert weights[french.index("pomme")][english.index("apple")] > 0.9


MODELS = {"induction": (induction, 3), "reverse": (reverse, 1), "translation": (translation, 4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MODELS))
    torch.set_num_threads(1)
    for name in parser.parse_args().names or MODELS:
        make, seed = MODELS[name]
        print(name, flush=True)
        torch.manual_seed(seed)
        make()


if __name__ == "__main__":
    main()
