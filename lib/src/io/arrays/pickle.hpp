// The pickle inside a checkpoint of PyTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "attn/error.hpp"

namespace attn::pickle {

/// A value, by its place in Contents::values: what a pickle refers to twice is there once, and a
/// list may even be inside itself.
using Id = std::size_t;

struct Nothing {};
/// A list or a tuple.
struct List {
  std::vector<Id> items;
};
struct Dict {
  std::vector<std::pair<Id, Id>> members;
};
/// A class or a function, which is never called: only those of the table in pickle.cpp.
struct Global {
  std::string name;  ///< "torch._utils._rebuild_tensor_v2"
};
/// Numbers in another file of the archive.
struct Storage {
  std::string_view dtype;  ///< as safetensors calls it: "F32"
  std::string key;         ///< the name of that file
};
struct Tensor {
  Storage storage;
  std::int64_t offset = 0;  ///< of the first number
  std::vector<std::int64_t> shape, strides;
};
using Value = std::variant<Nothing, bool, std::int64_t, double, std::string, List, Dict, Global,
                           Storage, Tensor>;

struct Contents {
  std::vector<Value> values;
  Id root = 0;
};

/// Makes the error that a pickle cannot be read.
using Fail = std::function<Error(const std::string& what)>;

/// Reads a pickle (protocols 2 to 5) as torch.save writes it. Runs no code: a class or function
/// that tensors do not need is an error that names it. Takes at most some 200 bytes for each of
/// `bytes`.
Contents read(std::string_view bytes, const Fail& fail);

}  // namespace attn::pickle
