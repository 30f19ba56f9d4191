// A trace as JSON, whole or line by line.
#include "attn/io/trace_file.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/trace/other_settings.hpp"
#include "core/trace/text_pieces.hpp"
#include "io/json/writer.hpp"
#include "io/trace/step_parameters.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Real;
using json::Writer;

/// Keys and the text of their values, which is empty where there is none.
using SettingTexts = std::vector<std::pair<std::string, std::string>>;

template <class T>
std::string text_of(const T& value) {
  return Writer().value(value).text();
}

/// One list, or one for each batch entry.
std::string token_lists(const TokenLists& lists, const Settings& s) {
  if (!s.has_batch) return text_of(lists.front());
  const bool shared = lists.size() == 1;
  return text_of(shared ? TokenLists(static_cast<std::size_t>(s.batch), lists[0]) : lists);
}

/// Every setting.
SettingTexts settings_of(const Settings& s) {
  const auto size = [](Index n) { return n > 0 ? text_of(n) : ""; };
  SettingTexts texts{{"heads", text_of(s.heads)},
                     {"kv_heads", text_of(s.kv_heads)},
                     {"batch", s.has_batch ? text_of(s.batch) : ""},
                     {"d_model", s.d_model ? text_of(*s.d_model) : ""},
                     {"d_k", size(s.d_k)},
                     {"d_v", size(s.d_v)},
                     {"n_queries", text_of(s.n_queries)},
                     {"n_keys", text_of(s.n_keys)},
                     {"mask", text_of(s.masks)},
                     {"scale", text_of(Real{s.scale.number})}};
  for (const OtherSetting& row : other_settings()) {
    const std::optional<SettingValue> value = row.get(s);
    const auto* number = value ? std::get_if<double>(&*value) : nullptr;
    texts.emplace_back(row.key, !value   ? ""
                                : number ? text_of(Real{*number})
                                         : text_of(std::get<std::string>(*value)));
  }
  return texts;
}

SettingTexts tokens_of(const Scope& scope) {
  return {{"query", token_lists(scope.query_tokens, scope.settings)},
          {"key", token_lists(scope.key_tokens, scope.settings)}};
}

void write_texts(Writer& out, const SettingTexts& texts) {
  for (const auto& [key, text] : texts) {
    if (!text.empty()) out.key(key).raw(text);
  }
}

/// What differs from the same texts of the whole model, null where only the model has a value.
SettingTexts differing(const SettingTexts& own, const SettingTexts& whole) {
  SettingTexts different;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto& [key, text] = own[i];
    if (text != whole[i].second) different.emplace_back(key, text.empty() ? "null" : text);
  }
  return different;
}

/// What the other scopes of a model do not share with the first.
void write_scopes(Writer& out, const std::vector<std::shared_ptr<const Scope>>& scopes) {
  const Scope& model = *scopes.front();
  const auto write = [&](const char* key, const SettingTexts& texts) {
    out.some_object(key, Layout::Row, [&] { write_texts(out, texts); });
  };
  out.line().some_object("scopes", Layout::Lines, [&] {
    for (const auto& scope : scopes) {
      if (scope == scopes.front()) continue;
      out.key(scope->name).object([&] {
        write("tokens", differing(tokens_of(*scope), tokens_of(model)));
        write("settings", differing(settings_of(scope->settings), settings_of(model.settings)));
      });
    }
  });
}

std::vector<std::string> axes_of(const Step& step) {
  std::vector<std::string> axes;
  if (step.value.shape().batch) axes.emplace_back("batch");
  if (step.value.shape().heads) axes.emplace_back("head");
  axes.emplace_back(step.info().row_axis);
  axes.emplace_back(step.info().col_axis);
  return axes;
}

/// Nested lists of a row-major block, each innermost row on its own line; `put` writes the item
/// with a certain index to a place, and returns its end.
template <typename Put>
void write_data(Writer& out, const Shape& shape, Put put) {
  out.key("data").block(shape.sizes(), put, Layout::Rows, Layout::Hanging);
}

/// For every cell of the mask, the index of the mask that hid it, −1 where none did.
void write_hiders(Writer& out, const Visibility& v) {
  const auto put = [&](char* at, std::size_t i) {
    const Cell cell = v.allowed.shape().cell_at(static_cast<Index>(i));
    return std::to_chars(at, at + json::kRealLength, v.hider_at(cell) - 1).ptr;
  };
  out.line().key("hidden_by").object([&] {
    out.add("names", v.names);
    write_data(out, v.allowed.shape(), put);
  });
}

