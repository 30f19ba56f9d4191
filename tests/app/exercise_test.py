#!/usr/bin/env python3
"""Exercises as other programs read them: seals, tables and Moodle's questions.

Usage: exercise_test.py ATTN
"""

import csv
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import cloze

ATTN = pathlib.Path(sys.argv[1]).resolve()
failures = []


def attn(*args, folder):
    ran = subprocess.run([ATTN, "exercise", *args], cwd=folder, capture_output=True, encoding="utf-8")
    if ran.returncode != 0:
        failures.append(f"{args}: exit code {ran.returncode}: {ran.stderr}")
    return ran.stdout


def expect(what, good):
    if not good:
        failures.append(what)


def fingerprint(value):
    compact = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(compact.encode()).hexdigest()


def emptied(answers, blanks):
    if isinstance(blanks, list):
        return [emptied(a, b) for a, b in zip(answers, blanks)]
    return None if blanks else answers


def flat(matrix):
    return [cell for row in matrix for cell in flat(row)] if isinstance(matrix, list) else [matrix]


def check_files(folder):
    """Seals and hashes as docs/sheet-format.md describes them, and the table of each sheet."""
    with open(folder / "key/roster.lock.csv", newline="", encoding="utf-8") as file:
        lock = list(csv.DictReader(file))
    for path in sorted([*folder.glob("sheets/*.json"), *folder.glob("key/answers/*.json")]):
        sheet = json.loads(path.read_text("utf-8"))
        sealed = {key: sheet[key] for key in ("exercise", "student", "variant", "problem", "blanks", "points")}
        sealed["answers"] = {step: emptied(sheet["answers"][step], blanks) for step, blanks in sheet["blanks"].items()}
        expect(f"{path.name}: its seal", sheet["seal"] == fingerprint(sealed))
        row = [row for row in lock if row["student"] == sheet["student"]]
        solved = json.loads((folder / "key/answers" / path.name).read_text("utf-8"))
        expect(f"{path.name}: the lock", [(sheet["variant"], fingerprint(solved["problem"]))] ==
               [(each["variant"], each["givens"]) for each in row])
        table = path.with_suffix(".csv")
        if not table.exists():
            continue
        with open(table, newline="", encoding="utf-8") as file:
            cells = list(csv.DictReader(file))
        for step, answers in sheet["answers"].items():
            rows = [cell for cell in cells if cell["step"] == step]
            numbers = [float(cell["value"]) if cell["value"] else None for cell in rows]
            expect(f"{table.name}: {step}", numbers == [None if x is None else float(x) for x in flat(answers)])
            expect(f"{table.name}: what is given in {step}",
                   [cell["given"] == "given" for cell in rows] == [not x for x in flat(sheet["blanks"][step])])
            expect(f"{table.name}: whose it is", all(cell["variant"] == sheet["variant"] for cell in rows))


