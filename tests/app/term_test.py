#!/usr/bin/env python3
"""docs/for-teachers.md from its first line to its last, in an empty folder, as a teacher follows it.

Usage: term_test.py ATTN SOURCE_DIR

documentation_test.sh runs the same lines among those of other pages. Here, those without "$" run too (with stand-ins for
attn.html and for a static program), the archive of the page gives the same gradebook again, and after its last step
nothing about a student is left.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ATTN = pathlib.Path(sys.argv[1]).resolve()
PAGE = pathlib.Path(sys.argv[2]) / "docs/for-teachers.md"
PEOPLE = re.compile(rb"\b(s00[123]|Ann|Bob|Cem|(ann|bob|cem)@example\.edu)\b", re.I)  # the roster of the page
GRADES = "grades.csv"
failures = []


def expect(what, good):
    if not good:
        failures.append(what)


def steps_of_page():
    """(kind, text): blocks of Python and lines of commands, in order."""
    steps = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S):
        if language == "python":
            steps.append(("python", block))
        elif language == "":
            steps += [("command", line.removeprefix("$ ")) for line in block.splitlines() if re.match(r"(\$ )?attn ", line)]
    return steps


def run(command, folder):
    text, _, code = command.partition(" # exit ")
    ran = subprocess.run([ATTN, *shlex.split(text)[1:]], cwd=folder, capture_output=True, encoding="utf-8",
                         stdin=subprocess.DEVNULL)
    expect(f"{command}: exit code {ran.returncode}: {ran.stderr}", ran.returncode == int(code or 0))


def files_in(folder):
    """(name, bytes) of every file; of those inside an archive, too."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        name = str(path.relative_to(folder))
        yield name, path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield from ((f"{name}: {inner}", archive.read(inner)) for inner in archive.namelist())
        elif tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                yield from ((f"{name}: {inner.name}", archive.extractfile(inner).read())
                            for inner in archive.getmembers() if inner.isfile())


def about_people(folder):
    return sorted(name for name, content in files_in(folder) if PEOPLE.search(name.encode()) or PEOPLE.search(content))


def check_archive(archive, grading, gradebook, folder):
    """Only the archive, and the last command that wrote the gradebook: the same file again."""
    folder.mkdir()
    with tarfile.open(archive) as packed:
        packed.extractall(folder)
    (folder / GRADES).unlink(missing_ok=True)
    run(grading, folder)
    again = (folder / GRADES).read_bytes() if (folder / GRADES).exists() else None
    expect(f"{grading}: other grades from the archive", again == gradebook)


def by_hand(command, autograder):
    """The line for an autograder of one's own asks for the same as run_autograder, which qti_test.py runs."""
    with zipfile.ZipFile(autograder) as archive:
        script = archive.read("run_autograder").decode()
    script = script.replace("\\\n", " ").replace('"', "").replace("$root", "/autograder")
    words = shlex.split(command.removesuffix(" || true").replace("/autograder/source/", "").replace(
        "/autograder/results/results.json", "$results"))
    line = next(line for line in script.splitlines() if "./attn check" in line)
    expect(f"{command}: {words} are not all in {line}", command.endswith(" || true") and set(words[1:]) <= set(line.split()))


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "term"
    (folder / "build-web").mkdir(parents=True)
    (folder / "build-web/attn.html").write_text('<body><script type="application/json" id="sheet"></script></body>')
    (folder / "FILE").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(100))
    grading, written, seen, deletions = None, None, set(), 0
    for kind, text in steps_of_page():
        if kind == "python":
            ran = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, encoding="utf-8")
            expect(f"{text}: {ran.stderr}", ran.returncode == 0)
        elif text.startswith("attn check /autograder/"):
            by_hand(text, folder / "autograder.zip")
        else:
            run(text, folder)
            if f"--gradebook {GRADES}" in text:
                grading, written = text, (folder / GRADES).read_bytes()
        for archive in set(folder.glob("*archive*")) - seen:
            seen.add(archive)
            check_archive(archive, grading, written, folder.parent / f"archive{len(seen)}")
        if kind == "python" and "canvas.csv" in text:
            deletions += 1
            left = about_people(folder)
            expect(f"after the first deletion: {left}", left and all("archive" in name for name in left))
    expect("the page archives", len(seen) == 1)
    expect("the page deletes canvas.csv with all but the archive", deletions == 1)
    names = {name for name, _ in PEOPLE.findall(written)}
    expect(f"everybody is in the gradebook: {names}", len(names) == 9)
    expect(f"after the last deletion: {about_people(folder)}", not about_people(folder))
    for kept in ("week1.salt", "class.json"):
        expect(f"{kept} is kept", (folder / kept).exists())

for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
