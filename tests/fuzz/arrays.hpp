// Files of arrays: read, written again, listed, and taken as answers and as a problem.
#pragma once

#include "attn/attend.hpp"
#include "attn/core/memory_budget.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/problem_tensors.hpp"
#include "fuzz.hpp"

namespace attn::fuzz {

inline bool same(const std::vector<NamedArray>& a, const std::vector<NamedArray>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.name == other.name && write_npy(one.array) == write_npy(other.array);
  });
}

/// Reads a file of that type. `write` gives the bytes of such a file.
template <class Write>
void try_arrays(const ArrayFileType& type, std::string_view bytes, Write write) {
  const std::string name = "file" + std::string(type.ending);
  MemoryBudget budget{kMemory};
  const auto room = [&](const auto& shape) { budget.take(shape, ""); };
  const std::vector<NamedArray> arrays = type.read(bytes, name, want_all, room);
  const std::string written = write(arrays);
  require(same(type.read(written, name, want_all, any_size), arrays), "arrays come back");
  if (type.list == nullptr) return;
  attempt([&] { answers_from_arrays(arrays, name); });
  for (const ListedArray& listed : type.list(bytes, name, any_size)) {
    const Array array = listed.read(bytes);
    require(array.shape == listed.shape, "a list gives the shape");
  }
  ProblemDraft draft = draft_from_tensors(arrays, "", name);
  draft.max_memory = kMemory;
  require_whole(attend(make_problem(draft)), bytes.size());
}

}  // namespace attn::fuzz
