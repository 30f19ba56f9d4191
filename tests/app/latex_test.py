# LaTeX compiled by pdflatex: whole documents, parts in somebody else's document, hostile tokens.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from hostile import TOKENS, problem

attn, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
if shutil.which("pdflatex") is None:
    print("skipped: pdflatex is not installed")
    sys.exit(77)

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
os.environ["TEXMFVAR"] = folder.name  # for the fonts that TeX makes
with open("x.tex", "w") as trap:
    trap.write("\\errmessage{a token was run}\n")
with open("hostile.json", "w") as file:
    file.write(problem(TOKENS))


def run(*args):
    done = subprocess.run([attn, *args], capture_output=True, text=True)
    assert done.returncode in (0, 1), (args, done.stderr)
    return done.stdout


def check_structure(text, name):
    for word in ("bmatrix", "@{", "\\input", "\\include"):
        assert word not in text.replace("\\textbackslash{}input", ""), (name, word)
    for columns in re.findall(r"\\begin\{array\}\{(.*?)\}", text):
        assert re.fullmatch("r+", columns), (name, columns)
    for array in re.findall(r"\\left\[\\begin\{array\}\{r+\}\n(.*?)\\end\{array\}\\right\]", text, re.S):
        lines = [line for line in array.splitlines() if line != "\\hline"]
        assert all(line.endswith("\\\\") for line in lines), (name, array)


def compile_page(text, name, draft=True):
    check_structure(text, name)
    with open(name + ".tex", "w") as page:
        page.write(text)
    done = subprocess.run(["pdflatex", *["-draftmode"] * draft, "-interaction=nonstopmode", "-halt-on-error", name],
                          capture_output=True, stdin=subprocess.DEVNULL)
    log = open(name + ".log", errors="replace").read()
    assert done.returncode == 0, (name, re.findall(r"^!.*(?:\n.*){3}", log, re.M))
    assert "Missing character" not in log, (name, re.findall("Missing character.*", log))
    return log


run("convert", "-o", "p.json")
run("explain", "p.json", "--fault", "scale.missing", "-o", "mine.json")
run("new", "--sample", "15-induction", "-o", "model.json")
commands = {
    "explain": ["explain", "--mask", "causal", "--heads", "2", "--detail", "full", "--gradient"],
    "fill": ["explain", "--mask", "causal", "--fill", "-1e9", "--scale", "1e-7", "--positions", "rope"],
    "cell": ["explain", "--mask", "causal", "--cell", "weights:1,0"],
    "row": ["explain", "--heads", "2", "--cell", "output:1"],
    "compare": ["compare", "--left", "mask=none", "--right", "mask=causal"],
    "check": ["check", "mine.json", "--problem", "p.json"],
    "rules": ["exercise", "rules"],
    "lessons": ["lesson"],
    "model": ["explain", "model.json"],
    "layer": ["explain", "model.json", "--layer", "0"],
    "generate": ["generate", "model.json"],
    "hostile": ["explain", "hostile.json"],
    "hostile-cell": ["explain", "hostile.json", "--cell", "output:0", "--detail", "full"],
    "hostile-compare": ["compare", "hostile.json", "--left", "mask=none", "--right", "mask=causal"],
}
for sample in sorted(os.listdir(os.path.join(source, "samples"))):
    if re.match(r"(0|1[0-4]).*\.json$", sample):
        commands[sample[:-5]] = ["explain", os.path.join(source, "samples", sample)]
bodies = {}  # by preamble, so that LaTeX reads each once
for name, args in commands.items():
    page = run(*args, "--format", "latex", "--standalone")
    check_structure(page, name)
    preamble, body = page.split("\\begin{document}\n")
    assert body.endswith("\\end{document}\n"), name
    bodies.setdefault(preamble, {})[name] = body.removesuffix("\\end{document}\n")
for preamble, group in bodies.items():
    compile_page(preamble + "\\begin{document}\n" + "\\clearpage\n".join(group.values()) + "\\end{document}\n", "-".join(group)[:80])

