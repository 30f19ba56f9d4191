// One page at a time, for attn explain --pause.
#include "commands/pause.hpp"

#include <ostream>
#include <variant>

#include "attn/tool/phrases.hpp"

namespace attn::app {

std::vector<Document> steps_apart(Document document) {
  std::vector<Document> parts(1);
  bool in_step = false;
  for (Block& block : document.blocks) {
    const bool begins = std::holds_alternative<StepHeading>(block);
    if (begins && in_step) parts.emplace_back();
    in_step = in_step || begins;
    parts.back().precision = document.precision;
    parts.back().blocks.push_back(std::move(block));
  }
  return parts;
}

void show_pages(const std::vector<std::string>& pages, const Streams& streams) {
  for (std::size_t at = 0; at < pages.size();) {
    const bool last = at + 1 == pages.size();
    const std::string prompt = filled("-- {} of {}: any key {}, b goes back, q ends --", at + 1,
                                      pages.size(), last ? "ends" : "continues");
    streams.out << pages[at] << "\n" << prompt << std::flush;
    const char key = streams.terminal.read_key();
    streams.out << "\r" << std::string(prompt.size(), ' ') << "\r" << std::flush;
    if (key == 'q') return;
    if (key == 'b') {
      at -= at > 0 ? 1 : 0;
    } else {
      ++at;
    }
  }
}

}  // namespace attn::app
