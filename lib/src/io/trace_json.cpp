#include <array>
#include <charconv>
#include <cmath>

#include "attn/trace_file.hpp"
#include "attn/version.hpp"
#include "io/json.hpp"

namespace attn {
namespace {

using json::quoted;

/// The shortest text that reads back as the same double; always with a point or an exponent.
void append_number(std::string& out, double x) {
  if (std::isnan(x)) {
    out += "\"NaN\"";
    return;
  }
  if (std::isinf(x)) {
    out += x < 0 ? "\"-Infinity\"" : "\"Infinity\"";
    return;
  }
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  out += text;
  if (text.find_first_of(".e") == text.npos) out += ".0";
}

template <typename T, typename Write>
std::string list(const std::vector<T>& items, Write write) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i ? ", " : "") + write(items[i]);
  return text + "]";
}

std::string strings(const std::vector<std::string>& items) { return list(items, quoted); }

/// One list, or one for each batch entry.
std::string token_lists(const TokenLists& lists, const Settings& s) {
  if (!s.has_batch) return strings(lists.front());
  const bool shared = lists.size() == 1;
  return list(shared ? TokenLists(static_cast<std::size_t>(s.batch), lists[0]) : lists, strings);
}

/// Nested lists of a row-major block, one innermost row per line behind `indent`.
void append_nested(std::string& out, const std::vector<Index>& sizes, std::size_t axis,
                   const double*& next, const std::string& indent) {
  out += "[";
  const Index n = sizes[axis];
  for (Index i = 0; i < n; ++i) {
    if (axis + 1 == sizes.size()) {
      if (i > 0) out += ", ";
      append_number(out, *next++);
    } else {
      if (i > 0) out += ",\n" + indent;
      append_nested(out, sizes, axis + 1, next, indent + " ");
    }
  }
  out += "]";
}

std::string settings_json(const Settings& s) {
  const auto whole = [](Index n) { return std::to_string(n); };
  std::string text = "{\"heads\": " + whole(s.heads) + ", \"kv_heads\": " + whole(s.kv_heads);
  if (s.has_batch) text += ", \"batch\": " + whole(s.batch);
  if (s.d_model) text += ", \"d_model\": " + whole(*s.d_model);
  text += ", \"d_k\": " + whole(s.d_k) + ", \"d_v\": " + whole(s.d_v);
  text += ", \"n_queries\": " + whole(s.n_queries) + ", \"n_keys\": " + whole(s.n_keys);
  text += ", \"mask\": " + strings(s.masks) + ", \"scale\": ";
  append_number(text, s.scale);
  for (const auto& [name, value] : s.others) {
    text += ", " + quoted(name) + ": ";
    if (const auto* number = std::get_if<double>(&value)) {
      append_number(text, *number);
    } else {
      text += quoted(std::get<std::string>(value));
    }
  }
  return text + "}";
}

std::vector<std::string> axes_of(const Step& step) {
  std::vector<std::string> axes;
  if (step.value.shape().batch) axes.emplace_back("batch");
  if (step.value.shape().heads) axes.emplace_back("head");
  axes.emplace_back(step.info().row_axis);
  axes.emplace_back(step.info().col_axis);
  return axes;
}

void append_step(std::string& out, const Trace& trace, const Step& step) {
  const std::vector<Index> sizes = step.value.shape().sizes();
  const auto whole = [](Index n) { return std::to_string(n); };
  out += "    " + quoted(step.id) + ": {\n";
  out += "      \"title\": " + quoted(step.info().title) +
         ", \"symbol\": " + quoted(step.info().symbol) +
         ", \"formula\": " + quoted(formula_text(trace, step)) +
         ", \"op\": " + quoted(operation(step.op).name) + ", \"inputs\": " + strings(step.inputs) +
         ",\n";
  out += "      \"axes\": " + strings(axes_of(step)) + ", \"shape\": " + list(sizes, whole) + ",\n";
  out += "      \"data\": [\n        ";
  const double* next = step.value.data().data();
  std::string nested;
  append_nested(nested, sizes, 0, next, "        ");
  out += nested.substr(1) + "\n    }";
}

bool wanted(const std::vector<std::string>& steps, const std::string& id) {
  return steps.empty() || std::find(steps.begin(), steps.end(), id) != steps.end();
}

}  // namespace

std::string trace_json(const Trace& trace, const std::vector<std::string>& steps) {
  std::vector<std::string> order;
  for (const Step& step : trace.steps) {
    if (wanted(steps, step.id)) order.push_back(step.id);
  }
  std::string out = "{\n  \"format\": \"attn.trace\", \"format_version\": \"1.0\", \"generator\": ";
  out += quoted("attn " + version()) + ",\n  \"title\": " + quoted(trace.title) + ",\n";
  out += "  \"tokens\": {\"query\": " + token_lists(trace.query_tokens, trace.settings);
  out += ", \"key\": " + token_lists(trace.key_tokens, trace.settings) + "},\n";
  out += "  \"settings\": " + settings_json(trace.settings) + ",\n";
  out += "  \"notes\": " + strings(trace.notes) + ",\n  \"order\": " + strings(order) + ",\n";
  out += "  \"steps\": {\n";
  for (std::size_t i = 0; i < order.size(); ++i) {
    append_step(out, trace, *trace.find(order[i]));
    out += i + 1 < order.size() ? ",\n" : "\n";
  }
  return out + "  }\n}\n";
}

}  // namespace attn
