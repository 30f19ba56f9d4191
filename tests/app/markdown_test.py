# Markdown parsed back by pandoc, as GitHub's and as its own: hostile tokens stay text in their cells.
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from hostile import TOKENS, problem, shown

attn = sys.argv[1]
if shutil.which("pandoc") is None:
    print("skipped: pandoc is not installed")
    sys.exit(77)

HARMFUL = {"RawInline", "RawBlock", "Link", "Image", "Math", "Note", "Cite", "Span", "Strikeout", "Emph",
           "Superscript", "Subscript", "HorizontalRule", "DefinitionList", "Code", "Div"}


def run(args, text):
    return subprocess.run(args, input=text, capture_output=True, text=True, check=True).stdout


def nodes(tree):
    """Every element of pandoc's tree."""
    if isinstance(tree, dict):
        if "t" in tree:
            yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from nodes(part)


def text_of(tree):
    """The text in a tree. Pandoc's own Markdown makes quotes curly and dots an ellipsis."""
    spaces = {"Space": " ", "SoftBreak": " "}
    return "".join(plain(node["c"]) if node["t"] == "Str" else spaces.get(node["t"], "")
                   for node in nodes(tree))


def plain(text):
    for curly, straight in [("“", '"'), ("”", '"'), ("‘", "'"), ("’", "'"), ("…", "...")]:
        text = text.replace(curly, straight)
    return text.replace("\u00a0", " ")


def cells_of(row):
    return [cell[4] for cell in row[1]]


given = problem(TOKENS)
trace = json.loads(run([attn, "explain", "-", "--json"], given))
expected = [plain(" ".join(token.split())) for token in shown(TOKENS)]
for flavour, reader in [("gfm", "gfm"), ("pandoc", "markdown"), ("none", "gfm"), ("none", "markdown")]:
    page = run([attn, "explain", "-", "--format", "markdown", "--math", flavour], given)
    tree = json.loads(run(["pandoc", "-f", reader, "-t", "json"], page))
    blocks = tree["blocks"]
    tables = [block for block in blocks if block["t"] == "Table"]
    assert len(tables) == 5, (reader, len(tables))
    for table in tables[1:4]:  # the scores, the scaled scores, and the weights with their sums
        _, _, aligns, head, bodies, _ = table["c"]
        labels = [text_of(cell) for cell in cells_of(head[1][0])[1:len(TOKENS) + 1]]
        assert labels == expected, (reader, list(zip(labels, expected)))
        rows = bodies[0][3]
        assert [text_of(cells_of(row)[0]) for row in rows] == labels
        assert aligns[0][0]["t"] == "AlignLeft" and aligns[1][0]["t"] == "AlignRight"
        found = {node["t"] for node in nodes(table)} & HARMFUL
        assert not found, (reader, found)
    weights = [[text_of(cell) for cell in cells_of(row)[1:-1]] for row in tables[3]["c"][4][0][3]]
    want = trace["steps"]["weights"]["data"]
    for row, cells in zip(want, weights):
        assert [0.0 if c == "<.001" else float(c) for c in cells] == [round(x, 3) for x in row], reader
    title, description = blocks[0], blocks[2]
    assert title["t"] == "Header" and description["t"] == "Para", reader
    for block in (title, description):
        assert not {node["t"] for node in nodes(block)} & HARMFUL, (reader, block)
print("pandoc reads", len(TOKENS), "hostile tokens as text")
