// The names and layouts that other libraries give to weights.
#include "core/problem/foreign_weights.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"

namespace attn {
namespace {

/// How a tensor is stored.
enum class Storage {
  Own,         ///< as attn wants it
  OutIn,       ///< out × in, as PyTorch's Linear has it
  PackedRows,  ///< W_q, W_k, W_v stacked, each out × in
  Conv1D,      ///< in × out, as GPT-2's Conv1D; out × in where another project used a Linear
  Packed,      ///< the same with W_q, W_k, W_v side by side
  Vector,      ///< a bias
  PackedVector,
};

struct Row {
  const char* library;
  const char* name;
  const char* part;  ///< own name; of packed ones the letter in front: "w" or "b"
  Storage storage;
};

constexpr const char* kTorch = "nn.MultiheadAttention";
constexpr std::array kRows = {
    Row{"attn", "w_q", "w_q", Storage::Own},
    Row{"attn", "w_k", "w_k", Storage::Own},
    Row{"attn", "w_v", "w_v", Storage::Own},
    Row{"attn", "w_o", "w_o", Storage::Own},
    Row{"attn", "b_q", "b_q", Storage::Own},
    Row{"attn", "b_k", "b_k", Storage::Own},
    Row{"attn", "b_v", "b_v", Storage::Own},
    Row{"attn", "b_o", "b_o", Storage::Own},
    Row{kTorch, "in_proj_weight", "w", Storage::PackedRows},
    Row{kTorch, "in_proj_bias", "b", Storage::PackedVector},
    Row{kTorch, "q_proj_weight", "w_q", Storage::OutIn},
    Row{kTorch, "k_proj_weight", "w_k", Storage::OutIn},
    Row{kTorch, "v_proj_weight", "w_v", Storage::OutIn},
    Row{kTorch, "out_proj.weight", "w_o", Storage::OutIn},
    Row{kTorch, "out_proj.bias", "b_o", Storage::Vector},
    Row{kTorch, "bias_k", "bias_k", Storage::Vector},
    Row{kTorch, "bias_v", "bias_v", Storage::Vector},
    Row{"Llama", "q_proj.weight", "w_q", Storage::OutIn},
    Row{"Llama", "k_proj.weight", "w_k", Storage::OutIn},
    Row{"Llama", "v_proj.weight", "w_v", Storage::OutIn},
    Row{"Llama", "o_proj.weight", "w_o", Storage::OutIn},
    Row{"Llama", "q_proj.bias", "b_q", Storage::Vector},
    Row{"Llama", "k_proj.bias", "b_k", Storage::Vector},
    Row{"Llama", "v_proj.bias", "b_v", Storage::Vector},
    Row{"Llama", "o_proj.bias", "b_o", Storage::Vector},
    Row{"BERT", "query.weight", "w_q", Storage::OutIn},
    Row{"BERT", "key.weight", "w_k", Storage::OutIn},
    Row{"BERT", "value.weight", "w_v", Storage::OutIn},
    Row{"BERT", "query.bias", "b_q", Storage::Vector},
    Row{"BERT", "key.bias", "b_k", Storage::Vector},
    Row{"BERT", "value.bias", "b_v", Storage::Vector},
    Row{"BERT", "self.query.weight", "w_q", Storage::OutIn},
    Row{"BERT", "self.key.weight", "w_k", Storage::OutIn},
    Row{"BERT", "self.value.weight", "w_v", Storage::OutIn},
    Row{"BERT", "self.query.bias", "b_q", Storage::Vector},
    Row{"BERT", "self.key.bias", "b_k", Storage::Vector},
    Row{"BERT", "self.value.bias", "b_v", Storage::Vector},
    Row{"BERT", "output.dense.weight", "w_o", Storage::OutIn},
    Row{"BERT", "output.dense.bias", "b_o", Storage::Vector},
    Row{"BERT", "dense.weight", "w_o", Storage::OutIn},
    Row{"BERT", "dense.bias", "b_o", Storage::Vector},
    Row{"DistilBERT", "q_lin.weight", "w_q", Storage::OutIn},
    Row{"DistilBERT", "k_lin.weight", "w_k", Storage::OutIn},
    Row{"DistilBERT", "v_lin.weight", "w_v", Storage::OutIn},
    Row{"DistilBERT", "out_lin.weight", "w_o", Storage::OutIn},
    Row{"DistilBERT", "q_lin.bias", "b_q", Storage::Vector},
    Row{"DistilBERT", "k_lin.bias", "b_k", Storage::Vector},
    Row{"DistilBERT", "v_lin.bias", "b_v", Storage::Vector},
    Row{"DistilBERT", "out_lin.bias", "b_o", Storage::Vector},
    Row{"GPT-2", "c_attn.weight", "w", Storage::Packed},
    Row{"GPT-2", "c_attn.bias", "b", Storage::PackedVector},
    Row{"GPT-2", "c_proj.weight", "w_o", Storage::Conv1D},
    Row{"GPT-2", "c_proj.bias", "b_o", Storage::Vector},
    Row{"ViT", "qkv.weight", "w", Storage::PackedRows},
    Row{"ViT", "qkv.bias", "b", Storage::PackedVector},
    Row{"ViT", "proj.weight", "w_o", Storage::OutIn},
    Row{"ViT", "proj.bias", "b_o", Storage::Vector},
};

const Row* find_row(const std::string& name) {
  const auto at =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == name; });
  return at == kRows.end() ? nullptr : &*at;
}

