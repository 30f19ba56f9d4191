# SVG pictures parsed as XML: self-contained, readable, and with the numbers of the JSON.
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

attn = sys.argv[1]
SVG = "{http://www.w3.org/2000/svg}"
GLYPH = 0.6  # of the size
HOSTILE = ["</text>", "a&b", "\u202eevil", "猫", "🙂", '"><script>', "]]>", "a\nb"]
SHOWN = {"\u202eevil": "\\u{202e}evil", "a\nb": "a\\nb"}


def run(args, text=""):
    return subprocess.run([attn, *args], input=text.encode(), capture_output=True, check=True).stdout


def problem(tokens):
    return json.dumps({"tokens": tokens, "embeddings": [[(i * 7 + j * 3) % 5 - 2 for j in range(4)]
                                                        for i in range(len(tokens))]})


class Text:
    def __init__(self, element):
        self.text = element.text or ""
        self.size = int(element.get("font-size", 20))
        self.color = element.get("fill", "#000")
        self.x, y = int(element.get("x")), int(element.get("y"))
        self.y = y - self.size * 7 // 20
        self.turned = element.get("transform") is not None
        length = GLYPH * self.size * sum(2 if ord(c) > 0x2e80 else 1 for c in self.text)
        anchor = {None: 0.5, "start": 0.0, "end": 1.0}[element.get("text-anchor")]
        along, across = (-anchor * length, length - anchor * length), (-0.4 * self.size, 0.4 * self.size)
        if self.turned:  # upwards
            self.box = (self.x + across[0], self.y - along[1], self.x + across[1], self.y - along[0])
        else:
            self.box = (self.x + along[0], self.y + across[0], self.x + along[1], self.y + across[1])


