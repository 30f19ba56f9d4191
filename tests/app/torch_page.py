"""What the tests of docs/for-engineers.md share: a section of the page, its code, and its command.

Usage of such a test: NAME_test.py ATTN SOURCE_FOLDER. Exit code 77 (skipped) without torch and NumPy.
"""

import json
import pathlib
import re
import subprocess
import sys

try:
    import numpy  # noqa: F401
    import torch  # noqa: F401
except ImportError:
    print("skipped: torch and numpy are not installed")
    sys.exit(77)

attn = str(pathlib.Path(sys.argv[1]).resolve())
PAGE = pathlib.Path(sys.argv[2]).resolve() / "docs" / "for-engineers.md"
page = PAGE.read_text()


def section_of(title):
    """The text below a heading."""
    return page.split(f"## {title}")[1].split("\n## ")[0]


def code_blocks(section):
    return re.findall(r"```py\n(.*?)```", section, re.S)


def rows_of(text, columns):
    """The rows of a table in which every cell is code."""
    return re.findall(r"^\| " + r" \| ".join(["`(.*)`"] * columns) + r" \|$", text, re.M)


def report_on(code, section, *options):
    """Runs the code, then the attn check of the section: what it prints."""
    exec(compile(code, "for-engineers.md", "exec"), {})
    command = re.search(r"^    attn (check .*)$", section, re.M).group(1).split()
    run = subprocess.run([attn, *command, *options], capture_output=True, encoding="utf-8")
    if run.returncode > 1:
        raise RuntimeError(run.stderr)
    return run.stdout


def checked(code, section):
    """The same as JSON: the report, and its first wrong step."""
    report = json.loads(report_on(code, section, "--json"))
    wrong = next((step for step in report["steps"] if step["id"] == report["first_wrong"]), None)
    return report, wrong
