// What all shells offer.
#include "help/completions/completions.hpp"

#include <algorithm>

namespace attn::app {

Offer offer_of(const OptionRow& option) {
  if (!option.choices.empty()) return {.words = option.choices};
  if (option.examples != nullptr) return {.words = option.examples()};
  return {.files = option.value == "FILE"};
}

Offer offer_of(const Command& command) {
  if (command.operand_examples != nullptr) return {.words = command.operand_examples()};
  return {.files = !command.operand.empty()};
}

std::vector<OptionRow> shared_options(const std::vector<Command>& commands) {
  std::vector<OptionRow> shared = commands.front().options;
  for (const Command& command : commands) {
    std::erase_if(shared, [&](const OptionRow& option) {
      return std::none_of(command.options.begin(), command.options.end(),
                          [&](const OptionRow& other) { return other.names == option.names; });
    });
  }
  return shared;
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
