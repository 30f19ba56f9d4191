// What is wrong where text stops being JSON, and what to write instead.
#include "io/json/json_error.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "io/json/expectation.hpp"
#include "io/json/token.hpp"
#include "io/json/writer.hpp"

namespace attn::json {
namespace {

using After = Stop::After;

/// Frequent mistakes, by how they begin, and what to do about them.
struct Slip {
  std::string_view begins;
  const char* found;  ///< nullptr: the character itself
  const char* fix;
};
constexpr const char* kNoComments =
    "Remove it, or make it a key that begins with _: \"_comment\": \"...\".";
constexpr const char* kPlainQuote = "Type the plain \" instead.";
constexpr const char* kBrackets = "Write lists with [ ] and commas, such as [0, 1].";
constexpr Slip kSlips[] = {
    {"//", "a comment", kNoComments},
    {"/*", "a comment", kNoComments},
    {"#", "a comment", kNoComments},
    {"'", "a single quotation mark", "Use \" instead of '. In Python, json.dumps writes them."},
    {"“", nullptr, kPlainQuote},
    {"”", nullptr, kPlainQuote},
    {"„", nullptr, kPlainQuote},
    {"‘", nullptr, kPlainQuote},
    {"’", nullptr, kPlainQuote},
    {"«", nullptr, kPlainQuote},
    {"−", nullptr, "Type the plain - instead."},
    {"–", nullptr, "Type the plain - instead."},
    {"\u00A0", "a no-break space", "Type a plain space instead."},
    {"(", nullptr, kBrackets},
    {")", nullptr, kBrackets},
    {"...", "...", "Write all the numbers: JSON has no ellipsis."},
    {"=", nullptr, "Write a colon between a key and its value."},
    {";", nullptr, "Write a comma between the parts of a list or object."},
};

/// Words of other languages, and JSON's word for each.
constexpr std::pair<std::string_view, const char*> kTranslations[] = {
    {"True", "true"},   {"TRUE", "true"}, {"False", "false"},
    {"FALSE", "false"}, {"None", "null"}, {"NULL", "null"}};

/// The text and the place of the stop, with what every message needs to know about them.
struct Scene {
  const Source& source;
  const Stop& stop;
  std::string_view text = source.text;

