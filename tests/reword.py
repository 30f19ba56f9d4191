#!/usr/bin/env python3
"""Changes words wherever people read them, and lists what is left.

    tests/reword.py "adds up to" "sums to"

It changes comments and literals of sources and tests, prose of documents, lessons and schemas, and keys of the catalogues; with a small
letter in front, the same words with a capital, too. It never changes names: a literal without a space is one, and so is a single word
beside quotation marks, hyphens and the like. Then it lists translations to look at, and prose that still has the words. Outputs in docs
and goldens are written by ATTN_UPDATE_GOLDENS=1. A text that sources break over several lines is found, and clang-format breaks the new one.
Of a lesson, gaps and blocks that compute are left as they are, and listed."""
import functools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# In a file of each kind, what comes after one another; only a part named `words` is changed. Literals in a row are one.
QUOTED = r'"(?:[^"\\\n]|\\.)*"'
APOSTROPHES = r"'(?:[^'\\\n]|\\.)*'"
SLASHED = r"//[^\n]*(?:\n\s*//[^\n]*)*|/\*.*?\*/"
HASHED = r"(?<!\S)#[^\n]*(?:\n\s*#[^\n]*)*"
C = rf'''(?P<words>{SLASHED}|R"(\w*)\(.*?\)\2"|{QUOTED}(?:\s*{QUOTED})*)|(?<!\w){APOSTROPHES}'''
EXPRESSION = r"(?<=[(,=:\[!&|?{};])\s*/(?![/*])(?:\[(?:[^\]\\\n]|\\.)*\]|[^/\\\n\[]|\\.)+/"
SCRIPT = rf"{EXPRESSION}|(?P<words>{SLASHED}|`(?:[^`\\]|\\.)*`|{APOSTROPHES}|{QUOTED})"
PYTHON = rf'(?P<words>"""(?:[^\\]|\\.)*?"""|{HASHED}|{QUOTED}|{APOSTROPHES})'
SHELL = rf"""(?P<words>{HASHED}|'[^']*'|"(?:[^"\\]|\\.)*")"""
CODE = r"```.*?\n```|`[^`\n]+`|\]\([^)\s]*\)|<!-- attn help \w+:|<!--.*?-->"
DOCUMENT = rf"{CODE}|(?P<words>(?:(?!{CODE}).)+)"
# In a lesson, what people read, also of claims and questions, but not in gaps.
SPOKEN = r"claim|question"
LESSON_CODE = rf"```(?!{SPOKEN})\w.*?\n```|```\w*|(?<=\n)needs:[^\n—]*|(?<=\n)(?!(?:hint|answer|title|summary|needs):)[a-z]+: [^\n]*|(?<=\n)if [^\n:]*:|\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}}|`[^`\n]+`|\]\([^)\s]*\)"
LESSON = rf"{LESSON_CODE}|(?P<words>(?:(?!{LESSON_CODE}).)+)"
SCHEMA = r'(?:(?<="description": )|(?<="title": ))(?P<words>"(?:[^"\\]|\\.)*")'
PAGE = r"<[^>]*>|(?P<words>[^<]+)"
KINDS = {".cpp": C, ".hpp": C, ".inc": C, ".txt": C, ".js": SCRIPT, ".mjs": SCRIPT, ".cjs": SCRIPT, ".py": PYTHON, ".sh": SHELL,
         ".cmake": SHELL, ".md": DOCUMENT, ".json": SCHEMA, ".html": PAGE}
PLACES = ("README.md", "CMakeLists.txt", ".github/*.md", "app/**/*", "docs/**/*.md", "lib/**/*", "samples/*.json", "samples/lessons/**/*.md",
          "tests/**/*.*pp", "tests/**/*.*js", "tests/**/*.py", "tests/**/*.sh", "tests/mutants/mutants.txt")
PROSE = ("README.md", ".github/*.md", "app/web/page/*.html", "docs/**/*.md", "lib/schemas/*.json", "samples/*.json", "samples/lessons/**/*.md")
HISTORY = ("docs/changelog.md", "tests/reword.py")  # they keep their words
JOINT = r'(?: "\s*"|"\s*" |\s+(?://+ |# )?)'
# A single word beside these is part of a name, and so is one between quotation marks, but for those of the literal itself.
BEFORE, AFTER = r"(?:(?<![\w\-./:#@$={}(\\])|(?<=\\n))", r"(?![\w\-/={}(\[]|[.:]\w)"
MARKS = r"\\?[\"'`]"


