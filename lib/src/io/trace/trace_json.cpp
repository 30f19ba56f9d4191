// A trace as JSON, whole or line by line.
#include "io/trace/trace_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string_view>

#include "attn/version.hpp"
#include "core/trace/other_settings.hpp"
#include "core/trace/text_pieces.hpp"
#include "io/json/writer.hpp"
#include "io/trace/step_parameters.hpp"

namespace attn {
namespace {

using json::list_text;
using json::members_text;
using json::object_text;
using json::put_real_value;
using json::quoted;
using json::real_text;
using json::Text;
using json::texts_text;
using json::whole_text;

/// Where lines break: before rows, steps and groups of keys, or nowhere; and how to write numbers
/// that JSON does not have.
struct Layout {
  bool lines = true;
  NonFinite nonfinite = NonFinite::Words;

  std::string after_bracket(std::size_t indent) const {
    return lines ? "\n" + std::string(indent, ' ') : "";
  }
  std::string after_comma(std::size_t indent) const {
    return lines ? ",\n" + std::string(indent, ' ') : ", ";
  }
};

/// One list, or one for each batch entry.
Text token_lists(const TokenLists& lists, const Settings& s) {
  if (!s.has_batch) return texts_text(lists.front());
  const bool shared = lists.size() == 1;
  return list_text(shared ? TokenLists(static_cast<std::size_t>(s.batch), lists[0]) : lists,
                   texts_text);
}

/// Nested lists of a row-major block, each innermost row on its own line; `put` writes the item
/// with a certain index to a place, and returns its end.
template <typename Put>
void append_nested(TextPieces& out, std::vector<Index> sizes, const Layout& layout,
                   std::size_t indent, Put put) {
  const Index cols = sizes.back();
  sizes.pop_back();
  const Index rows = std::accumulate(sizes.begin(), sizes.end(), Index{1}, std::multiplies<>());
  out += "[" + layout.after_bracket(indent);
  out.add_rows(rows, cols, [&](std::string& text, Index row) {
    std::size_t opened = 1, closed = 1;  // lists that begin and end with this row
    Index block = 1;
    for (std::size_t axis = sizes.size() - 1; axis > 0; --axis) {
      block *= sizes[axis];
      opened += row % block == 0 ? 1 : 0;
      closed += (row + 1) % block == 0 ? 1 : 0;
    }
    if (row > 0) text += layout.after_comma(indent + sizes.size() - opened);
    text.append(opened, '[');
    // Most of the time of a large trace is spent here: several numbers are appended at once.
    std::array<char, 32 * json::kRealLength> part;
    char* end = part.data();
    for (Index col = 0; col < cols; ++col) {
      if (col > 0) end = std::copy_n(", ", 2, end);
      end = put(end, static_cast<std::size_t>(row * cols + col));
      if (part.data() + part.size() - end > 2 + json::kRealLength && col + 1 < cols) continue;
      text.append(part.data(), end);
      end = part.data();
    }
    text.append(closed, ']');
  });
  out += "]";
}

/// Every setting; those that are left out have no text.
json::Fields settings_of(const Settings& s) {
  const auto size = [](Index n) { return n > 0 ? whole_text(n) : Text(); };
  json::Fields fields{{"heads", whole_text(s.heads)},
                      {"kv_heads", whole_text(s.kv_heads)},
                      {"batch", s.has_batch ? whole_text(s.batch) : ""},
                      {"d_model", s.d_model ? whole_text(*s.d_model) : ""},
                      {"d_k", size(s.d_k)},
                      {"d_v", size(s.d_v)},
                      {"n_queries", whole_text(s.n_queries)},
                      {"n_keys", whole_text(s.n_keys)},
                      {"mask", texts_text(s.masks)},
                      {"scale", real_text(s.scale.number)}};
  for (const OtherSetting& row : other_settings()) {
    const std::optional<SettingValue> value = row.get(s);
    const auto* number = value ? std::get_if<double>(&*value) : nullptr;
    fields.emplace_back(row.key, !value   ? ""
                                 : number ? real_text(*number)
                                          : quoted(std::get<std::string>(*value)));
  }
  return fields;
}

json::Fields tokens_of(const Scope& scope) {
  return {{"query", token_lists(scope.query_tokens, scope.settings)},
          {"key", token_lists(scope.key_tokens, scope.settings)}};
}

/// What differs from the same fields of the whole model, null where only the model has a value.
Text differing(const json::Fields& own, const json::Fields& whole) {
  json::Fields different;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].second == whole[i].second) continue;
    different.emplace_back(own[i].first, own[i].second.empty() ? "null" : own[i].second);
  }
  return different.empty() ? "" : object_text(different);
}

