// Makes the rows of large matrices as text, on several threads.
#include "core/trace/text_pieces.hpp"

#include <algorithm>
#include <utility>

#include "core/tensor/parallel.hpp"

namespace attn {

void TextPieces::add_rows(Index count, Index numbers,
                          const std::function<void(std::string& text, Index row)>& append) {
  constexpr std::size_t kMuch = std::size_t{1} << 17;
  constexpr Index kPiece = 4096;         // numbers: about 100 kB
  constexpr Index kAtOnce = 32;          // pieces
  constexpr double kWorkOfNumber = 200;  // in additions
  const Index each = std::max<Index>(numbers, 1), rows = std::max<Index>(1, kPiece / each);
  if (count <= rows) {
    for (Index row = 0; row < count; ++row) append(text_, row);
    if (text_.size() >= kMuch) pass_on();
    return;
  }
  if (!text_.empty()) ready_.push_back(std::exchange(text_, {}));
  for (Index first = 0; first < count; first += kAtOnce * rows) {
    const Index left = std::min(count - first, kAtOnce * rows);
    making_.resize(static_cast<std::size_t>((left + rows - 1) / rows));
    const auto work = [&](Index task) {
      if (task == 0) {  // one thread passes on what is ready, while others make more
        for (const std::string& piece : ready_) sink_(piece);
        return;
      }
      // On this thread's stack: beside each other, two strings would share a cache line.
      std::string text = std::move(making_[static_cast<std::size_t>(task - 1)]);
      text.clear();
      const Index start = first + (task - 1) * rows, end = std::min(start + rows, first + left);
      for (Index row = start; row < end; ++row) append(text, row);
      making_[static_cast<std::size_t>(task - 1)] = std::move(text);
    };
    in_parallel(std::ssize(making_) + 1, kWorkOfNumber * static_cast<double>(left * each),
                [&] { return work; });
    std::swap(ready_, making_);
  }
}

void TextPieces::pass_on() {
  for (const std::string& piece : ready_) sink_(piece);
  if (!text_.empty()) sink_(text_);
  ready_.clear();
  text_.clear();
}

}  // namespace attn
