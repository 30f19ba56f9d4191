// PyTorch's files: the pickle of an archive, which attn interprets.
#include "attn/core/memory_budget.hpp"
#include "attn/io/tensor_file.hpp"
#include "fuzz.hpp"
#include "io/arrays/zip.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  std::string archive;
  const Sink sink = [&](std::string_view piece) { archive += piece; };
  ZipArchive zip{sink};
  const std::string_view numbers("\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40\0\0\x80\x40", 16);
  add_member(zip, "a/data.pkl", std::span(&bytes, 1));
  add_member(zip, "a/data/0", std::span(&numbers, 1));
  finish(zip);
  MemoryBudget budget{1 << 28};
  const auto room = [&](const auto& shape) { budget.take(shape, ""); };
  for (const ListedArray& listed : list_torch(archive, "a.pt", room)) {
    if (!listed.shape.empty())
      fuzz::require(listed.read(archive).shape == listed.shape, "a list gives the shape");
  }
}
