// Transposes tensors, and cuts packed ones into W_q, W_k and W_v; guesses what a name may mean.
#include "core/problem/foreign_weights.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "attn/suggest.hpp"
#include "core/problem/weight_heads.hpp"
#include "core/problem/weight_rows.hpp"

namespace attn {
namespace {

/// Tensors that modules keep beside their weights, alone or after a dot: they are computed, not
/// learned.
constexpr const char* kBufferNames[] = {"mask", "tril", "causal_mask", "attn_mask", "masked_bias"};

Array transposed(const Array& a) {
  const auto rows = a.shape[0], cols = a.shape[1];
  Array t{{cols, rows}, std::vector<double>(a.data.size())};
  if (a.data.empty()) return t;
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    for (std::ptrdiff_t c = 0; c < cols; ++c) {
      t.data[static_cast<std::size_t>(c * rows + r)] =
          a.data[static_cast<std::size_t>(r * cols + c)];
    }
  }
  return t;
}

std::ptrdiff_t count(const Array& a) {
  return std::accumulate(a.shape.begin(), a.shape.end(), std::ptrdiff_t{1}, std::multiplies<>());
}

/// The first, second or last third of the rows (`part` 0, 1, 2).
Array third(const Array& a, std::size_t part) {
  const std::size_t size = a.data.size() / 3;
  const auto begin = a.data.begin() + static_cast<std::ptrdiff_t>(part * size);
  Array result{a.shape, {begin, begin + static_cast<std::ptrdiff_t>(size)}};
  result.shape[0] /= 3;
  return result;
}

/// Some rows of an array, several runs of them one after the other.
struct Runs {
  std::ptrdiff_t first, size, step, count;
};
Array rows_of(const Array& a, const Runs& runs) {
  Array part{a.shape, {}};
  part.shape[0] = runs.size * runs.count;
  const std::ptrdiff_t width = a.rank() > 1 ? a.shape[1] : 1;
  for (std::ptrdiff_t i = 0; i < runs.count && !a.data.empty(); ++i) {
    const auto begin = a.data.begin() + (runs.first + i * runs.step) * width;
    part.data.insert(part.data.end(), begin, begin + runs.size * width);
  }
  return part;
}

/// The state of one conversion.
struct Adopting {
  AdoptedWeights result;
  HeadCounts heads;
  FusedKind fused;
  Complaints& complaints;
  std::vector<std::string> plain = {}, buffers = {};
  bool linear_gpt2 = false;                // c_attn is stored out × in, so c_proj is too
  bool transposes = false, keeps = false;  // some tensors
  bool has_fused = false;                  // q, k and v in one tensor
  std::string first_library = {};          // of the first of them

  void put(const std::string& own, const std::string& name, Array array) {
    if (!result.arrays.emplace(own, std::move(array)).second) {
      complaints.add(
          {.id = "given-twice",
           .what = filled("{} is given twice: as \"{}\" and under another name", own, name),
           .places = {{.pointer = "/weights/" + name}, {.pointer = result.pointers[own]}},
           .fix = kKeepOne});
    }
    result.pointers[own] = "/weights/" + name;
    const bool queries = own == "w_q" || own == "w_uq";
    const WeightRow* row = find_weight_row(name);
    if (queries && row != nullptr && row->storage != WeightStorage::Own &&
        row->storage != WeightStorage::Plain)
      result.library = row->library;
  }

  void put_thirds(const WeightRow& row, const Array& stacked, bool transpose) {
    std::size_t i = 0;
    for (const char* letter : {"_q", "_k", "_v"}) {
      const Array part = third(stacked, i++);
      put(row.part + letter, row.name, transpose ? transposed(part) : part);
    }
  }

  /// Queries, keys and values of whole heads, in blocks or group by group.
  void put_heads(const WeightRow& row, const Array& stacked, bool groups) {
    const Index d = stacked.shape[0] / (heads.q + 2 * heads.kv), count = groups ? heads.kv : 1;
    const Index q = heads.q / count * d, kv = heads.kv / count * d, step = q + 2 * kv;
    for (const auto& [letter, first, size] :
         {std::tuple{"_q", Index{0}, q}, {"_k", q, kv}, {"_v", q + kv, kv}}) {
      const Array part = rows_of(stacked, {first, size, step, count});
      put(row.part + letter, row.name, stacked.rank() > 1 ? transposed(part) : part);
    }
  }

