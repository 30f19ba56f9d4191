// Applies the settings of a lesson's computations.
#include "teach/lessons/lesson_settings.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "attn/attend.hpp"
#include "attn/gradient.hpp"
#include "attn/inside.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "attn/torch_random.hpp"
#include "teach/lessons/lesson_value.hpp"

namespace attn {
namespace {

double number_in(const std::string& text) {
  if (const auto x = parse_number(text)) return *x;
  throw LessonFault{"\"" + text + "\" is not a number"};
}

Index index_of(const std::string& text) {
  const double x = number_in(text);
  if (std::abs(x) > 1e9) throw LessonFault{text + " is too large"};
  return static_cast<Index>(x);
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

/// Its own masks, or a causal one if it has none, and −∞ for what they hide.
void masked_anyhow(ProblemDraft& draft, const std::string&) {
  draft.fill.reset();
  draft.mask_before_scale = false;
  draft.empty_row = EmptyRow::Zero;
  if (draft.masks.empty() && !draft.allowed) draft.masks = {parse_mask("causal")};
}

/// X of 8 tokens × 32, projections of 32 × 16, all from torch.randn with well-known seeds.
ProblemDraft seeded_layer() {
  ProblemDraft draft;
  draft.embeddings = randn({8, 32}, 42);
  draft.weights = {
      {"w_q", randn({32, 16}, 10)}, {"w_k", randn({32, 16}, 11)}, {"w_v", randn({32, 16}, 12)}};
  return draft;
}

using D = ProblemDraft;
using S = std::string;

constexpr LessonSetting kSettings[] = {
    {"plain", false, [](D& d, const S&) { mask_only(d); }},
    {"gradient", false, [](D&, const S&) {}},
    {"angles", false, [](D&, const S&) {}},
    {"lens", false, [](D&, const S&) {}},
    {"contributions", true, [](D&, const S&) {}},
    {"unlabelled", false, [](D& d, const S&) { d.vocabulary.reset(), d.labels.clear(); }},
    {"no-labels", false, [](D& d, const S&) { d.labels.clear(); }},
    {"no-last-label", false, [](D& d, const S&) { d.labels.at(0).back() = {}; }},
    {"no-positions", false, [](D& d, const S&) { d.positions = {}; }},
    {"no-added-keys", false,
     [](D& d, const S&) {
       d.add_zero_attn = false;
       for (const char* name : {"bias_k", "bias_v"}) d.weights.erase(name);
     }},
    {"masked", false, masked_anyhow},
    {"zero-key", false, [](D& d, const S&) { d.add_zero_attn = true; }},
    {"before-scale", false, [](D& d, const S&) { d.mask_before_scale = true; }},
    {"one-head", false, [](D& d, const S&) { d.heads.reset(); }},
    {"without", true, [](D& d, const S& name) { d.weights.erase(name); }},
    {"no-sinks", false, [](D& d, const S&) { d.sinks.reset(); }},
    {"bias", true,
     [](D& d, const S& x) {
       d.bias = Array{{1}, {number_in(x)}};
     }},
    {"offset", true, [](D& d, const S& x) { d.positions.offset = index_of(x); }},
    {"even-rotation", true,  // how many columns are rotated: an even number of these
     [](D& d, const S& x) { d.positions.rotary_dim = index_of(x) / 2 * 2; }},
    {"slope", true,
     [](D& d, const S& x) {
       d.positions.slopes.assign(size_t(d.heads.value_or(1)), number_in(x));
     }},
    {"x-times", true, [](D& d, const S& x) { multiply(d.embeddings.value(), number_in(x)); }},
    {"queries-times", true,
     [](D& d, const S& x) {
       for (const char* name : {"w_q", "b_q"}) multiply(d.weights.at(name), number_in(x));
     }},
    {"rope-scaling", true, set_rope_scaling},
    {"expert-times-2", true,
     [](D& d, const S& expert) {
       multiply(d.weights.at("layers.0.block_sparse_moe.experts." + expert + ".w2.weight"), 2.0);
     }},
    {"undivided-experts", false,
     [](D& d, const S&) { d.model.value().experts.renormalize = false; }},
    {"first-id", false, [](D& d, const S&) { d.ids.at(0).resize(1), d.labels.at(0).resize(1); }},
    {"order", true, permute_tokens},
    {"first", true, [](D& d, const S& n) { keep_tokens(d, index_of(n)); }},
    {"other-token", true, [](D& d, const S& i) { change_token(d, index_of(i)); }},
    {"reordered-weights", false,  // each matrix with its numbers in the opposite order
     [](D& d, const S&) {
       for (auto& [name, array] : d.weights) std::reverse(array.data.begin(), array.data.end());
     }},
    {"random-vectors", true, [](D& d, const S& d_k) { d = random_vectors(index_of(d_k)); }},
    {"seeded-layer", false, [](D& d, const S&) { d = seeded_layer(); }},
    {"sample", true, [](D& d, const S& name) { d = draft_of_sample(name); }},
    {"words", true,
     [](D& d, const S& words) { d.tokens = {split_at_commas(words)}, d.labels.clear(); }},
    {"source-words", true,
     [](D& d, const S& words) { d.source.value().tokens = {split_at_commas(words)}; }},
};

std::vector<std::string> setting_names() {
  std::vector<std::string> names{"mask"};
  for (const LessonSetting& each : kSettings) names.emplace_back(each.name);
  for (const ProblemOption& each : problem_options()) names.push_back(each.name);
  return names;
}

/// A problem may lack what a setting changes.
void apply_own(const LessonSetting& setting, ProblemDraft& draft, const std::string& value) {
  try {
    setting.apply(draft, value);
  } catch (const std::exception& lacking) {
    if (dynamic_cast<const Error*>(&lacking) != nullptr) throw;
    throw LessonFault{"this problem has nothing that " + std::string(setting.name) + " changes"};
  }
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
    constexpr std::string_view kMinus = "−";  // as it is printed
    if (value.starts_with(kMinus)) value.replace(0, kMinus.size(), "-");
    while (value.starts_with('"') && (value.size() < 2 || !value.ends_with('"')) && words >> word)
      value += " " + word;
    if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
    const auto* own = std::find_if(
        std::begin(kSettings), std::end(kSettings),
        [&](const auto& each) { return each.name == name && each.has_value == has_value; });
    if (own != std::end(kSettings))
      apply_own(*own, draft, value);
    else if (!has_value || !apply_option(draft, name, value))
      throw LessonFault{
          "there is no setting \"" + word + "\"" + did_you_mean(name, setting_names()),
          "Settings are options of the command line, mask=causal, separated by "
          "spaces."};
  }
}

SharedTrace computed_as(const ProblemDraft& draft, const std::string& settings) {
  const std::string words = " " + settings + " ";
  if (words.find(" gradient ") != words.npos)
    return std::make_shared<const Trace>(attend_and_back(make_problem(draft), {}, {}));
  if (words.find(" angles ") != words.npos)
    return std::make_shared<const Trace>(attend(make_problem(draft), shown_angles()));
  InsideChoice inside{.lens = words.find(" lens ") != words.npos};
  constexpr std::string_view kContributions = " contributions=";
  if (const std::size_t at = words.find(kContributions); at != words.npos) {
    const std::size_t begin = at + kContributions.size();
    const std::string names = words.substr(begin, words.find(' ', begin) - begin);
    inside.contributions.emplace(ContributionChoice{split_at_commas(names)});
  }
  if (inside.lens || inside.contributions)
    return std::make_shared<const Trace>(attend_inside(make_problem(draft), {}, {}, inside));
  return computed(draft);
}

}  // namespace attn
