// Applies the settings of a lesson's computations.
#include "teach/lessons/lesson_settings.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "attn/torch_random.hpp"
#include "teach/lessons/backwards.hpp"
#include "teach/lessons/lesson_value.hpp"

namespace attn {
namespace {

double number_in(const std::string& text) {
  if (const auto x = parse_number(text)) return *x;
  throw LessonFault{"\"" + text + "\" is not a number"};
}

/// Queries and keys of random numbers with mean 0 and variance 1, d_k of them each.
ProblemDraft random_vectors(Index d_k) {
  if (d_k < 1 || d_k > 4096) throw LessonFault{"vectors have 1 to 4096 numbers"};
  ProblemDraft draft;
  draft.q = randn({32, d_k}, 1);
  draft.k = randn({32, d_k}, 2);
  draft.v = randn({32, 1}, 3);
  return draft;
}

/// Only the first `n` tokens.
void keep_tokens(ProblemDraft& draft, Index n) {
  const auto limit = [n](auto& list) {
    if (n >= 1 && n < std::ssize(list)) list.resize(static_cast<std::size_t>(n));
  };
  if (!draft.tokens.empty()) limit(draft.tokens[0]);
  for (std::vector<Index>& ids : draft.positions.ids) limit(ids);
  draft.labels.clear();
  if (!draft.embeddings || n < 1 || n >= draft.embeddings->shape[0]) return;
  Array& x = *draft.embeddings;
  x.shape[0] = n;
  x.data.resize(static_cast<std::size_t>(n * x.shape[1]));
}

/// Another vector in place of one token's: that of the last token, or its own plus 1.
void change_token(ProblemDraft& draft, Index token) {
  if (!draft.embeddings) {
    if (!draft.tokens.empty())
      draft.tokens[0].at(static_cast<std::size_t>(token)) = draft.tokens[0].back();
    return;
  }
  Array& x = *draft.embeddings;
  if (token < 0 || token >= x.shape[0]) throw LessonFault{"there is no such token"};
  const auto row = x.data.begin() + token * x.shape[1];
  std::for_each(row, row + x.shape[1], [](double& number) { number += 1.0; });
}

void multiply(Array& array, double factor) {
  for (double& x : array.data) x *= factor;
}

/// Another kind of scaling with the factor that the problem has, or none.
void set_rope_scaling(ProblemDraft& draft, const std::string& kind) {
  auto& scaling = draft.positions.scaling;
  if (kind == "none") return scaling.reset();
  if (kind != "linear" || !scaling) throw LessonFault{"rope-scaling is none or linear"};
  RopeScaling other;
  other.kind = RopeScalingKind::Linear;
  other.factor = scaling->factor;
  scaling = other;
}

constexpr std::array kSettings{
    // Nothing that hides, adds keys or predicts; what is empty is zero.
    LessonSetting{"plain", false, [](ProblemDraft& d, const std::string&) { mask_only(d, {}); }},
    LessonSetting{"gradient", false, [](ProblemDraft&, const std::string&) {}},
    LessonSetting{"unlabelled", false,
                  [](ProblemDraft& d, const std::string&) {
                    d.vocabulary.reset();
                    d.labels.clear();
                  }},
    LessonSetting{"no-labels", false,
                  [](ProblemDraft& d, const std::string&) { d.labels.clear(); }},
    LessonSetting{"no-last-label", false,
                  [](ProblemDraft& d, const std::string&) {
                    if (!d.labels.empty()) d.labels.front().back() = {};
                  }},
    LessonSetting{"no-positions", false,
                  [](ProblemDraft& d, const std::string&) { d.positions = {}; }},
    // Its own masks, or a causal one if it has none, and −∞ for what they hide.
    LessonSetting{"masked", false,
                  [](ProblemDraft& d, const std::string&) {
                    d.fill.reset();
                    d.mask_before_scale = false;
                    d.empty_row = EmptyRow::Zero;
                    if (d.masks.empty() && !d.allowed) d.masks = {parse_mask("causal")};
                  }},
    LessonSetting{"no-added-keys", false,
                  [](ProblemDraft& d, const std::string&) {
                    d.add_zero_attn = false;
                    d.weights.erase("bias_k");
                    d.weights.erase("bias_v");
                  }},
    LessonSetting{"zero-key", false,
                  [](ProblemDraft& d, const std::string&) { d.add_zero_attn = true; }},
    LessonSetting{"before-scale", false,
                  [](ProblemDraft& d, const std::string&) { d.mask_before_scale = true; }},
    LessonSetting{"one-head", false, [](ProblemDraft& d, const std::string&) { d.heads.reset(); }},
    LessonSetting{"without", true,
                  [](ProblemDraft& d, const std::string& name) {
                    if (name == "sinks") d.sinks.reset();
                    d.weights.erase(name);
                  }},
    LessonSetting{"bias", true,
                  [](ProblemDraft& d, const std::string& x) {
                    d.bias = Array{{1}, {number_in(x)}};
                  }},
    LessonSetting{"offset", true,
                  [](ProblemDraft& d, const std::string& x) {
                    d.positions.offset = static_cast<Index>(number_in(x));
                  }},
    // How many columns are rotated: an even number of these.
    LessonSetting{"even-rotation", true,
                  [](ProblemDraft& d, const std::string& x) {
                    const auto columns = static_cast<Index>(number_in(x));
                    d.positions.rotary_dim = columns - columns % 2;
                  }},
    LessonSetting{"slope", true,
                  [](ProblemDraft& d, const std::string& x) {
                    const auto heads = static_cast<std::size_t>(d.heads.value_or(1));
                    d.positions.slopes.assign(heads, number_in(x));
                  }},
    LessonSetting{"x-times", true,
                  [](ProblemDraft& d, const std::string& x) {
                    if (d.embeddings) multiply(*d.embeddings, number_in(x));
                  }},
    LessonSetting{"queries-times", true,
                  [](ProblemDraft& d, const std::string& x) {
                    for (const char* name : {"w_q", "b_q"}) {
                      const auto found = d.weights.find(name);
                      if (found != d.weights.end()) multiply(found->second, number_in(x));
                    }
                  }},
    LessonSetting{"rope-scaling", true, set_rope_scaling},
    LessonSetting{"angles", false, [](ProblemDraft&, const std::string&) {}},
    LessonSetting{"expert-times-2", true,
                  [](ProblemDraft& d, const std::string& expert) {
                    const std::string layer = "layers.0.block_sparse_moe.experts.";
                    const auto found = d.weights.find(layer + expert + ".w2.weight");
                    if (found != d.weights.end()) multiply(found->second, 2.0);
                  }},
    LessonSetting{"undivided-experts", false,
                  [](ProblemDraft& d, const std::string&) {
                    if (d.model) d.model->experts.renormalize = false;
                  }},
    LessonSetting{"first-id", false,
                  [](ProblemDraft& d, const std::string&) {
                    for (auto& ids : d.ids) ids.resize(1);
                    for (auto& labels : d.labels) labels.resize(1);
                  }},
    LessonSetting{"order", true, permute_tokens},
    LessonSetting{"first", true,
                  [](ProblemDraft& d, const std::string& n) {
                    keep_tokens(d, static_cast<Index>(number_in(n)));
                  }},
    LessonSetting{"other-token", true,
                  [](ProblemDraft& d, const std::string& i) {
                    change_token(d, static_cast<Index>(number_in(i)));
                  }},
    // Each matrix of weights with its numbers in the opposite order.
    LessonSetting{"reordered-weights", false,
                  [](ProblemDraft& d, const std::string&) {
                    for (auto& [name, array] : d.weights)
                      std::reverse(array.data.begin(), array.data.end());
                  }},
    LessonSetting{"random-vectors", true,
                  [](ProblemDraft& d, const std::string& d_k) {
                    d = random_vectors(static_cast<Index>(number_in(d_k)));
                  }},
    LessonSetting{"seeded-layer", false,
                  [](ProblemDraft& d, const std::string&) {
                    d = seeded_layer(ScaleRule::Kind::InverseSqrtDk);
                  }},
    LessonSetting{"sample", true,
                  [](ProblemDraft& d, const std::string& name) {
                    if (!is_sample(name)) throw LessonFault{"there is no sample \"" + name + "\""};
                    d = draft_of_sample(name);
                  }},
    LessonSetting{"words", true,
                  [](ProblemDraft& d, const std::string& words) {
                    d.labels.clear();
                    d.tokens = {split_at_commas(words)};
                  }},
    LessonSetting{"source-words", true,
                  [](ProblemDraft& d, const std::string& words) {
                    if (d.source) d.source->tokens = {split_at_commas(words)};
                  }},
};

std::vector<std::string> setting_names() {
  std::vector<std::string> names{"mask"};
  for (const LessonSetting& each : kSettings) names.emplace_back(each.name);
  for (const ProblemOption& each : problem_options()) names.push_back(each.name);
  return names;
}

void set_masks(ProblemDraft& draft, const std::string& masks) {
  draft.masks.clear();
  std::istringstream all(masks);
  for (std::string mask; std::getline(all, mask, '+');) draft.masks.push_back(parse_mask(mask));
}

}  // namespace

bool apply_option(ProblemDraft& draft, std::string_view name, const std::string& value) {
  if (name == "mask") {
    set_masks(draft, value);
    return true;
  }
  if (name == "text") {
    draft.text = value;
    draft.labels.clear();
    return true;
  }
  for (const ProblemOption& option : problem_options()) {
    if (option.name != name) continue;
    option.apply(value, draft);
    return true;
  }
  return false;
}

void apply_settings(ProblemDraft& draft, std::string_view settings) {
  std::istringstream words{std::string(settings)};
  for (std::string word; words >> word;) {
    const std::size_t mark = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, mark);
    const bool has_value = mark < word.size();
    std::string value = has_value ? word.substr(mark + 1) : "";
    while (value.starts_with('"') && (value.size() < 2 || !value.ends_with('"')) && words >> word)
      value += " " + word;
    if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
    const auto own = std::find_if(kSettings.begin(), kSettings.end(), [&](const auto& each) {
      return each.name == name && each.has_value == has_value;
    });
    if (own != kSettings.end())
      own->apply(draft, value);
    else if (!has_value || !apply_option(draft, name, value))
      throw LessonFault{
          "there is no setting \"" + word + "\"" + did_you_mean(name, setting_names()),
          "Settings are options of the command line, mask=causal, separated by "
          "spaces."};
  }
}

SharedTrace computed_as(const ProblemDraft& draft, const std::string& settings) {
  const std::string words = " " + settings + " ";
  if (words.find(" gradient ") != words.npos) return there_and_back(draft);
  if (words.find(" angles ") != words.npos)
    return std::make_shared<const Trace>(attend(make_problem(draft), shown_angles()));
  return computed(draft);
}

}  // namespace attn