  /// A third of the columns for each.
  void put_columns(const WeightRow& row, const Array& packed) {
    const std::ptrdiff_t rows = packed.shape[0], width = packed.shape[1] / 3;
    std::ptrdiff_t first = 0;
    for (const char* letter : {"_q", "_k", "_v"}) {
      Array part{{rows, width}, {}};
      for (std::ptrdiff_t r = 0; r < rows && !packed.data.empty(); ++r) {
        const auto begin = packed.data.begin() + r * packed.shape[1] + first;
        part.data.insert(part.data.end(), begin, begin + width);
      }
      put(row.part + letter, row.name, std::move(part));
      first += width;
    }
  }

  void complain_shape(const WeightRow& row, const Array& array, const std::string& wanted) {
    complaints.add(
        "shape-mismatch", "/weights/" + row.name,
        filled("{} should be {}, but it is {}", row.name, wanted, shape_text(array.shape)),
        "Check that this is the attention layer's own tensor.");
  }

  /// in × heads × width has the numbers of in × out, and heads × width × out those of W_o.
  void adopt_kernel(const WeightRow& row, const Array& array) {
    if (array.rank() == 2) return put(row.part, row.name, array);
    if (array.rank() != 3) return complain_shape(row, array, "a matrix, in × out");
    const bool output = row.part == "w_o";
    const Index a = array.shape[0], b = array.shape[1], c = array.shape[2];
    put(row.part, row.name, {{output ? a * b : a, output ? c : b * c}, array.data});
  }

