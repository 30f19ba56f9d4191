#pragma once

#include <utility>
#include <vector>

#include "attn/error.hpp"

namespace attn {

/// Collects what is wrong, so that independent errors are told together.
class Complaints {
 public:
  void add(Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }
  bool any() const { return !diagnostics_.empty(); }
  /// Throws all that was added as one Error about the input, if anything was.
  void throw_if_any() const {
    if (any()) throw Error(ErrorKind::Input, diagnostics_);
  }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace attn
