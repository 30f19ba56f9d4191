// attn help teachers.
#include "help/topics.hpp"

namespace attn::app {

std::string teachers_page() {
  return R"page(attn help teachers - exercises for a class, and how they are graded

Make a sheet and its key:

  attn exercise make --preset causal -o week1

With --roster roster.csv --new-salt week1.salt there is one sheet for each id
in the first column, all different. Hand out week1/sheets; keep week1/key and
the salt. Students fill in the blanks, check their sheet without the key, and
hand in the same file. This checks a sheet, here the solved one:

  attn check week1/key/answers/sheet.json

On a sheet of --preset find-the-bug everything is filled in, with one mistake.
attn exercise rules lists the codes of mistakes. In place of the nulls of
"bug", the student writes the first wrong step and the code of its mistake:

  "bug": {"first_wrong": "weights", "code": "softmax.columns"}

Grade a folder of sheets, here the solved ones:

  attn check week1/key/answers --key week1/key --gradebook grades.csv

  --summary class.json   how the class did, without names
  --reports DIR          a report for each student
  --roster FILE          more columns for the gradebook
  --latest               the latest of several files of a student
  --id-regex RE          finds the student in a file's name
  --follow-through X     credit for what only follows from a mistake (1)
  --fail-under PCT       exit 1 if the median is lower

The points of a step are divided among its blanks. Numbers that follow from an
earlier mistake keep their points: the mistake costs only its own step. Printed
numbers are always taken from the key. Broken files get their own row and never
stop the run. In the column main_code, cell.unreadable is text that is not a
number; the other codes are in attn help mistakes.

Flags are for you to look at. They never change a score:

  file.given_changed          printed numbers were changed
  matches_variant_of: s017    wrong numbers are right on another sheet
  same_wrong_cells_as: s017   wrong numbers are also on another sheet

The key is withheld, not secret: attn computes attention for everybody. For an
exam, use paper, or sheets made with --preset find-the-bug.
)page";
}

}  // namespace attn::app
