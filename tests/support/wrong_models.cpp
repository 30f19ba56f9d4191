// The port at work: whole models once more in plain loops, one habit at a time.
#include "support/wrong_models.hpp"

#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

#include "support/model_bench.hpp"

namespace attn::testing {
namespace {

/// How a library names the parts of its layers, and what they are.
struct Library {
  std::string attention, cross;
  std::vector<std::string> norms, linears;
  std::string activation;
  double epsilon;
  bool in_out = false, rms = false;
};

Library library_of(const std::string& kind) {
  if (kind == "gpt2") {
    return {"attn", "", {"ln_1", "ln_2"}, {"mlp.c_fc", "mlp.c_proj"}, "gelu_tanh", 1e-5, true};
  }
  if (kind == "llama") {
    return {"self_attn",
            "",
            {"input_layernorm", "post_attention_layernorm"},
            {"mlp.gate_proj", "mlp.down_proj", "mlp.up_proj"},
            "silu",
            1e-6,
            false,
            true};
  }
  if (kind == "bert") {
    return {"attention",
            "",
            {"attention.output.LayerNorm", "output.LayerNorm"},
            {"intermediate.dense", "output.dense"},
            "gelu",
            1e-12};
  }
  return {
      "self_attn", "multihead_attn", {"norm1", "norm2", "norm3"}, {"linear1", "linear2"}, "relu",
      1e-5};
}

/// w_q, b_q … of an attention, from one layer for all three or from one each.
WeightArrays attention_weights(const ModelBench& bench, const std::string& scope) {
  WeightArrays weights;
  const auto add = [&](const std::string& letter, const std::string& name, bool in_out, Index part,
                       Index parts) {
    const char joint = name.ends_with("in_proj") ? '_' : '.';
    const Array* w = found(bench, scope + name + joint + "weight");
    if (w == nullptr) return;
    const Index width = w->shape[in_out ? 1 : 0] / parts;
    weights["w_" + letter] = columns_of(*w, in_out, part * width, width);
    const Array* b = found(bench, scope + name + joint + "bias");
    if (b != nullptr) weights["b_" + letter] = columns_of(*b, false, part * width, width);
  };
  for (Index n = 0; n < 3; ++n) {
    const std::string letter(1, "qkv"[n]);
    add(letter, ".c_attn", true, n, 3);
    add(letter, ".in_proj", false, n, 3);
    add(letter, "." + letter + "_proj", false, 0, 1);
  }
  for (const auto& [letter, name] : {std::pair("q", ".self.query"),
                                     {"k", ".self.key"},
                                     {"v", ".self.value"},
                                     {"o", ".output.dense"},
                                     {"o", ".out_proj"},
                                     {"o", ".o_proj"}}) {
    add(letter, name, false, 0, 1);
  }
  add("o", ".c_proj", true, 0, 1);
  return weights;
}

/// What a stack of layers gets.
struct StackRun {
  std::string start;  ///< "h.": before the numbers of its layers
  std::vector<MaskSpec> masks, memory_masks = {};
  const Block* memory = nullptr;
};

/// A model being run.
class Port {
 public:
  explicit Port(const ModelAttempt& attempt)
      : attempt_(attempt),
        bench_{attempt.draft},
        library_(library_of(attempt.draft.model->kind)),
        first_(is_pre_norm() != attempt.other_order) {}

  Steps run() && {
    const std::string& kind = attempt_.draft.model->kind;
    if (kind == "transformer") {
      translate();
    } else if (kind == "bert") {
      run_bert();
    } else {
      generate(kind == "gpt2");
    }
    return std::move(bench_.steps);
  }

 private:
  bool is_pre_norm() const {
    const ModelDraft& model = *attempt_.draft.model;
    return model.kind == "gpt2" || model.kind == "llama" || model.norm_first;
  }
  const ModelHabits& habits(const std::string& part) const {
    static const ModelHabits right = right_model_habits();
    return attempt_.is_wrong(part) ? attempt_.wrong : right;
  }
  Block write(const std::string& id, const Block& block) {
    if (attempt_.unwritten.contains(id.substr(id.rfind('.') + 1))) return block;
    return kept(bench_, id, block);
  }

