#!/usr/bin/env python3
"""The bugs of docs/for-engineers.md: each is put into the module shown there, and attn check names it."""

import os
import re
import sys
import tempfile

from torch_page import PAGE, checked, code_blocks, report_on, rows_of, section_of

section = section_of("The bug in your own module")
blocks = code_blocks(section)
tables = [rows_of(part, 3) for part in section.split("`nn.MultiheadAttention` itself")]
failures = []


def first_code(code):
    """The first finding of the first wrong step; None if everything is right."""
    _, wrong = checked(code, section)
    if wrong is None:
        return None
    return wrong["findings"][0]["code"] if wrong["findings"] else "nothing"


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
    instead_of, wrote, _ = tables[0][0]
    shown = re.search(r"prints\n\n```\n(.*?)```", section, re.S).group(1)
    printed = report_on(blocks[0] + blocks[1].replace(instead_of, wrote), section)
    if os.environ.get("ATTN_UPDATE_GOLDENS"):
        PAGE.write_text(PAGE.read_text().replace(shown, printed))
    elif printed != shown:
        failures.append("the report that the page shows is not the one printed")
assert len(tables[0]) == 5 and len(tables[1]) == 2, tables
print("\n".join(failures) or "7 bugs named, 2 right modules right")
sys.exit(1 if failures else 0)
