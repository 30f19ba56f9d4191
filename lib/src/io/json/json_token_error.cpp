#include "io/json/json_token_error.hpp"

#include <algorithm>
#include <locale>
#include <sstream>

#include "io/json/expectation.hpp"

namespace attn::json {
namespace {

constexpr std::size_t kLongestRepair = 40;  // bytes of a text that a fix repeats

/// Characters that word processors and PDF files put in place of those that JSON wants.
struct Lookalike {
  std::string_view character;
  const char* meant;
};
constexpr Lookalike kLookalikes[] = {
    {"“", "\""}, {"”", "\""}, {"„", "\""}, {"‘", "\""},         {"’", "\""},     {"«", "\""},
    {"»", "\""}, {"−", "-"},  {"–", "-"},  {"\u00A0", "space"}, {"\uFF0C", ","}, {"：", ":"},
};

/// Words of other languages for the three words of JSON.
struct Translation {
  std::string_view word;
  std::string_view json;
};
constexpr Translation kTranslations[] = {
    {"True", "true"}, {"TRUE", "true"}, {"False", "false"},    {"FALSE", "false"},
    {"None", "null"}, {"NULL", "null"}, {"undefined", "null"},
};

/// Letters that are taken for digits.
struct Digit {
  std::string_view letter;
  char digit;
};
constexpr Digit kDigits[] = {{"l", '1'}, {"I", '1'}, {"O", '0'}, {"o", '0'}};

/// "-Infinity" for -inf, -Inf …; empty if the word is no infinity and no NaN.
std::string nonfinite(std::string_view word) {
  std::string name;
  for (const char c : word) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool negative = name.starts_with('-');
  if (negative || name.starts_with('+')) name.erase(0, 1);
  if (name == "nan") return "NaN";
  if (name == "inf" || name == "infinity") return negative ? "-Infinity" : "Infinity";
  return "";
}

/// The number that was meant by 01, +1, .5 or 5. ; empty if that is not clear.
std::string mended(std::string word) {
  std::erase(word, '_');
  if (word.starts_with('+')) word.erase(0, 1);
  const std::string sign = word.starts_with('-') ? "-" : "";
  word.erase(0, sign.size());
  while (word.size() > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9') word.erase(0, 1);
  if (word.starts_with('.')) word.insert(0, "0");
  if (word.ends_with('.')) word += "0";
  return is_number(word) ? sign + word : "";
}

/// 'abc', with the quotation marks of Python and JavaScript.
Diagnostic single_quotes(const Scene& scene, std::size_t at) {
  const std::size_t end = scene.text.find_first_of("'\n", at + 1);
  const std::string inside(scene.text.substr(at + 1, end - at - 1));
  const bool closed = scene.at(end) == '\'' && inside.size() <= kLongestRepair &&
                      inside.find_first_of("\"\\") == std::string::npos;
  return scene.report("expected double quotation marks, found single ones", at,
                      "JSON has only double quotation marks",
                      (closed ? "Write \"" + inside + "\"." : "Use \" instead of '.") +
                          std::string(" In Python, json.dumps writes them."));
}

/// NaN and infinities without quotation marks. `name` is how they are written with them.
void refuse_nonfinite(Diagnostic& found, const std::string& name, const Expectation* expected) {
  found.id = "json-nan";
  const bool quoted = expected == nullptr || (expected->minus_infinity && name == "-Infinity");
  found.fix = quoted ? "Write \"" + name + "\", in quotation marks."
                     : "Replace it by a number. (Only in a bias, \"-Infinity\" in quotation marks "
                       "hides a key.)";
  found.fix += " In Python, json.dumps(..., allow_nan=False) finds such numbers.";
}

/// "true" for True and TRUE …; empty if the word is none of another language.
std::string_view translated(std::string_view word) {
  for (const Translation& row : kTranslations) {
    if (row.word == word) return row.json;
  }
  return "";
}

/// Words without meaning. Where a number belongs, quotation marks would not help.
std::string repair_of(const std::string& word, const Expectation* expected) {
  const std::string_view json = translated(word);
  if (!json.empty() && expected == nullptr) {
    return "The words of JSON are true, false and null: write " + std::string(json) + ".";
  }
  if (!json.empty()) {
    return expected->flag && json != "null" ? "Write " + std::string(json) + "." : expected->fix;
  }
  if (expected == nullptr || expected->text) return "Write \"" + word + "\", in quotation marks.";
  for (const Digit& row : kDigits) {
    if (row.letter == word) return std::string("Write a number, perhaps ") + row.digit + ".";
  }
  return expected->fix;
}

bool begins_number(char c) {
  return std::string_view("+-.0123456789").find(c) != std::string::npos;
}

}  // namespace

namespace {

/// The decimal number for 1/2; empty for anything else.
std::string quotient(const std::string& word) {
  const std::size_t slash = word.find('/');
  if (slash == word.npos) return "";
  const std::string over = word.substr(0, slash), under = word.substr(slash + 1);
  if (!is_number(over) || !is_number(under)) return "";
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::stod(over) / std::stod(under);
  return is_number(text.str()) ? text.str() : "";
}

std::string number_repair(const std::string& word) {
  if (word.starts_with("...")) return "Write all the numbers: ... stands for nothing in JSON.";
  std::string repair = mended(word);
  if (repair.empty()) repair = quotient(word);
  if (repair.empty()) return "Write a decimal number such as 0.5, -1 or 2e-3.";
  const bool printed = word.ends_with('.');
  return "Write " + repair + " instead." +
         (printed ? " If NumPy printed it: json.dumps(array.tolist()) writes JSON." : "");
}

}  // namespace

Diagnostic no_json(const Scene& scene, std::size_t at) {
  return scene.report(
      "expected a JSON object, found " + scene.word(at), at, "an object begins with {",
      "This is not JSON: a problem begins with { and ends with }. attn new --sample "
      "01-one-head writes one to start from.");
}

Diagnostic bad_word(const Scene& scene, std::size_t at) {
  const std::string word(scene.text.substr(at, token_end(scene.text, at) - at));
  const std::string shown = scene.word(at);
  const Expectation* expected = expectation_at(scene.stop.pointer, scene.in_list());
  const std::string name = nonfinite(word);
  const bool number = !name.empty() || begins_number(word[0]);
  const bool known = expected != nullptr && (!expected->text || !translated(word).empty());
  const std::string what = number ? "a number" : known ? expected->what : "a value";
  Diagnostic found =
      scene.report("expected " + what + ", found " + shown, at, "not a value of JSON", "");
  if (!name.empty()) {
    refuse_nonfinite(found, name, expected);
  } else if (is_number(word)) {
    found.id = "json-range";
    found.what = "expected a number that float64 can hold, found " + shown;
    found.places.front().remark = "beyond 1.8e308";
    found.fix = "Write a smaller number.";
  } else if (number) {
    found.fix = number_repair(quotient(shown).empty() ? word : shown);
  } else {
    found.fix = repair_of(shown, expected);
  }
  return found;
}

bool lacks_quotation_mark(const Scene& scene, std::size_t at) {
  const std::size_t end = token_end(scene.text, at);
  if (scene.at(at) != '"' || !is_word(scene.at(end))) return false;
  const std::size_t last = scene.text.find_last_not_of(" \t", end - 2);
  return last > at && (scene.at(last) == ',' || scene.at(last) == ':');
}

Diagnostic missing_quotation_mark(const Scene& scene, std::size_t at) {
  const std::size_t end = token_end(scene.text, at);
  const std::size_t separator = scene.text.find_last_not_of(" \t", end - 2);
  const std::string before(scene.text.substr(at, separator - at));
  const bool fits = before.size() <= kLongestRepair;
  return scene.report("a quotation mark seems to be missing" + (fits ? " after " + before : ""),
                      separator, "the text should end before this",
                      "Close the text where it ends" + (fits ? ": " + before + "\"." : "."));
}

Diagnostic bad_string(const Scene& scene, std::size_t at) {
  const std::size_t byte = scene.stop.byte;
  const char c = scene.at(byte);
  if (byte >= scene.text.size() || c == '\n' || c == '\r') {
    return scene.report("expected a closing quotation mark before the end of the line", at,
                        "the text that begins here is not closed",
                        "Put \" where the text ends; a line break inside a text is written \\n.");
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    return scene.report("expected printable text, found a control character inside a string", byte,
                        "control character " + std::to_string(c),
                        c == '\t' ? "Write a tab as \\t." : "Remove it.");
  }
  const std::size_t backslash = at + scene.text.substr(at, byte + 1 - at).rfind('\\');
  const std::string escape(scene.text.substr(backslash, 2));
  return scene.report(
      "expected an escape such as \\n or \\\", found " + escape, backslash, "not an escape of JSON",
      escape == "\\u" ? "Write \\u and four hexadecimal digits, such as \\u00e9; a "
                        "character beyond \\uffff is written as it is, or as a pair of these."
                      : "Write \\\\ for a backslash itself.");
}

Diagnostic unexpected(const Scene& scene, std::size_t at, const std::string& expected) {
  const char c = scene.at(at);
  if (at == scene.text.size()) {
    return scene.report_with_bracket("expected " + expected + ", found the end of the file",
                                     scene.text.find_last_not_of(" \t\r\n") + 1,
                                     "the file ends here",
                                     std::string("Add the closing ") + scene.closing() +
                                         ", or fetch the file again if it is cut off.");
  }
  if (c == '#' || (c == '/' && (scene.at(at + 1) == '/' || scene.at(at + 1) == '*'))) {
    return scene.report("expected " + expected + ", found a comment", at, "JSON has no comments",
                        "Remove it, or make it a key that begins with _: \"_comment\": \"...\".");
  }
  if (c == '\'') return single_quotes(scene, at);
  if (c == '(' || c == ')' || c == ';') {
    return scene.report("expected " + expected + ", found " + scene.word(at), at, "not JSON",
                        scene.in_list() || c != ';'
                            ? "Write lists with [ ] and commas, such as [0, 1]."
                            : "Write a comma between the keys of an object.");
  }
  for (const Lookalike& lookalike : kLookalikes) {
    if (!scene.text.substr(at).starts_with(lookalike.character)) continue;
    return scene.report(
        "expected " + expected + ", found the character " + std::string(lookalike.character), at,
        "it only looks right", std::string("Type the plain ") + lookalike.meant + " instead.");
  }
  if (c == '{' && scene.stop.after == Stop::After::Bracket) {
    return scene.report("expected " + expected + ", found \"{\"", at, "a list begins with [",
                        "Write lists with [ ], such as [[1, 0], [0, 1]]; { } hold keys.");
  }
  return scene.report("expected " + expected + ", found " + scene.word(at), at, "unexpected",
                      "Remove it, or add what is missing before it.");
}

}  // namespace attn::json
