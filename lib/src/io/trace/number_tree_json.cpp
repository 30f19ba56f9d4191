// Numbers and what they were made from, as JSON.
#include "attn/io/trace_file.hpp"
#include "attn/render/explain.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Writer;

void write_trees(Writer& out, const char* key, const std::vector<NumberTree>& trees,
                 NonFinite nonfinite);

void write_tree(Writer& out, const NumberTree& tree, NonFinite nonfinite) {
  const Cell& c = tree.cell;
  out.add("step", tree.step);
  out.key("cell").object([&] {
    if (tree.has_batch) out.add("batch", c.batch);
    if (tree.has_head) out.add("head", c.head);
    out.add("row", c.row).add("col", c.col);
  });
  out.add("name", tree.name).add("value", json::or_null<json::Real>(tree.value, nonfinite));
  out.some("hidden", tree.hidden).some("repeated", tree.repeated);
  out.some("expression", tree.expression);
  if (!tree.operands.empty()) write_trees(out, "operands", tree.operands, nonfinite);
}

void write_trees(Writer& out, const char* key, const std::vector<NumberTree>& trees,
                 NonFinite nonfinite) {
  const auto write = [&](const NumberTree& each) { write_tree(out, each, nonfinite); };
  out.key(key).objects(trees, json::Layout::Lines, write);
}

}  // namespace

std::string number_trees_json(const std::vector<NumberTree>& trees, NonFinite nonfinite) {
  return json::file_text(json::Layout::Row, [&](Writer& out) {
    out.format("attn.cell");
    if (trees.size() == 1) return write_tree(out, trees.front(), nonfinite);
    write_trees(out, "cells", trees, nonfinite);
  });
}

}  // namespace attn
