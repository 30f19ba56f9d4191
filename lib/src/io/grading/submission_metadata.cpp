// Reads who handed in from Gradescope's submission_metadata.json.
#include "attn/io/submission_metadata.hpp"

#include <memory>

#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"

namespace attn {

std::vector<std::vector<std::string>> submitters_in(std::string_view bytes,
                                                    const std::string& name) {
  const auto file = std::make_shared<const json::Document>(json::parse(bytes, name));
  const json::Node* users = json::find(file->root, "users");
  const auto* items = users == nullptr ? nullptr : std::get_if<json::Items>(&users->value);
  std::vector<std::vector<std::string>> all;
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    std::vector<std::string> names;
    for (const char* key : {"sid", "email", "name"}) {
      const json::Node* value = json::find((*items)[i], key);
      const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
      if (text == nullptr || text->empty()) continue;
      names.push_back(*text);
      if (const std::size_t at = text->find('@'); at != text->npos && at > 0)
        names.push_back(text->substr(0, at));
    }
    if (!names.empty()) all.push_back(std::move(names));
  }
  if (!all.empty()) return all;
  throw input_error({.id = "wrong-format",
                     .what = "this file does not say who handed in: it has no \"users\"",
                     .places = {{.file = name}},
                     .fix = "Name Gradescope's /autograder/submission_metadata.json."});
}

}  // namespace attn