# A part in a document that knows only amsmath, with OT1 fonts; more columns than a bmatrix may have.
parts = [run(*commands[name], "--format", "latex") for name in ("explain", "cell", "compare", "01-one-head")]
wide = run("explain", "hostile.json", "--steps", "weights", "--format", "latex", "--ascii")
assert "\\begin{array}{" + "r" * (len(TOKENS) + 1) + "}" in wide
compile_page("\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n" + "\n".join(parts + [wide]) +
             "\\end{document}\n", "parts")

PDFTOTEXT = shutil.which("pdftotext")
if not PDFTOTEXT:
    print("not tested: pdftotext")


# Sheets on A4, on Letter, and those for A4 on Letter: nothing is too wide, and no word is outside the paper.
def words_of(name):
    done = subprocess.run(["pdftotext", "-bbox", name + ".pdf", "-"], capture_output=True, text=True)
    return [(word, *map(float, box)) for *box, word in
            re.findall(r'<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)<', done.stdout)]


random = {"randint": [18, 3], "low": -2, "high": 3}
with open("wide.json", "w") as spec:
    json.dump({"problem": {name: {**random, "seed": seed} for seed, name in enumerate("qkv")}, "steps": {"weights": 1}, "blanks": "all"}, spec)
for preset, *more in (["causal"], ["multihead"], ["find-the-bug"], ["inverse"], ["self", "--tokens", "8", "--d-model", "12", "--d-k", "5"],
                      ["wide"]):
    run("exercise", "make", *(["--spec", "wide.json"] if preset == "wide" else ["--preset", preset]), *more,
        "--format", "json,latex", "-o", "on-" + preset)
    sheet = open(f"on-{preset}/sheets/sheet.tex").read()
    assert sheet.count("a4paper") == 1, preset
    pages = []
    for paper in ("a4paper", "letterpaper"):
        name = f"{preset}-{paper}"
        log = compile_page(sheet.replace("a4paper", paper), name, draft=False)
        assert "Overfull" not in log, (name, re.findall("Overfull.*", log))
        pages.append(re.search(r"Output written on .*\((\d+) page", log)[1])
        if PDFTOTEXT:
            words = words_of(name)
            assert len(words) > 100, name
            for word, left, top, right, bottom in words:
                assert left > 40 and top > 30 and right < 612 - 40 and bottom < 792 - 17, (name, word)  # printers leave 6 mm
    assert pages[0] == pages[1], (preset, pages)

# Chinese names on sheets in any language: xelatex prints them, also where the sheet is English.
if not shutil.which("xelatex"):
    print("not tested: xelatex")
elif PDFTOTEXT:
    with open("roster.csv", "w") as roster:
        roster.write("id,name\ns001,\u674e\u5a1c\ns002,M\u00fcller\n")
    with open("salt", "w") as salt:
        salt.write("a salt that is long enough")
    for language in ("en", "de", "zh"):
        run("exercise", "make", "--preset", "softmax", "--roster", "roster.csv", "--salt-file", "salt", "--lang", language,
            "--format", "json,latex", "--merge", "--slips", "-o", language)
        page = os.path.join(language, "all-sheets.tex")
        check_structure(open(page).read(), language)
        done = subprocess.run(["xelatex", "-interaction=nonstopmode", "-halt-on-error", page],
                              capture_output=True, stdin=subprocess.DEVNULL)
        log = open("all-sheets.log", errors="replace").read()
        assert done.returncode == 0, (language, re.findall(r"^!.*(?:\n.*){3}", log, re.M))
        assert "Missing character" not in log, (language, re.findall("Missing character.*", log))
        text = subprocess.run(["pdftotext", "all-sheets.pdf", "-"], capture_output=True, text=True).stdout
        assert "\u674e\u5a1c" in text and "M\u00fcller" in text, (language, text[:200])
    print("xelatex prints Chinese names on sheets in three languages")
print("pdflatex compiles", len(commands), "documents and", len(parts) + 1, "parts")
