#!/usr/bin/env python3
"""The bugs of docs/from-pytorch.md: each is put into the module shown there, and attn check names it.

Usage: bugs_test.py ATTN SOURCE_FOLDER. Exit code 77 (skipped) without torch and NumPy.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy  # noqa: F401
    import torch  # noqa: F401
except ImportError:
    print("skipped: torch and numpy are not installed")
    sys.exit(77)

attn = str(pathlib.Path(sys.argv[1]).resolve())
page = (pathlib.Path(sys.argv[2]) / "docs" / "from-pytorch.md").read_text()
section = page.split("## The bug in your own module")[1].split("\n## ")[0]
blocks = re.findall(r"```py\n(.*?)```", section, re.S)
command = re.search(r"^    attn (check .*)$", section, re.M).group(1).split()
tables = [re.findall(r"^\| `(.*)` \| `(.*)` \| `(.*)` \|$", part, re.M)
          for part in section.split("`nn.MultiheadAttention` itself")]
failures = []


def first_code(code):
    """The first finding of the first wrong step; None if everything is right."""
    exec(compile(code, "from-pytorch.md", "exec"), {})
    run = subprocess.run([attn, *command, "--json"], capture_output=True, encoding="utf-8")
    if run.returncode > 1:
        return run.stderr
    report = json.loads(run.stdout)
    wrong = [step for step in report["steps"] if step["id"] == report["first_wrong"]]
    if not wrong:
        return None
    return wrong[0]["findings"][0]["code"] if wrong[0]["findings"] else "nothing"


def check(right, rows):
    code = blocks[0] + right
    if (found := first_code(code)) is not None:
        failures.append(f"the right module: {found}")
    for instead_of, wrote, code_of_bug in rows:
        if instead_of not in right:
            failures.append(f"not in the code: {instead_of}")
            continue
        if (found := first_code(code.replace(instead_of, wrote))) != code_of_bug:
            failures.append(f"{wrote}: {found} instead of {code_of_bug}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check(blocks[1], tables[0])
    check(blocks[2], tables[1])
assert len(tables[0]) == 5 and len(tables[1]) == 2, tables
print("\n".join(failures) or "7 bugs named, 2 right modules right")
sys.exit(1 if failures else 0)
