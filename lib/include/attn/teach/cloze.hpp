// Sheets as questions for a learning platform, with the hints of known mistakes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/teach/sheet.hpp"

namespace attn {

/// A number that a known mistake leads to.
struct WrongNumber {
  double number = 0.0;
  std::string hint;
};

/// One blank, and what people put into it by mistake, in the order of `mistakes()`.
struct ClozeBlank {
  double right = 0.0;
  std::vector<WrongNumber> wrong = {};
};

/// A sheet as one question.
struct ClozeQuestion {
  Sheet sheet;
  Sheet key;                                    ///< the same, solved
  std::vector<std::vector<ClozeBlank>> blanks;  ///< of each step, in the order of its cells
  std::vector<std::string> codes;               ///< mistakes that can occur in the problem
};

/// The blanks of a sheet, and what known mistakes put into them. No wrong number is so near to the
/// right one, or to an earlier wrong one, that both would be accepted. Hints are those of
/// `key.mistake_texts`, where it has any.
ClozeQuestion make_cloze(const Sheet& sheet, const Sheet& key);

/// The questions in Moodle's XML, each of type "cloze", in a category of that name.
std::string moodle_xml(std::string_view category, const std::vector<ClozeQuestion>& questions);

/// A file of a package.
struct PackagedFile {
  std::string name, text;
};

/// The questions as a package of IMS QTI 2.1: imsmanifest.xml, and one item for each sheet, in
/// which every blank is a number to type, accepted within the tolerance of the sheet.
std::vector<PackagedFile> qti_package(const std::string& exercise,
                                      const std::vector<ClozeQuestion>& questions);

}  // namespace attn
