#!/usr/bin/env python3
"""A class of 200 with every kind of file, and smaller ones of other presets, graded by attn and by class_grader.py.

And what Moodle's questions, which cannot follow a slip, give in place of attn's points: docs/sheet-format.md has the numbers.

Usage: department_test.py ATTN SOURCE_DIR. Exit code 77 (skipped) without numpy.
"""

import copy
import csv
import io
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

try:
    import numpy as np

    import cloze
    from class_grader import Sheet, flat, mapped
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

ATTN = pathlib.Path(sys.argv[1]).resolve()
FORMATS = pathlib.Path(sys.argv[2]) / "docs/sheet-format.md"
FULL_WIDTH = str.maketrans("0123456789.-", "０１２３４５６７８９．－")
failures = []


def expect(what, good):
    if not good:
        failures.append(what)


class Class:
    """The folder of what is handed in, and what has to come of it: student → (status, points or None)."""

    def __init__(self, folder, sheets, others):
        self.folder, self.sheets, self.expected = folder, sheets, {}
        self.other_exercise = others
        self.dice = random.Random(7)
        students = sorted(sheets)
        self.neighbour = dict(zip(students, students[1:] + students[:1]))
        folder.mkdir()

    def write(self, name, content, encoding="utf-8"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))

    def hand_in(self, student, answers, name=None, encoding="utf-8", write=lambda x: x, **changed):
        """`write`: how a number is typed."""
        sheet = self.sheets[student]
        typed = {step: mapped(lambda x: None if x is None else write(x), rows) for step, rows in answers.items()}
        self.write(name or f"{student}.json", json.dumps({**sheet.json, "answers": typed, **changed}, ensure_ascii=False),
                   encoding)
        self.expected[student] = ("graded", sheet.points(answers))

    def table(self, student, answers, separator=",", mark=".", encoding="utf-8-sig"):
        """The table of a sheet, as a spreadsheet saves it."""
        sheet = self.sheets[student]
        names = ["step", "row", "col", "value", "given", "exercise", "student", "variant"]
        heads = any(blanks.ndim == 3 for blanks in sheet.blanks.values())
        lines = [names[:1] + ["head"] * heads + names[1:]]
        for step, rows in answers.items():
            for place, blank in np.ndenumerate(sheet.blanks[step]):
                x = rows
                for i in place:
                    x = x[i]
                value = "" if x is None else repr(x).replace(".", mark)
                head = [""] * (heads and len(place) == 2)
                lines.append([step, *head, *map(str, place), value, "" if blank else "given", sheet.json["exercise"],
                              student, sheet.json["variant"]])
        self.write(f"{student}.csv", "".join(separator.join(line) + "\r\n" for line in lines), encoding)
        self.expected[student] = ("graded", sheet.points(answers))

    def refused(self, student, status):
        self.expected[student] = (status, None)

    def instead(self, student, name, content, status="not_gradable"):
        """A file that is no sheet."""
        self.write(name, content)
        self.refused(student, status)


def mistakes(room, sheet, count):
    return room.dice.sample(sorted(sheet.wrong), min(count, len(sheet.wrong)))


def same_everywhere(room, student, sheet, number):
    room.hand_in(student, sheet.filled(number))
    expect(f"{student}: {number()} everywhere earns little", room.expected[student][1] <= 0.05 * sheet.total)


def anothers_sheet(room, student, sheet, turn):
    theirs = room.sheets[room.neighbour[student]]
    room.instead(student, f"{student}.json", json.dumps({**theirs.json, "student": student, "answers": theirs.worked()}),
                 "wrong_variant")


def anothers_numbers(room, student, sheet, turn):
    theirs = room.sheets[room.neighbour[student]].worked()
    room.hand_in(student, {step: mapped(lambda new, blank, old: new if blank else old, theirs[step], blanks.tolist(),
                                        sheet.json["answers"][step]) for step, blanks in sheet.blanks.items()})


def two_sheets(room, student, sheet, turn):
    room.hand_in(student, sheet.worked())
    room.hand_in(student, sheet.filled(lambda: 0.25), name=f"again/{student}.json")
    room.refused(student, "duplicate")


def copies(room, student, sheet, turn):
    room.hand_in(student, sheet.worked(slip=room.dice))
    room.write(f"again/{student}.json", (room.folder / f"{student}.json").read_bytes())


def archive_of_one(room, student, sheet, turn):
    room.hand_in(student, sheet.worked(slip=room.dice))
    own = room.folder / f"{student}.json"
    with zipfile.ZipFile(own.with_suffix(".zip"), "w") as archive:
        archive.write(own, f"homework/{own.name}")
    own.unlink()


def sheet_and_table(room, student, sheet, turn):
    answers = sheet.worked(slip=room.dice)
    room.table(student, answers)
    room.hand_in(student, answers)


def link(room, student, sheet, turn):
    os.symlink(room.folder / f"{room.neighbour[student]}.json", room.folder / f"{student}.json")
    room.refused(student, "not_gradable")


def arithmetic(room, student, sheet, turn):
    room.hand_in(student, sheet.worked(), write=lambda x: f"{x * 3 ** 0.5:.12g}/√3")


