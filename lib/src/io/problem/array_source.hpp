// Matrices that a problem describes: random, zeros, ones, identity, or in a file.
#pragma once

#include "io/json/value.hpp"

namespace attn::json {

/// An object in place of a matrix: {"rand": [8, 32], "seed": 42} or the same with randn,
/// {"zeros": [2, 3]}, {"ones": [2, 3]}, {"eye": 4}, {"file": "w.npy"} or
/// {"file": "m.safetensors", "tensor": "name"}. Throws Error (ids "wrong-type", "unknown-key",
/// "missing-key", "out-of-range", "too-large", "file-path", "unknown-tensor", and what the file's
/// own reader throws).
Array read_array_source(const Value& value);

/// The array that such an object describes.
struct Described {
  const char* key = "";  ///< "zeros"; "" if `node` is no such object
  double bytes = 0.0;    ///< 0 for one in a file, and where the size is wrong
};
Described described_by(const Node& node);

/// Throws (id "file-path") for a path that leads out of the problem's folder, and if a problem
/// cannot name files here at all.
void check_path(const Value& value, const std::string& path, bool can_read);

/// The error for a file of another kind.
Error wrong_ending(const Value& value, const std::string& endings, const std::string& path);

}  // namespace attn::json
