#!/usr/bin/env python3
"""A class of 200 with every kind of file, graded by attn and by a grader of its own in numpy.

Usage: department_test.py ATTN. Exit code 77 (skipped) without numpy.

The grader below is written from docs/for-teachers.md, "The rule", and shares nothing with attn.
"""

import copy
import csv
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

ATTN = pathlib.Path(sys.argv[1]).resolve()
STUDENTS = 200
TOLERANCE = 0.01 * (1 + 1e-9)
failures = []


def expect(what, good):
    if not good:
        failures.append(what)


# What each step makes of those before it, and which earlier steps it uses.
def softmax_of_visible(scaled):
    shown = np.where(np.tri(len(scaled), dtype=bool), scaled, -np.inf)
    powers = np.exp(shown)
    return powers / powers.sum(axis=1, keepdims=True)


STEPS = {
    "q": ((), lambda m: m["x"] @ m["w_q"]),
    "k": ((), lambda m: m["x"] @ m["w_k"]),
    "v": ((), lambda m: m["x"] @ m["w_v"]),
    "scores": (("q", "k"), lambda m: m["q"] @ m["k"].T),
    "scaled_scores": (("scores",), lambda m: m["scores"] / np.sqrt(m["q"].shape[1])),
    "weights": (("scaled_scores",), lambda m: softmax_of_visible(m["scaled_scores"])),
    "output": (("weights", "v"), lambda m: m["weights"] @ m["v"]),
}
# What some students do instead.
WRONG = {
    "no scale": {"scaled_scores": lambda m: m["scores"]},
    "scaled by d_k": {"scaled_scores": lambda m: m["scores"] / m["q"].shape[1]},
    "no mask": {"weights": lambda m: np.exp(m["scaled_scores"]) / np.exp(m["scaled_scores"]).sum(1, keepdims=True)},
    "columns": {"scores": lambda m: m["k"] @ m["q"].T},
    "keys from W_q": {"k": lambda m: m["x"] @ m["w_q"]},
}


def givens(sheet):
    problem = sheet["problem"]
    return {"x": np.array(problem["embeddings"], float),
            **{name: np.array(w, float) for name, w in problem["weights"].items()}}


def matrix(answers):
    """Numbers as written; NaN for blanks."""
    return np.array([[np.nan if x is None else float(x) for x in row] for row in answers])


def is_near(a, b):
    with np.errstate(invalid="ignore"):
        return np.abs(a - b) <= TOLERANCE


def points(sheet, answers):
    """By the rule: a blank is right, or follows from what is printed and from what this student wrote in steps of
    which at least half of the blanks are right."""
    truth, own, half, score = givens(sheet), givens(sheet), {}, 0.0
    for step, (uses, made) in STEPS.items():
        truth[step] = made(truth)
        blanks = np.array(sheet["blanks"][step], bool)
        with np.errstate(all="ignore"):
            follows = made(own) if all(np.isfinite(own[each]).any() for each in uses) else truth[step] * np.nan
        written = np.where(blanks, matrix(answers[step]), matrix(sheet["answers"][step]))
        right = blanks & is_near(written, truth[step])
        earned = blanks & ~right & is_near(written, follows) & all(half[each] for each in uses)
        own[step] = written
        half[step] = 2 * right.sum() >= blanks.sum()
        score += sheet["points"][step] * (right | earned).sum() / max(blanks.sum(), 1)
    return score


def worked(sheet, wrong=(), digits=3, slip=None, until=None):
    """The answers of somebody who works from their own rounded numbers; `slip`: a generator for slips."""
    own, answers = givens(sheet), {}
    ways = {step: way for name in wrong for step, way in WRONG[name].items()}
    for number, (step, (_, made)) in enumerate(STEPS.items()):
        own[step] = np.round(ways.get(step, made)(own), digits)
        blanks = np.array(sheet["blanks"][step], bool)
        if slip:
            for cell in np.argwhere(blanks):
                if slip.random() < 0.15:
                    own[step][tuple(cell)] += slip.choice([0.5, -0.25, 1.0])
        leave = until is not None and number >= until
        answers[step] = [[None if b and leave else float(x) if b else old for x, b, old in zip(*rows)]
                         for rows in zip(own[step], blanks, sheet["answers"][step])]
    return answers


