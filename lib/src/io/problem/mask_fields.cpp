// The keys of a problem file for who may attend to whom, and how a score is hidden.
#include <limits>

#include "attn/error.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/field_row.hpp"

namespace attn {
namespace {

using json::Value;
using json::Writer;
using Draft = ProblemDraft;

constexpr Expectation kFlag{.what = "0 or 1", .fix = "Write 1 or 0, true or false.", .flag = true};
constexpr Expectation kBiasCell{
    .what = "a number",
    .fix = "Write a number, or \"-Infinity\" in quotation marks to hide the key.",
    .minus_infinity = true};
constexpr Expectation kFill{.what = "a number",
                            .fix = "Write a number such as -1e9, or \"-Infinity\".",
                            .minus_infinity = true};
constexpr Expectation kLengths{"a list of whole numbers",
                               "Write a list such as [3, 4], or leave out the key."};

// Both broadcast to batch × head × T_q × T_k.
constexpr KeyKind kAllowed{kMatrix, kFlag, R"("$ref": "#/$defs/flags")", {1, 4, true}};
constexpr KeyKind kScores{kMatrix, kBiasCell, R"("$ref": "#/$defs/scores")", {1, 4}};
constexpr KeyKind kKeyLengths{kLengths, kCount,
                              R"("type": "array", "minItems": 1,
      "items": {"type": "integer", "minimum": 0, "maximum": 2147483648})"};
constexpr KeyKind kFillKind{kFill, kFill,
                            R"("anyOf": [{"type": "number"}, {"enum": ["-Infinity", "-inf"]}],
      "default": "-Infinity")"};

void read_masking(const Value& value, const ProblemKey&, Draft& draft) {
  if (std::holds_alternative<std::string>(value.node.value)) {
    throw json::wrong_type(value.file, value.pointer, "an object such as {\"mode\": \"add\"}",
                           "Write the mode in braces, as {\"mode\": \"add\"}.");
  }
  read_keys(value, "masking/", draft);
}

void write_masking(Writer& out, std::string_view key, const Draft& draft) {
  if (draft.masking == MaskingMode::Replace && !draft.fill && !draft.mask_before_scale) return;
  out.key(key).object([&] { write_keys(out, "masking/", draft); });
}

void write_mode(Writer& out, std::string_view key, const Draft& draft) {
  out.add(key, word_of(draft.masking));
}

void read_fill(const Value& value, const ProblemKey&, Draft& draft) {
  const auto* text = std::get_if<std::string>(&value.node.value);
  if (text && (*text == "-Infinity" || *text == "-inf")) {
    draft.fill = -std::numeric_limits<double>::infinity();
  } else if (std::holds_alternative<double>(value.node.value)) {
    draft.fill = json::read_number(value);
  } else {
    throw json::wrong_type(value.file, value.pointer, "a number or \"-Infinity\"", kFill.fix);
  }
}

constexpr char kDropout[] = "dropout/";
constexpr KeyKind kShareKind{kNumber, kNumber,
                             R"("type": "number", "minimum": 0, "exclusiveMaximum": 1)"};

constexpr KeyField kMode = field<&Draft::masking>();
constexpr KeyField kFillField = field<&Draft::fill>();

constexpr ProblemKey kMaskKeys[] = {
    {.path = "mask",
     .kind = kMasks,
     .field = field<&Draft::masks>(),
     .says = "A mask, or several: a key is visible only if every mask allows it.",
     .example = {R"("mask": ["causal", "keys:1"])", "one mask or several: help masks"}},
    {.path = "allowed",
     .kind = kAllowed,
     .field = field<&Draft::allowed>(),
     .says = "1 or true = may attend. Rank 1 to 4, aligned to the right with N × h × T_q × T_k.",
     .example = {R"("allowed": [[1, 0], [1, 1]])", "1 = may attend; \"hidden\": 0"}},
    {.path = "hidden",
     .kind = kAllowed,
     .field = field<&Draft::hidden>(),
     .says = "1 or true = hidden: the opposite of allowed, as in nn.MultiheadAttention."},
    {.path = "bias",
     .kind = kScores,
     .field = field<&Draft::bias>(),
     .says = "Added to the scaled scores; \"-Infinity\" hides. Rank 1 to 4, aligned to the right "
             "with N × h × T_q × T_k.",
     .example = {R"("bias": [[0, "-Infinity"], [0.5, 0]])", "added to the scaled scores"}},
    {.path = "key_lengths",
     .kind = kKeyLengths,
     .field = field<&Draft::key_lengths>(),
     .says = "The number of real keys in each batch entry; keys after those are hidden.",
     .example = {R"("key_lengths": [2])", "real keys of each batch entry"}},
    {.path = "dropout",
     .kind = kObjectKind,
     .field = object_field<&Draft::dropout, kDropout>(),
     .says = "Dropout on the weights: those that were kept are divided by 1 − p.",
     .example = {R"("dropout": {"p": 0.5, "keep": [[1]]})", "1 = kept, and divided by 1 − p"}},
    {.path = "dropout/p",
     .kind = kShareKind,
     .field = field<&Draft::dropout, &DropoutDraft::p>(),
     .says = "The share that is dropped on average, from 0 to below 1.",
     .required = true},
    {.path = "dropout/keep",
     .kind = kAllowed,
     .field = field<&Draft::dropout, &DropoutDraft::keep>(),
     .says = "1 or true = kept. Rank 1 to 4, aligned to the right with N × h × T_q × T_k.",
     .required = true},
    {.path = "align",
     .kind = kWordKind,
     .field = field<&Draft::align>(),
     .says =
         "The position of query i among the keys, p_i = i + offset, for causal, window and prefix "
         "masks, rope and alibi. start: 0, or the length of the past. end: T_k − T_q. "
         "key-lengths: key length − T_q.",
     .example = {R"("align": "start")", "or end, key-lengths: help masks"},
     .option = {"align", "A", "position of queries relative to keys"}},
    {.path = "masking",
     .kind = kObjectKind,
     .field = {read_masking, write_masking},
     .says = "How scores are hidden.",
     .example = {R"("masking": {"mode": "add", "fill": -1e9})", "replace multiply renormalize"}},
    {.path = "masking/mode",
     .kind = kWordKind,
     .field = {kMode.read, write_mode, kMode.apply, kMode.words},
     .says =
         "replace writes the fill into hidden scores, add adds it; multiply sets hidden weights "
         "to 0 after softmax, renormalize also divides each row by its sum.",
     .option = {"masking", "MODE", "what a mask does to scores or weights"}},
    {.path = "masking/fill",
     .kind = kFillKind,
     .field = {read_fill, kFillField.write, kFillField.apply},
     .says = "What hidden scores become, or what is added to them.",
     .option = {"fill", "X", "what hidden scores become (default -Infinity)"}},
    {.path = "masking/before_scale",
     .kind = kFlagKind,
     .field = field<&Draft::mask_before_scale>(),
     .says = "true: bias and mask act on the raw scores, and the result is scaled, as in "
             "softmax((Q·Kᵀ + Mask)/√d_k)."},
    {.path = "empty_row",
     .kind = kWordKind,
     .field = field<&Draft::empty_row>(),
     .says = "The weights of a query that sees no key.",
     .example = {R"("empty_row": "zero")", "no key seen: nan, uniform, error"},
     .option = {"empty-row", "POLICY", "weights of a query that sees no key"}},
};

}  // namespace

std::span<const ProblemKey> mask_keys() { return kMaskKeys; }

}  // namespace attn
