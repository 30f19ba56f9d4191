"""Moodle's cloze questions, read by Moodle's grammar.

As qtype_multianswer_extract_question states it (question/type/multianswer/questiontype.php of Moodle):

    field       = "{" [weight] ":" type ":" alternative *("~" alternative) "}"
    alternative = ["=" / "%" percentage "%"] answer ["#" feedback]
    answer      = at least one character, up to the first "~", "#" or "}" that has no "\\", "&" or "&amp;" before it
    feedback    = up to the first "~" or "}" that has no "\\" before it

Then HTML's entities are decoded, "\\}" and "\\#" lose their backslash (no other does), and what comes out is HTML. The answer
of a NUMERICAL field is a number, and after ":" how far one may be from it; the first alternative that fits counts.
"""

import html
import html.parser
import re

START = re.compile(r"\{(\d*):(NUMERICAL|NM|MULTICHOICE|MC|SHORTANSWER|SA|MW):")
NUMBER = r"-?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?"
NUMERICAL = re.compile(f"({NUMBER})(?::({NUMBER}))?")


class Text(html.parser.HTMLParser):
    """What a reader of HTML sees."""

    def __init__(self, markup):
        super().__init__()
        self.seen, self.tags = "", []
        self.feed(markup)
        self.close()

    def handle_data(self, data):
        self.seen += data

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)


class Alternative:
    def __init__(self, share, answer, feedback):
        self.share, self.answer, self.feedback = share, shown(answer), shown(feedback)


class Field:
    def __init__(self, weight, kind, alternatives):
        self.weight, self.kind, self.alternatives = weight, kind, alternatives
        if kind in ("NUMERICAL", "NM"):
            for each in alternatives:
                found = NUMERICAL.fullmatch(each.answer)
                if not found:
                    raise ValueError(f"{each.answer} is no number")
                each.number, each.within = float(found[1]), float(found[2] or 0)

    def share(self, answer):
        """What a number earns, and what Moodle says about it."""
        for each in self.alternatives:
            if answer is not None and abs(answer - each.number) <= each.within + 1e-14:
                return each.share, each.feedback
        return 0, ""


def shown(text):
    """As a student reads it."""
    text = html.unescape(text).replace("\\}", "}").replace("\\#", "#")
    return Text(text).seen


def read_until(text, at, ends, behind):
    begin = at
    while at < len(text) and (text[at] not in ends or text[begin:at].endswith(behind)):
        at += 1
    if at == len(text):
        raise ValueError(f"no end: {text[begin:begin + 60]}")
    return text[begin:at], at


def read_field(text, start):
    """The field that begins there, and where it ends."""
    at, alternatives = start.end(), []
    while True:
        share = 0
        found = re.compile(r"=|%(-?\d+(?:[.,]\d*)?)%").match(text, at)
        if found:
            share, at = 1 if found[1] is None else float(found[1].replace(",", ".")) / 100, found.end()
        answer, at = read_until(text, at, "~#}", ("\\", "&", "&amp;"))
        if not answer:
            raise ValueError(f"an empty answer: {text[start.start():at + 1]}")
        feedback = ""
        if text[at] == "#":
            feedback, at = read_until(text, at + 1, "~}", ("\\",))
        alternatives.append(Alternative(share, answer, feedback))
        at += 1
        if text[at - 1] == "}":
            return Field(int(start[1] or 1), start[2], alternatives), at


def read_question(markup):
    """The fields of a question, and its text without them. ValueError: Moodle would read something else."""
    fields, rest, at = [], "", 0
    while start := START.search(markup, at):
        rest += markup[at:start.start()]
        field, at = read_field(markup, start)
        fields.append(field)
    return fields, rest + markup[at:]


def grade(fields, answers):
    """The share of the question that the numbers earn."""
    return sum(field.weight * field.share(answer)[0] for field, answer in zip(fields, answers)) / \
        sum(field.weight for field in fields)