def filled(sheet, number):
    return {step: [[number() if b else old for b, old in zip(*rows)] for rows in zip(sheet["blanks"][step], answers)]
            for step, answers in sheet["answers"].items()}


class Class:
    """The folder of what is handed in, and what has to come of it: student → (status, points or None)."""

    def __init__(self, folder, sheets):
        self.folder, self.sheets, self.expected = folder, sheets, {}
        folder.mkdir()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    def hand_in(self, student, answers, name=None, **changed):
        sheet = {**copy.deepcopy(self.sheets[student]), "answers": answers, **changed}
        self.write(name or f"{student}.json", json.dumps(sheet, ensure_ascii=False))
        self.expected[student] = ("graded", points(self.sheets[student], answers))

    def table(self, student, answers, separator=",", mark="."):
        """The table of a sheet, as a spreadsheet saves it."""
        lines = [separator.join(["step", "row", "col", "value", "given", "exercise", "student", "variant"])]
        sheet = self.sheets[student]
        for step, rows in answers.items():
            for i, row in enumerate(rows):
                for j, x in enumerate(row):
                    value = "" if x is None else repr(x).replace(".", mark)
                    given = "" if sheet["blanks"][step][i][j] else "given"
                    lines.append(separator.join([step, str(i), str(j), value, given, sheet["exercise"], student,
                                                 sheet["variant"]]))
        self.write(f"{student}.csv", "\ufeff" + "\r\n".join(lines) + "\r\n")
        self.expected[student] = ("graded", points(sheet, answers))

    def refused(self, student, status):
        self.expected[student] = (status, None)


