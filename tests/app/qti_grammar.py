"""What the schemas of QTI 2.1 allow for the elements that our packages use, as a table in our own words.

Items: compared with imsqti_v2p1.xsd, version 2.1 (31 July 2012), and imsqti_v2p1p2.xsd, version 2.1.2 (6 October 2016), which agree
on these elements, and with the Schematron rule on textEntryInteraction in the latter. Manifests: compared with imscp_v1p1.xsd (IMS CP
1.1.4) and with the profile of CP 1.2 for QTI 2.2 (qtiv2p2_imscpv1p2_v1p0.xsd, 15 April 2014), read with 2.1 in place of 2.2: the file
of QTI 2.1 itself was not at hand. Elements that we do not use are left out, so that they are refused. What a schema cannot say, the
information model of QTI does: that variables are declared, and values fit their base type.
"""

import collections
import re

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
CP = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
PREFIXES = {"{http://www.w3.org/XML/1998/namespace}": "xml:", "{http://www.w3.org/2001/XMLSchema-instance}": "xsi:"}

# Types of attributes: a whole value. An identifier is an NCName, of which we use ASCII.
NAME = r"[A-Za-z_][A-Za-z0-9._-]*"
DIGITS = r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
NUMBER = f"[+-]?{DIGITS}|-?INF|NaN"
TYPES = {
    "name": NAME,
    "id": NAME,  # unique in its file
    "ref": NAME,  # an id of its file
    "response": NAME,  # declared as a response
    "outcome": NAME,
    "variable": NAME,  # either
    "text": r"(?s).*",
    "short": r"(?s).{0,256}",  # version 2.1; later versions have no limit
    "language": r"([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)?",
    "uri": r"[^\s\\<>\"{}|^`]*",
    "places": r"\S+\s+\S+(\s+\S+\s+\S+)*",  # pairs of a namespace and a file
    "bool": r"true|false|1|0",
    "int": r"[+-]?\d{1,9}",
    "double": NUMBER,
    "tolerance": f"{DIGITS}( {DIGITS})?",  # for both sides, or for each
    "cardinality": "single|multiple|ordered|record",
    "base": "boolean|directedPair|duration|file|float|identifier|integer|pair|point|string|uri",
    "views": "((author|candidate|proctor|scorer|testConstructor|tutor) ?)*",
    "mode": "exact|absolute|relative",
    "show": "show|hide",
    "scope": "row|col|rowgroup|colgroup",
    "align": "left|center|right|justify|char",
    "valign": "top|middle|bottom|baseline",
    "resource": "imsqti_(item|section|test)_xmlv2p1|webcontent",
}

ANY = "id?id class?text label?short xml:lang?language"  # what elements of a body may have
ANY_WITH_BASE = ANY + " xml:base?uri"
CELL = ANY + " headers?name scope?scope abbr?text axis?text rowspan?int colspan?int align?align valign?valign"
INLINE = "(b|textEntryInteraction|inlineChoiceInteraction)"
BLOCK = "(p|div|table)"
NUMERIC = "(variable|correct|baseValue|sum|multiple)"
EXPRESSION = "(variable|correct|baseValue|sum|multiple|equal|stringMatch|match|or)"
RULES = EXPRESSION + ", (responseCondition|setOutcomeValue)*"

