// From a JSON pointer to its line and column.
#include <algorithm>
#include <utility>

#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"

namespace attn {

SourceMap::SourceMap(std::shared_ptr<const json::Document> document, std::string root)
    : document_(std::move(document)), root_(std::move(root)) {}

SourceMap::SourceMap(std::string file_name) : file_name_(std::move(file_name)) {}

void SourceMap::override_with(const std::string& pointer, const std::string& origin) {
  overrides_[pointer] = origin;
}

void SourceMap::rename(const std::string& pointer, const std::string& own) {
  names_[pointer] = own;
}

Place SourceMap::locate(const Place& place, bool at_key) const {
  if (!place.file.empty()) return place;
  const std::string* own = nullptr;
  for (std::string parent = place.pointer; !parent.empty(); parent.erase(parent.rfind('/'))) {
    if (const auto found = overrides_.find(parent); found != overrides_.end()) {
      Place located = place;
      located.file = found->second;
      return located;
    }
    const auto name = names_.find(parent);
    if (own == nullptr && name != names_.end()) own = &name->second;
  }
  if (!document_) {
    Place located = place;
    located.file = file_name_;
    return located;
  }
  const std::string pointer = own != nullptr ? *own : root_ + place.pointer;
  const json::Offsets at = json::offsets_of(*document_, pointer);
  return place_at(document_->source, at_key ? at.key : at.value, pointer, place.remark);
}

Error SourceMap::locate(const Error& error) const {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    const bool at_key = diagnostic.id == "unknown-key";
    for (Place& place : diagnostic.places) place = locate(place, at_key);
  }
  return {error.kind(), std::move(diagnostics), error.omitted()};
}

}  // namespace attn
