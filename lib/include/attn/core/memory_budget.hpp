// How much memory a problem and its trace may take: a limit, checked before anything is made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/error.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// The limit where none is set: 4 GiB, and 1 GiB where addresses have 32 bits.
inline constexpr double kUsualMemory = sizeof(void*) > 4 ? 4294967296.0 : 1073741824.0;

/// What is taken while a problem is read or made. Bytes are counted as double, so that no size
/// overflows.
struct MemoryBudget {
  double limit = kUsualMemory;
  double used = 0.0;

  /// Makes room for an array of these sizes, before it is allocated. Throws Error (input, id
  /// "too-large") with `pointer` as its place if all that is taken would exceed the limit.
  void take(const std::vector<Index>& sizes, const std::string& pointer);
  void take_bytes(double bytes, const std::string& pointer);
  /// The same for an array of a draft and its copy in the problem.
  void take_with_copy(const std::vector<Index>& sizes, const std::string& pointer);
};

/// Bytes of an array of float64; a negative size counts as 0.
double array_bytes(const std::vector<Index>& sizes);

/// The bytes that "512M", "4G", "1.5GiB" or a plain number of bytes mean; K, M, G and T are powers
/// of 1024. Throws Error (input, id "option-value") for anything else.
double parse_memory_size(std::string_view text);

/// "800 bytes", "4 GiB", "7.5 GiB".
std::string memory_size_text(double bytes);

/// What a problem needs: its own arrays, and the steps that are made from them.
struct MemoryNeed {
  double problem = 0.0, steps = 0.0;  ///< bytes
  bool all_stay = false;              ///< every step is kept; the output alone would take less
};

/// Throws Error (input, id "too-large") if that is above the limit; `places` are those of the
/// largest part.
void check_memory(const MemoryNeed& need, double limit, std::vector<Place> places);

/// The same for a document of `bytes`, its numbers included; `format` is the name of its format.
void check_document_memory(double bytes, double limit, std::string_view format);

}  // namespace attn
