#include <algorithm>
#include <cassert>
#include <cmath>
#include <sstream>

#include "attn/suggest.hpp"
#include "attn/words.hpp"
#include "core/build.hpp"

namespace attn {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// A key as part of a JSON pointer (RFC 6901).
std::string escaped(const std::string& key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

/// Looks every token up in the embedding table; complains about those that are not in it.
std::optional<Array> looked_up(Build& build, const std::vector<std::string>& tokens,
                               const std::string& pointer) {
  const auto& table = build.draft.embedding_table;
  Array rows{{static_cast<Index>(tokens.size()), static_cast<Index>(table.front().second.size())},
             {}};
  std::vector<std::string> known;
  for (const auto& entry : table) known.push_back(entry.first);
  bool complete = true;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto at = std::find(known.begin(), known.end(), tokens[i]);
    if (at != known.end()) {
      const auto& vector = table[static_cast<std::size_t>(at - known.begin())].second;
      rows.data.insert(rows.data.end(), vector.begin(), vector.end());
      continue;
    }
    complete = false;
    build.complaints.add(
        {.id = "unknown-token",
         .what = "the token \"" + tokens[i] + "\" is not in embedding_table" +
                 did_you_mean(tokens[i], known),
         .places = {{.pointer = pointer + "/" + std::to_string(i)}},
         .fix = "Use words of the table (" + listed(known) + "), or add a row for this one."});
  }
  return complete ? std::optional(rows) : std::nullopt;
}

/// One list of tokens as T × d_model; several of the same length as a batch, N × T × d_model.
std::optional<Array> looked_up_all(Build& build, const TokenLists& lists,
                                   const std::string& pointer) {
  if (lists.size() == 1) return looked_up(build, lists[0], pointer);
  Array batch;
  for (std::size_t b = 0; b < lists.size(); ++b) {
    const std::optional<Array> entry =
        looked_up(build, lists[b], pointer + "/" + std::to_string(b));
    if (!entry) return std::nullopt;
    if (b == 0) batch.shape = {static_cast<Index>(lists.size()), entry->shape[0], entry->shape[1]};
    if (entry->shape[0] != batch.shape[1]) {
      build.complaints.add({.id = "token-count",
                            .what = "sentence 0 of the batch has " +
                                    counted(batch.shape[1], "token") + ", sentence " +
                                    std::to_string(b) + " has " + std::to_string(entry->shape[0]),
                            .places = {{.pointer = pointer + "/" + std::to_string(b)}},
                            .rule = "All entries of a batch have the same length.",
                            .fix = "Fill the shorter one up with a token such as <pad>."});
      return std::nullopt;
    }
    batch.data.insert(batch.data.end(), entry->data.begin(), entry->data.end());
  }
  return batch;
}

void check_table(Build& build) {
  const auto& table = build.draft.embedding_table;
  for (const auto& [token, vector] : table) {
    if (vector.size() == table.front().second.size()) continue;
    build.complaints.add({.id = "shape-mismatch",
                          .what = "embedding_table: \"" + token + "\" has " +
                                  counted(std::ssize(vector), "number") + ", \"" +
                                  table.front().first + "\" has " +
                                  std::to_string(table.front().second.size()),
                          .places = {{.pointer = "/embedding_table/" + escaped(token)}},
                          .rule = "All embeddings have the same width, d_model.",
                          .fix = "Give every token the same number of numbers."});
  }
}

/// X from `embeddings`, or from the table with `text` or `tokens`.
std::optional<Array> embeddings_of(Build& build) {
  const ProblemDraft& d = build.draft;
  if (d.embedding_table.empty()) {
    if (d.text) {
      build.complaints.add(
          {.id = "missing-table",
           .what = "--text needs a problem with an embedding_table",
           .places = {{.pointer = "/text"}},
           .fix = "Add \"embedding_table\": {\"the\": [1, 0], …}, or leave out --text."});
    }
    return d.embeddings;
  }
  check_table(build);
  build.complaints.throw_if_any();
  if (d.text) {
    const auto words = words_of(*d.text);
    build.problem.query_tokens = {words};
    return looked_up(build, words, "/text");
  }
  if (d.embeddings) return d.embeddings;
  if (!d.tokens.empty()) return looked_up_all(build, d.tokens, "/tokens");
  build.complaints.add({.id = "missing-tokens",
                        .what = "an embedding_table needs tokens to look up",
                        .places = {{.pointer = "/embedding_table"}},
                        .fix = "Add \"tokens\": [\"the\", …], or pass --text \"the cat\"."});
  return std::nullopt;
}

void check_which(Build& build) {
  const ProblemDraft& d = build.draft;
  const bool projected = d.q || d.k || d.v;
  const bool embedded = d.embeddings || !d.embedding_table.empty() || d.memory;
  const auto complain = [&](std::string id, std::string what, std::string pointer,
                            std::string fix) {
    build.complaints.add({.id = std::move(id),
                          .what = std::move(what),
                          .places = {{.pointer = std::move(pointer)}},
                          .fix = std::move(fix),
                          .help = "attn help json"});
  };
  if (projected && embedded) {
    complain("two-inputs", "the problem gives both Q K V and embeddings", "/q",
             "Keep either q, k, v, or embeddings and weights.");
  } else if (projected && !(d.q && d.k && d.v)) {
    complain("missing-key",
             std::string("Q K V are given directly, but ") +
                 (!d.q   ? "q"
                  : !d.k ? "k"
                         : "v") +
                 " is missing",
             d.q   ? "/q"
             : d.k ? "/k"
                   : "/v",
             "Give all three: q, k and v.");
  } else if (!projected && !(d.embeddings || !d.embedding_table.empty())) {
    complain("missing-key", "the problem has no input: neither embeddings nor q, k, v", "",
             "Add \"embeddings\": one row of numbers per token (and \"weights\"), or q, k and v.");
  }
}

constexpr std::size_t kMostMasks = 1000;

/// What the reader of files checks already, for drafts that were made otherwise.
void check_counts(Build& build) {
  const ProblemDraft& d = build.draft;
  if (d.masks.size() > kMostMasks) {
    build.complaints.add({.id = "too-large",
                          .what = "there are " + std::to_string(d.masks.size()) +
                                  " masks, at most " + std::to_string(kMostMasks) + " are possible",
                          .places = {{.pointer = "/mask"}},
                          .fix = "Combine them: keys:1,3 instead of keys:1 and keys:3."});
  }
  if (d.text && d.q) {
    build.complaints.add({.id = "two-inputs",
                          .what = "--text looks up embeddings, but Q K V are given directly",
                          .places = {{.pointer = "/text"}},
                          .fix = "Leave out --text."});
  }
  if (!d.key_tokens.empty() && !d.q) {
    build.complaints.add({.id = "two-inputs",
                          .what = "key_tokens name the keys of K given directly; here keys have "
                                  "the tokens of their input",
                          .places = {{.pointer = "/key_tokens"}},
                          .fix = "Use tokens, or memory.tokens."});
  }
  for (const auto& [pointer, count] : {std::pair{"/heads", d.heads}, {"/kv_heads", d.kv_heads}}) {
    if (!count || *count >= 1) continue;
    build.complaints.add({.id = "out-of-range",
                          .what = std::string(pointer + 1) + " should be at least 1, but it is " +
                                  std::to_string(*count),
                          .places = {{.pointer = pointer}},
                          .fix = "Give a whole number from 1."});
  }
}

/// The sizes of the batch axes that are there must agree; then every input gets that axis.
void share_batch(Build& build,
                 const std::vector<std::pair<std::string, std::optional<Tensor>*>>& inputs) {
  Problem& p = build.problem;
  std::string first;
  for (const auto& [pointer, tensor] : inputs) {
    if (!*tensor || !(*tensor)->shape().batch) continue;
    const Index size = *(*tensor)->shape().batch;
    if (!p.batch) {
      p.batch = size;
      first = pointer;
    } else if (*p.batch != size) {
      build.complaints.add({.id = "batch-mismatch",
                            .what = first.substr(1) + " has " + counted(*p.batch, "batch entry") +
                                    ", " + pointer.substr(1) + " has " + std::to_string(size),
                            .places = {{.pointer = pointer}, {.pointer = first}},
                            .fix = "Give both the same number of batch entries."});
    }
  }
  build.complaints.throw_if_any();
  for (const auto& [pointer, tensor] : inputs) {
    if (!p.batch || !*tensor || (*tensor)->shape().batch) continue;
    Shape shape = (*tensor)->shape();
    shape.batch = p.batch;
    std::vector<double> data;
    for (Index b = 0; b < *p.batch; ++b) {
      data.insert(data.end(), (*tensor)->data().begin(), (*tensor)->data().end());
    }
    *tensor = Tensor(shape, std::move(data));
  }
}

Tensor with_heads(const Array& a) {
  return {Shape{a.shape[0], a.shape[1], a.shape[2], a.shape[3]}, a.data};
}

void check_rank(Build& build, const Array& array, const std::string& pointer, std::size_t least,
                std::size_t most, const std::string& wanted) {
  if (array.rank() >= least && array.rank() <= most && !array.data.empty()) return;
  build.complaints.add({.id = "rank",
                        .what = pointer.substr(1) + " should be " + wanted + ", but it is " +
                                shape_text(array.shape) + " (rank " + std::to_string(array.rank()) +
                                ")",
                        .places = {{.pointer = pointer}},
                        .fix = "Check the brackets: a matrix is a list of rows, [[1, 2], [3, 4]].",
                        .help = "attn help shapes"});
}

void build_projected(Build& build) {
  const ProblemDraft& d = build.draft;
  Problem& p = build.problem;
  for (const auto& [pointer, array] : {std::pair{"/q", &*d.q}, {"/k", &*d.k}, {"/v", &*d.v}}) {
    check_rank(build, *array, pointer, 2, 4, "T × h·d, N × T × h·d or N × h × T × d");
    check_finite(build, *array, pointer);
    if (array->rank() == d.q->rank()) continue;
    build.complaints.add({.id = "rank",
                          .what = std::string(pointer + 1) + " has rank " +
                                  std::to_string(array->rank()) + ", but q has rank " +
                                  std::to_string(d.q->rank()),
                          .places = {{.pointer = pointer}, {.pointer = "/q"}},
                          .fix = "Give q, k and v with the same rank.",
                          .help = "attn help shapes"});
  }
  build.complaints.throw_if_any();
  const auto tensor = [](const Array& a) { return a.rank() == 4 ? with_heads(a) : stacked(a); };
  p.q = tensor(*d.q);
  p.k = tensor(*d.k);
  p.v = tensor(*d.v);
  share_batch(build, {{"/q", &p.q}, {"/k", &p.k}, {"/v", &p.v}});
}

}  // namespace