  Block norm(const std::string& id, const std::string& name, const Block& x) {
    const NormWork work{x, tensor(bench_, name + ".weight"), found(bench_, name + ".bias"),
                        !library_.rms, library_.epsilon};
    return write(id, habits(id).norm(work));
  }
  Block attention(const std::string& id, const std::string& name, const StackRun& stack,
                  const Block& x, const Block* memory) {
    Attempt one;
    static_cast<AttentionSettings&>(one.draft) = attempt_.draft;
    one.draft.embeddings = array_of(bench_, x);
    if (memory != nullptr) one.draft.memory = MemoryDraft{{}, array_of(bench_, *memory)};
    one.draft.weights = attention_weights(bench_, name);
    one.draft.heads = attempt_.draft.heads;
    one.draft.kv_heads = attempt_.draft.kv_heads;
    one.draft.masks = memory == nullptr ? stack.masks : stack.memory_masks;
    if (library_.rms) one.draft.positions.kind = PositionKind::Rope;
    const std::vector<LayerSettings>& layers = attempt_.draft.model->layers;
    if (!layers.empty()) {
      const LayerSettings& layer =
          layers.at(static_cast<std::size_t>(id.at(7) - '0'));  // "layers.N"
      one.draft.positions.base = layer.rope_base;
      if (layer.window)
        one.draft.masks.push_back(parse_mask("window:" + std::to_string(*layer.window - 1)));
    }
    Dice dice(1);
    const std::vector<std::string> all;
    Spoiling spoiling{std::move(one), dice, all};
    if (const auto spoil = habits(id).attention; spoil != nullptr) spoil(spoiling);
    Steps steps = worked(spoiling.attempt);
    for (const auto& [step, numbers] : steps) {
      if (step != "x" && step != "memory") bench_.steps[id + "." + step] = numbers;
    }
    return block_of(steps.at("output"), true);
  }
  Block feed_forward(const std::string& id, const std::string& name, const Block& x) {
    const ModelHabits& here = habits(id.substr(0, id.size() - 1));
    const auto linear = [&](const std::string& step, std::size_t n, const Block& rows) {
      const bool turned = here.transposed.contains(step);
      return write(id + step,
                   through(bench_, rows, name + library_.linears[n], library_.in_out != turned));
    };
    const auto active = [&](const Block& rows) {
      ProblemDraft other;
      other.model = ModelDraft{};
      other.model->activation = here.activation.empty() ? library_.activation : here.activation;
      const bool none = here.activation == "none";
      return write(id + "activation", none ? rows : activated(ModelBench{other}, rows, ""));
    };
    const bool gated = library_.linears.size() == 3;
    const std::size_t gate = gated && here.gate == "swapped" ? 2 : 0;
    const Block one = linear("linear1", gate, x);
    if (!gated) return linear("linear2", 1, active(one));
    const Block other = linear("linear3", 2 - gate, x);
    const Block act = active(one);
    const Block both = here.gate == "alone"  ? act
                       : here.gate == "none" ? other
                                             : product(act, other);
    return linear("linear2", 1, write(id + "gate", both));
  }

  Block layer(const StackRun& stack, const LayerRun& run, const Block& start) {
    const std::string id = stack.start + std::to_string(run.layer) + ".";
    const std::string name = stack.start + std::to_string(run.weights) + ".";
    const ModelHabits& here = habits(id.substr(0, id.size() - 1));
    int number = 0;
    Block x = start, shared;
    const auto branch = [&](auto make) {
      const std::string n = std::to_string(++number);
      const std::string& weights = library_.norms[static_cast<std::size_t>(number - 1)];
      const bool is_last = number == (stack.memory == nullptr ? 2 : 3);
      const std::string parallel = is_last ? here.parallel : "";
      Block inner = x;
      if (first_) inner = norm(id + "norm" + n, name + weights, parallel == "own" ? start : x);
      if (number == 1) shared = inner;
      if (parallel == "shared") inner = shared;
      x = write(id + "residual" + n, here.add(number, x, make(inner), inner));
      if (!first_) x = norm(id + "norm" + n, name + weights, x);
    };
    branch([&](const Block& rows) {
      return attention(id + library_.attention, name + library_.attention, stack, rows, nullptr);
    });
    if (stack.memory != nullptr) {
      branch([&](const Block& rows) {
        return attention(id + library_.cross, name + library_.cross, stack, rows, stack.memory);
      });
    }
    branch([&](const Block& rows) { return feed_forward(id, name, rows); });
    return x;
  }
  Block layers(const StackRun& stack, Block x) {
    for (const LayerRun& run : attempt_.layers) x = layer(stack, run, x);
    return x;
  }
  Block last_norm(const std::string& id, const std::string& name, const Block& x) {
    const bool there = found(bench_, name + ".weight") != nullptr && attempt_.last_norm;
    return there ? norm(id, name, x) : x;
  }

