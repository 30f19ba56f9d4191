// The keys of a problem file for whole models, and for the words that a model predicts.
#include "core/problem/model_kinds.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/field_row.hpp"

namespace attn {
namespace {

using Draft = ProblemDraft;
using Vocabulary = VocabularyDraft;

constexpr Expectation kModel{"an object", "Write {\"kind\": \"encoder\"}, for example."};
constexpr Expectation kLayers{"a list of objects",
                              "Write one object for each layer, such as [{\"window\": 512}, {}]."};
constexpr Expectation kIds{"a list of token ids", "Write a list such as [464, 3797]."};
constexpr Expectation kId{"a token id", "Write a whole number such as 464."};
constexpr Expectation kLabels{"a list of labels",
                              "Write a list such as [1, null, \"cat\"], one for each row."};
constexpr Expectation kLabel{
    "a label", "Write a token of the vocabulary, its index, or null for no label.", true};

constexpr KeyKind kModelKind{kModel, kModel};
constexpr KeyKind kLayerList{kLayers, kLayers,
                             R"("type": "array", "items": {"$ref": "#/$defs/layer"})"};
constexpr KeyKind kIdLists{kIds, kId, R"("$ref": "#/$defs/ids")"};
constexpr KeyKind kLabelLists{kLabels, kLabel, R"("$ref": "#/$defs/labels")"};
constexpr KeyKind kWordVector{
    .whole = kNumbers, .item = kCell, .schema = R"("$ref": "#/$defs/vector")", .form = {1, 1}};
constexpr KeyKind kWordMatrix{.whole = kMatrix,  // d_model × V
                              .item = kCell,
                              .schema = R"("$ref": "#/$defs/input")"};

constexpr KeyKind kParallelFlag{kYesOrNo, kYesOrNo, R"("type": "boolean", "default": true)"};
constexpr KeyKind kPadId{kCount, kCount, R"("type": "integer", "minimum": 0)"};

constexpr char kModelPath[] = "model/";
constexpr char kSource[] = "source/";
constexpr char kVocabulary[] = "vocabulary/";

std::vector<std::string> kind_words() {
  std::vector<std::string> names;
  for (const ModelKind& kind : model_kinds()) names.emplace_back(kind.name);
  return names;
}

constexpr KeyField with_words(KeyField field, std::vector<std::string> (*words)()) {
  field.words = words;
  return field;
}

void apply_ids(const std::string& text, const ProblemKey&, Draft& draft) {
  draft.ids = ids_in(text);
}

void apply_source_ids(const std::string& text, const ProblemKey&, Draft& draft) {
  if (!draft.source) draft.source.emplace();
  draft.source->ids = ids_in(text);
}

constexpr KeyField kParallel = field<&Draft::model, &ModelDraft::parallel_residual>();

void write_parallel(json::Writer& out, std::string_view key, const Draft& draft) {
  if (draft.model->parallel_residual) out.add(key, *draft.model->parallel_residual);
}

constexpr KeyField kIdField = field<&Draft::ids>();
constexpr KeyField kSourceIdField = field<&Draft::source, &MemoryDraft::ids>();

constexpr ProblemKey kModelKeys[] = {
    {.path = "model",
     .kind = kModelKind,
     .field = object_field<&Draft::model, kModelPath>(),
     .says = "A whole model instead of a single attention layer. The weights keep the names under "
             "which PyTorch or Hugging Face saved them.",
     .example = {R"("model": {"kind": "gpt2"})", "a whole model, not one layer"}},
    {.path = "model/kind",
     .kind = kWordKind,
     .field = with_words(field<&Draft::model, &ModelDraft::kind>(), kind_words),
     .says = "transformer, encoder, decoder: nn.Transformer and its two stacks. attention_only: "
             "attention and residuals alone. layer_norm, rms_norm, feed_forward: one part alone.",
     .required = true},
    {.path = "model/norm_first",
     .kind = kFlagKind,
     .field = field<&Draft::model, &ModelDraft::norm_first>(),
     .says = "true: each part of a layer begins with its norm (pre-norm)."},
    {.path = "model/activation",
     .kind = kWordKind,
     .field = with_words(field<&Draft::model, &ModelDraft::activation>(), activation_names),
     .says = "Of the feed-forward part. Default: that of the kind, such as relu or silu."},
    {.path = "model/layer_norm_eps",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::layer_norm_eps>(),
     .says = "Added to the variance (or mean square) under the root of each norm. Default: that of "
             "the kind, such as 1e-5."},
    {.path = "model/rope_base",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::rope_base>(),
     .says = "Llama: pair i is rotated by position / rope_base^(2i/d_k). Default: 10000."},
    {.path = "model/layers",
     .kind = kLayerList,
     .field = field<&Draft::model, &ModelDraft::layers>(),
     .says = "What attention does otherwise in each layer: one object per layer."},
    {.path = "model/embedding_multiplier",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::embedding_multiplier>(),
     .says = "What embeddings are multiplied by. Default: 1; Gemma √d_model."},
    {.path = "model/residual_multiplier",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::residual_multiplier>(),
     .says = "What the result of attention, and of the feed-forward part, is multiplied by before "
             "it is added. Default: 1."},
    {.path = "model/logits_scaling",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::logits_scaling>(),
     .says = "What logits are divided by. Default: 1."},
    {.path = "model/logits_softcap",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::logits_softcap>(),
     .says = "c: a logit x becomes c·tanh(x/c)."},
    {.path = "model/parallel_residual",
     .kind = kParallelFlag,
     .field = {kParallel.read, write_parallel},
     .says = "false: GPT-NeoX whose feed-forward part reads the sum after attention."},
    {.path = "model/pad_id",
     .kind = kPadId,
     .field = field<&Draft::model, &ModelDraft::pad_id>(),
     .says = "RoBERTa: the id of padding; positions start after it. Default: 1."},
    {.path = "model/num_experts_per_tok",
     .kind = kHeadCount,
     .field = field<&Draft::model, &ModelDraft::experts, &ExpertsDraft::per_token>(),
     .says = "How many experts each token chooses. Default: that of the family, 2 for mixtral."},
    {.path = "model/norm_topk_prob",
     .kind = kFlagKind,
     .field = field<&Draft::model, &ModelDraft::experts, &ExpertsDraft::renormalize>(),
     .says = "Whether the weights of the chosen experts are divided by their sum. Default: that of "
             "the family."},
    {.path = "model/n_group",
     .kind = kHeadCount,
     .field = field<&Draft::model, &ModelDraft::experts, &ExpertsDraft::groups>(),
     .says = "DeepSeek: experts are in this many groups. Default: 1."},
    {.path = "model/topk_group",
     .kind = kHeadCount,
     .field = field<&Draft::model, &ModelDraft::experts, &ExpertsDraft::kept_groups>(),
     .says = "DeepSeek: experts are chosen from this many groups. Default: all."},
    {.path = "model/routed_scaling_factor",
     .kind = kPositive,
     .field = field<&Draft::model, &ModelDraft::experts, &ExpertsDraft::factor>(),
     .says = "DeepSeek: multiplies the weights of the chosen experts. Default: 1."},
    {.path = "ids",
     .kind = kIdLists,
     .field = {kIdField.read, kIdField.write, apply_ids},
     .says = "The token ids that models of Hugging Face read: one list, or one per batch entry.",
     .example = {R"("ids": [464, 3797])", "what gpt2, bert, llama … read"},
     .option = {"ids", "N,N", "token ids that the model reads"}},
    {.path = "source",
     .kind = kObjectKind,
     .field = object_field<&Draft::source, kSource>(),
     .says = "What the encoder of a transformer reads; its decoder reads the embeddings.",
     .example = {R"("source": {"embeddings": [[1, 0]]})", "what a transformer's encoder reads"}},
    {.path = "source/tokens",
     .kind = kTokenLists,
     .field = field<&Draft::source, &MemoryDraft::tokens>(),
     .says = "Labels of the rows of the source. Default: m0, m1, …"},
    {.path = "source/embeddings",
     .kind = kInput,
     .field = field<&Draft::source, &MemoryDraft::embeddings>(),
     .says = "T_k × d_model, or N × T_k × d_model."},
    {.path = "source/embedding_table",
     .kind = kTable,
     .field = field<&Draft::source, &MemoryDraft::embedding_table>(),
     .says = "Token → vector. With the tokens of the source, it supplies its embeddings."},
    {.path = "source/ids",
     .kind = kIdLists,
     .field = {kSourceIdField.read, kSourceIdField.write, apply_source_ids},
     .says = "The token ids that the encoder of T5 or BART reads.",
     .option = {"source-ids", "N,N", "token ids that the encoder reads (T5, BART)"}},
    {.path = "source_mask",
     .kind = kMasks,
     .field = field<&Draft::source_masks>(),
     .says = "Masks of the encoder of a transformer, as for \"mask\".",
     .example = {R"("source_mask": "padding")", "masks of a transformer's encoder"}},
    {.path = "memory_mask",
     .kind = kMasks,
     .field = field<&Draft::memory_masks>(),
     .says = "Masks of the cross attention of a model, as for \"mask\".",
     .example = {R"("memory_mask": "padding")", "masks of its cross attention"}},
    {.path = "vocabulary",
     .kind = kObjectKind,
     .field = object_field<&Draft::vocabulary, kVocabulary>(),
     .says = "A last linear layer, whose columns are words: it adds logits and probabilities.",
     .example = {R"("vocabulary": {"w": [[1, 0], [0, 1]]})", "adds logits and probabilities"}},
    {.path = "vocabulary/tokens",
     .kind = kTokens,
     .field = field<&Draft::vocabulary, &Vocabulary::tokens>(),
     .says = "The words, one for each column. Without w they name the logits of a model."},
    {.path = "vocabulary/w",
     .kind = kWordMatrix,
     .field = field<&Draft::vocabulary, &Vocabulary::w>(),
     .says = "d_model × V. A model that has logits of its own needs none."},
    {.path = "vocabulary/b",
     .kind = kWordVector,
     .field = field<&Draft::vocabulary, &Vocabulary::b>(),
     .says = "V numbers, added to every row of logits."},
    {.path = "vocabulary/end_token",
     .kind = kTextKind,
     .field = field<&Draft::vocabulary, &Vocabulary::end_token>(),
     .says = "The token after which generating stops."},
    {.path = "target",
     .kind = kInput,
     .field = field<&Draft::target>(),
     .says = "What the output should be: adds mean_squared_error, as nn.MSELoss.",
     .example = {R"("target": [[1, 0]])", "of the output; adds a squared error"}},
    {.path = "labels",
     .kind = kLabelLists,
     .field = field<&Draft::labels>(),
     .says = "The right next token of each row, by its text or index; null for none. They add loss "
             "and mean_loss.",
     .example = {R"("labels": [1, null])", "right next tokens; adds the loss"}},
};

}  // namespace

std::span<const ProblemKey> model_keys() { return kModelKeys; }

}  // namespace attn
