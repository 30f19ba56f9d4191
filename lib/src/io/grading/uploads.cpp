// Reads the names that Moodle and Canvas give to what students hand in.
#include "attn/uploads.hpp"

#include <algorithm>

#include "attn/phrases.hpp"

namespace attn {
namespace {

constexpr std::string_view kMoodles = "_assignsubmission_";

bool is_id(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string moodle_folder(std::string_view path) {
  std::size_t begin = 0;
  for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', begin)) {
    const std::string_view part = path.substr(begin, end - begin);
    if (part.find(kMoodles) != part.npos) return std::string(part);
    begin = end + 1;
  }
  return "";
}

std::string name_in_folder(std::string_view folder) {
  const std::string_view person = folder.substr(0, std::min(folder.find(kMoodles), folder.size()));
  const std::size_t id = person.rfind('_');
  return std::string(id != person.npos && is_id(person.substr(id + 1)) ? person.substr(0, id)
                                                                       : person);
}

std::size_t end_of_ids(std::string_view name) {
  int missing = name.starts_with("anon_") ? 1 : 2;
  for (std::size_t at = name.find('_'); at != name.npos;) {
    const std::size_t end = name.find('_', at + 1);
    if (end == name.npos) return 0;
    if (is_id(name.substr(at + 1, end - at - 1)) && --missing == 0) return end;
    at = end;
  }
  return 0;
}

bool is_online_text(std::string_view path) {
  constexpr std::string_view kCanvas = "_text.html";
  std::string_view name = last_part(path);
  if (name == "onlinetext.html" && !moodle_folder(path).empty()) return true;
  if (!name.ends_with(kCanvas)) return false;
  name.remove_suffix(kCanvas.size());
  const std::size_t id = name.rfind('_');
  return id != name.npos && is_id(name.substr(id + 1));
}

std::string own_name(std::string_view path) {
  const std::string_view name = last_part(path);
  const std::size_t ids = end_of_ids(name);
  return std::string(ids == 0 ? name : name.substr(ids + 1));
}

}  // namespace attn
