// GGUF files: their headers, their tensors, their tokenizers, and what they are as models.
#include "attn/core/memory_budget.hpp"
#include "attn/hugging_face.hpp"
#include "attn/io/tensor_file.hpp"
#include "fuzz.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  MemoryBudget budget{1 << 26};
  const auto room = [&](const auto& shape) { budget.take(shape, ""); };
  for (const ListedArray& listed : list_gguf(bytes, "a.gguf", room))
    fuzz::require(listed.read(bytes).shape == listed.shape, "a list gives the shape");
  const auto read = [bytes](const auto& use) { use(bytes); };
  fuzz::attempt([&] {
    const Tokenizer tokenizer = read_gguf_tokenizer(bytes, "a.gguf", room);
    tokenizer.decode(tokenizer.encode("The cat's 12 hats 猫 🙂<s>"));
  });
  fuzz::attempt([&] { read_gguf_model({.name = "a.gguf", .read = read}); });
}
