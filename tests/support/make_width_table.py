#!/usr/bin/env python3
"""Makes lib/src/render/terminal/width_table.inc from the files of the Unicode Character Database.

    python3 make_width_table.py /usr/share/unicode 15.0.0 > lib/src/render/terminal/width_table.inc

The folder is that of Debian's package unicode-data, or a copy of
https://www.unicode.org/Public/15.0.0/ucd. A row is {first, count, kind}; what is in no row is Narrow.
"""
import re
import sys

LAST = 0x10FFFF
SHORT = {"Ambiguous": "A", "Mark": "M", "SpacingMark": "S", "Picture": "P", "WidePicture": "W"}


def read_property(path, wanted=None):
    """One value per code point from lines such as `0300..036F ; Extend # …`."""
    values = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
            if match and wanted in (None, match[3]):
                for code in range(int(match[1], 16), int(match[2] or match[1], 16) + 1):
                    values[code] = match[3]
    return values


def read_categories(path):
    """The general category of every assigned code point."""
    categories = {}
    first = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            code, name, category = line.split(";")[:3]
            code = int(code, 16)
            if name.endswith(", First>"):
                first = code
            for each in range(first if name.endswith(", Last>") else code, code + 1):
                categories[each] = category
    return categories


def kind(category, breaks, east_asian, picture):
    """What a code point does to widths and clusters; see Kind in width.cpp."""
    fixed = {"Control": "Control", "CR": "Control", "LF": "Control", "ZWJ": "Joiner", "Prepend": "Prepend",
             "SpacingMark": "SpacingMark", "Regional_Indicator": "Flag", "L": "JamoLead",
             "V": "JamoVowel", "T": "JamoTail", "LV": "Syllable", "LVT": "Syllable"}
    if breaks in fixed:
        return fixed[breaks]
    wide = east_asian in ("W", "F")
    if breaks == "Extend":
        if category in ("Mn", "Me", "Cf"):
            return "Mark"
        return "WideMark" if wide else "SpacingMark"
    if picture:
        return "WidePicture" if wide else "AmbiguousPicture" if east_asian == "A" else "Picture"
    return "Wide" if wide else "Ambiguous" if east_asian == "A" else "Narrow"


def ranges(folder):
    """Sorted, merged (first, last, kind); a gap of unassigned code points does not split a range."""
    categories = read_categories(folder + "/UnicodeData.txt")
    breaks = read_property(folder + "/auxiliary/GraphemeBreakProperty.txt")
    widths = read_property(folder + "/EastAsianWidth.txt")
    pictures = read_property(folder + "/emoji/emoji-data.txt", "Extended_Pictographic")
    merged = []
    only_unassigned = False  # since the last range ended
    for code in range(LAST + 1):
        this = kind(categories.get(code), breaks.get(code), widths.get(code), code in pictures)
        if this == "Narrow":
            only_unassigned = only_unassigned and code not in categories
        elif merged and merged[-1][2] == this and only_unassigned:
            merged[-1][1] = code
        else:
            merged.append([code, code, this])
            only_unassigned = True
    return merged


def main():
    folder, version = sys.argv[1:]
    print("// Made by tests/support/make_width_table.py from the Unicode Character Database.")
    print(f'constexpr const char kUnicodeVersion[] = "{version}";')
    print("constexpr Kind", ", ".join(f"{short} = {name}" for name, short in SHORT.items()) + ";")
    print("constexpr WidthRange kWidthRanges[] = {")
    line = "   "
    for first, last, this in ranges(folder):
        row = f" {{0x{first:X}, {last - first + 1}, {SHORT.get(this, this)}}},"
        if len(line) + len(row) > 100:
            print(line)
            line = "   "
        line += row
    print(line)
    print("};")


main()
