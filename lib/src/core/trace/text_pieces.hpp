// Text on its way to a sink.
#pragma once

#include <string>
#include <string_view>

#include "attn/core/format.hpp"

namespace attn {

/// Collects text and passes it on before it becomes long.
class TextPieces {
 public:
  explicit TextPieces(const Sink& sink) : sink_(sink) {}

  TextPieces& operator+=(std::string_view text) {
    constexpr std::size_t kMuch = std::size_t{1} << 17;
    text_ += text;
    if (text_.size() >= kMuch) pass_on();
    return *this;
  }

  /// Passes on all that was added.
  void pass_on() {
    if (!text_.empty()) sink_(text_);
    text_.clear();
  }

 private:
  const Sink& sink_;
  std::string text_;
};

/// All that `write` passes on, in one string.
template <class Write>
std::string in_one_text(Write write) {
  std::string all;
  write([&all](std::string_view piece) { all += piece; });
  return all;
}

}  // namespace attn