Tensor stacked(const Array& a) {
  if (a.rank() == 1) return {Shape{{}, {}, 1, a.shape[0]}, a.data};
  if (a.rank() == 2) return {Shape{{}, {}, a.shape[0], a.shape[1]}, a.data};
  assert(a.rank() == 3);
  return {Shape{a.shape[0], {}, a.shape[1], a.shape[2]}, a.data};
}

void check_finite(Build& build, const Array& array, const std::string& pointer,
                  bool minus_infinity_allowed) {
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    const double number = array.data[i];
    if (std::isfinite(number)) continue;
    if (minus_infinity_allowed && std::isinf(number) && number < 0) continue;
    std::string place;
    auto rest = static_cast<Index>(i);
    for (std::size_t axis = array.rank(); axis-- > 0;) {
      place = "/" + std::to_string(rest % array.shape[axis]) + place;
      rest /= array.shape[axis];
    }
    build.complaints.add(
        {.id = "not-finite",
         .what = pointer.substr(1) + " holds " +
                 (std::isnan(number) ? "NaN" : "an infinite number") +
                 ": attention needs finite numbers here",
         .places = {{.pointer = pointer + place}},
         .rule = "NaN and infinity spread to everything computed from them.",
         .fix = "Put a number there; to hide a key, use a mask or a bias of \"-Infinity\"."});
    return;
  }
}

