#!/usr/bin/env python3
"""Packages of IMS QTI 2.1, read by a strict parser of its own, and Gradescope's archive, which runs.

qti_grammar.py has what the schema allows, qti_breaks.py small breaks of packages that it must refuse; here responseProcessing is evaluated.

Usage: qti_test.py ATTN
"""

import json
import math
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

import qti_breaks
import qti_grammar

ATTN = pathlib.Path(sys.argv[1]).resolve()
QTI, CP = qti_grammar.QTI, qti_grammar.CP
failures = []


def expect(what, good):
    if not good:
        failures.append(what)


def attn(*args, folder, code=0):
    ran = subprocess.run([ATTN, *args], cwd=folder, capture_output=True, encoding="utf-8")
    expect(f"{args}: exit code {ran.returncode}: {ran.stderr}", ran.returncode == code)
    return ran.stdout


def evaluate(node, answers, declared, score):
    name, parts = node.tag.removeprefix(QTI), list(node)
    inner = lambda: [evaluate(part, answers, declared, score) for part in parts]
    if name == "variable":
        return score if node.get("identifier") == "SCORE" else answers.get(node.get("identifier"))
    if name == "correct":
        return declared[node.get("identifier")][1]
    if name == "baseValue":
        return float(node.text) if node.get("baseType") == "float" else node.text
    values = inner()
    if name == "sum":
        return sum(values)
    if name == "or":
        return any(values)
    if None in values:  # QTI: an answer that is not there makes the comparison NULL
        return False
    if name == "equal":
        low, high = map(float, node.get("tolerance").split())
        expect("absolute", node.get("toleranceMode") == "absolute")
        return values[1] - low - 1e-12 <= values[0] <= values[1] + high + 1e-12
    if name == "stringMatch":
        return values[0].lower() == values[1].lower()
    return values[0] == values[1]


def outcome_of(item, answers, declared):
    """The score, and what is said about the answers."""
    score, hints = 0.0, []
    texts = {each.get("identifier"): each.text for each in item.findall(QTI + "modalFeedback")}
    for condition in item.find(QTI + "responseProcessing"):
        for case in condition:  # the first that holds
            test, *rest = list(case)
            if not evaluate(test, answers, declared, score):
                continue
            for each in rest:
                if each.get("identifier") == "SCORE":
                    score = evaluate(each[0], answers, declared, score)
                else:
                    hints.append(texts[each.find(f"{QTI}multiple/{QTI}baseValue").text])
            break
    return score, hints


def score_of(item, answers, declared):
    return outcome_of(item, answers, declared)[0]


def flat(matrix):
    return [cell for row in matrix for cell in flat(row)] if isinstance(matrix, list) else [matrix]


def check_item(text, key):
    item = ET.fromstring(text)
    where = item.get("title")
    failures.extend(f"{where}: {fault}" for fault in qti_grammar.faults(qti_grammar.ITEM, item))
    declared = {}
    for each in item.findall(QTI + "responseDeclaration"):
        name, kind = each.get("identifier"), each.get("baseType")
        value = each.find(f"{QTI}correctResponse/{QTI}value").text
        expect(f"{where}: {name}", kind in ("float", "string", "identifier"))
        declared[name] = (kind, float(value) if kind == "float" else value)
    used = [each.get("responseIdentifier") for each in item.iter() if each.get("responseIdentifier")]
    expect(f"{where}: each answer has one box", sorted(used) == sorted(declared))
    for choice in item.iter(QTI + "inlineChoiceInteraction"):
        options = [each.get("identifier") for each in choice]
        expect(f"{where}: options {options}", len(set(options)) == len(options))
        expect(f"{where}: the right one is there", declared[choice.get("responseIdentifier")][1] in options)
    for header in item.iter(QTI + "th"):
        expect(f"{where}: an empty header", "".join(header.itertext()).strip())
    points = sum(key["points"].values())
    right = {name: value for name, (_, value) in declared.items()}
    expect(f"{where}: everything right", math.isclose(score_of(item, right, declared), points, abs_tol=1e-9))
    expect(f"{where}: nothing", score_of(item, {}, declared) == 0)
    for typed in ("-inf", "-INFINITY", "-∞", "−∞"):  # the last is what sheets print
        also = {name: value if kind != "string" else typed for name, (kind, value) in declared.items()}
        expect(f"{where}: {typed}", math.isclose(score_of(item, also, declared), points, abs_tol=1e-9))
    within = key["accept_within"]
    for shift, all_points in ((0.99 * within, True), (1.01 * within, False)):
        off = {name: value + shift if isinstance(value, float) else value for name, value in right.items()}
        score = score_of(item, off, declared)
        if any(isinstance(value, float) for value in right.values()):
            expect(f"{where}: off by {shift}: {score}", math.isclose(score, points) == all_points)
    if "bug" not in key:
        solved = [cell for step, blanks in key["blanks"].items()
                  for cell, blank in zip(flat(key["answers"][step]), flat(blanks)) if blank]
        numbers = [value if isinstance(value, float) else -math.inf for _, value in declared.values()]
        hinted = [case for condition in item.find(QTI + "responseProcessing") for case in list(condition)[1:]]
        expect(f"{where}: wrong numbers have hints", len(hinted) > 0)
        for case in hinted:
            wrong = {case[0].find(QTI + "variable").get("identifier"): float(case[0].find(QTI + "baseValue").text)}
            score, hints = outcome_of(item, wrong, declared)
            expect(f"{where}: {wrong} is worth {score} and gets {hints}", score == 0 and len(hints) == 1 and hints[0])
        expect(f"{where}: nothing is said when all is right", outcome_of(item, right, declared)[1] == [])
        expect(f"{where}: the numbers of the key", numbers == [float(cell) for cell in solved])