def transposed(room, student, sheet, turn):
    answers = sheet.worked()
    step = list(answers)[turn % len(answers)]
    room.hand_in(student, {**answers, step: np.array(answers[step], float).swapaxes(-1, -2).tolist()})


def alone(room, student, sheet, turn):
    """The matrices without the sheet around them."""
    answers = sheet.worked(slip=room.dice)
    room.hand_in(student, answers)
    room.write(f"{student}.json", json.dumps(answers))


def stranger(room, student, sheet, turn):
    """The id of nobody; the student handed in nothing."""
    nobody = f"x{student}"
    room.write(f"{nobody}.json", json.dumps({**sheet.json, "student": nobody, "answers": sheet.worked()}))
    room.refused(nobody, "not_in_roster")
    room.refused(student, "missing")


def arrays(room, student, sheet, turn):
    file = io.BytesIO()
    np.savez(file, **{step: np.array(rows, float) for step, rows in sheet.worked().items()})
    room.instead(student, f"{student}.npz", file.getvalue())


def office(folder):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(f"{folder}/document.xml", "<document/>")
    return file.getvalue()


def cut_off(room, student, sheet, turn):
    whole = json.dumps({**sheet.json, "answers": sheet.worked()})
    room.instead(student, f"{student}.json", whole[:900 + turn])


def table(room, student, sheet, turn):
    ways = [(",", ".", "utf-8-sig"), (";", ",", "utf-8-sig"), ("\t", ".", "utf-16")]  # here; where 2.5 is 2,5; "Unicode text"
    room.table(student, sheet.worked(slip=room.dice), *ways[turn % len(ways)])


# Each: (room, student, sheet, turn), where turn counts the students of a kind, over the classes.
KINDS = {
    "exact": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(digits=12)),
    "rounded": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked()),
    "one mistake": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(mistakes(r, sheet, 1))),
    "two mistakes": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(mistakes(r, sheet, 2))),
    "slips": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(slip=r.dice)),
    "slips and a mistake": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(mistakes(r, sheet, 1), slip=r.dice)),
    "huge numbers": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked([name for name in sheet.wrong if name == "huge"])),
    "begun": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(until=1 + turn % 6)),
    "untouched": lambda r, s, sheet, turn: r.hand_in(s, sheet.json["answers"]),
    "zeros": lambda r, s, sheet, turn: same_everywhere(r, s, sheet, lambda: 0),
    "ones": lambda r, s, sheet, turn: same_everywhere(r, s, sheet, lambda: 1),
    "guesses": lambda r, s, sheet, turn: r.hand_in(s, sheet.filled(lambda: round(r.dice.uniform(-3, 3), 2))),
    "a folder of the LMS": lambda r, s, sheet, turn: r.hand_in(
        s, sheet.worked(), name=f"Doe_{turn}_assignsubmission_file/my sheet of {s}, or so.json"),
    "table": table,
    "another's table": lambda r, s, sheet, turn: table(r, s, sheet, turn + 1),
    "UTF-16": lambda r, s, sheet, turn: r.hand_in(s, sheet.worked(), encoding="utf-16"),
    "decimal commas": lambda r, s, sheet, turn: r.hand_in(
        s, sheet.worked(slip=r.dice), write=lambda x: str(x).replace(".", ",")),
    "full-width digits": lambda r, s, sheet, turn: r.hand_in(
        s, sheet.worked(slip=r.dice), write=lambda x: str(x).translate(FULL_WIDTH)),
    "arithmetic": arithmetic,
    "points raised": lambda r, s, sheet, turn: r.hand_in(
        s, sheet.worked(), points={step: 100 for step in sheet.json["points"]}),
    "another's sheet": anothers_sheet,
    "another's numbers": anothers_numbers,
    "two sheets": two_sheets,
    "copies": copies,
    "a sheet and its table": sheet_and_table,
    "an archive": archive_of_one,
    "matrices alone": alone,
    "transposed": transposed,
    "cut off": cut_off,
    "link": link,
    "stranger": stranger,
    "another exercise": lambda r, s, sheet, turn: r.instead(s, f"{s}.json", r.other_exercise[s]),
    "empty": lambda r, s, sheet, turn: r.instead(s, f"{s}.json", b""),
    "arrays": arrays,
    "spreadsheet": lambda r, s, sheet, turn: r.instead(s, f"{s}.xlsx", office("xl")),
    "document": lambda r, s, sheet, turn: r.instead(s, f"{s}.docx", office("word")),
    "PDF": lambda r, s, sheet, turn: r.instead(s, f"{s}.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"),
    "page": lambda r, s, sheet, turn: r.instead(s, f"{s}.html", "<!DOCTYPE html><html><body>My answers</body></html>"),
    "nothing": lambda r, s, sheet, turn: r.refused(s, "missing"),
}


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


def compare(rows, room, kinds, what):
    for student, (status, score) in room.expected.items():
        row, where = rows[student], f"{what}: {student}, {kinds.get(student)}"
        expect(f"{where}: {row['status']}, not {status}: {row['note']}", row["status"] == status)
        if score is not None and row["status"] == status:
            expect(f"{where}: {row['score']}, not {score:.3f}: {row['file']}", abs(float(row["score"]) - score) < 0.006)
            expect(f"{where}: lost points without a reason",
                   float(row["score"]) > float(row["max_score"]) - 0.01 or row["note"] or row["first_wrong"])


