#!/usr/bin/env python3
"""Applies each change of mutants.txt in a copy of the project, and reports those that no test notices.

    tests/mutants/run.py --check         only whether each text is there exactly once, and each folder of sources has a change
    tests/mutants/run.py [WORDS]         all, or those whose file contains WORDS; the copy is WORK/attn-mutants
    tests/mutants/run.py --part 2/4      every fourth, beginning with the second

Where CI is set, a change that is not tried, because its script lacks something, counts as one that no test notices.
"""
import argparse
import dataclasses
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In the order in which a change is likely to be noticed: the tests of its own folder come first.
PROGRAMS = ["core", "io", "render", "teach", "app", "conformance"]
# What the test programs do not run is looked at by a script; and what that needs beside the program.
SCRIPTS = {
    "app/help/completions/": ("tests/app/completions_test.sh {attn}", ("bash",)),
    "app/platform/posix/screen.cpp": ("python3 tests/app/pause_test.py {attn}", ("python3",)),
    "app/platform/windows/": ("tests/windows/run.sh", ("x86_64-w64-mingw32-g++-posix", "wine64")),
    "app/web/": ("tests/web/run.sh", ("emcc", "node", "chromium")),
    "lib/page/": ("node tests/page/page_test.mjs {attn}", ("node", "chromium")),
}
PATHS = os.environ["PATH"] + ":/usr/lib/wine"
NOT_TRIED = "not tried without "
LONGEST = 1200  # seconds; what takes longer never ends


@dataclasses.dataclass
class Mutant:
    line: int
    file: str
    old: str
    new: str = ""
    survives: str = ""


def mutants(path):
    found, file = [], None
    for number, line in enumerate(path.read_text().split("\n"), 1):
        mark, _, text = line.partition(" ")
        if mark == "@":
            file = text
        elif mark == "-":
            found.append(Mutant(number, file, text))
        elif mark == "+":
            found[-1].new = text
        elif mark == "survives:":
            found[-1].survives = text
        elif line and mark != "#":
            sys.exit(f"{path}:{number}: a line begins with @, -, + or survives:")
    return found


def misplaced(mutant):
    """Why the change cannot be made; empty if it can."""
    path = ROOT / mutant.file
    count = path.read_text().count(mutant.old) if path.exists() else 0
    return "" if count == 1 else f"mutants.txt:{mutant.line}: {count} times in {mutant.file}: {mutant.old}"


def folders_without_rows(rows):
    """The folders of sources in which no change is made."""
    found = set()
    for top in ["app", "lib/page", "lib/src"]:
        found |= {path.parent for path in (ROOT / top).rglob("*") if path.suffix in {".cpp", ".hpp", ".js", ".mjs"}}
    changed = {(ROOT / row.file).parent for row in rows}
    return sorted(str(folder.relative_to(ROOT)) for folder in found - changed)


def programs_for(file):
    """The test programs, those first that are likely to notice a change of the file."""
    folder = file.split("/")[2] if file.startswith("lib/src/") else "app"
    return sorted(PROGRAMS, key=lambda name: name != folder)


def compiles(build, *targets):
    """Whether they compile."""
    jobs = str(os.cpu_count())
    return subprocess.run(["cmake", "--build", build, "-j", jobs, "--target", *targets], capture_output=True).returncode == 0


def passes(script, copy, build):
    """Whether the script finds nothing, and ends: what it started ends with it."""
    if not compiles(build, "attn_main", "test_app"):
        return False
    running = subprocess.Popen(script.format(attn=build / "attn").split(), cwd=copy, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return running.wait(LONGEST) == 0
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        return False


@functools.cache
def lacking(script, tools, copy, build):
    """What the script cannot do without: tools, or a success as long as nothing is changed; empty if it has all."""
    missing = [tool for tool in tools if not shutil.which(tool, path=PATHS)]
    if not missing and not passes(script, copy, build):
        missing.append("a success before the change")
    return ", ".join(missing)


def noticed(mutant, copy, build):
    """The test that notices the change; empty if none does."""
    path = copy / mutant.file
    text = path.read_text()
    script, tools = next((row for begin, row in SCRIPTS.items() if mutant.file.startswith(begin)), ("", ()))
    lacks = lacking(script, tools, copy, build) if script else ""
    if lacks:
        return NOT_TRIED + lacks
    path.write_text(text.replace(mutant.old, mutant.new))
    try:
        if script:
            return "" if passes(script, copy, build) else script
        for name in programs_for(mutant.file):
            if not compiles(build, "test_" + name):
                return "the compiler"
            try:
                ran = subprocess.run([build / "tests" / ("test_" + name), "--abort-after=1"],
                                     capture_output=True, text=True, errors="replace", timeout=LONGEST)
            except subprocess.TimeoutExpired:
                return f"{name}: never ends"
            if ran.returncode != 0:
                case = [line for line in ran.stdout.split("\n") if line.startswith("TEST CASE:")]
                return f"{name}: {case[0][len('TEST CASE:'):].strip()}" if case else f"{name}: it stops"
        return ""
    finally:
        path.write_text(text)


def part_of(text):
    """(2, 4) of "2/4"."""
    part, slash, parts = text.partition("/")
    if not (part.isdecimal() and slash and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text}: a part is from 1/N to N/N")
    return int(part), int(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="?", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--part", default="1/1", type=part_of)
    options = parser.parse_args()
    rows = mutants(ROOT / "tests/mutants/mutants.txt")
    problems = [problem for problem in map(misplaced, rows) if problem]
    problems += [f"mutants.txt: nothing is changed in {folder}" for folder in folders_without_rows(rows)]
    if problems:
        sys.exit("\n".join(problems))
    if options.check:
        print(f"{len(rows)} changes, each possible, in every folder of sources")
        return
    copy = pathlib.Path(os.environ.get("WORK", tempfile.gettempdir())) / "attn-mutants"
    build = copy / "build"
    copy.mkdir(exist_ok=True)
    for name in subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]:
        source, target = ROOT / name, copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)
    subprocess.run(["cmake", "-S", copy, "-B", build], check=True, stdout=subprocess.DEVNULL)
    part, parts = options.part
    chosen = [row for row in rows if options.words in row.file][part - 1::parts]
    survivors = unexplained = untried = 0
    for row in chosen:
        test = noticed(row, copy, build)
        survivors += not test
        unexplained += not test and not row.survives
        untried += test.startswith(NOT_TRIED)
        print(f"{row.file}: {row.old} -> {row.new or 'nothing'}\n    " +
              (test or "SURVIVES" + (": " + row.survives if row.survives else "")), flush=True)
    print(f"{survivors} of {len(chosen)} survive, {unexplained} without a reason; {untried} not tried")
    sys.exit(1 if unexplained or (untried and os.environ.get("CI")) else 0)


main()