def hand_in(room, students):
    """Ten students for each kind of file."""
    dice = random.Random(7)
    others = dict(zip(students, students[1:] + students[:1]))
    for number, student in enumerate(students):
        sheet, kind = room.sheets[student], number % 20
        if kind == 0:  # all right, not rounded
            room.hand_in(student, worked(sheet, digits=12))
        elif kind == 1:  # rounding each number
            room.hand_in(student, worked(sheet))
        elif kind == 2:  # one mistake, carried on
            room.hand_in(student, worked(sheet, [dice.choice(sorted(WRONG))]))
        elif kind == 3:  # two
            room.hand_in(student, worked(sheet, dice.sample(sorted(WRONG), 2)))
        elif kind == 4:  # slips
            room.hand_in(student, worked(sheet, slip=dice))
        elif kind == 5:  # slips and a mistake
            room.hand_in(student, worked(sheet, [dice.choice(sorted(WRONG))], slip=dice))
        elif kind == 6:  # begun
            room.hand_in(student, worked(sheet, until=1 + number // 20 % 6))
        elif kind == 7:  # zeros; ones
            room.hand_in(student, filled(sheet, (lambda: 0) if number % 40 < 20 else (lambda: 1)))
            expect(f"{student}: zeros earn little", room.expected[student][1] <= 0.5)
        elif kind == 8:  # guesses
            room.hand_in(student, filled(sheet, lambda: round(dice.uniform(-3, 3), 2)))
        elif kind == 9:  # another name, in a folder of the LMS
            room.hand_in(student, worked(sheet), name=f"Doe_{number}_assignsubmission_file/my sheet ({number}).json")
        elif kind == 10:  # a table, as a spreadsheet writes it here, and where 2.5 is written 2,5
            room.table(student, worked(sheet, slip=dice), *((",", ".") if number % 40 < 20 else (";", ",")))
        elif kind == 11:  # printed numbers changed, points raised: the key counts
            answers = worked(sheet)
            room.hand_in(student, answers, points={step: 100 for step in sheet["points"]})
        elif kind == 12:  # somebody else's sheet under one's own id
            theirs = copy.deepcopy(room.sheets[others[student]])
            room.write(f"{student}.json", json.dumps({**theirs, "student": student, "answers": worked(theirs)}))
            room.refused(student, "wrong_variant")
        elif kind == 13:  # somebody else's numbers on one's own sheet
            theirs = worked(room.sheets[others[student]])
            blanks = sheet["blanks"]
            room.hand_in(student, {step: [[new if b else old for new, b, old in zip(*rows)] for rows in
                                          zip(theirs[step], blanks[step], sheet["answers"][step])] for step in blanks})
        elif kind == 14:  # two different ones
            room.hand_in(student, worked(sheet))
            room.hand_in(student, worked(sheet, until=2), name=f"again/{student}.json")
            room.refused(student, "duplicate")
        elif kind == 15:  # the same one twice
            room.hand_in(student, worked(sheet, slip=dice))
            room.write(f"again/{student}.json", (room.folder / f"{student}.json").read_bytes())
        elif kind == 16:  # cut off in the middle
            room.write(f"{student}.json", json.dumps({**sheet, "answers": worked(sheet)})[:900 + number])
            room.refused(student, "not_gradable")
        elif kind == 17:  # a link to somebody else's file
            os.symlink(room.folder / f"{others[student]}.json", room.folder / f"{student}.json")
            room.refused(student, "not_gradable")
        elif kind == 18:  # arithmetic in place of numbers
            answers = worked(sheet, digits=12)
            row, col = np.argwhere(np.array(sheet["blanks"]["scaled_scores"], bool))[0]
            exact = sheet_scores(sheet)[row][col]
            room.hand_in(student, answers)
            answers["scaled_scores"][row][col] = f"{exact:g}/√3"
            room.write(f"{student}.json", json.dumps({**sheet, "answers": answers}, ensure_ascii=False))
        else:
            room.refused(student, "missing")


def sheet_scores(sheet):
    from_sheet = givens(sheet)
    return (from_sheet["x"] @ from_sheet["w_q"]) @ (from_sheet["x"] @ from_sheet["w_k"]).T


def attn(*args, folder):
    ran = subprocess.run([ATTN, *args], cwd=folder, capture_output=True, encoding="utf-8")
    if ran.returncode != 0:
        sys.exit(f"FAILED: {args}: exit code {ran.returncode}: {ran.stderr}")


def without_links(folder):
    for path in folder.iterdir():
        if path.is_symlink():
            path.unlink()
    return folder


def graded(folder, handed_in):
    (folder / "grades.csv").unlink(missing_ok=True)
    attn("exercise", "grade", handed_in, "--key", "week/key", "--roster", "roster.csv", "--gradebook", "grades.csv",
         folder=folder)
    with open(folder / "grades.csv", newline="", encoding="utf-8-sig") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def compare(rows, expected, what):
    for student, (status, score) in expected.items():
        row = rows[student]
        expect(f"{what}: {student} is {row['status']}, not {status}: {row['note']}", row["status"] == status)
        if score is not None and row["status"] == status:
            expect(f"{what}: {student} has {row['score']}, not {score:.3f}: {row['file']}",
                   abs(float(row["score"]) - score) < 0.006)
        expect(f"{what}: {student} lost points without a reason",
               status != "graded" or float(row["score"]) > 9.99 or row["note"] or row["first_wrong"])


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    students = [f"s{number:03}" for number in range(1, STUDENTS + 1)]
    (folder / "roster.csv").write_text("id,name\n" + "".join(f"{id},Name of {id}\n" for id in students), "utf-8")
    (folder / "salt").write_text(os.environ.get("SALT", "the salt of a department"), "utf-8")
    attn("exercise", "make", "--preset", "causal", "--roster", "roster.csv", "--salt-file", "salt", "-o", "week", folder=folder)
    sheets = {path.stem: json.loads(path.read_text("utf-8")) for path in (folder / "week/sheets").glob("*.json")}
    room = Class(folder / "in", sheets)
    hand_in(room, students)
    for name in ("Thumbs.db", "desktop.ini", "IMG_0001.HEIC"):
        room.write(name, b"\0not a sheet")
    compare(graded(folder, "in"), room.expected, "folder")
    archive = shutil.make_archive(folder / "from-lms", "zip", without_links(folder / "in"))
    links = {student: ("missing", None) for number, student in enumerate(students) if number % 20 == 17}
    compare(graded(folder, archive), {**room.expected, **links}, "zip")
    shares = [score for _, score in room.expected.values() if score is not None]
    expect(f"the class has all grades: {min(shares)} to {max(shares)}", min(shares) < 0.5 and max(shares) == 10)
    expect("some follow", sum(0.5 < share < 9.5 for share in shares) > 40)

for failure in failures:
    print("FAILED:", failure)
print(f"{len(room.expected)} students")
sys.exit(1 if failures else 0)
