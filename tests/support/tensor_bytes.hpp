// Files of arrays, built byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "attn/error.hpp"
#include "attn/io/tensor_file.hpp"

namespace attn::testing {

/// `size` bytes, least significant first.
std::string little(std::uint64_t number, std::size_t size);

/// Files with whatever a test wants in them.
std::string npy_file(const std::string& dictionary, const std::string& data, char major = 1);
std::string npy_file(const std::string& dtype, const std::string& shape, bool columns_first,
                     const std::string& data);
std::string safetensors_file(const std::string& header, const std::string& data);

/// `bytes` with others from `at` on.
std::string patched(std::string bytes, std::size_t at, const std::string& others);

/// Numbers of every kind: fractions, -0, infinities, a NaN with a payload, the smallest and
/// largest.
Array awkward_array(std::vector<std::ptrdiff_t> shape);

/// Same names and shapes, and the same numbers bit for bit.
bool same(const Array& left, const Array& right);
bool same(const std::vector<NamedArray>& left, const std::vector<NamedArray>& right);

/// The one diagnostic of the Error that the action throws; its places must be `file`, without
/// lines.
Diagnostic refusal(const std::function<void()>& action, const std::string& file);

using ReadBytes = std::function<void(const std::string& bytes)>;

/// Reads every beginning of the bytes, which must be an Error each time.
void check_cut_off(const std::string& bytes, const ReadBytes& read);

/// Reads the bytes with each bit of each byte flipped, and with all eight: an Error or nothing, but
/// no other exception. `read` checks what it got.
void check_flips(const std::string& bytes, const ReadBytes& read);

}  // namespace attn::testing
