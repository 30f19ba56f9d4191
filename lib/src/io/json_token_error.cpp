#include "io/json_token_error.hpp"

#include <algorithm>

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
  const char* json;
};
constexpr Translation kTranslations[] = {
    {"True", "true"}, {"TRUE", "true"}, {"False", "false"},    {"FALSE", "false"},
    {"None", "null"}, {"NULL", "null"}, {"undefined", "null"},
};

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

}  // namespace

Diagnostic bad_word(const Scene& scene, std::size_t at) {
  const std::string word(scene.text.substr(at, token_end(scene.text, at) - at));
  const std::string shown = scene.word(at);
  Diagnostic found = scene.report("expected a value, found " + shown, at, "not a value of JSON",
                                  "Write \"" + shown + "\", in quotation marks.");
  if (const std::string name = nonfinite(word); !name.empty()) {
    found.id = "json-nan";
    found.what = "expected a number, found " + word + " without quotation marks";
    found.fix = "Write \"" + name + "\", in quotation marks. In Python, json.dumps(..., " +
                "allow_nan=False) refuses such numbers instead of writing them bare.";
  } else if (is_number(word)) {
    found.id = "json-range";
    found.what = "expected a number that float64 can hold, found " + shown;
    found.places.front().remark = "beyond 1.8e308";
    found.fix = "Write a smaller number; an infinity is \"Infinity\" or \"-Infinity\".";
  } else if (std::string_view("+-.0123456789").find(word[0]) != std::string_view::npos) {
    const std::string repair = mended(word);
    found.what = "expected a number, found " + shown;
    found.fix =
        "Write " +
        (repair.empty() ? "a decimal number such as 0.5, -1 or 2e-3" : repair + " instead") + ".";
  }
  for (const Translation& translation : kTranslations) {
    if (word == translation.word) found.fix = std::string("Write ") + translation.json + ".";
  }
  return found;
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
  for (const Lookalike& lookalike : kLookalikes) {
    if (!scene.text.substr(at).starts_with(lookalike.character)) continue;
    return scene.report(
        "expected " + expected + ", found the character " + std::string(lookalike.character), at,
        "it only looks right", std::string("Type the plain ") + lookalike.meant + " instead.");
  }
  return scene.report("expected " + expected + ", found " + scene.word(at), at, "unexpected",
                      "Remove it, or add what is missing before it.");
}

}  // namespace attn::json
