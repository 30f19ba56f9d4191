// The oracle: who may attend to whom, from the text of the masks.
#include <string>
#include <vector>

#include "support/oracle_parts.hpp"

namespace attn::testing {
namespace {

using Words = std::vector<std::string>;

/// A mask spec cut into its name and its arguments, from the text alone.
struct Rule {
  std::string name;
  Words arguments;

  Index number(std::size_t n, Index otherwise) const {
    return n < arguments.size() ? std::stol(arguments[n]) : otherwise;
  }
};

Rule rule_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  Rule rule{text.substr(0, colon), {}};
  if (colon == std::string::npos) return rule;
  rule.arguments.emplace_back();
  for (const char c : text.substr(colon + 1)) {
    if (c == ',') {
      rule.arguments.emplace_back();
    } else {
      rule.arguments.back() += c;
    }
  }
  return rule;
}

/// Whether "2", "2-4" or a label of `labels` means number `n`.
bool means(const std::string& argument, const Words& labels, Index n) {
  const std::string digits = "0123456789";
  const std::size_t end = argument.find_first_not_of(digits);
  if (end == std::string::npos) return std::stol(argument) == n;
  const bool range = end > 0 && argument[end] == '-' && end + 1 < argument.size() &&
                     argument.find_first_not_of(digits, end + 1) == std::string::npos;
  if (range) return std::stol(argument) <= n && n <= std::stol(argument.substr(end + 1));
  return labels[static_cast<std::size_t>(n)] == argument;
}

bool any_means(const Words& arguments, const Words& labels, Index n) {
  for (const std::string& argument : arguments) {
    if (means(argument, labels, n)) return true;
  }
  return false;
}

/// The labels of `count` rows in one batch entry: as given, or the letter and a number.
Words labels_of(const TokenLists& lists, Index batch, Index count, char letter) {
  if (!lists.empty()) return lists[lists.size() == 1 ? 0 : static_cast<std::size_t>(batch)];
  Words labels;
  for (Index i = 0; i < count; ++i) labels.push_back(letter + std::to_string(i));
  return labels;
}

Words new_key_labels(const ProblemDraft& draft, const Facts& facts, Index batch) {
  if (draft.memory) return labels_of(draft.memory->tokens, batch, facts.n_new, 'm');
  if (!draft.q) return labels_of(draft.tokens, batch, facts.n_new, 't');
  if (!draft.key_tokens.empty()) return labels_of(draft.key_tokens, batch, facts.n_new, 'k');
  const bool shared = facts.n_queries == facts.n_new;
  return labels_of(shared ? draft.tokens : TokenLists{}, batch, facts.n_new, shared ? 't' : 'k');
}

/// Whether row `i` is all zero, in every head.
bool is_zero_row(const Block& rows, Index batch, Index i) {
  for (Index h = 0; h < rows.heads; ++h) {
    for (Index c = 0; c < rows.cols; ++c) {
      if (rows.at(batch, h, i, c) != 0) return false;
    }
  }
  return true;
}

/// Whether key `j` comes from a row of X, the memory or a given K that is all zero.
bool is_zero_key(const ProblemDraft& draft, const Facts& facts, Index batch, Index j) {
  if (j < facts.n_past) return false;
  const Array source = draft.q        ? *draft.k
                       : draft.memory ? draft.memory->embeddings
                                      : embeddings_of(draft);
  return is_zero_row(block_of(source, true), batch, j - facts.n_past);
}

bool is_padding_name(const std::string& label) { return label == "<pad>" || label == "[PAD]"; }

/// Which of the documents of these lengths position `p` lies in; −1 outside all of them.
Index document_of(const Rule& rule, Index p) {
  if (p < 0) return -1;
  for (std::size_t n = 0; n < rule.arguments.size(); ++n) {
    p -= rule.number(n, 0);
    if (p < 0) return static_cast<Index>(n);
  }
  return -1;
}

/// Whether the rule lets a query that is at position `p` see key `j`; `labels` are the keys'.
bool lets_see(const Rule& rule, Index p, Index j, const Words& labels, bool zero_row) {
  if (rule.name == "causal") return j <= p;
  if (rule.name == "window") return p - rule.number(0, 0) <= j && j <= p + rule.number(1, 0);
  if (rule.name == "prefix") return j < rule.number(0, 0) || j <= p;
  if (rule.name == "documents") {
    return document_of(rule, p) >= 0 && document_of(rule, p) == document_of(rule, j);
  }
  if (rule.name == "padding" && rule.arguments.empty()) {
    return !is_padding_name(labels[static_cast<std::size_t>(j)]) && !zero_row;
  }
  if (rule.name == "padding" || rule.name == "keys") return !any_means(rule.arguments, labels, j);
  return true;  // none, queries
}

}  // namespace

Words key_labels(const ProblemDraft& draft, const Facts& facts, Index batch) {
  Words labels;
  if (draft.past) {
    const TokenLists given =
        draft.past->tokens.empty() ? TokenLists{} : TokenLists{draft.past->tokens};
    labels = labels_of(given, batch, facts.n_past, 'p');
  }
  for (const std::string& label : new_key_labels(draft, facts, batch)) labels.push_back(label);
  if (draft.weights.count("bias_k") > 0) labels.emplace_back("<bias>");
  if (draft.add_zero_attn) labels.emplace_back("<zero>");
  return labels;
}

bool has_mask(const ProblemDraft& draft) {
  for (const MaskSpec& spec : draft.masks) {
    const std::string name = rule_of(spec.text).name;
    if (name != "none" && name != "queries") return true;
  }
  return draft.allowed.has_value() || !draft.key_lengths.empty();
}

Block oracle_mask(const ProblemDraft& draft, const Facts& facts) {
  const Array all{{1, 1}, {1}};
  Block mask = spread(draft.allowed.value_or(all), facts, 0, 1);
  const std::vector<Index> first = first_positions(draft, facts);
  for (Index b = 0; b < facts.batch; ++b) {
    const Words labels = key_labels(draft, facts, b);
    const auto entry = static_cast<std::size_t>(b);
    const Index end = draft.key_lengths.empty() ? facts.n_real : draft.key_lengths[entry];
    for (Index j = 0; j < facts.n_real; ++j) {
      const bool zero_row = is_zero_key(draft, facts, b, j);
      for (Index i = 0; i < facts.n_queries; ++i) {
        bool visible = j < end;
        for (const MaskSpec& spec : draft.masks) {
          visible = visible && lets_see(rule_of(spec.text), first[entry] + i, j, labels, zero_row);
        }
        for (Index h = 0; h < facts.heads; ++h) {
          if (!visible) mask.at(b, h, i, j) = 0;
        }
      }
    }
  }
  return mask;
}

bool is_padding_query(const ProblemDraft& draft, const Facts& facts, Index batch, Index query) {
  const Words labels = labels_of(draft.tokens, batch, facts.n_queries, 't');
  for (const MaskSpec& spec : draft.masks) {
    const Rule rule = rule_of(spec.text);
    if (rule.name != "queries") continue;
    const Array source = draft.q ? *draft.q : embeddings_of(draft);
    const bool named = is_padding_name(labels[static_cast<std::size_t>(query)]);
    if (rule.arguments.empty() && (named || is_zero_row(block_of(source, true), batch, query)))
      return true;
    if (any_means(rule.arguments, labels, query)) return true;
  }
  return false;
}

}  // namespace attn::testing
