// The rows of gradients, made from those of the steps and givens that they belong to.
#pragma once

#include <map>
#include <string>

#include "attn/trace.hpp"

namespace attn {

/// A row for the gradient of each row that is added. The rows added must outlive it.
class GradientRows {
 public:
  void add(const StepInfo& of);
  const StepInfo* of(const StepInfo& row) const { return &rows_.at(&row).info; }

 private:
  struct Row {
    std::string id, symbol, title, phrase;
    StepInfo info = {};
  };
  std::map<const StepInfo*, Row> rows_;
};

}  // namespace attn
