// Settings of the computations of a lesson: those of the command line, and a few more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teach/lessons/changes.hpp"

namespace attn {

/// A setting that no option of the command line has.
struct LessonSetting {
  std::string_view name;
  bool has_value;  ///< "offset=100", not "plain"
  void (*apply)(ProblemDraft& draft, const std::string& value);
};

/// Changes a problem as "plain mask=causal+window:2 fill=0" says, one after the other. Throws
/// LessonFault for a setting that does not exist, Error for a value that it does not take.
void apply_settings(ProblemDraft& draft, std::string_view settings);
/// The settings of an option --NAME VALUE; false if it is not about the problem.
bool apply_option(ProblemDraft& draft, std::string_view name, const std::string& value);

/// Which token each place gets: "reversed", "dealt" (every other one first), or drawn: "1".
std::vector<Index> token_order(Index n, const std::string& name);
/// The same tokens in another order.
void permute_tokens(ProblemDraft& draft, const std::string& name);

/// What a changed problem computes; "gradient", "angles", "lens" and "contributions=WORD" among
/// its settings add steps.
SharedTrace computed_as(const ProblemDraft& draft, const std::string& settings);

}  // namespace attn
