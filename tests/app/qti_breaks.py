"""Small breaks of a QTI package, each of which the grammar must refuse: what is found in a file, what is put there, and a fault."""

import re
import xml.etree.ElementTree as ET

import qti_grammar

# A regular expression, its replacement (of the first place where it is found), and what is said of the result.
EQUAL = r'<equal (?P<mode>\S+) tolerance="(?P<number>\S+) \S+">(?P<first><variable.*?/>)(?P<second><correct.*?/>)</equal>'
ITEM = [
    # attributes that are needed
    (r' timeDependent="false"', "", "assessmentItem lacks timeDependent"),
    (r' title="[^"]*"', "", "assessmentItem lacks title"),
    (r' identifier="item1"', "", "assessmentItem lacks identifier"),
    (r'<responseDeclaration identifier="ANSWER_1"', "<responseDeclaration", "responseDeclaration lacks identifier"),
    (r' cardinality="single"', "", "responseDeclaration lacks cardinality"),
    (r'(<outcomeDeclaration identifier="SCORE") \S+', r"\1", "outcomeDeclaration lacks cardinality"),
    (r'(<setOutcomeValue) [^>]+', r"\1", "setOutcomeValue lacks identifier"),
    (r'(<variable) [^>/]+', r"\1", "variable lacks identifier"),
    (r'(<correct) [^>/]+', r"\1", "correct lacks identifier"),
    (r'<baseValue baseType="float"', "<baseValue", "baseValue lacks baseType"),
    # attributes that no schema has, or on another element
    (r"<itemBody>", '<itemBody style="color:red">', "itemBody has style"),
    (r"<p>", '<p align="left">', "p has align"),
    (r"<p>", '<p title="x">', "p has title"),
    (r"<table>", '<table border="1">', "table has border"),
    (r"<tr>", '<tr valign="top">', "tr has valign"),
    (r"<responseCondition>", '<responseCondition identifier="a">', "responseCondition has identifier"),
    (r"<sum>", '<sum toleranceMode="exact">', "sum has toleranceMode"),
    (r"<value>", '<value identifier="x">', "value has identifier"),
    # values of attributes
    (r'adaptive="false"', 'adaptive="no"', "assessmentItem adaptive: 'no' is not of type bool"),
    (r'cardinality="single"', 'cardinality="one"', "responseDeclaration cardinality: 'one'"),
    (r'baseType="float"', 'baseType="number"', "responseDeclaration baseType: 'number'"),
    (r'(<outcomeDeclaration identifier=)"SCORE"', r'\1"1SCORE"', "outcomeDeclaration identifier: '1SCORE' is not of type name"),
    (r'identifier="ANSWER_1"', 'identifier="ANSWER 1"', "responseDeclaration identifier: 'ANSWER 1' is not of type id"),
    (r'identifier="ANSWER_2"', 'identifier="ANSWER_1"', "two ids ANSWER_1"),
    (r'<td>', '<td scope="column">', "td scope: 'column'"),
    (r'<td>', '<td colspan="two">', "td colspan: 'two' is not of type int"),
    (r"<div>", '<div xml:lang="not a language">', "div xml:lang"),
    (r'xsi:schemaLocation="\S+ ', 'xsi:schemaLocation="', "assessmentItem xsi:schemaLocation"),
    # children: their kind, number and order
    (r"(?s)(<responseDeclaration.*</responseDeclaration>\n)(<outcome.*?/>\n)(?=<itemBody)", r"\2\1", "assessmentItem holds"),
    (r"(?s)(<itemBody.*</itemBody>\n)(<responseProcessing.*</responseProcessing>\n)", r"\2\1", "assessmentItem holds"),
    (r"(?s)(<itemBody.*</itemBody>\n)", r"\1\1", "assessmentItem holds"),
    (r"(?s)<itemBody>.*</itemBody>", "<itemBody/>", "itemBody holds []"),
    (r"<itemBody>", "<itemBody><b>now</b>", "itemBody holds ['b', "),
    (r"<itemBody>", "<itemBody>now", "itemBody holds the text 'now'"),
    (r"<p>", "<p><p>twice</p>", "p holds ['p'"),
    (r"<p>", "<p><table><tbody><tr><td/></tr></tbody></table>", "p holds ['table'"),
    (r"<tr>", "<tr>x", "tr holds the text 'x'"),
    (r"<tr>", "<tr><p/>", "tr holds ['p', "),
    (r"<tr>", "<tr/><tr>", "tr holds [], "),
    (r"(<table>)<tbody>(.*?)</tbody>(</table>)", r"\1\2\3", "table holds ['tr'"),
    (r"(<table>)(<tbody>)", r"\1<thead><tr><th>a</th></tr></thead><caption>c</caption>\2", "table holds ['thead', 'caption'"),
    (r"(<table>)(<tbody>)", r"\1<tbody/>\2", "tbody holds [], "),
    (r"<value>.*?</value>", "", "correctResponse holds [], "),
    (r"<value>(.*?)</value>", r"<value><b>\1</b></value>", "value holds ['b']"),
    (r"(<correctResponse>.*?</correctResponse>)", r"\1\1", "responseDeclaration holds ['correctResponse', 'correctResponse']"),
    (r"(<correctResponse>.*?</correctResponse>)", r"\1<defaultValue><value>1</value></defaultValue>", "responseDeclaration holds"),
    (r"<responseIf>.*?</responseIf>", "", "responseCondition holds ["),
    (r"(<responseIf>)(<equal.*?</equal>)(<setOutcomeValue.*?</setOutcomeValue>)", r"\1\3\2", "responseIf holds ['setOutcomeValue'"),
    (r"(<responseIf>)(<equal.*?</equal>)", r"\1\2\2", "responseIf holds ['equal', 'equal'"),
    (r"(<responseIf>)<equal.*?</equal>", r"\1", "responseIf holds ['setOutcomeValue']"),
    (r"<sum>.*?</sum>", "", "setOutcomeValue holds [], "),
    (r"(<sum>.*?</sum>)", r"\1\1", "setOutcomeValue holds ['sum', 'sum']"),
    (r"<sum>", "<sum><or><variable identifier=\"SCORE\"/></or>", "sum holds ['or'"),
    (r"<sum>.*?</sum>", "<sum/>", "sum holds [], "),
    (EQUAL, r'<equal \g<mode> tolerance="\g<number>">\g<first></equal>', "equal holds ['variable'], "),
    (EQUAL, r'<equal \g<mode> tolerance="\g<number>">\g<first>\g<second>\g<second></equal>', "equal holds ['variable', 'correct', 'correct']"),
    (r'<variable identifier="SCORE"/>', '<variable identifier="SCORE"> </variable>', "variable holds the text"),
    (r"<itemBody>", "<itemBody><br/>", "an element {http://www.imsglobal.org/xsd/imsqti_v2p1}br"),
    (r"<itemBody>", '<itemBody><p xmlns="http://www.w3.org/1999/xhtml">x</p>', "an element {http://www.w3.org/1999/xhtml}p"),
    (r'xmlns="[^"]*"', 'xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2"', "the root is"),
    # interactions
    (r"<textEntryInteraction [^>]*/>", "<textEntryInteraction/>", "textEntryInteraction lacks responseIdentifier"),
    (r'(<textEntryInteraction responseIdentifier=)"[^"]*"', r'\1"NOBODY"', "no id NOBODY"),
    (r'expectedLength="8"', 'expectedLength="long"', "textEntryInteraction expectedLength: 'long' is not of type int"),
    (r"<textEntryInteraction ([^>]*)/>", r"<textEntryInteraction \1>0</textEntryInteraction>", "textEntryInteraction holds the text '0'"),
    # what the information model says
    (r'(<setOutcomeValue identifier=)"SCORE"', r'\1"POINTS"', "setOutcomeValue identifier: no outcome 'POINTS' is declared"),
    (r'(<correct identifier=)"ANSWER_1"', r'\1"SCORE"', "correct identifier: no response 'SCORE' is declared"),
    (r'(<variable identifier=)"ANSWER_1"', r'\1"ANSWER_0"', "variable identifier: no variable 'ANSWER_0' is declared"),
    (r'(<outcomeDeclaration identifier=)"SCORE"', r'\1"ANSWER_1"', "a response and an outcome ANSWER_1"),
    (r"<value>(.*?)</value>", r"<value>0,5</value>", "responseDeclaration holds '0,5', which is no float"),
    (r"<value>(.*?)</value>", r"<value>\1</value><value>1</value>", "responseDeclaration is single and has 2 values"),
    (r'(<baseValue baseType="float">)[^<]*', r"\1one", "baseValue holds 'one', which is no float"),
    (r'(<responseDeclaration identifier="ANSWER_1" cardinality="single" baseType=)"float"', r'\1"identifier"', "textEntryInteraction is for"),
    (r'tolerance="\S+ \S+"', 'tolerance="-1 1"', "equal tolerance: '-1 1' is not of type tolerance"),
    (r' tolerance="\S+ \S+"', "", "equal lacks tolerance"),
]
TEXT = [  # −∞, and hints
    (r' caseSensitive="false"', "", "stringMatch lacks caseSensitive"),
    (r'caseSensitive="false"', 'caseSensitive="never"', "stringMatch caseSensitive: 'never' is not of type bool"),
    (r"(<stringMatch [^>]*>)<variable[^>]*/>", r"\1", "stringMatch holds ['baseValue'], "),
    (r"<or>.*?</or>", "<or/>", "or holds [], "),
    (r' showHide="show"', "", "modalFeedback lacks showHide"),
    (r'showHide="show"', 'showHide="always"', "modalFeedback showHide: 'always' is not of type show"),
    (r' outcomeIdentifier="FEEDBACK"', "", "modalFeedback lacks outcomeIdentifier"),
    (r'outcomeIdentifier="FEEDBACK"', 'outcomeIdentifier="SCORE"', "modalFeedback is for a variable of type float"),
    (r'(<modalFeedback [^>]*identifier=)"HINT_1"', r'\1"HINT 1"', "modalFeedback identifier: 'HINT 1' is not of type name"),
    (r"(?s)(<responseProcessing.*</responseProcessing>\n)(<modalFeedback.*</modalFeedback>\n)", r"\2\1", "assessmentItem holds"),
    (r"(<responseIf>.*?</responseIf>)(<responseElseIf>.*?</responseElseIf>)", r"\2\1", "responseCondition holds"),
    (r'(<baseValue baseType="identifier">)HINT_1', r"\1HINT 1", "baseValue holds 'HINT 1', which is no identifier"),
]
CHOICE = [  # find the bug
    (r"(<inlineChoiceInteraction [^>]*>).*?(</inlineChoiceInteraction>)", r"\1\2", "inlineChoiceInteraction holds [], "),
    (r'<inlineChoiceInteraction responseIdentifier="[^"]*"', "<inlineChoiceInteraction", "inlineChoiceInteraction lacks responseIdentifier"),
    (r'shuffle="false"', 'shuffle="False"', "inlineChoiceInteraction shuffle: 'False' is not of type bool"),
    (r"(<inlineChoiceInteraction [^>]*>)", r"\1first", "inlineChoiceInteraction holds the text 'first'"),
    (r'<inlineChoice identifier="[^"]*"', "<inlineChoice", "inlineChoice lacks identifier"),
    (r'(<inlineChoice identifier=)"[^"]*"', r'\1"a:b"', "inlineChoice identifier: 'a:b' is not of type name"),
    (r"(<inlineChoice [^>]*>)", r"\1<b>x</b>", "inlineChoice holds ['b'], "),
    (r"<match>(<variable.*?/>)(<correct.*?/>)</match>", r"<match>\1</match>", "match holds ['variable'], "),
    (r'baseType="identifier"', 'baseType="string"', "inlineChoiceInteraction is for a variable of type string"),
    (r'cardinality="single"', 'cardinality="multiple"', "inlineChoiceInteraction is for a variable that is multiple"),
    (r'(<inlineChoiceInteraction responseIdentifier=)"[^"]*"', r'\1"NOBODY"', "no response 'NOBODY' is declared"),
]
MANIFEST = [
    (r' identifier="MANIFEST_[^"]*"', "", "manifest lacks identifier"),
    (r'identifier="MANIFEST_[^"]*"', 'identifier="week 1"', "manifest identifier: 'week 1' is not of type id"),
    (r'identifier="MANIFEST_[^"]*"', 'identifier="item1_file"', "two ids item1_file"),
    (r"<manifest ", '<manifest version="1" ', "manifest has version"),
    (r"<organizations/>", "", "manifest holds ['metadata', 'resources']"),
    (r"(?s)(<metadata>.*</metadata>)(\s*)(<organizations/>)", r"\3\2\1", "manifest holds ['organizations', 'metadata', 'resources']"),
    (r"<schema>.*?</schema>", "", "metadata holds ['schemaversion']"),
    (r"<schema>.*?</schema>", "<schema>IMS Content</schema>", "schema holds 'IMS Content'"),
    (r"(<schema>.*?</schema>)(<schemaversion>.*?</schemaversion>)", r"\2\1", "metadata holds ['schemaversion', 'schema']"),
    (r"(<schemaversion>)[^<]*", r"\g<1>2.1", "schemaversion holds '2.1'"),
    (r'(<resource identifier=)"[^"]*"', r'\1"1"', "resource identifier: '1' is not of type id"),
    (r' type="[^"]*"', "", "resource lacks type"),
    (r'type="imsqti_item_xmlv2p1"', 'type="imsqti_item_xmlv2p3"', "resource type: 'imsqti_item_xmlv2p3'"),
    (r"<file [^>]*/>", "<file/>", "file lacks href"),
    (r'(<file href=)"[^"]*"', r'\1"my items/1.xml"', "file href: 'my items/1.xml' is not of type uri"),
    (r"<resources>", "<resources>all", "resources holds the text 'all'"),
    (r"<file ", "<dependency/><file ", "an element {http://www.imsglobal.org/xsd/imscp_v1p1}dependency"),
    (r'xmlns="[^"]*"', 'xmlns="http://www.imsglobal.org/xsd/imscp_v1p2"', "the root is"),
]


def accepted(rows, grammar, text):
    """Those of the breaks that are not refused with their fault, each as a sentence."""
    for find, put, fault in rows:
        broken, count = re.subn(find, put, text, count=1)
        if count == 0 or broken == text:
            yield f"{find} is not in the file"
            continue
        faults = qti_grammar.faults(grammar, ET.fromstring(broken))
        if not any(each.startswith(fault) or fault in each for each in faults):
            yield f"{find} → {put}: {faults[:3]}, not {fault}"
