#include "io/json/json_error.hpp"

#include "io/json/json_token_error.hpp"

namespace attn::json {
namespace {

using After = Stop::After;

bool is_word_at(const Scene& scene, std::size_t at) { return is_word(scene.at(at)); }

bool begins_value(const Scene& scene, std::size_t at) {
  const char c = scene.at(at);
  return c == '"' || c == '[' || c == '{' || is_word_at(scene, at);
}

bool is_closing(char c) { return c == ']' || c == '}'; }

/// nlohmann takes the 0 of 01 for a number and stumbles over the rest: look at the whole word.
bool last_word_is_broken(const Scene& scene) {
  const After after = scene.stop.after;
  if (after != After::Item && after != After::Root) return false;
  if (!is_word_at(scene, scene.stop.token)) return false;
  const std::string_view word =
      scene.text.substr(scene.stop.token, scene.stop.cursor - scene.stop.token);
  return !is_number(word) && word != "true" && word != "false" && word != "null";
}

Diagnostic bad_value(const Scene& scene, std::size_t at) {
  if (scene.at(at) == '"') return bad_string(scene, at);
  if (is_word_at(scene, at)) return bad_word(scene, at);
  const char c = scene.at(at);
  if (scene.stop.after == After::Key && (c == ',' || is_closing(c))) {
    return scene.report("expected a value after the colon, found " + scene.word(at), at,
                        "a value is missing before this", "Write a value after the colon.");
  }
  const bool may_close = scene.stop.after == After::Bracket;
  return unexpected(scene, at, may_close ? "a value or \"]\"" : "a value");
}

Diagnostic bad_key(const Scene& scene, std::size_t at) {
  if (scene.at(at) == '"') return bad_string(scene, at);
  if (!is_word_at(scene, at)) return unexpected(scene, at, "a key in quotation marks");
  const std::string word = scene.word(at);
  return scene.report("expected a key in quotation marks, found " + word, at,
                      "keys need quotation marks", "Write \"" + word + "\".");
}

Diagnostic bad_after_key(const Scene& scene, std::size_t at) {
  if (lacks_quotation_mark(scene, scene.stop.token)) {
    return missing_quotation_mark(scene, scene.stop.token);
  }
  const std::string key = scene.word(scene.stop.token);
  if (scene.at(at) == ':') return bad_value(scene, skip_space(scene.text, at + 1));
  const std::string expected = "\":\" after the key " + key;
  if (!begins_value(scene, at) && scene.at(at) != '=') return unexpected(scene, at, expected);
  return scene.report("expected " + expected + ", found " + scene.word(at), at,
                      "a colon is missing before this",
                      "Write a colon between the key and its value.");
}

Diagnostic bad_after_comma(const Scene& scene, std::size_t comma) {
  const std::size_t at = skip_space(scene.text, comma + 1);
  if (is_closing(scene.at(at))) {
    return scene.report("expected another item after the comma, found " + scene.word(at), comma,
                        "nothing follows this comma", "Remove the comma.");
  }
  if (scene.at(at) == ',') {
    return scene.report("expected an item between two commas, found nothing", at,
                        "one comma too many", "Remove one of the commas.");
  }
  return scene.in_list() ? bad_value(scene, at) : bad_key(scene, at);
}

/// A key inside a list: its closing bracket is missing, or it was to be an object. `at` is the key.
Diagnostic key_in_list(const Scene& scene, std::size_t at) {
  const std::size_t bracket = scene.stop.bracket.value();
  if (skip_space(scene.text, bracket + 1) == at) {
    const Place place = scene.place(bracket, "a list has no keys");
    return scene.report(
        "expected \"{\" before the key " + scene.word(at) + ", found \"[\"", bracket,
        "a list has no keys",
        "Write { instead of [ at line " + std::to_string(place.line) + ", and } where it ends.");
  }
  return scene.report_with_bracket(
      "expected \"]\" before the key " + scene.word(at) + ", found the list still open", at,
      "a key cannot stand in a list", "Add \"]\" before the key.");
}

Diagnostic bad_after_item(const Scene& scene, std::size_t at) {
  const char c = scene.at(at);
  if (c == ',') return bad_after_comma(scene, at);
  if (c == ':' && scene.in_list()) return key_in_list(scene, scene.stop.token);
  if (is_closing(c)) {
    return scene.report_with_bracket(
        "expected " + std::string(scene.closing()) + ", found " + scene.word(at), at,
        "this closes another kind of bracket", std::string("Write ") + scene.closing() + " first.");
  }
  if (lacks_quotation_mark(scene, scene.stop.token)) {
    return missing_quotation_mark(scene, scene.stop.token);
  }
  const std::string expected =
      std::string("\",\" or ") + scene.closing() + " after " + scene.word(scene.stop.token);
  if (!begins_value(scene, at)) return unexpected(scene, at, expected);
  const std::size_t next = skip_space(scene.text, token_end(scene.text, at));
  if (scene.in_list() && c == '"' && scene.at(next) == ':') return key_in_list(scene, at);
  return scene.report(
      "expected " + expected + ", found " + scene.word(at), at, "a comma is missing before this",
      "Write a comma between " + scene.word(scene.stop.token) + " and " + scene.word(at) + ".");
}

Diagnostic bad_after_root(const Scene& scene, std::size_t at) {
  const std::size_t first = skip_space(scene.text, 0);
  if (is_word_at(scene, first)) return no_json(scene, first);
  if (!begins_value(scene, at) && !is_closing(scene.at(at))) {
    return unexpected(scene, at, "the end of the file");
  }
  return scene.report("expected the end of the file, found " + scene.word(at), at,
                      "the value is complete before this",
                      "Remove what follows, or look for a bracket that is closed too early.");
}

}  // namespace

Diagnostic syntax_error(const Source& source, const Stop& stop) {
  const Scene scene{source, stop};
  if (last_word_is_broken(scene)) {
    return stop.after == After::Root ? no_json(scene, stop.token) : bad_word(scene, stop.token);
  }
  const std::size_t at = skip_space(scene.text, stop.cursor);
  switch (stop.after) {
    case After::Nothing:
      break;
    case After::Bracket:
      return scene.in_list() ? bad_value(scene, at) : bad_key(scene, at);
    case After::Key:
      return bad_after_key(scene, at);
    case After::Item:
      return bad_after_item(scene, at);
    case After::Root:
      return bad_after_root(scene, at);
  }
  const bool comment = scene.at(at) == '#' || scene.at(at) == '/';
  const bool begins = comment || scene.at(at) == '"' || scene.at(at) == '[' || scene.at(at) == '{';
  if (at < scene.text.size()) return begins ? bad_value(scene, at) : no_json(scene, at);
  return {.id = "json-empty",
          .what = "expected a JSON text, found an empty file",
          .places = {scene.place(0, "")},
          .fix = "Check that the file was saved, and that the program that wrote it did not fail."};
}

}  // namespace attn::json
