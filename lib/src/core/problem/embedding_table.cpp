// Embeddings looked up in a table, by tokens or a text.
#include "core/problem/embedding_table.hpp"

#include <algorithm>
#include <sstream>

#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"

namespace attn {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Where the table has that token; the key of a JSON pointer is escaped (RFC 6901).
std::string entry_pointer(const std::string& token) {
  std::string pointer = "/embedding_table/";
  for (const char c : token) {
    if (c == '~' || c == '/') {
      pointer += c == '~' ? "~0" : "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
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
        "unknown-token", filled("{}/{}", pointer, i),
        filled("the token \"{}\" is not in embedding_table{}", tokens[i],
               did_you_mean(tokens[i], known)),
        filled("Use words of the table ({}), or add a row for this one.", listed(known)));
  }
  return complete ? std::optional(rows) : std::nullopt;
}

/// One list of tokens as T × d_model; several of the same length as a batch, N × T × d_model.
std::optional<Array> looked_up_all(Build& build, const TokenLists& lists,
                                   const std::string& pointer) {
  if (lists.size() == 1) return looked_up(build, lists[0], pointer);
  Array batch;
  for (std::size_t b = 0; b < lists.size(); ++b) {
    const std::string place = filled("{}/{}", pointer, b);
    const std::optional<Array> entry = looked_up(build, lists[b], place);
    if (!entry) return std::nullopt;
    if (b == 0) batch.shape = {static_cast<Index>(lists.size()), entry->shape[0], entry->shape[1]};
    if (entry->shape[0] != batch.shape[1]) {
      build.complaints.add("token-count", place,
                           filled("sentence 0 of the batch has {}, sentence {} has {}",
                                  counted(batch.shape[1], "token"), b, entry->shape[0]),
                           "Fill the shorter one up with a token such as <pad>.",
                           "All entries of a batch have the same length.");
      return std::nullopt;
    }
    batch.data.insert(batch.data.end(), entry->data.begin(), entry->data.end());
  }
  return batch;
}

void check_table(Build& build) {
  const auto& table = build.draft.embedding_table;
  const auto& [first, first_vector] = table.front();
  for (const auto& [token, vector] : table) {
    if (vector.size() == first_vector.size()) continue;
    const std::string numbers = counted(std::ssize(vector), "number");
    build.complaints.add(
        {.id = "shape-mismatch",
         .what = filled("embedding_table: \"{}\" has {}, \"{}\" has {}", token, numbers, first,
                        first_vector.size()),
         .places = {{.pointer = entry_pointer(token), .remark = numbers},
                    {.pointer = entry_pointer(first),
                     .remark = counted(std::ssize(first_vector), "number") + " (d_model)"}},
         .rule = "All embeddings have the same width, d_model.",
         .fix = "Give every token the same number of numbers."});
  }
}

}  // namespace

std::optional<Array> embeddings_of(Build& build) {
  const ProblemDraft& d = build.draft;
  if (d.embedding_table.empty()) {
    if (d.text) {
      build.complaints.add(
          {.id = "missing-table",
           .what = "a text needs a problem with an embedding_table",
           .places = {{.pointer = "/text"}},
           .fix = "Add \"embedding_table\": {\"the\": [1, 0], …}, or leave out the text.",
           .changes = {{"text", ""}}});
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
                        .fix = "Add \"tokens\": [\"the\", …], or pass a text.",
                        .changes = {{"text", "\"the cat\""}}});
  return std::nullopt;
}

}  // namespace attn
