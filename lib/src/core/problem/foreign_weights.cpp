// The table of names and layouts; transposes tensors, and cuts packed ones into W_q, W_k and W_v.
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
#include "core/problem/course_names.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

/// How a tensor is stored.
enum class Storage {
  Own,         ///< in attn's own layout
  OutIn,       ///< out × in, as in PyTorch's Linear
  PackedRows,  ///< W_q, W_k, W_v stacked, each out × in
  Conv1D,      ///< in × out, as in GPT-2's Conv1D; out × in where another project used a Linear
  Packed,      ///< the same with W_q, W_k, W_v side by side
  Vector,      ///< a bias
  AsItIs,      ///< gains of a norm, sinks
  PackedVector,
  Blocks,  ///< all queries, keys, values below each other, out × in, in as many heads as each has
  Groups,  ///< for each key head: its queries, its key, its value
  Plain,   ///< in × out, under a name of courses
  Kernel,  ///< in × out, or in × heads × width; of W_o, heads × width × out
  Fused,   ///< one of Blocks and Groups: the problem says which
};

struct Row {
  const char* library;
  std::string name;
  std::string part;  ///< own name; for packed ones, its first letter: "w" or "b"
  Storage storage;
};

/// The names of a library with separate W_q, W_k, W_v and W_o, each a Linear with or without bias.
struct Linears {
  const char* library;
  const char* names[4];  ///< of q, k, v and o, before ".weight" and ".bias"
};

/// Multi-head latent attention: our names are those of the paper (DeepSeek-V2, section 2.1).
struct LatentName {
  const char* own;
  const char* deepseek;  ///< as Hugging Face saves it; w_dkv, w_uq, w_ukv may hold two matrices
  Storage storage;       ///< of theirs
};
constexpr LatentName kLatentNames[] = {
    {"w_dq", "q_a_proj.weight", Storage::OutIn},
    {"b_dq", "q_a_proj.bias", Storage::Vector},
    {"q_latent_norm", "q_a_layernorm.weight", Storage::Vector},
    {"w_uq", "q_b_proj.weight", Storage::OutIn},
    {"w_qr", nullptr, Storage::Own},
    {"w_dkv", "kv_a_proj_with_mqa.weight", Storage::OutIn},
    {"b_dkv", "kv_a_proj_with_mqa.bias", Storage::Vector},
    {"w_kr", nullptr, Storage::Own},
    {"b_kr", nullptr, Storage::Own},
    {"kv_latent_norm", "kv_a_layernorm.weight", Storage::Vector},
    {"w_uk", nullptr, Storage::Own},
    {"w_uv", nullptr, Storage::Own},
    {"w_ukv", "kv_b_proj.weight", Storage::OutIn},
};
/// The names of norms of queries and keys, before ".weight" and ".bias".
struct Norms {
  const char* library;
  const char* q;
  const char* k;
};
constexpr Norms kNorms[] = {{"Qwen3", "q_norm", "k_norm"},
                            {"Persimmon", "q_layernorm", "k_layernorm"},
                            {"HunYuan", "query_layernorm", "key_layernorm"}};

constexpr const char* kTorch = "nn.MultiheadAttention";
constexpr Linears kLinears[] = {
    {"Llama", {"q_proj", "k_proj", "v_proj", "o_proj"}},
    {"Meta's Llama", {"wq", "wk", "wv", "wo"}},
    {"BERT", {"query", "key", "value", "output.dense"}},
    {"BERT", {"self.query", "self.key", "self.value", "dense"}},
    {"BERT", {"attention.query", "attention.key", "attention.value", "output.dense"}},
    {"DistilBERT", {"q_lin", "k_lin", "v_lin", "out_lin"}},
    {"T5", {"q", "k", "v", "o"}},
};