# For each element: its attributes, those with ! needed, those with ? not; then what it holds, as in a DTD. # is text; "" is nothing.
Grammar = collections.namedtuple("Grammar", "namespace root rows")
ITEM = Grammar(QTI, "assessmentItem", {
    "assessmentItem": ("identifier!text title!text timeDependent!bool adaptive?bool label?short xml:lang?language toolName?short "
                       "toolVersion?short xsi:schemaLocation?places",
                       "responseDeclaration*, outcomeDeclaration*, itemBody?, responseProcessing?, modalFeedback*"),
    "responseDeclaration": ("identifier!id cardinality!cardinality baseType?base", "defaultValue?, correctResponse?"),
    "outcomeDeclaration": ("identifier!name cardinality!cardinality baseType?base view?views interpretation?text longInterpretation?uri "
                           "normalMaximum?double normalMinimum?double masteryValue?double", "defaultValue?"),
    "correctResponse": ("interpretation?text", "value+"),
    "defaultValue": ("interpretation?text", "value+"),
    "value": ("fieldIdentifier?name baseType?base", "#"),
    "itemBody": (ANY.replace("id?id", "id?name"), BLOCK + "+"),  # no text, and nothing inline
    "div": (ANY_WITH_BASE, f"#({BLOCK}|{INLINE})*"),
    "p": (ANY_WITH_BASE, f"#{INLINE}*"),
    "b": (ANY_WITH_BASE, f"#{INLINE}*"),
    "table": (ANY_WITH_BASE + " summary?text", "caption?, thead?, tfoot?, tbody+"),
    "caption": (ANY, f"#{INLINE}*"),
    "thead": (ANY, "tr+"),
    "tfoot": (ANY, "tr+"),
    "tbody": (ANY, "tr+"),
    "tr": (ANY, "(th|td)+"),
    "th": (CELL, f"#({BLOCK}|{INLINE})*"),
    "td": (CELL, f"#({BLOCK}|{INLINE})*"),
    "textEntryInteraction": (ANY_WITH_BASE + " responseIdentifier!ref base?int stringIdentifier?ref expectedLength?int "
                             "patternMask?text placeholderText?text", ""),
    "inlineChoiceInteraction": (ANY_WITH_BASE + " responseIdentifier!response shuffle?bool required?bool", "inlineChoice+"),
    "inlineChoice": (ANY + " identifier!name fixed?bool templateIdentifier?name showHide?show", "#"),
    "responseProcessing": ("template?uri templateLocation?uri", "(responseCondition|setOutcomeValue)*"),
    "responseCondition": ("", "responseIf, responseElseIf*"),
    "responseIf": ("", RULES),
    "responseElseIf": ("", RULES),
    "setOutcomeValue": ("identifier!outcome", EXPRESSION),
    "equal": ("toleranceMode?mode tolerance?tolerance includeLowerBound?bool includeUpperBound?bool", EXPRESSION + "{2}"),
    "stringMatch": ("caseSensitive!bool substring?bool", EXPRESSION + "{2}"),
    "match": ("", EXPRESSION + "{2}"),
    "or": ("", EXPRESSION + "+"),
    "sum": ("", NUMERIC + "+"),
    "multiple": ("", EXPRESSION + "*"),
    "variable": ("identifier!variable weightIdentifier?name", ""),
    "correct": ("identifier!response", ""),
    "baseValue": ("baseType!base", "#"),
    "modalFeedback": ("outcomeIdentifier!outcome identifier!name showHide!show title?text", f"#(b|{BLOCK})*"),
})
MANIFEST = Grammar(CP, "manifest", {
    "manifest": ("identifier!id xml:base?uri xsi:schemaLocation?places", "metadata, organizations, resources"),
    "metadata": ("", "schema, schemaversion"),
    "schema": ("", "#"),
    "schemaversion": ("", "#"),
    "organizations": ("", ""),
    "resources": ("xml:base?uri", "resource*"),
    "resource": ("identifier!id type!resource href?uri xml:base?uri", "file*"),
    "file": ("href!uri", ""),
})

# Texts of an element, or of a base type.
TEXTS = {"schema": "QTIv2.1 Package|QTIv2.1 Item Bank Package", "schemaversion": "1.0.0", "float": NUMBER, "integer": r"[+-]?\d+",
         "identifier": NAME, "string": r"(?s).+"}


def compiled(content):
    """A regular expression for the names of the children, each followed by a semicolon."""
    names = re.sub(r"[A-Za-z]\w*|[,\s#]+", lambda part: f"(?:{part[0]};)" if part[0][0].isalpha() else "", content)
    return re.compile(names)


