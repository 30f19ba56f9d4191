// Collecting errors that are reported together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/error.hpp"

namespace attn {

/// Collects what is wrong, so that independent errors are reported together. After `kMost` they are
/// only counted.
class Complaints {
 public:
  static constexpr std::size_t kMost = 20;

  /// Something that keeps later checks from making sense.
  void add(Diagnostic diagnostic) {
    add_made([&] { return std::move(diagnostic); });
  }
  /// The same about one place, without a sketch.
  void add(std::string id, std::string pointer, std::string what, std::string fix,
           std::string rule = "") {
    add({.id = std::move(id),
         .what = std::move(what),
         .places = {{.pointer = std::move(pointer)}},
         .rule = std::move(rule),
         .fix = std::move(fix)});
  }
  /// The same, made by `make()` only if it is kept: for errors that come in thousands.
  template <typename Make>
  void add_made(Make make) {
    if (!is_full()) {
      grave_.push_back(make());
    } else {
      omit();
    }
  }
  /// Whether no more is kept.
  bool is_full() const { return grave_.size() >= kMost; }
  /// One more, which is counted only.
  void omit() { ++omitted_; }
  /// What an error about the input says.
  void add(const Error& error) {
    for (const Diagnostic& each : error.diagnostics()) add(each);
    omitted_ += error.omitted();
  }
  /// Something that other checks do not depend on; always kept.
  void add_independent(Diagnostic diagnostic) { independent_.push_back(std::move(diagnostic)); }

  /// How often `add` was called.
  std::size_t count() const { return grave_.size() + omitted_; }
  /// Whether `add` was called.
  bool any() const { return !grave_.empty(); }
  /// If so, throws all that was added as one Error about the input.
  void throw_if_any() const {
    if (any()) throw_all();
  }
  /// Throws whatever was added, if anything was.
  void throw_all() const {
    std::vector<Diagnostic> all = grave_;
    all.insert(all.end(), independent_.begin(), independent_.end());
    if (!all.empty()) throw Error(ErrorKind::Input, std::move(all), omitted_);
  }

 private:
  std::vector<Diagnostic> grave_, independent_;
  std::size_t omitted_ = 0;
};

}  // namespace attn