class Rewording:
    def __init__(self, root, old, new):
        self.root, self.pairs, self.translations = root, [(old, new)], []
        if old[0].islower():
            self.pairs.append((old[0].upper() + old[1:], new[0].upper() + new[1:]))
        self.any_case = re.compile(self.pattern(old).pattern, re.I)

    @staticmethod
    @functools.cache
    def pattern(old):
        """The words as they are in a source: quotation marks escaped or not, literals in a row as one."""
        words = [re.escape(word).replace('"', r'\\?"') for word in old.split()]
        if len(words) > 1:
            return re.compile(r"(?<!\w)" + JOINT.join(words) + r"(?!\w)")
        return re.compile(rf"(?!(?<=[\"'`]){words[0]}{MARKS}){BEFORE}{words[0]}{AFTER}")

    def reworded(self, text):
        """A comment, a literal or a piece of prose, with the new words."""
        begin, body, end = re.fullmatch(r"""(R"\w*\(|\"{3}|["'`])?(.*?)(\)\w*"|\"{3}|["'`])?""", text, re.S).groups("")
        if not re.search(r"\s", body):
            return text
        for old, new in self.pairs:
            found = new.replace('"', '\\"') if begin == '"' else new
            body = self.pattern(old).sub(lambda _: found, body)
        return begin + body + end

    def change(self, path):
        text = path.read_text("utf-8")
        is_lesson = path.suffix == ".md" and "lessons" in path.relative_to(self.root).parts
        parts = re.compile(LESSON if is_lesson else KINDS[path.suffix], re.S)
        changed = parts.sub(lambda part: self.reworded(part[0]) if part["words"] else part[0], text)
        if changed == text:
            return False
        path.write_text(changed, "utf-8")
        if path.suffix in (".cpp", ".hpp") and shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", path], check=True)
        return True

    def rename_keys(self, path):
        """Renames keys of a catalogue, line by line, which keeps its order; notes what to translate anew."""
        lines = path.read_text("utf-8").split("\n")
        for at, line in enumerate(lines):
            key = re.match(r'(\s*)("(?:[^"\\]|\\.)*")(: ".*)', line)
            if key and self.reworded(key[2]) != key[2]:
                lines[at] = key[1] + self.reworded(key[2]) + key[3]
                self.translations.append(f"{path.relative_to(self.root)}:{at + 1}: {lines[at].strip()}")
        path.write_text("\n".join(lines), "utf-8")

    def files(self, places):
        found = sorted({path for place in places for path in self.root.glob(place) if path.is_file()})
        return [path for path in found if path.suffix in KINDS and str(path.relative_to(self.root)) not in HISTORY]

    def all(self):
        """Changes every file; returns the names of those that are others now."""
        for path in sorted(self.root.glob("samples/lang/*.json")):
            self.rename_keys(path)
        return [str(path.relative_to(self.root)) for path in self.files(PLACES) if self.change(path)]

    def left(self):
        """Prose that still has the words, but for outputs of attn, which a switch writes; with file and line."""
        places = []
        for path in self.files(PROSE):
            text = re.sub(r"```(?:(?!\n```).)*?\n *\$? ?attn .*?\n```", lambda part: "\n" * part[0].count("\n"), path.read_text("utf-8"), flags=re.S)
            places += [(path, text.count("\n", 0, found.start()) + 1, text) for found in self.any_case.finditer(text)]
        for path in sorted(self.root.glob("samples/lang/*.json")):
            for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
                value = re.search(r'": (".*")', line)
                if value and self.any_case.search(value[1]):
                    places.append((path, number, "\n" * (number - 1) + line))
        return [f"{path.relative_to(self.root)}:{number}: {text.split(chr(10))[number - 1].strip()}" for path, number, text in places]