  Block looked_up(const std::string& name) const {
    const Block table = block_of(tensor(bench_, name), true);
    const std::vector<Index>& ids = attempt_.draft.ids[0];
    return filled(1, 1, std::ssize(ids), table.cols, [&](Index, Index, Index i, Index j) {
      return attempt_.embeddings_factor * table.at(0, 0, ids[static_cast<std::size_t>(i)], j);
    });
  }
  /// As many rows of a table as x has, or its first row as often.
  Block first_rows(const std::string& name, const Block& x, bool same = false) const {
    const Block table = block_of(tensor(bench_, name), true);
    return like(x, [&](Index, Index, Index i, Index j) { return table.at(0, 0, same ? 0 : i, j); });
  }
  void predict_by(const Block& rows, const std::string& table, const Array* b = nullptr) {
    const Array* head = attempt_.tied ? nullptr : found(bench_, "lm_head.weight");
    const Array& words = head == nullptr ? tensor(bench_, table) : *head;
    predict(bench_, rows, columns_of(words, false, 0, words.shape[0]), b);
  }

  void generate(bool is_gpt2) {
    const std::string table = is_gpt2 ? "wte.weight" : "embed_tokens.weight";
    Block x = looked_up(table);
    if (is_gpt2) {
      write("token_embeddings", x);
      x = sum(x, write("position_embeddings", first_rows("wpe.weight", x)));
    }
    write("x", x);
    x = layers({is_gpt2 ? "h." : "layers.", {parse_mask("causal")}}, x);
    x = last_norm("norm", is_gpt2 ? "ln_f" : "norm", x);
    predict_by(write("output", x), table);
  }
  void run_bert() {
    const std::string start = "embeddings.", head = "cls.predictions.";
    const std::string table = start + "word_embeddings.weight";
    Block x = write("token_embeddings", looked_up(table));
    const Block place = first_rows(start + "position_embeddings.weight", x);
    const Block type = first_rows(start + "token_type_embeddings.weight", x, true);
    write("position_embeddings", place);
    write("token_type_embeddings", type);
    x = write("embedding_sum", sum(sum(x, place), type));
    x = norm("x", start + "LayerNorm", x);
    x = write("output", layers({"encoder.layer.", attempt_.draft.masks}, x));
    x = write("predictions.linear", through(bench_, x, head + "transform.dense"));
    x = write("predictions.activation", activated(bench_, x, "gelu"));
    x = norm("predictions.norm", head + "transform.LayerNorm", x);
    predict_by(x, table, found(bench_, head + "bias"));
  }
  void translate() {
    const ProblemDraft& draft = attempt_.draft;
    const Block source = write("encoder.x", block_of(draft.source->embeddings, true));
    Block memory = layers({"encoder.layers.", draft.source_masks}, source);
    memory = write("memory", last_norm("encoder.norm", "encoder.norm", memory));
    Block x = write("x", block_of(*draft.embeddings, true));
    x = layers({"decoder.layers.", draft.masks, draft.memory_masks, &memory}, x);
    x = write("output", last_norm("decoder.norm", "decoder.norm", x));
    if (!draft.vocabulary) return;
    const std::optional<Array>& b = draft.vocabulary->b;
    predict(bench_, x, draft.vocabulary->w, b ? &*b : nullptr);
  }

  const ModelAttempt& attempt_;
  ModelBench bench_;
  Library library_;
  bool first_;  ///< norms come before the branches
};

}  // namespace

bool ModelAttempt::is_wrong(const std::string& part) const {
  const std::size_t star = place.find('*');
  if (star == place.npos) return place == part;
  return part.starts_with(place.substr(0, star)) && part.ends_with(place.substr(star + 1));
}

Steps ported(const ModelAttempt& attempt) { return Port(attempt).run(); }

ModelHabits right_model_habits() {
  ModelHabits habits;
  habits.norm = [](const NormWork& work) {
    const Block& x = work.x;
    const auto width = static_cast<double>(x.cols);
    return like(x, [&](Index b, Index, Index i, Index j) {
      double mean = 0, squares = 0;
      for (Index c = 0; c < x.cols && work.centred; ++c) mean += x.at(b, 0, i, c) / width;
      for (Index c = 0; c < x.cols; ++c) squares += std::pow(x.at(b, 0, i, c) - mean, 2);
      const auto column = static_cast<std::size_t>(j);
      const double y = (x.at(b, 0, i, j) - mean) / std::sqrt(squares / width + work.epsilon);
      return y * work.gain.data[column] + (work.bias == nullptr ? 0 : work.bias->data[column]);
    });
  };
  habits.add = [](int, const Block& x, const Block& branch, const Block&) {
    return sum(x, branch);
  };
  return habits;
}

}  // namespace attn::testing
