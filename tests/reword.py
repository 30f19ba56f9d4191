#!/usr/bin/env python3
"""Changes words wherever people read them: in the sources, the tests and the keys of the catalogues.

    tests/reword.py "adds up to" "sums to"

Afterwards, by hand: the translations that are listed, and prose of docs that says the same. Outputs in docs and goldens are
written by ATTN_UPDATE_GOLDENS=1. A text that sources break over several lines is found, and clang-format breaks the new one."""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {".cpp", ".hpp", ".js", ".mjs", ".cjs", ".py", ".sh"}


def pattern(old):
    """The words as they are in a source: quotation marks escaped or not, literals in a row as one."""
    joint = r'(?: |"\s*\n\s*" ?| "\s*\n\s*")'
    words = [re.escape(word).replace('"', r'\\?"') for word in old.split()]
    return re.compile(r"(?<!\w)" + joint.join(words) + r"(?!\w)")


def reworded(text, old, new, escaped):
    return pattern(old).sub(lambda found: new.replace('"', '\\"') if escaped else new, text)


def change(path, old, new):
    text = path.read_text()
    changed = reworded(text, old, new, path.suffix in (".cpp", ".hpp", ".json"))
    if changed == text:
        return False
    path.write_text(changed)
    if path.suffix in (".cpp", ".hpp"):
        subprocess.run(["clang-format", "-i", path], check=False)
    return True


def rename_keys(path, old, new):
    """Renames keys of a catalogue, line by line, which keeps its order; returns what to translate anew."""
    translations = []
    lines = path.read_text().split("\n")
    for at, line in enumerate(lines):
        key = re.match(r'(\s*)("(?:[^"\\]|\\.)*")(: ".*)', line)
        if key and reworded(json.loads(key[2]), old, new, False) != json.loads(key[2]):
            name = json.dumps(reworded(json.loads(key[2]), old, new, False), ensure_ascii=False)
            lines[at] = key[1] + name + key[3]
            translations.append(f"{path.relative_to(ROOT)}:{at + 1}: {lines[at].strip()}")
    path.write_text("\n".join(lines))
    return translations


def check():
    """What the script has to get right; run by ctest."""
    source = 'said("it adds "\n     "up to 1");  // loads up to here\n'
    assert reworded(source, "adds up to", "sums to", True) == 'said("it sums to 1");  // loads up to here\n'
    assert reworded('has(text, "no \\"q\\" here")', 'no "q"', 'not "k"', True) == 'has(text, "not \\"k\\" here")'
    assert reworded("words", "word", "term", False) == "words"


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = sys.argv[1:]
    files = [each for top in ("lib", "app", "tests") for each in sorted((ROOT / top).rglob("*"))]
    for path in files:
        if path.suffix in KINDS and path.name != "reword.py" and change(path, old, new):
            print(path.relative_to(ROOT))
    for path in sorted((ROOT / "samples/lang").glob("*.json")):
        print("\n".join(rename_keys(path, old, new)))


main()
