// What all shells offer.
#include "help/completions/completions.hpp"

namespace attn::app {

Offer offer_of(const OptionRow& option) {
  if (!option.choices.empty()) return {.words = option.choices};
  if (option.examples) return {.words = option.examples(), .commas = option.list == List::Commas};
  return {.files = option.value == "FILE"};
}

Offer offer_of(const Command& command) {
  if (command.operand_examples != nullptr) return {.words = command.operand_examples()};
  return {.files = !command.operand.empty()};
}

std::vector<OptionRow> common_rows(const std::vector<Command>& commands) {
  std::vector<OptionRow> rows = commands.front().options;
  std::erase_if(rows, [](const OptionRow& row) { return row.group != Group::Common; });
  return rows;
}

std::string escaped(const std::string& text, const std::string& which) {
  std::string safe;
  for (const char c : text) {
    if (which.find(c) != which.npos) safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace attn::app