  char at(std::size_t offset) const { return offset < text.size() ? text[offset] : '\0'; }
  bool in_list() const { return stop.bracket && text[*stop.bracket] == '['; }
  std::string closing() const { return in_list() ? "\"]\"" : "\"}\""; }
  bool closes(std::size_t offset) const { return at(offset) == ']' || at(offset) == '}'; }
  bool begins_value(std::size_t offset) const {
    return std::string_view("\"[{").find(at(offset)) != std::string_view::npos ||
           is_word(at(offset));
  }
  /// The token as messages show it: brackets and commas in quotation marks.
  std::string word(std::size_t offset) const {
    const std::string token = token_text(text, offset);
    return at(offset) == '"' || is_word(at(offset)) ? token : "\"" + token + "\"";
  }
  Diagnostic report(const std::string& expected, const std::string& found, std::size_t offset,
                    std::string remark, std::string fix) const {
    return {.id = "json-syntax",
            .what = "expected " + expected + ", found " + found,
            .places = {place_at(source, offset, stop.pointer, std::move(remark))},
            .fix = std::move(fix)};
  }
  /// The same with the open bracket, which must exist, as a second place.
  Diagnostic unclosed(Diagnostic found) const {
    found.places.push_back(
        place_at(source, stop.bracket.value(), stop.pointer, "this bracket is still open"));
    return found;
  }
};

/// The whole text as C++ reads a number, which allows more than JSON: 01, .5 and 5. are numbers.
std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_number(text);
}

/// What was meant by 01, +1, .5, 5. or 1/2.
std::string number_fix(std::string_view word) {
  const std::size_t slash = word.find('/');
  std::optional<double> number = number_of(word.substr(0, slash));
  if (number && slash != word.npos) {
    const std::optional<double> under = number_of(word.substr(slash + 1));
    number = under && *under != 0.0 ? std::optional(*number / *under) : std::nullopt;
  }
  if (!number) return "Write a decimal number such as 0.5, -1 or 2e-3.";
  return "Write " + number_text(*number) + " instead.";
}

/// "-Infinity" for -inf, -Inf …; empty if the word is neither an infinity nor NaN.
std::string nonfinite(std::string_view word) {
  const std::optional<double> number = number_of(word);
  const bool finite = !number || (*number - *number == 0.0);
  return finite ? "" : number_text(*number);
}

std::string word_fix(const std::string& word, const Expectation* expected) {
  const auto* row = std::find_if(std::begin(kTranslations), std::end(kTranslations),
                                 [&](const auto& each) { return each.first == word; });
  if (row != std::end(kTranslations) && (!expected || expected->flag)) {
    return std::string("JSON writes it as ") + row->second + ".";
  }
  const bool text = !expected || (expected->text && row == std::end(kTranslations));
  return text ? "Write \"" + word + "\", in quotation marks." : expected->fix;
}

/// A word that is not a JSON value: NaN, True, 01, 1e999, abc.
Diagnostic bad_word(const Scene& scene, std::size_t at) {
  const std::string word(scene.text.substr(at, token_end(scene.text, at) - at));
  const Expectation* expected = expectation_at(scene.stop.pointer, scene.in_list());
  const std::string shown = scene.word(at), name = nonfinite(word);
  const bool number = std::string_view("+-.0123456789").find(word[0]) != word.npos;
  const bool known = expected != nullptr && !expected->text;
  const std::string what = number || !name.empty() ? "a number"
                           : known                 ? expected->what
                                                   : "a value";
  Diagnostic found = scene.report(what, shown, at, "not a JSON value", "");
  if (is_number(word)) {
    found.id = "json-range";
    found.what = "expected a number that float64 can hold, found " + shown;
    found.places.front().remark = "beyond 1.8e308";
    found.fix = "Write a smaller number.";
  } else if (!name.empty()) {
    const bool allowed = !expected || (expected->minus_infinity && name == "\"-Infinity\"");
    found.id = "json-nan";
    found.fix = allowed ? "Write " + name + ", in quotation marks."
                        : "Replace it with a number. (Only in a bias, \"-Infinity\" in quotation "
                          "marks hides a key.)";
  } else {
    found.fix = number ? number_fix(word) : word_fix(word, expected);
  }
  return found;
}

/// A string that is not closed, or has something that strings cannot have.
Diagnostic bad_string(const Scene& scene, std::size_t at) {
  const std::size_t byte = scene.stop.byte;
  const char c = scene.at(byte);
  if (byte >= scene.text.size() || c == '\n' || c == '\r') {
    return scene.report("a closing quotation mark before the end of the line", "none", at,
                        "the text that begins here is not closed",
                        "Put \" where the text ends; a line break inside it is written \\n.");
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    return scene.report("printable text", "a control character inside a string", byte,
                        "control character " + std::to_string(c),
                        c == '\t' ? "Write a tab as \\t." : "Remove it.");
  }
  const std::size_t backslash = at + scene.text.substr(at, byte + 1 - at).rfind('\\');
  return scene.report("an escape such as \\n, \\\" or \\u00e9",
                      std::string(scene.text.substr(backslash, 2)), backslash, "not a JSON escape",
                      "Write \\\\ for a backslash itself.");
}

/// "the, "cat": the quotation mark that closes the string at `at` was meant to open the next one.
std::optional<Diagnostic> missing_quotation_mark(const Scene& scene, std::size_t at) {
  const std::size_t end = token_end(scene.text, at);
  if (scene.at(at) != '"' || !is_word(scene.at(end))) return std::nullopt;
  const std::size_t last = scene.text.find_last_not_of(" \t", end - 2);
  if (last <= at || (scene.at(last) != ',' && scene.at(last) != ':')) return std::nullopt;
  const std::string before(scene.text.substr(at, last - at));
  return scene.report("a quotation mark after " + before, scene.word(last), last,
                      "the text should end before this", "Write " + before + "\".");
}

/// "scale": 0,5 has a number where the next key should be.
std::optional<Diagnostic> decimal_comma(const Scene& scene, std::size_t next) {
  const std::size_t at = scene.stop.token, end = token_end(scene.text, next);
  const std::string word(scene.text.substr(at, end - at));
  const bool number = !scene.in_list() && number_of(with_point(word)).has_value();
  if (!number) return std::nullopt;
  return scene.report("a decimal point", word, at, "this comma ends the value",
                      "Write " + with_point(word) + ".");
}

/// Where a comma, a colon or a bracket should be.
Diagnostic bad_separator(const Scene& scene, std::size_t at, const std::string& expected) {
  const std::string last = scene.word(scene.stop.token), found = scene.word(at);
  if (auto missing = missing_quotation_mark(scene, scene.stop.token)) return *missing;
  if (scene.stop.after == After::Key) {
    return scene.report(expected, found, at, "a colon is missing before this",
                        "Write a colon between the key and its value.");
  }
  const std::size_t next = skip_space(scene.text, token_end(scene.text, at));
  if (scene.in_list() && (scene.at(at) == ':' || (scene.at(at) == '"' && scene.at(next) == ':'))) {
    return scene.unclosed(
        scene.report("\"]\" before a key", "the list still open", at, "a list has no keys",
                     "Close the list with ], or begin an object with { instead."));
  }
  if (scene.closes(at)) {
    return scene.unclosed(scene.report(scene.closing(), found, at,
                                       "this closes another kind of bracket",
                                       "Write " + scene.closing() + " first."));
  }
  return scene.report(expected, found, at, "a comma is missing before this",
                      "Write a comma between " + last + " and " + found + ".");
}

Diagnostic not_json(const Scene& scene, std::size_t at) {
  return scene.report(
      "JSON", scene.word(at), at, "JSON begins with { or [",
      "This is not JSON: an object begins with { and ends with }, a list with [ and ].");
}

/// nlohmann takes the 0 of 01 for a number and stumbles over the rest: look at the whole word.
bool last_word_is_broken(const Scene& scene) {
  const std::size_t at = scene.stop.token;
  if (scene.stop.after != After::Item && scene.stop.after != After::Root) return false;
  const std::string_view word = scene.text.substr(at, scene.stop.cursor - at);
  return is_word(scene.at(at)) && !is_number(word) && word != "true" && word != "false" &&
         word != "null";
}

Diagnostic end_of_file(const Scene& scene, const std::string& expected) {
  return scene.unclosed(scene.report(
      expected, "the end of the file", scene.text.find_last_not_of(" \t\r\n") + 1,
      "the file ends here",
      "Add the closing " + scene.closing() + ", or fetch the file again if it is cut off."));
}

/// A number at the very end of a file that is cut off, or a word that is not JSON.
Diagnostic broken_word(const Scene& scene, std::size_t at) {
  const std::size_t end = skip_space(scene.text, token_end(scene.text, at));
  const bool begins_number =
      std::string_view("-0123456789").find(scene.at(at)) != std::string::npos;
  if (!begins_number || !scene.stop.bracket || end < scene.text.size()) return bad_word(scene, at);
  return end_of_file(scene, "the rest of " + scene.word(at));
}

/// What an answer may hold in quotation marks alone: √3, 50%, full-width digits. `at` is where it
/// begins, or where a number in it ends.
std::optional<std::string> arithmetic_at(const Scene& scene, std::size_t at, bool value) {
  if (!scene.in_list() || !scene.stop.pointer.starts_with("/answers/")) return std::nullopt;
  if (!value && scene.begins_value(at)) return std::nullopt;  // a comma is missing before it
  const std::size_t begin = value ? at : scene.stop.token;
  const std::string_view word =
      trimmed(scene.text.substr(begin, scene.text.find_first_of(",[]{}\"\n", begin) - begin));
  return single_number(half_width(word)) ? std::optional(std::string(word)) : std::nullopt;
}

/// What was expected at `at` instead of what is there.
Diagnostic unexpected(const Scene& scene, std::size_t at, const std::string& expected, bool value) {
  const bool key = expected.starts_with("a key");
  if (at == scene.text.size()) return end_of_file(scene, expected);
  for (const Slip& slip : kSlips) {
    if (!scene.text.substr(at).starts_with(slip.begins)) continue;
    return scene.report(expected, slip.found ? slip.found : scene.word(at), at, "not JSON",
                        slip.fix);
  }
  if ((value || key) && scene.at(at) == '"') return bad_string(scene, at);
  if (value && is_word(scene.at(at))) return broken_word(scene, at);
  if (key && is_word(scene.at(at))) {
    return scene.report(expected, scene.word(at), at, "keys need quotation marks",
                        "Write \"" + scene.word(at) + "\".");
  }
  if (const auto word = arithmetic_at(scene, at, value))
    return scene.report("a number", *word, value ? at : scene.stop.token, "not a JSON value",
                        "Put it in quotation marks: \"" + *word + "\".");
  const bool separator = scene.stop.after == After::Key || scene.stop.after == After::Item;
  const bool odd = !scene.begins_value(at) && !scene.closes(at) && scene.at(at) != ':';
  if (!value && !key && separator && !odd) return bad_separator(scene, at, expected);
  const bool root = scene.stop.after == After::Root;
  return scene.report(expected, scene.word(at), at, "unexpected",
                      root ? "Remove what follows, or look for a bracket that is closed too early."
                      : key && scene.at(at) == '{'
                          ? kBrackets
                          : "Remove it, or add what is missing before it.");
}

}  // namespace

