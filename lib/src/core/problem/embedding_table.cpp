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
    build.complaints.add(
        {.id = "shape-mismatch",
         .what = "embedding_table: \"" + token + "\" has " + counted(std::ssize(vector), "number") +
                 ", \"" + table.front().first + "\" has " +
                 std::to_string(table.front().second.size()),
         .places = {{.pointer = "/embedding_table/" + escaped(token),
                     .remark = counted(std::ssize(vector), "number")},
                    {.pointer = "/embedding_table/" + escaped(table.front().first),
                     .remark = counted(std::ssize(table.front().second), "number") + " (d_model)"}},
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
