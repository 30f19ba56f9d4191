// Numbers and what they were made from, as JSON.
#include <cmath>

#include "attn/explain.hpp"
#include "attn/trace_file.hpp"
#include "attn/version.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Text;

Text tree_text(const NumberTree& tree, std::size_t indent, NonFinite nonfinite, Text head) {
  const bool null = nonfinite == NonFinite::Null && !std::isfinite(tree.value);
  const Cell& c = tree.cell;
  Text text = json::members_text(
      {{"step", json::quoted(tree.step)},
       {"cell", json::object_text({{"batch", tree.has_batch ? std::to_string(c.batch) : ""},
                                   {"head", tree.has_head ? std::to_string(c.head) : ""},
                                   {"row", std::to_string(c.row)},
                                   {"col", std::to_string(c.col)}})},
       {"name", json::quoted(tree.name)},
       {"value", null ? "null" : json::real_text(tree.value)},
       {"hidden", tree.hidden.empty() ? "" : json::quoted(tree.hidden)},
       {"repeated", tree.repeated ? "true" : ""},
       {"expression", tree.expression.empty() ? "" : json::quoted(tree.expression)}});
  if (!tree.operands.empty()) {
    std::vector<Text> items;
    for (const NumberTree& each : tree.operands)
      items.push_back(tree_text(each, indent + json::kStep, nonfinite, ""));
    text += ", \"operands\": " + json::lines_text(items, indent, "[]");
  }
  return "{" + head + text + "}";
}

}  // namespace

std::string number_trees_json(const std::vector<NumberTree>& trees, NonFinite nonfinite) {
  const Text head = json::members_text({{"format", json::quoted("attn.cell")},
                                        {"format_version", json::quoted("1.0")},
                                        {"generator", json::quoted("attn " + version())}});
  if (trees.size() == 1) return tree_text(trees.front(), 0, nonfinite, head + ", ") + "\n";
  std::vector<Text> items;
  for (const NumberTree& each : trees) items.push_back(tree_text(each, json::kStep, nonfinite, ""));
  return "{" + head + ", \"cells\": " + json::lines_text(items, 0, "[]") + "}\n";
}

}  // namespace attn
