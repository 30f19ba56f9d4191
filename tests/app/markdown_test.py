# In Markdown, hostile tokens stay text.
# It is read by pandoc (as GitHub's and as its own), cmark and Python-Markdown, those that are installed.
import html.parser
import importlib.util
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from hostile import TOKENS, problem, shown

attn = sys.argv[1]
HERE = {name: shutil.which(name) for name in ("pandoc", "cmark")} | {"markdown": importlib.util.find_spec("markdown")}
READERS = [name for name in HERE if HERE[name]]
if not READERS:
    print("skipped: neither pandoc, cmark nor Python-Markdown is installed")
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


def try_pandoc(flavour, reader):
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


class Page(html.parser.HTMLParser):
    """The elements of a page, and the text in those that hold tokens."""

    def __init__(self, text):
        super().__init__()
        self.names, self.open, self.texts = set(), None, {"h1": [], "th": [], "p": []}
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.names.add((name, *[key for key, _ in attributes if key != "style"]))
        self.open = name if name in self.texts else self.open
        if name in self.texts:
            self.texts[name].append("")

    def handle_endtag(self, name):
        self.open = None if name == self.open else self.open

    def handle_data(self, text):
        if self.open:
            self.texts[self.open][-1] += text

    def handle_comment(self, text):
        self.names.add(("comment",))


PLAIN = {(name,) for name in ("h1", "h2", "p", "code", "strong", "blockquote", "ul", "li", "pre", "table", "thead",
                              "tbody", "tr", "th", "td")}
COMMANDS = [["explain", "-"], ["explain", "-", "--math", "none"], ["explain", "-", "--detail", "full"],
            ["explain", "-", "--cell", "output:8,0", "--depth", "3"],
            ["compare", "-", "--right", "mask=causal"]]


def words(text):
    return " ".join(text.split())


def try_html(reader, args, tables):
    page = Page(reader(run([attn, *args, "--format", "markdown"], given)))
    assert page.names <= PLAIN, (args, page.names - PLAIN)
    if args[:2] != ["explain", "-"] or "--cell" in args:
        return
    said = json.loads(given)
    title = said["title"].replace("\u202e", "\\u{202e}").replace("\n", "\\n")
    assert [words(text) for text in page.texts["h1"]] == [words(title)]
    labels = [words(text) for text in page.texts["th"]]
    names = [words(name) for name in shown(TOKENS)]
    assert not tables or any(labels[i:i + len(names)] == names for i in range(len(labels))), labels


def in_python(text):
    import markdown
    return markdown.markdown(text, extensions=["tables", "fenced_code"])


if "pandoc" in READERS:
    for each in [("gfm", "gfm"), ("pandoc", "markdown"), ("none", "gfm"), ("none", "markdown")]:
        try_pandoc(*each)
for command in COMMANDS:
    if "cmark" in READERS:
        try_html(lambda text: run(["cmark"], text), command, False)
    if "markdown" in READERS:
        try_html(in_python, command, True)
for name in HERE.keys() - READERS:
    print("not tested:", name)
print(" and ".join(READERS), "read", len(TOKENS), "hostile tokens as text")