def check_question(question, sheet, key, hints):
    """Its fields, as Moodle reads them; returns how many wrong numbers are listed."""
    name = question.find("name/text").text
    markup = question.find("questiontext/text").text
    expect(f"{name}: its text is HTML", question.find("questiontext").get("format") == "html")
    fields, rest = cloze.read_question(markup)
    xml.etree.ElementTree.fromstring("<div>" + rest + "</div>")
    expect(f"{name}: nothing else in braces", "{" not in rest)
    right = [answer for step, blanks in sheet["blanks"].items()
             for answer, blank in zip(flat(key["answers"][step]), flat(blanks)) if blank]
    expect(f"{name}: {len(fields)} fields for {len(right)} blanks", len(fields) == len(right))
    weights = {}
    steps = [step for step, blanks in sheet["blanks"].items() for blank in flat(blanks) if blank]
    within = sheet["accept_within"]
    for field, number, step in zip(fields, right, steps):
        weights[step] = weights.get(step, 0) + field.weight
        expect(f"{name}: kind {field.kind}", field.kind == "NUMERICAL")
        expect(f"{name}: all within {within}", all(each.within == within for each in field.alternatives))
        expect(f"{name}: {number} is right", field.share(number) == (1, "Right."))
        expect(f"{name}: nothing else is", [each.share for each in field.alternatives[1:]] == [0] * (len(field.alternatives) - 1))
        for other in field.alternatives[1:]:
            expect(f"{name}: {other.number} is taken for another", field.share(other.number) == (0, other.feedback))
            expect(f"{name}: the hint {other.feedback}", other.feedback in hints)
    shares = {step: weight / sum(weights.values()) for step, weight in weights.items()}
    points = sum(sheet["points"].values())
    for step, share in shares.items():
        expect(f"{name}: {step} is worth {share}", abs(share - sheet["points"][step] / points) < 1e-12)
    expect(f"{name}: everything is right", cloze.grade(fields, right) == 1)
    return sum(len(field.alternatives) - 1 for field in fields)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "roster.csv").write_text('id,name\ns001,"Lee, Bo"\n../x,Ann\na&<b>,Cy\n', "utf-8")
    hints = {rule["hint"] for rule in json.loads(attn("rules", "--json", folder=folder))}
    expect("the rules have hints", len(hints) > 30)
    attn("make", "--preset", "causal", "--roster", "roster.csv", "--new-salt", "salt", "--format",
         "json,csv", "-o", "class", folder=folder)
    attn("make", "--preset", "multihead", "--format", "csv", "-o", "heads", folder=folder)
    attn("make", "--preset", "find-the-bug", "-o", "bug", folder=folder)
    for name in ("class", "heads", "bug"):
        check_files(folder / name)

    wrong = 0
    for name in ("class", "heads"):
        attn("export", name, "--format", "moodle-xml", "-o", name + ".xml", folder=folder)
        quiz = xml.etree.ElementTree.parse(folder / (name + ".xml")).getroot()
        kinds = [question.get("type") for question in quiz]
        sheets = [json.loads(path.read_text("utf-8")) for path in (folder / name / "sheets").glob("*.json")]
        expect(f"{name}: {kinds}", kinds == ["category"] + ["cloze"] * len(sheets))
        for question in quiz.findall("question[@type='cloze']"):
            title = question.find("name/text").text
            sheet = next(each for each in sheets if title.endswith(each["variant"]))
            expect(f"{title} names its student", sheet["student"] in title)
            key = next(json.loads(path.read_text("utf-8")) for path in (folder / name / "key/answers").glob("*.json")
                       if sheet["variant"] in path.read_text("utf-8"))
            wrong += check_question(question, sheet, key, hints)
    expect(f"only {wrong} wrong numbers", wrong > 100)

    (folder / "many.csv").write_text("id\n" + "".join(f"s{i:03}\n" for i in range(120)), "utf-8")
    few = {"preset": "causal", "mistakes": ["scale.missing", "mask.missing"]}  # a proof of all takes three times as long
    (folder / "few.json").write_text(json.dumps(few), "utf-8")
    attn("make", "--spec", "few.json", "--roster", "many.csv", "--salt-file", "salt", "-o", "many", folder=folder)
    many = attn("export", "many", "--format", "moodle-xml", folder=folder)
    expect(f"{len(many.encode())} bytes for 120 students", len(many.encode()) <= 2_000_000)
    expect("some wrong numbers are left", many.count("~%0%") > 1000)

    bug = attn("export", "bug", "--format", "moodle-xml", folder=folder)
    fields, _ = cloze.read_question(xml.etree.ElementTree.fromstring(bug).find("question[@type='cloze']/questiontext/text").text)
    key = json.loads((folder / "bug/key/answers/sheet.json").read_text("utf-8"))
    answer, steps = key["bug"], list(key["answers"])
    places, causes = [field.alternatives for field in fields]
    chosen = [each for each in places + causes if each.share == 1]
    expect(f"find the bug: {[each.answer for each in chosen]}", len(chosen) == 2 and len(places) == len(steps) and
           places.index(chosen[0]) == steps.index(answer["first_wrong"]) and chosen[1].answer.endswith(f"({answer['code']})"))

    own = 'Not "S~T", {1:NM:=2}, a#b or c}: is i<j & k>l?'
    (folder / "own.json").write_text(json.dumps({"preset": "causal", "mistake_texts": {"scale.missing": own}}), "utf-8")
    attn("make", "--spec", "own.json", "-o", "own", folder=folder)
    quiz = xml.etree.ElementTree.fromstring(attn("export", "own", "--format", "moodle-xml", folder=folder))
    fields, _ = cloze.read_question(quiz.find("question[@type='cloze']/questiontext/text").text)
    said = {each.feedback for field in fields for each in field.alternatives}
    expect(f"the teacher's words: {[each for each in said if 'Not' in each]}", own in said)

    (folder / "hidden.json").write_text(json.dumps(
        {"preset": "causal", "steps": {"masked_scores": 2, "weights": 2}, "blanks": "all", "mistakes": [], "force": True}), "utf-8")
    attn("make", "--spec", "hidden.json", "-o", "hidden", folder=folder)
    quiz = xml.etree.ElementTree.fromstring(attn("export", "hidden", "--format", "moodle-xml", folder=folder))
    fields, _ = cloze.read_question(quiz.find("question[@type='cloze']/questiontext/text").text)
    words = [[each.answer for each in field.alternatives if each.share == 1] for field in fields if field.kind == "SHORTANSWER"]
    expect(f"hidden scores, as they are typed: {words}", words == [["-Infinity", "-inf", "-∞", "−∞"]] * 6)

for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
