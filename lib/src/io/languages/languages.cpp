// Reads the catalogues of the languages that are compiled in.
#include "io/languages/languages.hpp"

#include <algorithm>
#include <vector>

#include "attn/language.hpp"
#include "io/json/json.hpp"

namespace attn {
namespace {

/// The members of an object whose values are strings.
template <typename Map>
Map strings_of(const json::Node* object) {
  Map map;
  if (object == nullptr) return map;
  for (const json::Member& member : std::get<json::Members>(object->value))
    map[member.key] = std::get<std::string>(member.value.value);
  return map;
}

Language read_language(const LanguageFile& file) {
  const json::Document document = json::parse(file.text, std::string(file.name));
  const json::Node* name = json::find(document.root, "language");
  return {std::string(file.name), std::get<std::string>(name->value),
          strings_of<decltype(Language::texts)>(json::find(document.root, "texts")),
          strings_of<decltype(Language::sentences)>(json::find(document.root, "sentences")),
          strings_of<decltype(Language::ascii)>(json::find(document.root, "ascii"))};
}

}  // namespace

std::vector<std::string> language_codes() {
  std::vector<std::string> codes{"en"};
  for (const LanguageFile& file : language_files()) codes.emplace_back(file.name);
  return codes;
}

const Language& language_of(std::string_view code) {
  static const Language english{};
  static std::map<std::string, Language, std::less<>> read;
  const auto known = read.find(code);
  if (known != read.end()) return known->second;
  for (const LanguageFile& file : language_files()) {
    if (file.name == code) return read.emplace(code, read_language(file)).first->second;
  }
  return english;
}

}  // namespace attn