void add_course_rows(std::vector<Row>& rows) {
  constexpr const char* kLetters[] = {"q", "k", "v", "o"};
  const auto add = [&](const auto& table, const char* end, const char* kind, Storage storage) {
    for (const CourseNames& each : table) {
      for (std::size_t i = 0; i < std::size(kLetters); ++i) {
        if (each.names[i] == nullptr) continue;
        rows.push_back({each.course, std::string(each.names[i]) + end,
                        std::string(kind) + kLetters[i], storage});
      }
    }
  };
  add(kPlainNames, "", "w_", Storage::Plain);
  add(kLayerNames, ".weight", "w_", Storage::OutIn);
  add(kLayerNames, ".bias", "b_", Storage::Vector);
  add(kKernelNames, "/kernel", "w_", Storage::Kernel);
  add(kKernelNames, "/bias", "b_", Storage::Vector);
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  rows.reserve(192);
  const std::string letters[] = {"q", "k", "v", "o"};
  for (const char* kind : {"w_", "b_"}) {
    for (const auto& letter : letters) {
      rows.push_back({"attn", kind + letter, kind + letter, Storage::Own});
    }
  }
  for (const char* name : {"w_gate", "b_gate", "q_norm", "k_norm", "q_norm_bias", "k_norm_bias"})
    rows.push_back({"attn", name, name, Storage::Own});
  for (const Norms& each : kNorms) {
    for (const auto& [theirs, ours] : {std::pair{each.q, "q_norm"}, {each.k, "k_norm"}}) {
      const std::string name = theirs, own = ours;
      rows.push_back({each.library, name + ".weight", own, Storage::AsItIs});
      rows.push_back({each.library, name + ".bias", own + "_bias", Storage::AsItIs});
    }
  }
  rows.push_back({"attn", "v_score", "v_score", Storage::Own});
  add_course_rows(rows);
  for (const Linears& each : kLinears) {
    for (std::size_t i = 0; i < std::size(letters); ++i) {
      const std::string name = each.names[i];
      rows.push_back({each.library, name + ".weight", "w_" + letters[i], Storage::OutIn});
      rows.push_back({each.library, name + ".bias", "b_" + letters[i], Storage::Vector});
    }
  }
  for (const LatentName& each : kLatentNames) {
    rows.push_back({"attn", each.own, each.own, Storage::Own});
    if (each.deepseek) rows.push_back({"DeepSeek", each.deepseek, each.own, each.storage});
  }
  const Row others[] = {
      {kTorch, "in_proj_weight", "w", Storage::PackedRows},
      {kTorch, "in_proj_bias", "b", Storage::PackedVector},
      {kTorch, "q_proj_weight", "w_q", Storage::OutIn},
      {kTorch, "k_proj_weight", "w_k", Storage::OutIn},
      {kTorch, "v_proj_weight", "w_v", Storage::OutIn},
      {kTorch, "out_proj.weight", "w_o", Storage::OutIn},
      {kTorch, "out_proj.bias", "b_o", Storage::Vector},
      {kTorch, "bias_k", "bias_k", Storage::Vector},
      {kTorch, "bias_v", "bias_v", Storage::Vector},
      {"GPT-2", "c_attn.weight", "w", Storage::Packed},
      {"GPT-2", "c_attn.bias", "b", Storage::PackedVector},
      {"GPT-2", "c_proj.weight", "w_o", Storage::Conv1D},
      {"GPT-2", "c_proj.bias", "b_o", Storage::Vector},
      {"GPT-NeoX", "query_key_value.weight", "w", Storage::Groups},
      {"GPT-NeoX", "query_key_value.bias", "b", Storage::Groups},
      {"Phi-3", "qkv_proj.weight", "w", Storage::Blocks},
      {"Phi-3", "qkv_proj.bias", "b", Storage::Blocks},
      {"linear layers", "qkv_layer.weight", "w", Storage::Fused},
      {"linear layers", "qkv_layer.bias", "b", Storage::Fused},
      {"ModernBERT", "Wqkv.weight", "w", Storage::Blocks},
      {"ModernBERT", "Wqkv.bias", "b", Storage::Blocks},
      {"ModernBERT", "Wo.weight", "w_o", Storage::OutIn},
      {"ModernBERT", "Wo.bias", "b_o", Storage::Vector},
      {"ViT", "qkv.weight", "w", Storage::PackedRows},
      {"ViT", "qkv.bias", "b", Storage::PackedVector},
      {"ViT", "proj.weight", "w_o", Storage::OutIn},
      {"ViT", "proj.bias", "b_o", Storage::Vector},
      {"gpt-oss", "sinks", "sinks", Storage::AsItIs},
  };
  rows.insert(rows.end(), std::begin(others), std::end(others));
  return rows;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = all_rows();
  return all;
}