def check():
    """What the script has to get right, in a small project; run by ctest."""
    before = {
        "lib/lessons/a.cpp": 'int cell = 1; // a cell\nsaid("a cell {cell + 1}");\n',
        "lib/a.cpp": 'int cell = cell_of("cell");  // the cell of a row\nsaid("it "\n     "adds "\n     "up to 1");  // loads up to here, cells\n'
                     'has(text, "a \\"cell\\", --cell 1, cell.x, {cell}\\ncell");\nauto big = 1\'000, c = \'"\';\nsaid(R"({"cell": "one cell"})");\n',
        "app/a.js": 'const cell = /"cell/; // a cell\nsay(`one cell of ${keyOf(cell)}`, \'Cell it is\', "cell");\n',
        "app/a.py": '"""A cell."""\ncell = "cell"  # cell by cell\n',
        "tests/a.sh": 'cell=1 # no cell\necho "a cell" $cell\n',
        "docs/a.md": "<!-- attn help cell: a cell -->\n# A cell\n\nA cell, `a cell`, [a cell](a cell.md), and CELL.\n\n```\n$ attn cell\na cell\n```\n\n```\na cell\n```\n",
        "docs/changelog.md": "A cell.\n",
        "samples/lessons/a.md": "---\ntitle: a cell\nneeds: a cell — a cell\n---\n\n```claim\nA cell {cell + 1}: a cell.\ncheck: a cell\nif a cell: no cell\nhint: a cell\n```\n\n"
                                "A cell\n\n```show\na cell\n```\n",
        "lib/schemas/a.json": '{"cell": {"description": "a cell", "const": "a cell"}}\n',
        "samples/lang/de.json": '{\n  "cell": "Zelle",\n  "one cell": "eine Zelle",\n  "nothing": "kein cell"\n}\n',
    }
    after = {
        "lib/lessons/a.cpp": 'int cell = 1; // a box\nsaid("a box {cell + 1}");\n',
        "lib/a.cpp": 'int cell = cell_of("cell");  // the box of a row\nsaid("it "\n     "adds "\n     "up to 1");  // loads up to here, cells\n'
                     'has(text, "a \\"cell\\", --cell 1, cell.x, {cell}\\nbox");\nauto big = 1\'000, c = \'"\';\nsaid(R"({"cell": "one box"})");\n',
        "app/a.js": 'const cell = /"cell/; // a box\nsay(`one box of ${keyOf(cell)}`, \'Box it is\', "cell");\n',
        "app/a.py": '"""A box."""\ncell = "cell"  # box by box\n',
        "tests/a.sh": 'cell=1 # no box\necho "a box" $cell\n',
        "docs/a.md": "<!-- attn help cell: a box -->\n# A box\n\nA box, `a cell`, [a box](a cell.md), and CELL.\n\n```\n$ attn cell\na cell\n```\n\n```\na cell\n```\n",
        "docs/changelog.md": "A cell.\n",
        "samples/lessons/a.md": "---\ntitle: a box\nneeds: a cell — a box\n---\n\n```claim\nA box {cell + 1}: a box.\ncheck: a cell\nif a cell: no box\nhint: a box\n```\n\n"
                                "A box\n\n```show\na cell\n```\n",
        "lib/schemas/a.json": '{"cell": {"description": "a box", "const": "a cell"}}\n',
        "samples/lang/de.json": '{\n  "cell": "Zelle",\n  "one box": "eine Zelle",\n  "nothing": "kein cell"\n}\n',
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / ".clang-format").write_text("DisableFormat: true\n")
        for name, text in before.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8")
        words = Rewording(root, "cell", "box")
        files = words.all()
        assert files == ["app/a.js", "app/a.py", "docs/a.md", "lib/a.cpp", "lib/lessons/a.cpp", "lib/schemas/a.json", "samples/lessons/a.md", "tests/a.sh"], files
        for name, text in after.items():
            assert (root / name).read_text("utf-8") == text, (name, (root / name).read_text("utf-8"))
        assert words.translations == ['samples/lang/de.json:3: "one box": "eine Zelle",'], words.translations
        lines = [place.rsplit(": ", 1)[0] if "lang" in place else place.split(": ")[0] for place in words.left()]
        assert lines == ["docs/a.md:1", "docs/a.md:4", "docs/a.md:4", "docs/a.md:12", "lib/schemas/a.json:1", "samples/lessons/a.md:3", "samples/lessons/a.md:8", "samples/lessons/a.md:9", "samples/lessons/a.md:16", 'samples/lang/de.json:4: "nothing"'], lines
        Rewording(root, "adds up to", 'sums to "x"').all()
        assert 'said("it "\n     "sums to \\"x\\" 1");  // loads up to here' in (root / "lib/a.cpp").read_text("utf-8")
        Rewording(root, 'sums to "x"', "is").all()
        assert 'said("it "\n     "is 1");' in (root / "lib/a.cpp").read_text("utf-8")


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    words = Rewording(Path(__file__).resolve().parent.parent, *sys.argv[1:])
    print("\n".join(words.all()))
    for title, places in (("look at the translations:", words.translations), ("still there:", words.left())):
        print("\n".join(["", title, *places]) if places else "")
    if not shutil.which("clang-format"):
        print("not formatted: clang-format is not installed")


main()