Array transposed(const Array& a) {
  const auto rows = a.shape[0], cols = a.shape[1];
  Array t{{cols, rows}, std::vector<double>(a.data.size())};
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    for (std::ptrdiff_t c = 0; c < cols; ++c) {
      t.data[static_cast<std::size_t>(c * rows + r)] =
          a.data[static_cast<std::size_t>(r * cols + c)];
    }
  }
  return t;
}

/// Third number `part` (0, 1, 2) of the rows.
Array third(const Array& a, std::size_t part) {
  const std::size_t size = a.data.size() / 3;
  const auto begin = a.data.begin() + static_cast<std::ptrdiff_t>(part * size);
  Array result{a.shape, {begin, begin + static_cast<std::ptrdiff_t>(size)}};
  result.shape[0] /= 3;
  return result;
}

/// The state of one conversion.
struct Adopting {
  AdoptedWeights result;
  Complaints& complaints;
  bool linear_gpt2 = false;  // c_attn is stored out × in, so c_proj is too

  void put(const std::string& own, const std::string& name, Array array) {
    if (!result.arrays.emplace(own, std::move(array)).second) {
      complaints.add(
          {.id = "given-twice",
           .what = own + " is given twice: by \"" + name + "\" and by another name",
           .places = {{.pointer = "/weights/" + name}, {.pointer = result.pointers[own]}},
           .fix = "Keep one of the two."});
    }
    result.pointers[own] = "/weights/" + name;
  }

  void put_thirds(const Row& row, const Array& stacked, bool transpose) {
    constexpr std::array kLetters{"_q", "_k", "_v"};
    for (std::size_t i = 0; i < kLetters.size(); ++i) {
      Array part = third(stacked, i);
      put(std::string(row.part) + kLetters[i], row.name,
          transpose ? transposed(part) : std::move(part));
    }
  }

  void complain_shape(const Row& row, const Array& array, const std::string& wanted) {
    complaints.add({.id = "shape-mismatch",
                    .what = std::string(row.name) + " should be " + wanted + ", but it is " +
                            shape_text(array.shape),
                    .places = {{.pointer = std::string("/weights/") + row.name}},
                    .fix = "Check that this is the attention layer's own tensor."});
  }

  void adopt(const Row& row, const Array& array);
};