void build_inputs(Build& build) {
  const ProblemDraft& d = build.draft;
  Problem& p = build.problem;
  check_which(build);
  check_counts(build);
  build.complaints.throw_if_any();
  if (d.q) {
    build_projected(build);
    return;
  }
  const std::optional<Array> x = embeddings_of(build);
  std::optional<Array> memory;
  if (d.memory) {
    const bool table = d.memory->embeddings.rank() == 0 && d.memory->tokens.size() == 1 &&
                       !d.embedding_table.empty();
    memory = table ? looked_up(build, d.memory->tokens[0], "/memory/tokens") : d.memory->embeddings;
  }
  if (x) check_rank(build, *x, "/embeddings", 2, 3, "T × d_model, or N × T × d_model for a batch");
  if (memory)
    check_rank(build, *memory, "/memory/embeddings", 2, 3, "T × d_model, or N × T × d_model");
  build.complaints.throw_if_any();
  check_finite(build, *x, "/embeddings");
  if (memory) check_finite(build, *memory, "/memory/embeddings");
  build.complaints.throw_if_any();
  p.x = stacked(*x);
  if (memory) p.memory = stacked(*memory);
  p.d_model = p.x->cols();
  share_batch(build, {{"/embeddings", &p.x}, {"/memory/embeddings", &p.memory}});
}

}  // namespace attn