  void adopt_fused(const WeightRow& row, const Array& array);
  void adopt(const WeightRow& row, const Array& array);
};

/// Queries, keys and values in one tensor, laid out as the problem says.
void Adopting::adopt_fused(const WeightRow& row, const Array& array) {
  const bool matrix = row.part == "w";
  const bool sideways = row.storage == WeightStorage::Packed && matrix && array.rank() == 2 &&
                        array.shape[0] != 3 * array.shape[1];
  const Array stacked = sideways ? transposed(array) : array;
  if (fused == FusedKind::PerHead && heads.q != heads.kv) {
    return complaints.add("head-count", "/weights/" + row.name,
                          filled("{} is fused per head, but there are {} for {}", row.name,
                                 counted(heads.kv, "key head"), counted(heads.q, "head")),
                          "Write \"fused\": \"per-group\", or leave out kv_heads.");
  }
  if (stacked.rank() != (matrix ? 2 : 1) || heads.q % heads.kv != 0 ||
      stacked.shape[0] % (heads.q + 2 * heads.kv) != 0)
    return complain_shape(row, array,
                          filled("(h + 2·kv_heads)·d rows: q, k, v of {} and {}",
                                 counted(heads.q, "head"), counted(heads.kv, "key head")));
  put_heads(row, stacked, fused != FusedKind::Parts);
}

void Adopting::adopt(const WeightRow& row, const Array& array) {
  const bool matrix = array.rank() == 2;
  if (row.part == "w" || row.part == "b") {
    has_fused = true;
    if (fused != FusedKind::ByName) return adopt_fused(row, array);
  }
  switch (row.storage) {
    case WeightStorage::Plain:
      plain.push_back(row.name);
      return put(row.part, row.name, array);
    case WeightStorage::Kernel:
      return adopt_kernel(row, array);
    case WeightStorage::Fused:
      return complaints.add(
          "missing-key", "/weights/" + row.name,
          row.name + " holds q, k and v, and nothing says in which order",
          "Write \"fused\": \"per-head\" where a view of heads × 3·d is cut into three, "
          "\"parts\" where all of q come first.");
    case WeightStorage::Own:
    case WeightStorage::AsItIs:
      return put(row.part, row.name, array);
    case WeightStorage::Vector:
      return put(row.part, row.name, {{count(array)}, array.data});
    case WeightStorage::OutIn:
      if (!matrix) return complain_shape(row, array, "a matrix, out × in");
      return put(row.part, row.name, transposed(array));
    case WeightStorage::Conv1D:
      if (!matrix) return complain_shape(row, array, "a matrix, in × out");
      return put(row.part, row.name, linear_gpt2 ? transposed(array) : array);
    case WeightStorage::PackedVector:
      if (array.rank() != 1 || array.shape[0] % 3 != 0)
        return complain_shape(row, array, "3·d numbers: q, k, v");
      return put_thirds(row, array, false);
    case WeightStorage::PackedRows:
      if (!matrix || array.shape[0] % 3 != 0)
        return complain_shape(row, array, "3·d_out × d_in: q, k, v stacked");
      return put_thirds(row, array, true);
    case WeightStorage::Blocks:
    case WeightStorage::Groups:
      if (array.rank() != (row.part == "w" ? 2 : 1) || heads.q % heads.kv != 0 ||
          array.shape[0] % (heads.q + 2 * heads.kv) != 0)
        return complain_shape(row, array,
                              filled("(h + 2·kv_heads)·d rows: q, k, v of {} and {}",
                                     counted(heads.q, "head"), counted(heads.kv, "key head")));
      return put_heads(row, array, row.storage == WeightStorage::Groups);
    case WeightStorage::Packed:
      linear_gpt2 = matrix && array.shape[0] == 3 * array.shape[1];
      if (linear_gpt2) return put_thirds(row, array, true);
      if (!matrix || array.shape[1] % 3 != 0)
        return complain_shape(row, array, "d_in × 3·d_out: q, k, v side by side");
      return put_columns(row, array);
  }
}

/// Remembers how a tensor is stored.
void note_storage(Adopting& adopting, const WeightRow& row) {
  const bool linear = adopting.linear_gpt2;
  const bool transposes =
      row.storage == WeightStorage::OutIn || row.storage == WeightStorage::PackedRows ||
      row.storage == WeightStorage::Blocks || row.storage == WeightStorage::Groups ||
      row.storage == WeightStorage::Fused || (row.storage == WeightStorage::Packed && linear);
  const bool keeps =
      !linear && (row.storage == WeightStorage::Packed || row.storage == WeightStorage::Conv1D);
  adopting.transposes = adopting.transposes || transposes;
  adopting.keeps = adopting.keeps || keeps;
  if ((transposes || keeps) && adopting.first_library.empty()) adopting.first_library = row.library;
}

/// What courses have in their own way.
void add_course_notes(Adopting& adopting) {
  std::vector<std::string>& notes = adopting.result.notes;
  if (!adopting.plain.empty())
    notes.push_back(together(adopting.plain) + (adopting.plain.size() == 1 ? " is" : " are") +
                    " read as in × out, for X·W");
  if (!adopting.buffers.empty())
    notes.push_back("not used: " + listed(adopting.buffers) +
                    ", no weights; the key \"mask\" says who may attend to whom");
  if (adopting.fused != FusedKind::ByName && !adopting.has_fused)
    notes.push_back(filled("fused {} has no effect: no weight holds q, k and v in one",
                           word_of(adopting.fused)));
}

/// "the weights have the names of Llama and are stored out × in, as …".
void add_notes(Adopting& adopting, const std::string& family) {
  add_course_notes(adopting);
  const std::string library = !family.empty()                    ? family
                              : !adopting.result.library.empty() ? adopting.result.library
                                                                 : adopting.first_library;
  const std::string names = "the weights have the names of " + library;
  if (adopting.transposes)
    adopting.result.notes.push_back(
        names + " and are stored out × in, as in PyTorch's Linear; attn transposes them");
  if (adopting.keeps)
    adopting.result.notes.push_back(
        names + " and are stored in × out, as in its Conv1D; attn does not transpose them");
}

void complain_unknown(Complaints& complaints, const std::string& name) {
  complaints.add(
      "unknown-key", "/weights/" + name,
      filled("there is no weight called \"{}\"{}", name, weight_guess(name)),
      "Use w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, q_norm, k_norm, w_gate, sinks, or the "
      "names of a PyTorch layer.");
}

/// What a name ends in says how its matrix is stored: ".weight", ".bias", "/kernel", or nothing.
std::string_view ending(std::string_view name) {
  const std::size_t at = name.find_last_of("./");
  return at == name.npos ? "" : name.substr(at);
}

}  // namespace