const Row* find_row(const std::string& name) {
  const auto at =
      std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return row.name == name; });
  return at == rows().end() ? nullptr : &*at;
}

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
  std::string first_library = {};          // of the first of them

  void put(const std::string& own, const std::string& name, Array array) {
    if (!result.arrays.emplace(own, std::move(array)).second) {
      complaints.add(
          {.id = "given-twice",
           .what = filled("{} is given twice: as \"{}\" and under another name", own, name),
           .places = {{.pointer = "/weights/" + name}, {.pointer = result.pointers[own]}},
           .fix = "Keep one of the two."});
    }
    result.pointers[own] = "/weights/" + name;
    const bool queries = own == "w_q" || own == "w_uq";
    const Row* row = find_row(name);
    if (queries && row != nullptr && row->storage != Storage::Own && row->storage != Storage::Plain)
      result.library = row->library;
  }

  void put_thirds(const Row& row, const Array& stacked, bool transpose) {
    std::size_t i = 0;
    for (const char* letter : {"_q", "_k", "_v"}) {
      const Array part = third(stacked, i++);
      put(row.part + letter, row.name, transpose ? transposed(part) : part);
    }
  }

  /// Queries, keys and values of whole heads, in blocks or group by group.
  void put_heads(const Row& row, const Array& stacked, bool groups) {
    const Index d = stacked.shape[0] / (heads.q + 2 * heads.kv), count = groups ? heads.kv : 1;
    const Index q = heads.q / count * d, kv = heads.kv / count * d, step = q + 2 * kv;
    for (const auto& [letter, first, size] :
         {std::tuple{"_q", Index{0}, q}, {"_k", q, kv}, {"_v", q + kv, kv}}) {
      const Array part = rows_of(stacked, {first, size, step, count});
      put(row.part + letter, row.name, stacked.rank() > 1 ? transposed(part) : part);
    }
  }

  /// A third of the columns for each.
  void put_columns(const Row& row, const Array& packed) {
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

  void complain_shape(const Row& row, const Array& array, const std::string& wanted) {
    complaints.add(
        "shape-mismatch", "/weights/" + row.name,
        filled("{} should be {}, but it is {}", row.name, wanted, shape_text(array.shape)),
        "Check that this is the attention layer's own tensor.");
  }

  /// in × heads × width has the numbers of in × out, and heads × width × out those of W_o.
  void adopt_kernel(const Row& row, const Array& array) {
    if (array.rank() == 2) return put(row.part, row.name, array);
    if (array.rank() != 3) return complain_shape(row, array, "a matrix, in × out");
    const bool output = row.part == "w_o";
    const Index a = array.shape[0], b = array.shape[1], c = array.shape[2];
    put(row.part, row.name, {{output ? a * b : a, output ? c : b * c}, array.data});
  }

  void adopt_fused(const Row& row, const Array& array);
  void adopt(const Row& row, const Array& array);
};

