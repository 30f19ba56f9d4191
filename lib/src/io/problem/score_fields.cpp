// The keys of a problem file for heads, scores, positions and number types.
#include "attn/error.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/field_row.hpp"

namespace attn {
namespace {

using json::Value;
using json::Writer;
using Draft = ProblemDraft;

constexpr Expectation kScale{
    "a number", "Write a number, \"none\" or \"1/sqrt(d_k)\", or leave out the key.", true};

constexpr KeyKind kScaleKind{
    kScale, kScale,
    R"json("anyOf": [{"enum": ["1/sqrt(d_k)", "none"]}, {"$ref": "#/$defs/number"}],
      "default": "1/sqrt(d_k)")json"};
constexpr KeyKind kPositionsKind{kWord, kWord, R"("$ref": "#/$defs/positions")"};
constexpr KeyKind kOffset{.whole = kCount, .item = kCount, .least = 0};
constexpr Expectation kPlaces{"a list of positions",
                              "Write a list such as [0, 0, 1], or one for each batch entry."};
constexpr KeyKind kPlaceLists{kPlaces, kCount, R"("$ref": "#/$defs/ids")"};
constexpr KeyKind kTableOfPositions{.whole = kMatrix, .item = kCell, .form = {2, 2}};
constexpr KeyKind kSlopeList{.whole = kNumbers, .item = kCell, .form = {1, 1}};

void read_scale(const Value& value, const ProblemKey&, Draft& draft) {
  if (const auto* number = std::get_if<double>(&value.node.value)) {
    draft.scale = {ScaleRule::Kind::Number, *number};
    return;
  }
  const auto* text = std::get_if<std::string>(&value.node.value);
  if (text == nullptr)
    throw json::wrong_type(value.file, value.pointer, "\"1/sqrt(d_k)\", \"none\" or a number",
                           "Write a number such as 0.5 or \"1/8\".");
  draft.scale = parse_scale(*text, value.pointer);
}

void write_scale(Writer& out, std::string_view key, const Draft& draft) {
  if (draft.scale.kind == ScaleRule::Kind::InverseSqrtDk) out.add(key, "1/sqrt(d_k)");
  if (draft.scale.kind == ScaleRule::Kind::None) out.add(key, "none");
  if (draft.scale.kind == ScaleRule::Kind::Number) out.add(key, draft.scale.number);
}

void apply_scale(const std::string& text, const ProblemKey&, Draft& draft) {
  draft.scale = parse_scale(text);
}

/// The kind alone as a string, or an object with its parameters.
void read_positions(const Value& value, const ProblemKey&, Draft& draft) {
  if (std::holds_alternative<std::string>(value.node.value)) {
    draft.positions.kind = parse_word<PositionKind>(json::read_text(value), value.pointer);
  } else {
    read_keys(value, "positions/", draft);
  }
}

/// Only the kind, if it has no parameters.
void write_positions(Writer& out, std::string_view key, const Draft& draft) {
  const Positions& p = draft.positions;
  if (!p.base && !p.rotary_dim && !p.offset && p.slopes.empty() && !p.partial_rotary_factor &&
      !p.scaling && p.ids.empty() && !p.table && !p.num_buckets && !p.max_distance &&
      !p.bidirectional)
    return write_value(out, key, p.kind);
  out.key(key).object([&] { write_keys(out, "positions/", draft); });
}

void apply_positions(const std::string& text, const ProblemKey& key, Draft& draft) {
  draft.positions = {};
  draft.positions.kind = option_as<PositionKind>(text, key);
}

void write_kind(Writer& out, std::string_view key, const Draft& draft) {
  out.add(key, word_of(draft.positions.kind));
}

constexpr char kLatentPath[] = "latent/";
using Latents = LatentDraft;

/// The kind alone as a string, or an object with its parameters.
void read_qk_norm(const Value& value, const ProblemKey& key, Draft& draft) {
  QkNorm& norm = draft.qk_norm;
  norm = {.kind = QkNormKind::Rms, .is_given = true};
  if (std::holds_alternative<std::string>(value.node.value)) {
    norm.kind = read_as<QkNormKind>(value, key);
  } else {
    read_keys(value, "qk_norm/", draft);
  }
}

void write_qk_norm(Writer& out, std::string_view key, const Draft& draft) {
  const QkNorm& norm = draft.qk_norm;
  if (!norm.is_given && !norm.eps && !norm.offset) return;
  if (!norm.eps && !norm.offset && norm.after == QkNormAfter::Projection) {
    out.add(key, word_of(norm.kind));
  } else {
    out.key(key).object([&] { write_keys(out, "qk_norm/", draft); });
  }
}

void read_norm_kind(const Value& value, const ProblemKey& key, Draft& draft) {
  draft.qk_norm.kind = read_as<QkNormKind>(value, key);
  draft.qk_norm.is_given = true;
}

void write_norm_kind(Writer& out, std::string_view key, const Draft& draft) {
  if (draft.qk_norm.is_given) out.add(key, word_of(draft.qk_norm.kind));
}

void apply_qk_norm(const std::string& text, const ProblemKey& key, Draft& draft) {
  draft.qk_norm.kind = option_as<QkNormKind>(text, key);
  draft.qk_norm.is_given = true;
}

/// One number, or a list of them.
std::optional<Array> read_sinks(const Value& value, const ProblemKey& key) {
  if (const auto* one = std::get_if<double>(&value.node.value)) return Array{{1}, {*one}};
  return json::read_array(value, key.kind.form);
}

void write_sinks(Writer& out, std::string_view key, const Draft& draft) {
  if (draft.sinks) out.key(key).array(*draft.sinks);
}

constexpr KeyKind kOneOrMore{
    .whole = kNumbers,
    .item = kCell,
    .schema = R"("anyOf": [{"type": "number"}, {"$ref": "#/$defs/vector"}])",
    .form = {1, 1}};
constexpr KeyKind kFromZero{
    .whole = kNumber, .item = kNumber, .schema = R"("type": "number", "minimum": 0)"};
constexpr KeyKind kZeroOrOne{
    .whole = kNumber, .item = kNumber, .schema = R"("enum": [0, 1], "default": 0)"};
constexpr KeyKind kQkNormKind{kWord, kWord, R"("$ref": "#/$defs/qk_norm")"};
constexpr KeyKind kGateKind{kObject, kObject, R"("$ref": "#/$defs/attention_gate")"};
constexpr char kGatePath[] = "attention_gate/";

constexpr KeyField sink_field() {
  KeyField f = field<&Draft::sinks>();
  f.read = [](const Value& value, const ProblemKey& key, Draft& draft) {
    draft.sinks = read_sinks(value, key);
  };
  f.write = write_sinks;
  f.apply = [](const std::string& text, const ProblemKey& key, Draft& draft) {
    draft.sinks = Array{{1}, {number_in(text, key, false)}};
  };
  return f;
}

constexpr ProblemKey kHeadKeys[] = {
    {.path = "heads",
     .kind = kHeadCount,
     .field = field<&Draft::heads>(),
     .says = "Number of query heads. Without it there is one head, and no head axis anywhere.",
     .example = {R"("heads": 2)", "cut Q, K and V into 2 heads"},
     .option = {"heads", "N", "number of heads"}},
    {.path = "kv_heads",
     .kind = kHeadCount,
     .field = field<&Draft::kv_heads>(),
     .says = "Number of key/value heads; heads is a multiple of it. Query head i uses head ⌊i / "
             "(heads / kv_heads)⌋. Default: heads.",
     .example = {R"("kv_heads": 1)", "K and V into fewer heads"},
     .option = {"kv-heads", "N", "number of key/value heads"}},
    {.path = "latent",
     .kind = kObjectKind,
     .field = object_field<&Draft::latent, kLatentPath>(),
     .says = "Latent attention, as in DeepSeek-V2: what its weights do not say by themselves.",
     .example = {R"("latent": {"rope_interleave": true})", "for w_dkv w_uk w_uv …"}},
    {.path = "latent/nope_dim",
     .kind = kHeadCount,
     .field = field<&Draft::latent, &Latents::nope_dim>(),
     .says = "Columns of a head that RoPE leaves alone: the first ones of its queries and keys. "
             "Default, as for the other two: what the weights have."},
    {.path = "latent/rope_dim",
     .kind = kHeadCount,
     .field = field<&Draft::latent, &Latents::rope_dim>(),
     .says = "Columns of a head that RoPE rotates; d_k = nope_dim + rope_dim."},
    {.path = "latent/v_dim",
     .kind = kHeadCount,
     .field = field<&Draft::latent, &Latents::v_dim>(),
     .says = "d_v."},
    {.path = "latent/rope_interleave",
     .kind = kFlagKind,
     .field = field<&Draft::latent, &Latents::rope_interleave>(),
     .says = "true: neighbouring columns are put into halves before RoPE, even ones first, as in "
             "DeepSeek-V3."},
    {.path = "latent/eps",
     .kind = kPositive,
     .field = field<&Draft::latent, &Latents::eps>(),
     .says = "Added to the mean square in the norms of the latents. Default: 1e-6."},
};

constexpr ProblemKey kScoreKeys[] = {
    {.path = "score",
     .kind = kWordKind,
     .field = field<&Draft::score>(),
     .says = "How a query and a key make a score: q·k, v·tanh(q + k) with v_score among the "
             "weights, or −½‖q − k‖².",
     .example = {R"("score": "dot", "normalize": "softmax")", "additive distance; sum sigmoid"},
     .option = {"score", "KIND", "how a query and a key make a score"}},
    {.path = "scale",
     .kind = kScaleKind,
     .field = {read_scale, write_scale, apply_scale},
     .says = "What multiplies Q·Kᵀ. Default: none with another score, and with t5.",
     .example = {R"json("scale": "1/sqrt(d_k)")json", "or \"none\", or a number"},
     .option = {"scale", "S", "1/sqrt(d_k), none, or a number such as 1/8"}},
    {.path = "softcap",
     .kind = kPositive,
     .field = field<&Draft::softcap>(),
     .says = "c: a scaled score x becomes c·tanh(x/c), before bias and mask.",
     .example = {R"("softcap": 30)", "scores become 30·tanh(score / 30)"},
     .option = {"softcap", "C", "scores become C·tanh(score / C)"}},
    {.path = "sinks",
     .kind = kOneOrMore,
     .field = sink_field(),
     .says = "One more logit in the softmax of every row, or one for each head, whose share no key "
             "gets: never scaled, capped or masked. 0: softmax-off-by-one. May also be among the "
             "weights.",
     .option = {"sinks", "S", "a score S without a key in every row"}},
    {.path = "qk_norm",
     .kind = kQkNormKind,
     .field = {read_qk_norm, write_qk_norm, apply_qk_norm, words_of<QkNormKind>},
     .says = "The norm of queries and keys. Default: rms if there are gains (q_norm, k_norm).",
     .example = {R"("qk_norm": "rms", "sinks": 0)", "or layer, l2; a score without a key"},
     .option = {"qk-norm", "KIND", "how queries and keys are normalised"}},
    {.path = "qk_norm/kind", .kind = kWordKind, .field = {read_norm_kind, write_norm_kind}},
    {.path = "qk_norm/eps", .kind = kFromZero, .field = field<&Draft::qk_norm, &QkNorm::eps>()},
    {.path = "qk_norm/offset",
     .kind = kZeroOrOne,
     .field = field<&Draft::qk_norm, &QkNorm::offset>(),
     .option = {"qk-norm-offset", "N", "added to the gains of that norm: 0 or 1"}},
    {.path = "qk_norm/after", .kind = kWordKind, .field = field<&Draft::qk_norm, &QkNorm::after>()},
    {.path = "attention_gate",
     .kind = kGateKind,
     .field = object_field<&Draft::attention_gate, kGatePath>(),
     .says = "What the gate of w_gate multiplies, and its activation.",
     .example = {R"("attention_gate": {"on": "context"})", "or concat, output: with w_gate"}},
    {.path = "attention_gate/activation",
     .kind = kTextKind,
     .field = field<&Draft::attention_gate, &AttentionGate::activation>()},
    {.path = "attention_gate/on",
     .kind = kWordKind,
     .field = field<&Draft::attention_gate, &AttentionGate::on>()},
    {.path = "normalize",
     .kind = kWordKind,
     .field = field<&Draft::normalize>(),
     .says = "How scores become weights: softmax, each row divided by its sum, or the sigmoid of "
             "each score.",
     .option = {"normalizing", "KIND", "how scores become weights"}},
};

constexpr ProblemKey kNumberKeys[] = {
    {.path = "positions",
     .kind = kPositionsKind,
     .field = {read_positions, write_positions, apply_positions, words_of<PositionKind>},
     .says = "How positions are encoded.",
     .example = {R"("positions": "rope")", "sinusoidal rope-interleaved alibi t5"},
     .option = {"positions", "KIND", "how positions are encoded"}},
    {.path = "positions/kind",
     .kind = kWordKind,
     .field = {field<&Draft::positions, &Positions::kind>().read, write_kind},
     .required = true},
    {.path = "positions/base",
     .kind = kPositive,
     .field = field<&Draft::positions, &Positions::base>()},
    {.path = "positions/rotary_dim",
     .kind = kHeadCount,
     .field = field<&Draft::positions, &Positions::rotary_dim>()},
    {.path = "positions/partial_rotary_factor",
     .kind = kPositive,
     .field = field<&Draft::positions, &Positions::partial_rotary_factor>()},
    {.path = "positions/offset",
     .kind = kOffset,
     .field = field<&Draft::positions, &Positions::offset>()},
    {.path = "positions/ids",
     .kind = kPlaceLists,
     .field = field<&Draft::positions, &Positions::ids>()},
    {.path = "positions/table",
     .kind = kTableOfPositions,
     .field = field<&Draft::positions, &Positions::table>()},
    {.path = "positions/num_buckets",
     .kind = kHeadCount,
     .field = field<&Draft::positions, &Positions::num_buckets>()},
    {.path = "positions/max_distance",
     .kind = kHeadCount,
     .field = field<&Draft::positions, &Positions::max_distance>()},
    {.path = "positions/bidirectional",
     .kind = kFlagKind,
     .field = field<&Draft::positions, &Positions::bidirectional>()},
    {.path = "positions/slopes",
     .kind = kSlopeList,
     .field = field<&Draft::positions, &Positions::slopes>()},
    {.path = "dtype",
     .kind = kWordKind,
     .field = field<&Draft::dtype>(),
     .says = "Every operation rounds its result to this type.",
     .example = {R"("dtype": "float64")", "float32 bfloat16 float16"},
     .option = {"dtype", "T", "number type of every result"}},
};

}  // namespace

std::span<const ProblemKey> head_keys() { return kHeadKeys; }
std::span<const ProblemKey> score_keys() { return kScoreKeys; }
std::span<const ProblemKey> number_keys() { return kNumberKeys; }

}  // namespace attn