def check_package(path, keys):
    with zipfile.ZipFile(path) as archive:
        expect("the archive is whole", archive.testzip() is None)
        names = archive.namelist()
        manifest = ET.fromstring(archive.read("imsmanifest.xml"))
        failures.extend(qti_grammar.faults(qti_grammar.MANIFEST, manifest))
        hrefs = []
        for resource in manifest.find(CP + "resources"):
            expect("type", resource.get("type") == "imsqti_item_xmlv2p1")
            expect("file", [each.get("href") for each in resource] == [resource.get("href")])
            hrefs.append(resource.get("href"))
        expect(f"{names}", sorted(names) == sorted(hrefs + ["imsmanifest.xml"]) and len(hrefs) == len(keys))
        for href in hrefs:
            text = archive.read(href).decode("utf-8")
            check_item(text, next(key for key in keys if key["variant"] in text))


def check_breaks(package, name, grammar, rows):
    with zipfile.ZipFile(package) as archive:
        failures.extend(qti_breaks.accepted(rows, grammar, archive.read(name).decode("utf-8")))


def keys_of(folder):
    return [json.loads(path.read_text("utf-8")) for path in (folder / "key/answers").glob("*.json")]


# What Gradescope documents (docs/specs.md of gradescope/autograder_samples), and nothing else: key → what it may be.
def one_of(*words):
    return lambda value: value in words


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_text(value):
    return isinstance(value, str)


def list_of(check):
    return lambda value: isinstance(value, list) and all(map(check, value))


def object_of(keys):
    return lambda value: isinstance(value, dict) and all(key in keys and keys[key](each) for key, each in value.items())


VISIBILITY = one_of("hidden", "after_due_date", "after_published", "visible")
FORMAT = one_of("text", "html", "simple_format", "md", "ansi")
TEST = {"score": is_number, "max_score": is_number, "status": one_of("passed", "failed"), "name": is_text, "name_format": FORMAT,
        "number": is_text, "output": is_text, "output_format": FORMAT, "tags": list_of(is_text), "visibility": VISIBILITY,
        "extra_data": lambda value: isinstance(value, dict)}
RESULTS = {"score": is_number, "execution_time": is_number, "output": is_text, "output_format": FORMAT, "test_output_format": FORMAT,
           "test_name_format": FORMAT, "visibility": VISIBILITY, "stdout_visibility": VISIBILITY,
           "extra_data": TEST["extra_data"], "tests": list_of(object_of(TEST)), "leaderboard": list_of(object_of(
               {"name": is_text, "value": lambda value: is_number(value) or is_text(value), "order": one_of("asc")}))}


expect("a misspelt key is found", not object_of(RESULTS)({"score": 1, "visibilty": "visible"}))


def check_results(results, what):
    expect(f"{what}: Gradescope documents no such key or value: {results}", object_of(RESULTS)(results))
    tests = results.get("tests", [])
    expect(f"{what}: more than there is to earn: {tests}", all(each["score"] <= each["max_score"] for each in tests if "score" in each))
    if tests and "score" in results:
        expect(f"{what}: the tests add up to the score: {results}",
               math.isclose(sum(each["score"] for each in tests), results["score"], abs_tol=1e-9))
    return results