Diagnostic syntax_error(const Source& source, const Stop& stop) {
  const Scene scene{source, stop};
  const std::size_t first = skip_space(scene.text, 0);
  std::size_t at = skip_space(scene.text, stop.cursor);
  if (stop.after == After::Nothing && at == scene.text.size()) {
    return {.id = "json-empty",
            .what = "expected JSON, found an empty file",
            .places = {place_at(source, 0, stop.pointer)},
            .fix =
                "Check that the file was saved, and that the program that wrote it did not "
                "fail."};
  }
  if (std::string_view("{[\"#/").find(scene.at(first)) == std::string_view::npos) {
    return not_json(scene, first);
  }
  if (last_word_is_broken(scene)) return broken_word(scene, stop.token);
  const std::string last = scene.word(stop.token);
  const std::string key = "a key in quotation marks";
  switch (stop.after) {
    case After::Nothing:
      break;
    case After::Root:
      return unexpected(scene, at, "the end of the file", false);
    case After::Bracket:
      return unexpected(scene, at, scene.in_list() ? "a value or \"]\"" : key, scene.in_list());
    case After::Key:
      if (scene.at(at) != ':') return unexpected(scene, at, "\":\" after the key " + last, false);
      at = skip_space(scene.text, at + 1);
      break;
    case After::Item: {
      if (scene.at(at) != ',') {
        return unexpected(scene, at, "\",\" or " + scene.closing() + " after " + last, false);
      }
      const std::size_t next = skip_space(scene.text, at + 1);
      if (scene.closes(next)) {
        return scene.report("another item after the comma", scene.word(next), at,
                            "nothing follows this comma", "Remove the comma.");
      }
      if (auto comma = decimal_comma(scene, next)) return *comma;
      at = next;
      if (!scene.in_list()) return unexpected(scene, at, key, false);
    }
  }
  return unexpected(scene, at, "a value", true);
}

}  // namespace attn::json
