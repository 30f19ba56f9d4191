// The keys of a problem file, for the command line: the options that set them, and their examples.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/problem.hpp"

namespace attn {

/// An option that replaces one value of a problem.
struct ProblemOption {
  std::string name, value, help;     ///< "softcap", "C", "scores become …"
  std::string pointer;               ///< of the key in a problem file, "/softcap"
  std::vector<std::string> choices;  ///< the words it takes; empty: other texts too
  /// Throws Error for a text that the option does not take.
  std::function<void(const std::string& text, ProblemDraft& draft)> apply;
};
std::vector<ProblemOption> problem_options();

/// A key as an example shows it, "\"heads\": 2", and what it says.
struct KeyExample {
  std::string_view json, says;
};

/// The keys that have examples, those that belong together in one list.
std::vector<std::vector<KeyExample>> key_examples();

}  // namespace attn
