// The tokens of a tokenizer, by text and by id.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/error.hpp"
#include "attn/tensor.hpp"
#include "io/json/value.hpp"

namespace attn {

/// One more than the largest id that a vocabulary may have.
constexpr Index kMostTokens = 1 << 22;

/// The id of a token. Throws Error: ids "wrong-type", "out-of-range".
Index read_token_id(const json::Value& value);
/// The error (id "duplicate-id") that two texts have one id; the second is at `pointer`.
Error duplicate_id(Index id, const std::string& one, const std::string& other,
                   const std::string& pointer);

class Vocabulary {
 public:
  /// {"the": 262, …}. Throws Error: ids "wrong-type", "out-of-range", "duplicate-id".
  explicit Vocabulary(const json::Value& vocab);

  std::optional<Index> id(std::string_view text) const;
  /// nullptr for an id that nothing has.
  const std::string* text(Index id) const;
  /// One more than the largest id.
  Index size() const { return std::ssize(texts_); }
  /// The longest token that is `prefix` and the beginning of `rest`, and how much of that; nothing
  /// if there is none.
  struct Found {
    Index id = 0;
    std::size_t bytes = 0;
  };
  std::optional<Found> longest(std::string_view prefix, std::string_view rest) const;

 private:
  void add(const std::string& text, Index id);
  void reserve(std::size_t count);
  struct Slot {
    std::size_t hash = 0;
    Index id = -1;
  };
  /// Where a text of these two parts is, or would be.
  std::size_t slot(std::string_view text, std::string_view rest, std::size_t hash) const;

  std::vector<std::optional<std::string>> texts_;
  std::vector<Slot> slots_;  // open addressing: at most half are in use
  std::size_t used_ = 0, longest_ = 0;
};

}  // namespace attn