/// What the other scopes of a model do not share with the first; no value if there are no others.
Text scopes_json(const std::vector<std::shared_ptr<const Scope>>& scopes, const Layout& layout) {
  Text text;
  for (const auto& scope : scopes) {
    if (scope == scopes.front()) continue;
    const Scope& model = *scopes.front();
    const json::Fields fields{
        {"tokens", differing(tokens_of(*scope), tokens_of(model))},
        {"settings", differing(settings_of(scope->settings), settings_of(model.settings))}};
    text += (text.empty() ? layout.after_bracket(4) : layout.after_comma(4)) + quoted(scope->name) +
            ": " + object_text(fields);
  }
  return text.empty() ? "" : "{" + text + layout.after_bracket(2) + "}";
}

std::vector<std::string> axes_of(const Step& step) {
  std::vector<std::string> axes;
  if (step.value.shape().batch) axes.emplace_back("batch");
  if (step.value.shape().heads) axes.emplace_back("head");
  axes.emplace_back(step.info().row_axis);
  axes.emplace_back(step.info().col_axis);
  return axes;
}

/// For every cell of the mask, the index of the mask that hid it, −1 where none did.
void append_hiders(TextPieces& out, const Visibility& v, const Layout& layout) {
  out += "{\"names\": " + texts_text(v.names) + ", \"data\": ";
  const auto put = [&](char* at, std::size_t i) {
    return std::to_chars(at, at + json::kRealLength, v.hider[i] - 1).ptr;
  };
  append_nested(out, v.allowed.shape().sizes(), layout, 8, put);
  out += "}";
}

/// Whether the masks of the problem account for every cell that this mask hides. They need not if a
/// known mistake made it.
bool tells_hiders(const Step& mask) {
  const auto& visibility = mask.scope->visibility;
  const auto agrees = [](double allowed, std::uint16_t hider) {
    return (allowed == 0.0) == (hider != 0);
  };
  return visibility && std::equal(mask.value.data().begin(), mask.value.data().end(),
                                  visibility->hider.begin(), visibility->hider.end(), agrees);
}

/// The keys of a step, without the braces around them.
void append_step(TextPieces& out, const Trace& trace, const Step& step, const Layout& layout) {
  const std::vector<Index> sizes = step.value.shape().sizes();
  out += members_text({{"title", quoted(step.info().title)},
                       {"symbol", quoted(step.info().symbol)},
                       {"formula", quoted(formula_text(trace, step))},
                       {"op", quoted(step.operation->name)},
                       {"inputs", texts_text(step.inputs)}});
  out += layout.after_comma(6) + members_text({{"axes", texts_text(axes_of(step))},
                                               {"shape", list_text(sizes, whole_text)}});
  out += layout.after_comma(6) + "\"data\": ";
  const auto& numbers = step.value.data();
  const bool null = layout.nonfinite == NonFinite::Null;
  const auto put = [&](char* at, std::size_t i) {
    return null && !std::isfinite(numbers[i]) ? std::copy_n("null", 4, at)
                                              : put_real_value(at, numbers[i]);
  };
  append_nested(out, sizes, layout, 8, put);
  const std::string parameters = parameters_json(*step.operation, step.parameters);
  if (!parameters.empty()) out += layout.after_comma(6) + "\"parameters\": " + parameters;
  if (step.info().role != StepRole::Mask || !tells_hiders(step)) return;
  out += layout.after_comma(6) + "\"hidden_by\": ";
  append_hiders(out, *step.scope->visibility, layout);
}

/// Steps or givens as an object, in their order.
void append_object(TextPieces& out, const std::string& key, const Trace& trace,
                   const std::vector<const Step*>& steps, const Layout& layout) {
  out += layout.after_comma(2) + quoted(key) + ": {";
  for (const Step* step : steps) {
    out += step == steps.front() ? layout.after_bracket(4) : layout.after_comma(4);
    out += quoted(step->id) + ": {" + layout.after_bracket(6);
    append_step(out, trace, *step, layout);
    out += layout.after_bracket(4) + "}";
  }
  out += (steps.empty() ? "" : layout.after_bracket(2)) + "}";
}

