// The answers of a dump, one for each step.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The answers of a dump by the steps that they are for, at most one for each. Two modules may make
/// the same matrix: of two that differ, the one further from the truth is compared.
class OnePerStep {
 public:
  explicit OnePerStep(const Trace& truth, Dtype dtype) : truth_(truth), dtype_(dtype) {}

  /// `theirs` is the name in the dump.
  void keep(Answer answer, const std::string& theirs, std::vector<std::string>& notes);
  std::vector<Answer> all() && { return std::move(all_); }

 private:
  const Trace& truth_;
  Dtype dtype_;
  std::vector<Answer> all_;
  std::map<std::string, std::pair<std::size_t, std::string>> given_;  // by step: place, their name
};

}  // namespace attn
