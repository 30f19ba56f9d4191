// Text on its way to a sink.
#pragma once

#include <string>
#include <string_view>

#include "attn/format.hpp"

namespace attn {

/// Collects text and passes it on before it becomes long.
class TextPieces {
 public:
  explicit TextPieces(const Sink& sink) : sink_(sink) {}

  TextPieces& operator+=(std::string_view text) {
    text_ += text;
    return *this;
  }
  /// What is not passed on yet: to append to.
  std::string& text() { return text_; }

  /// At the end of a row: what there is may go.
  void end_row() {
    constexpr std::size_t kMuch = std::size_t{1} << 17;
    if (text_.size() >= kMuch) pass_on();
  }
  /// Everything goes.
  void pass_on() {
    sink_(text_);
    text_.clear();
  }

 private:
  const Sink& sink_;
  std::string text_;
};

/// All that `write` passes on, as one text.
template <class Write>
std::string in_one_text(Write write) {
  std::string all;
  write([&all](std::string_view piece) { all += piece; });
  return all;
}

}  // namespace attn