/// Whether the masks of the problem account for every cell that this mask hides. They need not if a
/// known mistake made it.
bool tells_hiders(const Step& mask) {
  const auto& visibility = mask.scope->visibility;
  return visibility && (mask.value.stored().data() == visibility->allowed.stored().data() ||
                        mask.value.data() == visibility->allowed.data());
}

/// The keys of a step.
void write_step(Writer& out, const Trace& trace, const Step& step, NonFinite nonfinite) {
  out.add("title", step.info().title).add("symbol", step.info().symbol);
  out.add("formula", formula_text(trace, step)).add("op", step.operation->name);
  out.add("inputs", step.inputs);
  out.line().add("axes", axes_of(step)).add("shape", step.value.shape().sizes());
  const Shape& shape = step.value.shape();
  const NumberSpan numbers = step.value.stored();
  const bool each = std::ssize(numbers) == shape.count();  // not shared by matrices
  write_data(out.line(), shape, [&](char* at, std::size_t i) {
    const double x = each ? numbers[i] : step.value.at(shape.cell_at(static_cast<Index>(i)));
    return json::is_null(x, nonfinite) ? std::copy_n("null", 4, at) : json::put_real_value(at, x);
  });
  write_parameters(out.line(), *step.operation, step.parameters);
  if (step.info().role == StepRole::Mask && tells_hiders(step))
    write_hiders(out, *step.scope->visibility);
}

/// Steps or givens as an object, in their order.
void write_steps(Writer& out, const std::string& key, const Trace& trace,
                 const std::vector<const Step*>& steps, NonFinite nonfinite) {
  out.line().key(key).object(Layout::Lines, [&] {
    for (const Step* step : steps) {
      const auto write = [&] { write_step(out.line(), trace, *step, nonfinite); };
      out.key(step->id).object(Layout::Groups, write);
    }
  });
}

/// The steps that are written, and the givens: those chosen, and those the steps are made from.
struct Written {
  std::vector<const Step*> steps, givens;

  Written(const Trace& trace, const std::vector<std::string>& ids)
      : steps(chosen_steps(trace, ids)) {
    std::unordered_set<std::string_view> needed;
    for (const Step* step : steps) {
      needed.insert(step->id);
      needed.insert(step->inputs.begin(), step->inputs.end());
    }
    for (const Step& given : trace.givens) {
      if (needed.contains(given.id)) givens.push_back(&given);
    }
    std::erase_if(steps, [](const Step* step) { return step->is_no_step(); });
  }

  /// The scopes of these, after that of the whole model.
  std::vector<std::shared_ptr<const Scope>> scopes(const Trace& trace) const {
    std::set<const Scope*> of{trace.scopes.front().get()};
    for (const auto* part : {&steps, &givens}) {
      for (const Step* step : *part) of.insert(step->scope.get());
    }
    std::vector<std::shared_ptr<const Scope>> used = trace.scopes;
    std::erase_if(used, [&](const auto& scope) { return !of.contains(scope.get()); });
    return used;
  }
};

/// Everything up to the steps.
void write_head(Writer& out, const Trace& trace, const Written& written) {
  out.format("attn.trace").line().add("title", trace.title);
  out.line().some("description", trace.description).line().key("tokens").object([&] {
    write_texts(out, tokens_of(trace.scope()));
    out.some("vocabulary", trace.scope().vocabulary);
  });
  out.line().key("settings").object([&] { write_texts(out, settings_of(trace.settings())); });
  write_scopes(out, written.scopes(trace));
  out.line().add("notes", trace.notes).line().key("order");
  out.list(written.steps, Layout::Row, [&](const Step* step) { out.value(step->id); });
}

}  // namespace

void each_json_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  const Written written(trace, choice.steps);
  Writer out(sink);
  const auto write = [&] {
    write_head(out, trace, written);
    write_steps(out, "steps", trace, written.steps, choice.nonfinite);
    if (!written.givens.empty())
      write_steps(out, "givens", trace, written.givens, choice.nonfinite);
  };
  out.object(Layout::Groups, write).end_text();
}

void each_ndjson_line(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  const Written written(trace, choice.steps);
  Writer out(sink, json::Spacing::OneLine);
  const auto write = [&] {
    write_head(out, trace, written);
    if (!written.givens.empty())
      write_steps(out, "givens", trace, written.givens, choice.nonfinite);
  };
  out.object(write).end_text();
  for (const Step* step : written.steps) {
    const auto write_line = [&] {
      write_step(out.add("id", step->id), trace, *step, choice.nonfinite);
    };
    out.object(write_line).end_text();
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