class Picture:
    def __init__(self, data):
        self.data = data
        self.root = xml.fromstring(data)
        self.width, self.height = map(int, self.root.get("viewBox").split()[2:])
        self.texts = [Text(e) for e in self.root.iter(SVG + "text")]
        self.boxes = [[int(e.get(k)) for k in ("x", "y", "width", "height")] + [e.get("fill")]
                      for e in self.root.iter(SVG + "rect") if "%" not in e.get("width")]
        paths = [e.get("d") for e in self.root.iter(SVG + "path")]
        self.slashes = sum(d.count("M") for d in paths)

    def behind(self, text):
        """The colour behind the middle of a text element; None if only the page is behind it."""
        x, y = (text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2
        hit = [c for bx, by, w, h, c in self.boxes if bx <= x <= bx + w and by <= y <= by + h]
        return hit[-1] if hit else None

    def cells(self):
        """The texts in cells, row by row."""
        return sorted((t for t in self.texts if self.behind(t)), key=lambda t: (t.y, t.x))


def rgb(color):
    digits = color[1:] if len(color) == 7 else "".join(2 * c for c in color[1:])
    return [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]


def luminance(color):
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(color)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def check_picture(args, text=""):
    """What holds for every picture."""
    data = run([*args, "--format", "svg"], text)
    assert data == run([*args, "--format", "svg"], text), args
    p = Picture(data)
    assert p.root.tag == SVG + "svg" and p.root.get("role") == "img", args
    assert p.root.get("font-family") == "monospace", args
    assert [e.tag for e in p.root][:2] == [SVG + "title", SVG + "desc"], args
    assert p.root[0].text.strip() and p.root[1].text.strip(), args
    for element in p.root.iter():
        assert element.tag[len(SVG):] in ("svg", "title", "desc", "rect", "text", "path"), element.tag
        for name, value in element.attrib.items():
            assert not re.search(r"href|^on|url\(|//|script", re.sub("{.*}", "", name) + "=" + value), name
    for t in p.texts:
        assert contrast(t.color, p.behind(t) or "#fff") >= 4.5, (args, t.text)
        assert t.box[0] >= 0 and t.box[1] >= 0 and t.box[2] <= p.width and t.box[3] <= p.height, (args, t.text)
    for i, a in enumerate(p.texts):
        for b in p.texts[:i]:
            apart = (a.box[2] <= b.box[0] or b.box[2] <= a.box[0] or a.box[3] <= b.box[1] or b.box[3] <= a.box[1])
            assert apart, (args, a.text, b.text)
    narrow = run([*args, "--format", "svg", "--ascii"], text)
    assert max(narrow) < 128, args
    assert [t.text for t in Picture(narrow).texts] == [t.text for t in p.texts], args
    return p


def check_numbers(picture, rows, hidden=lambda r, c: False):
    cells = [c.text for c in picture.cells()]
    shown = [(r, c) for r in range(len(rows)) for c in range(len(rows[r])) if not hidden(r, c)]
    assert len(cells) == len(shown), (len(cells), len(shown))
    for text, (r, c) in zip(cells, shown):
        if text == "<.01":
            assert 0 < rows[r][c] < 0.005
        else:
            assert abs(float(text) - rows[r][c]) <= 0.005 + 1e-9, (text, rows[r][c])
    count = sum(hidden(r, c) for r in range(len(rows)) for c in range(len(rows[r])))
    assert picture.slashes == (count + 1 if count else 0)  # one in the legend


def numbers(args, step, text=""):
    return json.loads(run([*args, "--json", "--steps", step], text))["steps"][step]["data"]


# The numbers of the JSON, and a slash for each that a mask hides.
causal = ["--mask", "causal"]
check_numbers(check_picture(["heatmap", *causal]), numbers(["explain", *causal], "weights"),
              lambda r, c: c > r)
check_numbers(check_picture(["explain", "--steps", "weights", "--precision", "2", *causal]),
              numbers(["explain", *causal], "weights"), lambda r, c: c > r)
check_numbers(check_picture(["heatmap", "--steps", "scores"]), numbers(["explain"], "scores"))
heads = numbers(["explain", "--heads", "2"], "weights")
check_numbers(check_picture(["explain", "--steps", "weights", "--head", "1", "--heads", "2"]), heads[1])
both = check_picture(["heatmap", "--heads", "2"])
check_numbers(both, [a + b for a, b in zip(*heads)])  # side by side
assert {"head 0", "head 1"} <= {t.text for t in both.texts}

# Text is at least 3.5 % of the height for up to eight tokens, with up to four heads.
for n in range(1, 9):
    for h in (1, 2, 4):
        p = check_picture(["heatmap", "-", "--heads", str(h), *causal], problem(["token%d" % i for i in range(n)]))
        for t in p.texts:
            assert t.size >= 0.035 * p.height, (n, h, t.size, p.height)

# More weight is darker, even in black and white.
p = check_picture(["heatmap"])
shades = sorted((float(t.text), -luminance(p.behind(t))) for t in p.cells())
for (a, dark_a), (b, dark_b) in zip(shades, shades[1:]):
    assert a == b or dark_a < dark_b, (a, b)

for palette in ("cividis", "viridis", "gray", "blue-orange"):
    check_picture(["heatmap", "--palette", palette, *causal])
for sample in ("05-padding", "09-batch", "10-chinese", "12-grouped-heads"):
    check_picture(["heatmap", "-"], (Path(__file__).parents[2] / "samples" / (sample + ".json")).read_text())
check_picture(["heatmap", "--max", "0.5"])
check_picture(["heatmap", "--compact", "--heads", "2", *causal])
check_picture(["heatmap", "--normalize", "row"])

# Tokens are text, whatever they are.
p = check_picture(["heatmap", "-"], problem(HOSTILE))
labels = [t.text for t in p.texts]
for token in HOSTILE:
    assert labels.count(SHOWN.get(token, token)) == 2, token
assert "\ufffd" in "".join(t.text for t in check_picture(["heatmap", "-"], problem(["a", "\ufffe"])).texts)
p = check_picture(["heatmap", "-"], problem(["a", "a very long token indeed"]))
assert "a very long token indeed" in [e.text for e in p.root.iter(SVG + "title")]
many = check_picture(["heatmap", "-"], problem(["t%d" % i for i in range(33)]))
assert not many.cells() and len(many.boxes) > 33 * 33  # too many for numbers
print("pictures: all as they should be")
