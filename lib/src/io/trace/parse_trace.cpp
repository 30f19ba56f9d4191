// Reads a trace back from its JSON.
#include <algorithm>
#include <memory>
#include <utility>

#include "attn/io/problem_file.hpp"
#include "attn/io/trace_file.hpp"
#include "io/json/json.hpp"
#include "io/trace/read_step.hpp"
#include "io/trace/read_trace_head.hpp"

namespace attn {
namespace {

using json::Value;

Value child(const Value& parent, const json::Node& node, const std::string& key) {
  return {parent.file, node, json::child_pointer(parent.pointer, key)};
}

Error missing_step(const std::string& id, const std::string& pointer, const std::string& where) {
  return input_error({.id = "missing-step",
                      .what = "\"order\" names the step \"" + id + "\", but " + where,
                      .places = {{.pointer = pointer}},
                      .fix = "Write the trace again with attn."});
}

/// The members of "givens" that attn knows.
void read_givens(const Value& root, TraceInProgress& reading) {
  const json::Node* givens = json::find(root.node, "givens");
  const auto* members = givens ? std::get_if<json::Members>(&givens->value) : nullptr;
  if (givens != nullptr && members == nullptr) {
    throw json::wrong_type(root.file, "/givens", "an object with a matrix for each name",
                           "Write the keys and their values in braces.");
  }
  if (members == nullptr) return;
  const Value object = child(root, *givens, "givens");
  for (const json::Member& member : *members) {
    const bool known = find_step_info(member.key) != nullptr && !is_step_id(member.key);
    if (known) read_given(child(object, member.value, member.key), member.key, reading);
  }
}

Trace read_all(const Value& root) {
  TraceInProgress reading;
  const std::vector<std::string> order = read_trace_head(root, reading);
  read_givens(root, reading);
  const json::Node* steps = json::find(root.node, "steps");
  if (steps == nullptr && !order.empty())
    throw missing_step(order[0], "", "there are no \"steps\"");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const json::Node* step = json::find(*steps, order[i]);
    if (step == nullptr)
      throw missing_step(order[i], json::child_pointer("/order", i), "\"steps\" does not have it");
    read_step(child(child(root, *steps, "steps"), *step, order[i]), order[i], reading);
  }
  const std::vector<Step>& all = reading.trace.steps;
  const bool heads = std::any_of(all.begin(), all.end(),
                                 [](const Step& step) { return step.value.shape().heads; });
  for (const auto& scope : reading.scopes) {
    scope->settings.has_heads = scope->settings.heads > 1 || heads;
    reading.trace.scopes.push_back(scope);
  }
  return std::move(reading.trace);
}

}  // namespace

Trace parse_trace(const SharedBytes& bytes, const std::string& name, MemoryBudget* budget) {
  const auto file = std::make_shared<const json::Document>(
      json::parse(bytes, name, budget, json::OddWords::Real));
  try {
    return read_all({*file, file->root, ""});
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

}  // namespace attn
