// Text on its way to a sink.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/core/format.hpp"

namespace attn {

/// Collects text and passes it on before it becomes long.
class TextPieces {
 public:
  explicit TextPieces(const Sink& sink) : sink_(sink) {}

  TextPieces& operator+=(std::string_view text) {
    text_ += text;
    return *this;
  }

  /// Adds rows 0 … count − 1, of `numbers` numbers each. `append` appends a row to text; several
  /// threads call it, so that many rows are made at the same time.
  void add_rows(Index count, Index numbers,
                const std::function<void(std::string& text, Index row)>& append);

  /// Passes on all that was added.
  void pass_on();

 private:
  const Sink& sink_;
  std::vector<std::string> ready_, making_;  ///< `ready_` comes before `text_`
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
