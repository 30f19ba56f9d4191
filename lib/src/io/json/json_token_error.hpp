#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "io/json/json_error.hpp"
#include "io/json/token.hpp"

namespace attn::json {

/// The text and the stop, with the questions that every message asks of them.
struct Scene {
  const Source& source;
  const Stop& stop;
  std::string_view text = source.text;

  bool in_list() const { return stop.bracket && text[*stop.bracket] == '['; }
  const char* closing() const { return in_list() ? "\"]\"" : "\"}\""; }
  char at(std::size_t offset) const { return offset < text.size() ? text[offset] : '\0'; }
  /// The token as messages show it: brackets and commas in quotation marks.
  std::string word(std::size_t offset) const {
    const std::string token = token_text(text, offset);
    return at(offset) == '"' || is_word(at(offset)) ? token : "\"" + token + "\"";
  }

  Place place(std::size_t offset, std::string remark) const {
    return place_at(source, offset, stop.pointer, std::move(remark));
  }
  Diagnostic report(std::string what, std::size_t offset, std::string remark,
                    std::string fix) const {
    return {.id = "json-syntax",
            .what = std::move(what),
            .places = {place(offset, std::move(remark))},
            .fix = std::move(fix)};
  }
  /// The same with the open bracket, which there must be, as a second place.
  Diagnostic report_with_bracket(std::string what, std::size_t offset, std::string remark,
                                 std::string fix) const {
    Diagnostic found = report(std::move(what), offset, std::move(remark), std::move(fix));
    found.places.push_back(place(stop.bracket.value(), "this bracket is still open"));
    return found;
  }
};

/// What begins the text but is no JSON at all.
Diagnostic no_json(const Scene& scene, std::size_t at);

/// A word that is no value of JSON: NaN, True, 01, 1e999, abc.
Diagnostic bad_word(const Scene& scene, std::size_t at);

/// A string that ends too late, as in `"the, "cat"`: the quotation mark that should have closed it
/// opens the next one. `at` is the string, which something follows at once.
bool lacks_quotation_mark(const Scene& scene, std::size_t at);
Diagnostic missing_quotation_mark(const Scene& scene, std::size_t at);

/// A string that is not closed, or holds what a string cannot hold.
Diagnostic bad_string(const Scene& scene, std::size_t at);

/// Whatever else stands where `expected` should: the end of the file, a comment, a quotation mark
/// of another language, a bracket.
Diagnostic unexpected(const Scene& scene, std::size_t at, const std::string& expected);

}  // namespace attn::json
