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
  std::vector<std::string> choices;  ///< the words it takes; empty: any text
  /// Throws Error if the option does not take the text.
  std::function<void(const std::string& text, ProblemDraft& draft)> apply;
};
const std::vector<ProblemOption>& problem_options();

/// The grammar of NAME=VALUE,NAME=VALUE: a comma begins a new setting only before NAME=.
struct KeyValue {
  std::string key, value;
};

/// Sets a key of a problem, "layout" or "masking.before_scale", to a value as in a file; words need
/// no quotation marks. Throws Error (ids "unknown-key", "option-value" and those of the key).
void set_key(const KeyValue& setting, ProblemDraft& draft);

/// Whether a problem has that key; "weights.NAME" is one.
bool is_problem_key(const std::string& key);

/// The JSON pointer of a key.
std::string pointer_of_key(const std::string& key);

/// An example of a key, "\"heads\": 2", and what it means.
struct KeyExample {
  std::string_view json, says;
};

struct KeyGroup {
  std::string heading;  ///< "Masks"
  std::vector<KeyExample> keys;
};
std::vector<KeyGroup> key_examples();

}  // namespace attn