void Adopting::adopt(const Row& row, const Array& array) {
  const bool matrix = array.rank() == 2;
  switch (row.storage) {
    case Storage::Own:
      return put(row.part, row.name, array);
    case Storage::Vector:
      return put(row.part, row.name,
                 {{static_cast<std::ptrdiff_t>(array.data.size())}, array.data});
    case Storage::OutIn:
      if (!matrix) return complain_shape(row, array, "a matrix, out × in");
      return put(row.part, row.name, transposed(array));
    case Storage::Conv1D:
      if (!matrix) return complain_shape(row, array, "a matrix, in × out");
      return put(row.part, row.name, linear_gpt2 ? transposed(array) : array);
    case Storage::PackedVector:
      if (array.rank() != 1 || array.shape[0] % 3 != 0)
        return complain_shape(row, array, "3·d numbers: q, k, v");
      return put_thirds(row, array, false);
    case Storage::PackedRows:
      if (!matrix || array.shape[0] % 3 != 0)
        return complain_shape(row, array, "3·d_out × d_in: q, k, v stacked");
      return put_thirds(row, array, true);
    case Storage::Packed:
      linear_gpt2 = matrix && array.shape[0] == 3 * array.shape[1];
      if (linear_gpt2) return put_thirds(row, array, true);
      if (!matrix || array.shape[1] % 3 != 0)
        return complain_shape(row, array, "d_in × 3·d_out: q, k, v side by side");
      return put_thirds(row, transposed(array), true);
  }
}

/// "weights: Llama names, stored out × in as PyTorch's Linear does: transposed".
void add_note(AdoptedWeights& result, const Row& row, bool linear_gpt2) {
  const bool transposes = row.storage == Storage::OutIn || row.storage == Storage::PackedRows ||
                          (row.storage == Storage::Packed && linear_gpt2);
  const bool kept =
      (row.storage == Storage::Packed || row.storage == Storage::Conv1D) && !linear_gpt2;
  if (!transposes && !kept) return;
  const std::string note = std::string("weights under the names of ") + row.library +
                           (transposes ? ", stored out × in as PyTorch's Linear does: transposed"
                                       : ", stored in × out as its Conv1D does: not transposed");
  if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end()) {
    result.notes.push_back(note);
  }
}

void complain_unknown(Complaints& complaints, const std::string& name) {
  std::vector<std::string> known;
  known.reserve(kRows.size());
  for (const Row& row : kRows) known.emplace_back(row.name);
  std::string letters;  // Wq, W_Q, wq → w_q
  for (const char c : lowered(name)) {
    if (c != '_' && c != '-') letters += c;
  }
  std::string guess = did_you_mean(name, known);
  if (letters.size() == 2) {
    const std::string own = letters.substr(0, 1) + "_" + letters.substr(1);
    if (find_row(own) != nullptr) guess = did_you_mean(own, {own});
  }
  complaints.add(
      {.id = "unknown-key",
       .what = "there is no weight called \"" + name + "\"" + guess,
       .places = {{.pointer = "/weights/" + name}},
       .fix = "Use w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, or the names of a PyTorch layer."});
}

}  // namespace

bool is_weight_name(const std::string& name) { return find_row(name) != nullptr; }

bool makes_queries(const std::string& name) {
  const Row* row = find_row(name);
  return row != nullptr &&
         (row->part == std::string_view("w_q") || row->part == std::string_view("w"));
}

AdoptedWeights adopt_weights(const WeightArrays& given, Complaints& complaints) {
  Adopting adopting{{}, complaints};
  for (const auto& [name, array] : given) {  // c_attn comes before c_proj: names are sorted
    const Row* row = find_row(name);
    if (row == nullptr) {
      complain_unknown(complaints, name);
      continue;
    }
    adopting.adopt(*row, array);
    add_note(adopting.result, *row, adopting.linear_gpt2);
  }
  return std::move(adopting.result);
}

}  // namespace attn