/// The steps that are written, and the givens: those chosen, and those the steps are made from.
struct Written {
  std::vector<const Step*> steps, givens;

  Written(const Trace& trace, const std::vector<std::string>& ids)
      : steps(chosen_steps(trace, ids)) {
    for (const Step& given : trace.givens) {
      const bool needed = std::any_of(steps.begin(), steps.end(), [&](const Step* step) {
        const auto& inputs = step->inputs;
        return step == &given || std::find(inputs.begin(), inputs.end(), given.id) != inputs.end();
      });
      if (needed) givens.push_back(&given);
    }
    std::erase_if(steps, [](const Step* step) { return step->is_no_step(); });
  }

  /// The scopes of these, after that of the whole model.
  std::vector<std::shared_ptr<const Scope>> scopes(const Trace& trace) const {
    std::vector<std::shared_ptr<const Scope>> used = trace.scopes;
    const auto of = [](const std::shared_ptr<const Scope>& scope) {
      return [&scope](const Step* step) { return step->scope == scope; };
    };
    std::erase_if(used, [&](const auto& scope) {
      return scope != trace.scopes.front() && std::none_of(steps.begin(), steps.end(), of(scope)) &&
             std::none_of(givens.begin(), givens.end(), of(scope));
    });
    return used;
  }
};

/// Everything up to the steps.
std::string head_json(const Trace& trace, const Written& written, const Layout& layout) {
  const std::vector<std::string>& words = trace.scope().vocabulary;
  json::Fields tokens = tokens_of(trace.scope());
  tokens.emplace_back("vocabulary", words.empty() ? "" : texts_text(words));
  const json::Fields lines[] = {
      {{"format", quoted("attn.trace")},
       {"format_version", quoted("1.0")},
       {"generator", quoted("attn " + version())}},
      {{"title", quoted(trace.title)}},
      {{"description", trace.description.empty() ? "" : quoted(trace.description)}},
      {{"tokens", object_text(tokens)}},
      {{"settings", object_text(settings_of(trace.settings()))}},
      {{"scopes", scopes_json(written.scopes(trace), layout)}},
      {{"notes", texts_text(trace.notes)}},
      {{"order", list_text(written.steps, [](const Step* step) { return quoted(step->id); })}}};
  std::string out = "{" + layout.after_bracket(2);
  for (const json::Fields& line : lines) {
    const Text text = members_text(line);
    if (!text.empty()) out += (&line == lines ? "" : layout.after_comma(2)) + text;
  }
  return out;
}

}  // namespace

void each_json_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  const Layout layout{true, choice.nonfinite};
  const Written written(trace, choice.steps);
  TextPieces out(sink);
  out += head_json(trace, written, layout);
  append_object(out, "steps", trace, written.steps, layout);
  if (!written.givens.empty()) append_object(out, "givens", trace, written.givens, layout);
  out += "\n}\n";
  out.pass_on();
}

void each_ndjson_line(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  const Layout layout{false, choice.nonfinite};
  const Written written(trace, choice.steps);
  TextPieces out(sink);
  const auto end_line = [&] {
    out += "}\n";
    out.pass_on();
  };
  out += head_json(trace, written, layout);
  if (!written.givens.empty()) append_object(out, "givens", trace, written.givens, layout);
  end_line();
  for (const Step* step : written.steps) {
    out += "{\"id\": " + quoted(step->id) + ", ";
    append_step(out, trace, *step, layout);
    end_line();
  }
}

std::string trace_json(const Trace& trace, const std::vector<std::string>& ids,
                       NonFinite nonfinite) {
  return in_one_text([&](const Sink& sink) { each_json_piece(trace, {ids, nonfinite}, sink); });
}

std::string trace_ndjson(const Trace& trace, const std::vector<std::string>& ids,
                         NonFinite nonfinite) {
  return in_one_text([&](const Sink& sink) { each_ndjson_line(trace, {ids, nonfinite}, sink); });
}

}  // namespace attn