std::string weight_guess(const std::string& name) {
  std::vector<std::string> known;
  const bool known_end =
      std::any_of(weight_rows().begin(), weight_rows().end(),
                  [&](const WeightRow& row) { return ending(row.name) == ending(name); });
  for (const WeightRow& row : weight_rows()) {
    const bool alike = known_end ? ending(row.name) == ending(name)
                                 : ending(row.name).empty() == ending(name).empty();
    if (alike) known.push_back(row.name);
  }
  return did_you_mean(name, known);
}

bool is_buffer_name(std::string_view name) {
  const std::string_view last = name.substr(name.find_last_of('.') + 1);
  return std::any_of(std::begin(kBufferNames), std::end(kBufferNames),
                     [&](const char* each) { return last == each; });
}

bool is_complete(const AdoptedWeights& weights) {
  const auto has = [&](const char* part) { return weights.arrays.contains(part); };
  const bool queries = has("w_q") || (has("w_dq") && has("w_uq"));
  const bool latent = has("w_dkv") && (has("w_ukv") || (has("w_uk") && has("w_uv")));
  return queries && has("w_o") && (latent || (has("w_k") && has("w_v")));
}

bool is_latent(const AdoptedWeights& weights) {
  return std::any_of(weights.arrays.begin(), weights.arrays.end(),
                     [](const auto& each) { return is_latent_weight(each.first); });
}

namespace {

/// The row of a name, or of what it is within a head.
const WeightRow* row_of(const std::string& name) {
  const auto head = head_name(name);
  return head ? head_row(head->rest) : find_weight_row(name);
}

}  // namespace

bool is_weight_name(const std::string& name) { return row_of(name) != nullptr; }

bool is_library_weight_name(const std::string& name) {
  const WeightRow* row = row_of(name);
  return row != nullptr && row->storage != WeightStorage::Own;
}

bool is_in_out(const std::string& name) {
  const WeightRow* row = row_of(name);
  return row != nullptr && row->part.starts_with("w_") &&
         (row->storage == WeightStorage::Own || row->storage == WeightStorage::Plain);
}

bool makes_queries(const std::string& name) {
  const WeightRow* row = row_of(name);
  return row != nullptr && (row->part == "w_q" || row->part == "w_uq" || row->part == "w");
}

bool makes_output(const std::string& name) {
  const WeightRow* row = find_weight_row(name);
  return row != nullptr && (row->part == "w_o" || row->part == "b_o");
}

std::optional<Index> heads_in_weights(const WeightArrays& given) {
  Index most = 0;
  for (const auto& [name, array] : given) {
    const auto head = head_name(name);
    if (head && head_row(head->rest) != nullptr) most = std::max(most, head->head + 1);
    const WeightRow* row = head ? nullptr : find_weight_row(name);
    if (row != nullptr && row->storage == WeightStorage::Kernel && array.rank() == 3)
      most = array.shape[row->part == "w_o" ? 0 : 1];
  }
  return most == 0 ? std::nullopt : std::optional(most);
}

AdoptedWeights adopt_weights(const WeightArrays& given, const HeadCounts& heads,
                             Complaints& complaints, const std::string& family, FusedKind fused) {
  Adopting adopting{{}, heads, fused, complaints};
  const bool single_heads = std::any_of(given.begin(), given.end(), [](const auto& each) {
    return head_name(each.first).has_value();
  });
  const WeightArrays joined =
      single_heads ? with_heads_joined(given, adopting.complaints) : WeightArrays();
  for (const auto& [name, array] : single_heads ? joined : given) {
    const WeightRow* row = find_weight_row(name);  // c_attn comes before c_proj: names are sorted
    if (row == nullptr && is_buffer_name(name)) {
      adopting.buffers.push_back(name);
    } else if (row == nullptr) {
      complain_unknown(complaints, name);
    } else {
      adopting.adopt(*row, array);
      note_storage(adopting, *row);
    }
  }
  add_notes(adopting, family);
  return std::move(adopting.result);
}

}  // namespace attn
