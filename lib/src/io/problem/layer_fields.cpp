// The key "layers" of a whole model: what the attention of each layer does otherwise.
#include "attn/setting_names.hpp"
#include "io/json/read_object.hpp"
#include "io/problem/draft_values.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

using json::Value;
using json::Writer;
using Layer = LayerSettings;

/// What the reader of that key of a problem makes of the value.
ProblemDraft read_by(const char* path, const Value& value) {
  ProblemDraft draft;
  const ProblemKey& key = *find_key(path);
  key.field.read(value, key, draft);
  return draft;
}

void write_by(const char* path, Writer& out, const char* name, const ProblemDraft& draft) {
  find_key(path)->field.write(out, name, draft);
}

double number_above_0(const Value& value) {
  const double number = json::read_number(value);
  if (number > 0.0) return number;
  throw json::wrong_type(value.file, value.pointer, "a number above 0",
                         "Write a number such as 10000, or leave out the key.");
}

constexpr json::Key<Layer> kLayerKeys[] = {
    {"window", [](const Value& v, Layer& layer) { layer.window = json::read_count(v, 1); }},
    {"rope_base", [](const Value& v, Layer& layer) { layer.rope_base = number_above_0(v); }},
    {"scaling",
     [](const Value& v, Layer& layer) {
       layer.scaling = read_by("positions/scaling", v).positions.scaling;
     }},
    {"positions",
     [](const Value& v, Layer& layer) {
       layer.positions = parse_word<PositionKind>(json::read_text(v), v.pointer);
       const bool of_scores = *layer.positions == PositionKind::None ||
                              *layer.positions == PositionKind::Alibi ||
                              is_rotary(*layer.positions);
       if (!of_scores)
         throw json::wrong_type(v.file, v.pointer, "positions of attention",
                                "Write \"none\", \"rope\" or \"alibi\".");
     }},
    {"scale", [](const Value& v, Layer& layer) { layer.scale = read_by("scale", v).scale; }},
    {"softcap", [](const Value& v, Layer& layer) { layer.softcap = number_above_0(v); }},
};

}  // namespace

void read_into(const Value& value, std::vector<LayerSettings>& layers) {
  const auto* items = std::get_if<json::Items>(&value.node.value);
  if (items == nullptr)
    throw json::wrong_type(value.file, value.pointer, "a list of objects",
                           "Write one object for each layer, such as [{\"window\": 512}, {}].");
  for (const json::Node& item : *items) {
    const Value each{value.file, item, json::child_pointer(value.pointer, layers.size())};
    json::read_object(each, kLayerKeys, layers.emplace_back());
  }
}

void write_member(Writer& out, std::string_view key, const std::vector<LayerSettings>& layers) {
  if (layers.empty()) return;
  out.key(key).list(layers, json::Layout::Lines, [&](const Layer& layer) {
    out.object(json::Layout::Row, [&] {
      out.some("window", layer.window).some("rope_base", layer.rope_base);
      ProblemDraft draft;
      draft.positions.scaling = layer.scaling;
      write_by("positions/scaling", out, "scaling", draft);
      if (layer.positions) out.add("positions", word_of(*layer.positions));
      if (layer.scale) draft.scale = *layer.scale;
      if (layer.scale && *layer.scale == ScaleRule()) out.add("scale", "1/sqrt(d_k)");
      write_by("scale", out, "scale", draft);
      out.some("softcap", layer.softcap);
    });
  });
}

}  // namespace attn
