"""A grader in numpy, written from docs/for-teachers.md, "The rule": it shares nothing with attn.

And students, who work from their own numbers.
"""

import numpy as np

TOLERANCE = 0.01 * (1 + 1e-9)


def mapped(function, *matrices):
    """Applies it to the cells of nested lists."""
    if isinstance(matrices[0], list):
        return [mapped(function, *parts) for parts in zip(*matrices)]
    return function(*matrices)


def flat(matrix):
    return [cell for row in matrix for cell in flat(row)] if isinstance(matrix, list) else [matrix]


def numbers(matrix):
    """As written; NaN for blanks."""
    return np.array(mapped(lambda x: np.nan if x is None else float(x), matrix))


def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


class Sheet:
    """What is given on a sheet, and what each of its steps makes of those before it."""

    def __init__(self, sheet):
        self.json, problem = sheet, sheet["problem"]
        self.blanks = {step: np.array(blanks, bool) for step, blanks in sheet["blanks"].items()}
        self.printed = {step: numbers(answers) for step, answers in sheet["answers"].items()}
        self.total = sum(sheet["points"].values())
        given = {name: problem[name] for name in ("q", "k", "v") if name in problem} | problem.get("weights", {})
        if "embeddings" in problem:
            given["x"] = problem["embeddings"]
            given["memory"] = problem.get("memory", problem)["embeddings"]
        self.given = {name: numbers(matrix) for name, matrix in given.items()}
        heads, causal = problem.get("heads", 1), problem.get("mask") == "causal"

        def cut(m):
            return m if heads == 1 else m.reshape(len(m), heads, -1).transpose(1, 0, 2)

        def together(m):
            return m if heads == 1 else m.transpose(1, 0, 2).reshape(m.shape[1], -1)

        def seen(m):
            return np.where(np.tri(m.shape[-2], dtype=bool), m, -np.inf) if causal else m

        def width(m):
            return m["q"].shape[1] / heads

        def dot(m, q="q", k="k"):
            return cut(m[q]) @ cut(m[k]).swapaxes(-1, -2)

        def context(m):
            return together(m["weights"] @ cut(m["v"]))

        # Step: (matrices that it uses, what it makes of the matrices).
        self.steps = {
            "q": (("x", "w_q"), lambda m: m["x"] @ m["w_q"]),
            "k": (("memory", "w_k"), lambda m: m["memory"] @ m["w_k"]),
            "v": (("memory", "w_v"), lambda m: m["memory"] @ m["w_v"]),
            "scores": (("q", "k"), dot),
            "scaled_scores": (("scores",), lambda m: m["scores"] / np.sqrt(width(m))),
            "weights": (("scaled_scores",), lambda m: softmax(seen(m["scaled_scores"]))),
            "concat": (("weights", "v"), context),
            "output": (("weights", "v"), context),
        }
        if heads > 1:
            self.steps["output"] = (("concat", "w_o"), lambda m: m["concat"] @ m["w_o"])
        else:
            del self.steps["concat"]
        for name in ("q", "k", "v"):
            if name in self.given:
                del self.steps[name]
        # What some students do instead, where it gives a matrix of the same shape.
        self.wrong = {
            "no scale": ("scaled_scores", lambda m: m["scores"]),
            "scaled by d_k": ("scaled_scores", lambda m: m["scores"] / width(m)),
            "no mask": ("weights", lambda m: softmax(m["scaled_scores"])),
            "softmax of columns": ("weights", lambda m: softmax(m["scaled_scores"], axis=-2)),
            "not divided": ("weights", lambda m: np.exp(np.minimum(seen(m["scaled_scores"]), 9))),
            "columns": ("scores", lambda m: dot(m, "k", "q")),
            "keys from W_q": ("k", lambda m: m["memory"] @ m["w_q"]),
            "heads added up": ("output", lambda m: m["concat"] @ m["w_o"][::-1]),
        }
        if "scaled_scores" in self.blanks:  # half of them, which makes the weights 0 and 1
            every_other = self.blanks["scaled_scores"] & (self.blanks["scaled_scores"].cumsum().reshape(
                self.blanks["scaled_scores"].shape) % 2 == 0)
            self.wrong["huge"] = ("scaled_scores", lambda m: np.where(every_other, 1e9, m["scores"] / np.sqrt(width(m))))
        truth = self.computed()
        for name, (step, way) in list(self.wrong.items()):
            if step not in self.blanks or not self.blanks[step].any() or (step == "output" and heads == 1) or \
                    way(truth).shape != truth[step].shape or np.allclose(way(truth), truth[step]):
                del self.wrong[name]

    def computed(self):
        matrices = dict(self.given)
        for step, (_, made) in self.steps.items():
            matrices[step] = made(matrices)
        return matrices

    def points(self, answers):
        """A blank is right, or follows from what is printed and from what this student wrote in steps of which at least
        half of the blanks earn points, unless it uses one of several numbers that are larger than what is right there and
        before. A matrix of another shape is no matrix."""
        truth, own, half, score = self.computed(), dict(self.given), {}, 0.0
        for step, (uses, made) in self.steps.items():
            with np.errstate(all="ignore"):
                follows = made(own)
            own[step] = follows
            if step not in self.blanks:
                continue
            blanks, written = self.blanks[step], numbers(answers[step])
            if written.shape != blanks.shape:
                written = np.full(blanks.shape, np.nan)
            own[step] = np.where(blanks, written, self.printed[step])
            with np.errstate(invalid="ignore"):
                right = blanks & (np.abs(written - truth[step]) <= TOLERANCE)
                earned = blanks & ~right & (np.abs(written - follows) <= TOLERANCE)
            plausible = 2 * (right | earned).sum() >= blanks.sum()
            if not all(half.get(each, True) for each in uses):
                earned[:] = False
            half[step] = 2 * (right | earned).sum() >= blanks.sum()
            if plausible:
                most = max(np.abs(truth[each]).max() for each in (step, *uses))
                with np.errstate(invalid="ignore"):
                    large = blanks & ~right & (np.abs(written) > most) & ~(np.abs(written) <= np.abs(follows))
                    large &= ~(np.abs(written - follows) <= TOLERANCE)
                if large.sum() > 1:
                    own[step][large] = np.nan
            score += self.json["points"].get(step, 0) * (right | earned).sum() / max(blanks.sum(), 1)
        return score

    def worked(self, wrong=(), digits=3, slip=None, often=0.15, until=None):
        """The answers of somebody who works from the printed numbers and from those that they have rounded; `slip`: a
        generator for slips, `often`: the share of blanks that have one; `until`: how many steps they do."""
        own, answers = dict(self.given), {}
        ways = {step: way for step, way in (self.wrong[name] for name in wrong)}
        for step, (_, made) in self.steps.items():
            own[step] = ways.get(step, made)(own)
            if step not in self.blanks:
                continue
            blanks = self.blanks[step]
            own[step] = np.where(blanks, np.round(own[step], digits), self.printed[step])
            for cell in np.argwhere(blanks) if slip else ():
                if slip.random() < often:
                    own[step][tuple(cell)] += slip.choice([0.5, -0.25, 1.0])
            left = until is not None and len(answers) >= until
            answers[step] = mapped(lambda x, blank, old: (None if left else x) if blank else old,
                                   own[step].tolist(), blanks.tolist(), self.json["answers"][step])
        return answers

    def filled(self, number):
        """The same thing in every blank."""
        return {step: mapped(lambda blank, old: number() if blank else old, blanks.tolist(), self.json["answers"][step])
                for step, blanks in self.blanks.items()}