class Reader:
    """Collects what is wrong with a file."""

    def __init__(self, grammar, root):
        self.grammar, self.faults, self.root = grammar, [], root
        self.ids, self.refs = collections.Counter(), []
        self.declared = {kind: {each.get("identifier"): each for each in root.findall(f"{QTI}{kind}Declaration")}
                         for kind in ("response", "outcome")}

    def all_faults(self):
        if self.root.tag != self.grammar.namespace + self.grammar.root:
            return [f"the root is {self.root.tag}"]
        self.read(self.root)
        self.faults += [f"two ids {each}" for each, count in self.ids.items() if count > 1]
        self.faults += [f"no id {each}" for each in self.refs if each not in self.ids]
        both = self.declared["response"].keys() & self.declared["outcome"].keys()
        self.faults += [f"a response and an outcome {each}" for each in both]
        return self.faults

    def read(self, node):
        name = node.tag.removeprefix(self.grammar.namespace)
        if name not in self.grammar.rows or name == node.tag:
            return self.faults.append(f"an element {node.tag}")
        attributes, content = self.grammar.rows[name]
        self.read_attributes(node, name, attributes)
        children = [child.tag.removeprefix(self.grammar.namespace) for child in node]
        if not compiled(content).fullmatch("".join(child + ";" for child in children)):
            self.faults.append(f"{name} holds {children}, not {content}")
        text = "".join([node.text or ""] + [child.tail or "" for child in node])
        if "#" not in content and (text.strip() if content else text):
            self.faults.append(f"{name} holds the text {text.strip()!r}")
        self.read_meaning(node, name, text)
        for child in node:
            self.read(child)

    def read_attributes(self, node, name, attributes):
        types = {each.replace("!", "?").split("?")[0]: re.split("[!?]", each)[1] for each in attributes.split()}
        needed = {each.split("!")[0] for each in attributes.split() if "!" in each}
        given = {}
        for key, value in node.items():
            space = key[:key.find("}") + 1]
            given[PREFIXES.get(space, space) + key.removeprefix(space)] = value
        self.faults += [f"{name} lacks {each}" for each in sorted(needed - given.keys())]
        self.faults += [f"{name} has {each}" for each in given.keys() - types.keys()]
        for key in given.keys() & types.keys():
            kind, value = types[key], given[key]
            if not re.fullmatch(TYPES[kind], value):
                self.faults.append(f"{name} {key}: {value!r} is not of type {kind}")
            if kind == "id":
                self.ids[value] += 1
            elif kind == "ref":
                self.refs.append(value)
            kinds = {"response": ["response"], "outcome": ["outcome"], "variable": ["response", "outcome"]}.get(kind)
            if kinds and not any(value in self.declared[each] for each in kinds):
                self.faults.append(f"{name} {key}: no {kind} {value!r} is declared")

    def read_meaning(self, node, name, text):
        """What the information model adds: texts by their base type, and which variables interactions and feedback are for."""
        if name == "equal" and node.get("toleranceMode", "exact") != "exact" and node.get("tolerance") is None:
            self.faults.append("equal lacks tolerance")
        if name.endswith("Declaration"):
            values = [each.text or "" for each in node.iter(QTI + "value")]
            self.read_texts(name, node.get("baseType"), values)
            if node.get("cardinality") == "single" and len(values) > 1:
                self.faults.append(f"{name} is single and has {len(values)} values")
        elif name in ("baseValue", "schema", "schemaversion"):
            self.read_texts(name, node.get("baseType", name), [text])
        for key, element, bases in (("responseIdentifier", "textEntryInteraction", {"string", "float", "integer"}),
                                    ("responseIdentifier", "inlineChoiceInteraction", {"identifier"}),
                                    ("outcomeIdentifier", "modalFeedback", {"identifier"})):
            variable = self.declared[key.removesuffix("Identifier")].get(node.get(key))
            if element != name or variable is None:
                continue
            if variable.get("baseType") not in bases:
                self.faults.append(f"{name} is for a variable of type {variable.get('baseType')}")
            if variable.get("cardinality") != "single" and name != "modalFeedback":
                self.faults.append(f"{name} is for a variable that is {variable.get('cardinality')}")

    def read_texts(self, name, kind, texts):
        for text in texts:
            if not re.fullmatch(TEXTS.get(kind, ".*"), text):
                self.faults.append(f"{name} holds {text!r}, which is no {kind}")


def faults(grammar, root):
    """What is wrong with a file whose root element is `root`; empty if nothing is."""
    return Reader(grammar, root).all_faults()
