// Finds the columns of a roster that have names of persons.
#include "files/slips.hpp"

#include <algorithm>
#include <vector>

#include "attn/phrases.hpp"

namespace attn::app {
bool holds_names(std::string_view column) {
  constexpr std::string_view kNames[] = {
      "name",         "full name", "student name", "first name", "firstname", "given name",
      "last name",    "lastname",  "family name",  "surname",    "vorname",   "nachname",
      "familienname", "nom",       "prénom",       "prenom",     "姓名",      "名字"};
  std::string heading = caseless(trimmed(column));
  std::replace_if(
      heading.begin(), heading.end(), [](char c) { return c == '_' || c == '-'; }, ' ');
  return std::find(std::begin(kNames), std::end(kNames), heading) != std::end(kNames);
}

std::map<std::string, std::string> slips_of(const CsvTable& roster) {
  std::map<std::string, std::string> slips;
  for (const std::vector<std::string>& row : roster.rows) {
    std::string& slip = slips[row.front()] = row.front();
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (holds_names(roster.header[i]) && !row[i].empty()) slip += " · " + row[i];
    }
  }
  return slips;
}

}  // namespace attn::app