def follows_a_slip(preset, folder):
    """The mean of 60 students of whose blanks every tenth is wrong, and who go on from it: in Moodle, and with attn."""
    folder.mkdir()
    ids = [f"s{number:03}" for number in range(1, 61)]
    (folder / "roster.csv").write_text("id\n" + "".join(f"{id}\n" for id in ids), "utf-8")
    (folder / "salt").write_text("the salt of a department", "utf-8")
    attn("exercise", "make", "--preset", preset, "--name", "week", "--roster", "roster.csv", "--salt-file", "salt", "-o", "week",
         folder=folder)
    attn("exercise", "export", "week", "--format", "moodle-xml", "-o", "week.xml", folder=folder)
    questions = {}
    for question in ET.parse(folder / "week.xml").getroot().findall("question[@type='cloze']"):
        fields, _ = cloze.read_question(question.find("questiontext/text").text)
        questions[question.find("name/text").text] = fields
    sheets = {id: Sheet(json.loads((folder / f"week/sheets/{id}.json").read_text("utf-8"))) for id in ids}
    room = Class(folder / "in", sheets, {})
    in_moodle = 0
    for id, sheet in sheets.items():
        answers = sheet.worked(slip=room.dice, often=0.1)
        room.hand_in(id, answers)
        typed = [x for step, blanks in sheet.blanks.items() for x, blank in zip(flat(answers[step]), flat(blanks.tolist())) if blank]
        in_moodle += cloze.grade(questions[f"week {id} {sheet.json['variant']}"], typed)
    rows = graded(folder, "in")
    return 100 * in_moodle / len(ids), sum(float(rows[id]["percent"]) for id in ids) / len(ids)


def teach(preset, students, folder, first_turn):
    """A class, from its sheets to its gradebook."""
    folder.mkdir()
    ids = [f"s{number:03}" for number in range(1, students + 1)]
    (folder / "roster.csv").write_text("id,name\n" + "".join(f"{id},Name of {id}\n" for id in ids), "utf-8")
    (folder / "salt").write_text(os.environ.get("SALT", "the salt of a department"), "utf-8")
    kinds = dict(zip(ids, itertools.cycle(KINDS)))
    confused = [id for id, kind in kinds.items() if kind == "another exercise"]
    (folder / "confused.csv").write_text("\n".join(["id", *confused]), "utf-8")
    spec = {"preset": preset, "mistakes": ["softmax.columns"]}  # a proof of all takes three times as long
    (folder / "spec.json").write_text(json.dumps(spec), "utf-8")
    for name, kind, roster in (("week", ("--spec", "spec.json"), "roster.csv"), ("other", ("--preset", "inverse"), "confused.csv")):
        attn("exercise", "make", *kind, "--name", name, "--roster", roster, "--salt-file", "salt", "-o", name, folder=folder)
    sheets = {path.stem: Sheet(json.loads(path.read_text("utf-8"))) for path in (folder / "week/sheets").glob("*.json")}
    others = {path.stem: path.read_bytes() for path in (folder / "other/key/answers").glob("*.json")}
    room = Class(folder / "in", sheets, others)
    for number, (student, kind) in enumerate(kinds.items()):
        KINDS[kind](room, student, room.sheets[student], first_turn + number // len(KINDS))
    for name in ("Thumbs.db", "desktop.ini", "IMG_0001.HEIC"):
        room.write(name, b"\0not a sheet")
    compare(graded(folder, "in"), room, kinds, preset)
    if students > len(KINDS):
        archive = shutil.make_archive(folder / "from-lms", "zip", without_links(folder / "in"))
        for student, kind in kinds.items():
            if kind == "link":
                room.refused(student, "missing")
        compare(graded(folder, archive), room, kinds, f"{preset}, .zip")
    total = next(iter(sheets.values())).total
    shares = [score / total for _, score in room.expected.values() if score is not None]
    expect(f"{preset}: the class has all grades: {min(shares)} to {max(shares)}", min(shares) == 0 and max(shares) == 1)
    between = sum(0.05 < share < 0.95 for share in shares)
    expect(f"{preset}: {between} of {students} are in between", between > 0.2 * students)
    print(f"{preset}: {students} students, {len(set(kinds.values()))} kinds of files")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    teach("causal", 200, folder / "causal", 0)
    for turn, preset in enumerate(("self", "cross", "softmax", "multihead"), 2):
        teach(preset, len(KINDS), folder / preset, turn)
    means = [mean for preset in ("causal", "self") for mean in follows_a_slip(preset, folder / f"slips-{preset}")]
    sentence = "its mean is {:.0f}% where `attn` gives {:.0f}% (preset `causal`, 60 students; {:.0f}% and {:.0f}% for `self`)".format(*means)
    expect(f"docs/sheet-format.md: {sentence}", sentence in " ".join(FORMATS.read_text("utf-8").split()))

for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