/// Queries, keys and values in one tensor, laid out as the problem says.
void Adopting::adopt_fused(const Row& row, const Array& array) {
  const bool matrix = row.part == "w";
  const bool sideways = row.storage == Storage::Packed && matrix && array.rank() == 2 &&
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

void Adopting::adopt(const Row& row, const Array& array) {
  const bool matrix = array.rank() == 2;
  if (fused != FusedKind::ByName && (row.part == "w" || row.part == "b"))
    return adopt_fused(row, array);
  switch (row.storage) {
    case Storage::Plain:
      plain.push_back(row.name);
      return put(row.part, row.name, array);
    case Storage::Kernel:
      return adopt_kernel(row, array);
    case Storage::Fused:
      return complaints.add(
          "missing-key", "/weights/" + row.name,
          row.name + " holds q, k and v, and nothing says in which order",
          "Write \"fused\": \"per-head\" where a view of heads × 3·d is cut into three, "
          "\"parts\" where all of q come first.");
    case Storage::Own:
    case Storage::AsItIs:
      return put(row.part, row.name, array);
    case Storage::Vector:
      return put(row.part, row.name, {{count(array)}, array.data});
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
    case Storage::Blocks:
    case Storage::Groups:
      if (array.rank() != (row.part == "w" ? 2 : 1) || heads.q % heads.kv != 0 ||
          array.shape[0] % (heads.q + 2 * heads.kv) != 0)
        return complain_shape(row, array,
                              filled("(h + 2·kv_heads)·d rows: q, k, v of {} and {}",
                                     counted(heads.q, "head"), counted(heads.kv, "key head")));
      return put_heads(row, array, row.storage == Storage::Groups);
    case Storage::Packed:
      linear_gpt2 = matrix && array.shape[0] == 3 * array.shape[1];
      if (linear_gpt2) return put_thirds(row, array, true);
      if (!matrix || array.shape[1] % 3 != 0)
        return complain_shape(row, array, "d_in × 3·d_out: q, k, v side by side");
      return put_columns(row, array);
  }
}

/// Remembers how a tensor is stored.
void note_storage(Adopting& adopting, const Row& row) {
  const bool linear = adopting.linear_gpt2;
  const bool transposes = row.storage == Storage::OutIn || row.storage == Storage::PackedRows ||
                          row.storage == Storage::Blocks || row.storage == Storage::Groups ||
                          row.storage == Storage::Fused ||
                          (row.storage == Storage::Packed && linear);
  const bool keeps = !linear && (row.storage == Storage::Packed || row.storage == Storage::Conv1D);
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

/// "heads.0.key.weight": one of many modules, each with the projections of one head.
struct HeadName {
  Index head = 0;
  std::string rest;  ///< "key.weight"
};
std::optional<HeadName> head_name(std::string_view name) {
  constexpr std::string_view kStart = "heads.";
  constexpr Index kMostHeads = 100000;
  if (!name.starts_with(kStart)) return std::nullopt;
  HeadName found;
  std::size_t at = kStart.size();
  for (; at < name.size() && is_digit(name[at]) && found.head < kMostHeads; ++at)
    found.head = 10 * found.head + (name[at] - '0');
  if (at == kStart.size() || at >= name.size() || name[at] != '.') return std::nullopt;
  found.rest = name.substr(at + 1);
  return found;
}

/// The row of the part of a head, if it is a projection to q, k or v.
const Row* head_row(const std::string& rest) {
  const Row* row = find_row(rest);
  const bool part = row != nullptr && row->part.size() == 3 && row->part[1] == '_' &&
                    std::string_view("qkv").find(row->part[2]) != std::string_view::npos;
  const bool one = part && (row->storage == Storage::OutIn || row->storage == Storage::Vector ||
                            row->storage == Storage::Plain || row->storage == Storage::Own);
  return one ? row : nullptr;
}

/// Puts the matrices of single heads side by side: returns what is left, with one array for each
/// part under the name that it has within a head. Complains where a head is missing.
WeightArrays with_heads_joined(const WeightArrays& given, Adopting& adopting) {
  WeightArrays joined;
  std::map<std::string, std::map<Index, const Array*>> parts;
  for (const auto& [name, array] : given) {
    const auto head = head_name(name);
    const bool part = head && head_row(head->rest) != nullptr;
    if (part) parts[head->rest][head->head] = &array;
    if (!part) joined.emplace(name, array);
  }
  for (const auto& [rest, heads] : parts) {
    const bool stacked = head_row(rest)->storage == Storage::OutIn;
    const Array& first = *heads.begin()->second;
    Array all{first.shape, {}};
    bool fits = heads.rbegin()->first + 1 == std::ssize(heads) && !first.shape.empty();
    for (const auto& [head, array] : heads) fits = fits && array->shape == first.shape;
    if (!fits) {
      adopting.complaints.add(
          "shape-mismatch", "/weights/heads.0." + rest,
          "heads.N." + rest + " should be there for each head from 0, all of " + "one shape",
          "Give all heads, or leave all of them out.");
      continue;
    }
    const bool rows = stacked || first.rank() == 1;  // one below the other, or side by side
    const std::size_t width = rows ? first.data.size() : static_cast<std::size_t>(first.shape[1]);
    for (std::size_t at = 0; at < first.data.size(); at += std::max<std::size_t>(width, 1)) {
      for (const auto& [head, array] : heads)
        all.data.insert(all.data.end(), array->data.begin() + static_cast<std::ptrdiff_t>(at),
                        array->data.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
    all.shape[rows ? 0 : 1] *= std::ssize(heads);
    joined.insert_or_assign(rest, std::move(all));
  }
  return joined;
}

}  // namespace

std::string weight_guess(const std::string& name) {
  std::vector<std::string> known;
  const bool known_end = std::any_of(rows().begin(), rows().end(), [&](const Row& row) {
    return ending(row.name) == ending(name);
  });
  for (const Row& row : rows()) {
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
  return std::any_of(std::begin(kLatentNames), std::end(kLatentNames),
                     [&](const LatentName& each) { return weights.arrays.contains(each.own); });
}

namespace {

/// The row of a name, or of what it is within a head.
const Row* row_of(const std::string& name) {
  const auto head = head_name(name);
  return head ? head_row(head->rest) : find_row(name);
}

}  // namespace

bool is_weight_name(const std::string& name) { return row_of(name) != nullptr; }

bool is_library_weight_name(const std::string& name) {
  const Row* row = row_of(name);
  return row != nullptr && row->storage != Storage::Own;
}

bool is_in_out(const std::string& name) {
  const Row* row = row_of(name);
  return row != nullptr && row->part.starts_with("w_") &&
         (row->storage == Storage::Own || row->storage == Storage::Plain);
}

bool makes_queries(const std::string& name) {
  const Row* row = row_of(name);
  return row != nullptr && (row->part == "w_q" || row->part == "w_uq" || row->part == "w");
}

bool makes_output(const std::string& name) {
  const Row* row = find_row(name);
  return row != nullptr && (row->part == "w_o" || row->part == "b_o");
}

std::optional<Index> heads_in_weights(const WeightArrays& given) {
  Index most = 0;
  for (const auto& [name, array] : given) {
    const auto head = head_name(name);
    if (head && head_row(head->rest) != nullptr) most = std::max(most, head->head + 1);
    const Row* row = head ? nullptr : find_row(name);
    if (row != nullptr && row->storage == Storage::Kernel && array.rank() == 3)
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
  const WeightArrays joined = single_heads ? with_heads_joined(given, adopting) : WeightArrays();
  for (const auto& [name, array] : single_heads ? joined : given) {
    const Row* row = find_row(name);  // c_attn comes before c_proj: names are sorted
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
