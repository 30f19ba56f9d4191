// The options that continue a computation backwards.
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {

void add_gradient_options(Command& command, GradientOptions& o) {
  add_rows(command, Group::Problem,
           {flag("--gradient", "work backwards: how the loss changes with each number", o.asked),
            file("--upstream", "FILE", "the same, from this gradient of the output (.npy, JSON)",
                 PathUse::Input, [&o](const std::string& path) {
                   o.upstream = path;
                   o.asked = true;
                 })});
}

std::optional<GradientChoice> gradient_choice(const GradientOptions& o, double max_memory,
                                              const Streams& streams) {
  if (!o.asked) return std::nullopt;
  GradientChoice choice;
  if (o.upstream.empty()) return choice;
  choice.upstream = read_matrix("--upstream", o.upstream, max_memory, streams);
  choice.source = "--upstream " + o.upstream;
  return choice;
}

}  // namespace attn::app