def check_autograder(folder):
    """The archive for Gradescope, unpacked and run; attn in it is replaced by the one under test."""
    program = bytearray(b"\x7fELF\x02\x01\x01" + bytes(100))
    (folder / "static").write_bytes(program)
    (folder / "mail.csv").write_text("id,email\ns001,ann@example.edu\n../x,bob@example.edu\n", "utf-8")
    attn("exercise", "export", "class", "--format", "gradescope", "--program", "static", "--roster", "mail.csv",
         "-o", "autograder.zip", folder=folder)
    root = folder / "autograder"
    with zipfile.ZipFile(folder / "autograder.zip") as archive:
        archive.extractall(root / "source")
        for info in archive.infolist():
            runs = info.filename in ("setup.sh", "run_autograder", "attn")
            mode = info.external_attr >> 16
            expect(f"{info.filename}: mode {mode:o}", mode == (0o100755 if runs else 0o100644))
    shutil.copy(ATTN, root / "source/attn")
    os.chmod(root / "source/attn", stat.S_IRWXU)
    (root / "submission").mkdir()
    results = root / "results/results.json"

    def run(email):
        (root / "submission_metadata.json").write_text(json.dumps({"users": [{"id": 1, "email": email}]}), "utf-8")
        results.unlink(missing_ok=True)
        ran = subprocess.run(["bash", root / "source/run_autograder"], env={**os.environ, "ATTN_AUTOGRADER": str(root)},
                             capture_output=True, encoding="utf-8")
        expect(f"run_autograder: {ran.returncode}", ran.returncode == 0)
        return check_results(json.loads(results.read_text("utf-8")), email)

    expect("nothing handed in", run("ann@example.edu")["score"] == 0)
    shutil.copy(folder / "class/key/answers/s001.json", root / "submission/my work.txt")
    expect("one's own sheet", run("ann@example.edu")["score"] == 10)
    shutil.copy(folder / "class/sheets/s001.json", root / "submission/my work.txt")
    blank = run("ann@example.edu")
    expect(f"a blank sheet: {blank}", blank["score"] == 0 and len(blank["tests"]) == 7)
    (root / "submission/my work.txt").write_text("I lost my sheet, sorry")
    expect("no sheet", run("ann@example.edu")["score"] == 0)
    shutil.copy(folder / "class/key/answers/s001.json", root / "submission/my work.txt")
    other = run("bob@example.edu")
    expect(f"another's sheet: {other}", other["score"] == 0 and "wrong_variant" in other["output"])
    nobody = run("eve@example.edu")
    expect(f"nobody: {nobody}", nobody["score"] == 0 and "not_in_roster" in json.dumps(nobody))
    shutil.rmtree(root / "source/key/answers")
    expect("a broken key gives no score", "score" not in run("ann@example.edu"))
    (root / "source/attn").write_text("not a program")
    expect("without a program", "Please tell your teacher" in run("ann@example.edu")["output"])


TITLE, TOKENS = 'Wer sieht wen? 猫 & <"> ]]> \ufffe', ["猫", "a&b", "<i>", '"🙂"']
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "roster.csv").write_text("id\ns001\n../x\na&<b>\n", "utf-8")
    (folder / "salt").write_text("a salt that is long enough")
    (folder / "own.json").write_text(json.dumps(
        {"preset": "causal", "steps": {"masked_scores": 2, "weights": 2}, "blanks": "all", "mistakes": [],
         "decimal_mark": "comma", "force": True, "language": "de", "title": TITLE, "tokens": TOKENS,
         "mistake_texts": {"softmax.columns": "Zeilen, <nicht> Spalten."}}), "utf-8")
    attn("exercise", "make", "--preset", "causal", "--roster", "roster.csv", "--salt-file", "salt", "-o", "class",
         folder=folder)
    attn("exercise", "make", "--preset", "multihead", "-o", "heads", folder=folder)
    attn("exercise", "make", "--spec", "own.json", "-o", "own", folder=folder)
    attn("exercise", "make", "--preset", "find-the-bug", "-o", "bug", folder=folder)
    more = ("self", "cross", "softmax")
    for name in more:
        attn("exercise", "make", "--preset", name, "-o", name, folder=folder)
    for name in ("class", "heads", "own", "bug", *more):
        attn("exercise", "export", name, "--format", "qti", "-o", name + ".zip", folder=folder)
        check_package(folder / (name + ".zip"), keys_of(folder / name))
        for path in [*(folder / name / "sheets").glob("s*.json"), *(folder / name / "key/answers").glob("s*.json")]:
            solved = "answers" in path.parts
            results = attn("check", path, "--key", folder / name / "key", "--format", "gradescope", folder=folder, code=0 if solved else 1)
            check_results(json.loads(results), path)
    for name, file, grammar, rows in (("heads", "items/item1.xml", qti_grammar.ITEM, qti_breaks.ITEM),
                                      ("own", "items/item1.xml", qti_grammar.ITEM, qti_breaks.TEXT),
                                      ("bug", "items/item1.xml", qti_grammar.ITEM, qti_breaks.CHOICE),
                                      ("class", "imsmanifest.xml", qti_grammar.MANIFEST, qti_breaks.MANIFEST)):
        check_breaks(folder / (name + ".zip"), file, grammar, rows)
    with zipfile.ZipFile(folder / "own.zip") as archive:
        text = archive.read("items/item1.xml").decode("utf-8")
        body = ET.fromstring(text).find(QTI + "itemBody")
        expect("the title", TITLE.replace("\ufffe", "\ufffd") in [each.text for each in body.iter(QTI + "b")])
        expect("the tokens", set(TOKENS) <= {each.text for each in body.iter(QTI + "th")})
        expect("in German", "Runde auf 3 Nachkommastellen" in text)
        expect("the teacher's words", "Zeilen, &lt;nicht&gt; Spalten." in text)
    check_autograder(folder)

for failure in failures[:20]:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
