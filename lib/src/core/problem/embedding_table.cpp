// Splits text into words or the longest tokens, joins their rows, and complains of unknown ones.
#include "core/problem/embedding_table.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"

namespace attn {
namespace {

/// Where the table has that token; the key of a JSON pointer is escaped (RFC 6901).
std::string entry_pointer(std::string pointer, const std::string& token) {
  pointer += "/";
  for (const char c : token) {
    if (c == '~' || c == '/') {
      pointer += c == '~' ? "~0" : "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

/// The rows of an embedding table by their tokens.
class Table {
 public:
  Table(Build& build, const ProblemDraft::EmbeddingTable& table) : build_(build), table_(table) {
    for (const auto& [token, vector] : table) {
      rows_.emplace(token, &vector);
      known_.push_back(token);
    }
  }

  Index width() const { return std::ssize(table_.front().second); }

  /// Appends the rows of these tokens; complains about those that are not in the table.
  void append(const std::vector<std::string>& tokens, const std::string& pointer, Array& x) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto at = rows_.find(tokens[i]);
      if (at != rows_.end()) {
        x.data.insert(x.data.end(), at->second->begin(), at->second->end());
      } else {
        build_.complaints.add_made([&] { return unknown(tokens[i], filled("{}/{}", pointer, i)); });
      }
    }
  }

 private:
  Diagnostic unknown(const std::string& token, std::string pointer) const {
    return {
        .id = "unknown-token",
        .what = filled("the token \"{}\" is not in embedding_table{}", token,
                       did_you_mean(token, known_)),
        .places = {{.pointer = std::move(pointer)}},
        .fix = filled("Use words of the table ({}), or add a row for this one.", listed(known_))};
  }

  Build& build_;
  const ProblemDraft::EmbeddingTable& table_;
  std::unordered_map<std::string_view, const std::vector<double>*> rows_;
  std::vector<std::string> known_;
};

/// One list of tokens as T × d_model; several of the same length as a batch, N × T × d_model.
/// Nothing if something is wrong with them.
std::optional<Array> looked_up(Build& build, const ProblemDraft::EmbeddingTable& rows,
                               const TokenLists& lists, const std::string& pointer) {
  Table table(build, rows);
  const Index n = std::ssize(lists.front());
  Array x{{n, table.width()}, {}};
  if (lists.size() > 1) x.shape.insert(x.shape.begin(), std::ssize(lists));
  build.budget.take(x.shape, pointer);
  for (std::size_t b = 0; b < lists.size(); ++b) {
    const std::string place = lists.size() == 1 ? pointer : filled("{}/{}", pointer, b);
    table.append(lists[b], place, x);
    if (std::ssize(lists[b]) == n) continue;
    build.complaints.add("token-count", place,
                         filled("sentence 0 of the batch has {}, sentence {} has {}",
                                counted(n, "token"), b, lists[b].size()),
                         "Pad the shorter one with a token such as <pad>.",
                         "All entries of a batch have the same length.");
  }
  return build.complaints.any() ? std::nullopt : std::optional(std::move(x));
}

void check_table(Build& build, const ProblemDraft::EmbeddingTable& table,
                 const std::string& pointer) {
  const auto& [first, first_vector] = table.front();
  for (const auto& [token, vector] : table) {
    if (vector.size() == first_vector.size()) continue;
    build.complaints.add_made([&pointer, &token = token, &vector = vector, &first = first,
                               &first_vector = first_vector]() -> Diagnostic {
      const std::string numbers = counted(std::ssize(vector), "number");
      return {.id = "shape-mismatch",
              .what = filled("embedding_table: \"{}\" has {}, \"{}\" has {}", token, numbers, first,
                             first_vector.size()),
              .places = {{.pointer = entry_pointer(pointer, token), .remark = numbers},
                         {.pointer = entry_pointer(pointer, first),
                          .remark = counted(std::ssize(first_vector), "number") + " (d_model)"}},
              .rule = "All embeddings have the same width, d_model.",
              .fix = "Make all vectors of the table the same length."};
    });
  }
}

}  // namespace

std::optional<Array> embeddings_of(Build& build) {
  const ProblemDraft& d = build.draft;
  if (d.embedding_table.empty()) {
    if (d.text) {
      build.complaints.add(
          {.id = "missing-table",
           .what = "there is no embedding_table to look the text up in",
           .places = {{.pointer = "/text"}},
           .fix = "Add \"embedding_table\": {\"the\": [1, 0], …}, or leave out the text.",
           .changes = {{"text", ""}}});
    }
    return d.embeddings;
  }
  check_table(build, d.embedding_table, "/embedding_table");
  build.complaints.throw_if_any();
  build.problem.looked_up = d.text || !d.embeddings;
  if (d.text) {
    const auto words = text_words(d);
    build.problem.query_tokens = {words};
    return looked_up(build, d.embedding_table, {words}, "/text");
  }
  if (d.embeddings) {
    build.problem.notes.emplace_back("embedding_table has no effect: embeddings are given");
    return d.embeddings;
  }
  if (!d.tokens.empty()) return looked_up(build, d.embedding_table, d.tokens, "/tokens");
  build.complaints.add({.id = "missing-tokens",
                        .what = "an embedding_table needs tokens to look up",
                        .places = {{.pointer = "/embedding_table"}},
                        .fix = "Add \"tokens\": [\"the\", …], or give the text.",
                        .changes = {{"text", "\"the cat\""}}});
  return std::nullopt;
}

std::optional<Array> memory_of(Build& build) {
  const ProblemDraft::Memory& memory = *build.draft.memory;
  if (!memory.embeddings.shape.empty()) {
    if (!memory.embedding_table.empty())
      build.problem.notes.push_back(
          filled("{}.embedding_table has no effect: its embeddings are given",
                 build.draft.source ? "source" : "memory"));
    return memory.embeddings;
  }
  if (memory.embedding_table.empty() || memory.tokens.empty()) {
    build.complaints.add(
        "missing-key", "/memory", "memory has no embeddings",
        "Add \"embeddings\" to memory, or an \"embedding_table\" with \"tokens\".");
    return std::nullopt;
  }
  check_table(build, memory.embedding_table, "/memory/embedding_table");
  build.complaints.throw_if_any();
  return looked_up(build, memory.embedding_table, memory.tokens, "/memory/tokens");
}

std::vector<std::string> text_words(const ProblemDraft& draft) {
  std::vector<std::string> words;
  std::istringstream stream(*draft.text);
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.size() != 1) return words;
  std::vector<std::string> parts;
  for (std::string_view rest = words.front(); !rest.empty();) {
    std::string_view longest;
    for (const auto& [token, vector] : draft.embedding_table) {
      if (rest.starts_with(token) && token.size() > longest.size()) longest = token;
    }
    if (longest.empty()) return words;
    parts.emplace_back(longest);
    rest.remove_prefix(longest.size());
  }
  return parts;
}

}  // namespace attn
