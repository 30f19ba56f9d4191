// Checks names, ranges, steps and codes, and finds sizes for which no two divisors are equal.
#include "teach/exercise/spec_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "attn/core/random_problem.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/mistakes.hpp"
#include "core/text/ascii.hpp"
#include "teach/check/equivalent.hpp"

namespace attn {
namespace {

void check_name(const ExerciseSpec& spec) {
  const bool fits =
      !spec.name.empty() && std::all_of(spec.name.begin(), spec.name.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '-' || c == '_';
      });
  if (!fits)
    throw spec_error("exercise-spec", "\"" + spec.name + "\" cannot be the name of an exercise",
                     "Use letters, digits, - and _.", "name");
}

void check_ranges(const ExerciseSpec& spec) {
  const std::pair<const char*, Index> sizes[] = {{"tokens", spec.tokens},
                                                 {"memory_tokens", spec.memory_tokens.value_or(1)},
                                                 {"d_model", spec.d_model},
                                                 {"heads", spec.heads.value_or(1)},
                                                 {"d_k", spec.d_k}};
  for (const auto& [key, size] : sizes) {
    if (size < 1 || size > kLargestWhole)
      throw spec_error("exercise-spec",
                       filled("{} must be 1 to {}, not {}", key, kLargestWhole, size),
                       "For work by hand, 4 tokens, d_model = 6 and d_k = 3 are enough.", key);
  }
  const Index columns = spec.heads.value_or(1) * spec.d_k;
  if (columns > kLargestWhole)
    throw spec_error("exercise-spec",
                     filled("{} heads of d_k = {} are {} columns, and an exercise has at most {}",
                            *spec.heads, spec.d_k, columns, kLargestWhole),
                     "Choose fewer heads, or a smaller d_k.", "heads");
}

void check_numbers(const ExerciseSpec& spec) {
  if (spec.decimals < 1 || spec.decimals > kMostDecimals)
    throw spec_error(
        "exercise-spec",
        filled("a sheet can have 1 to {} decimals, not {}", kMostDecimals, spec.decimals),
        "With 3 decimals, ±0.01 is accepted.", "decimals");
  const double within = spec.accept_within.value_or(1.0);
  if (!(within > 0.0 && std::isfinite(within)))
    throw spec_error("exercise-spec", "accept_within must be a number above 0",
                     "±0.01 suits 3 decimals.", "accept_within");
  if (!(spec.blanks.share > 0.0 && spec.blanks.share <= 1.0))
    throw spec_error("exercise-spec", "the share of blanks must be above 0 and at most 1",
                     "Choose 0.4 for 40%.", "blanks");
}

constexpr double kMostPoints = 1e6;

void check_steps(const ExerciseSpec& spec) {
  std::set<std::string> ids;
  double points = 0.0;
  for (const AskedStep& step : spec.steps) {
    if (!ids.insert(step.id).second)
      throw spec_error("exercise-spec", "the step " + step.id + " is named twice",
                       "Name each step once.", "steps");
    if (!(step.points >= 0.0 && step.points <= kMostPoints))
      throw spec_error("exercise-spec", "the points of " + step.id + " must be 0 to 1000000",
                       "A step without points is printed in full.", "steps");
    points += step.points;
  }
  if (spec.find_the_bug) {
    if (!(spec.bug_points > 0.0 && spec.bug_points <= kMostPoints))
      throw spec_error("exercise-spec", "the points of bug must be above 0, and at most 1000000",
                       "Half of them are for the first wrong step, half for the mistake.", "steps");
    return;
  }
  if (points == 0.0)
    throw spec_error("exercise-spec", "no step has points, so there is nothing to fill in",
                     "Give points to at least one step.", "steps");
}

void check_codes(const ExerciseSpec& spec) {
  std::vector<std::string> codes;
  for (const MistakeRow* row : mistake_rows()) {
    if (row->variants != nullptr && !is_equivalent(*row)) codes.emplace_back(row->words.code);
  }
  std::set<std::string> named;
  for (const std::string& code : spec.mistakes) {
    if (!named.insert(code).second)
      throw spec_error("exercise-spec", "the mistake " + code + " is named twice",
                       "Name each mistake once.", "mistakes");
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) continue;
    throw spec_error("exercise-spec",
                     find_mistake(code) == nullptr
                         ? "there is no mistake \"" + code + "\"" + did_you_mean(code, codes)
                         : code + " cannot be required of a sheet: it can only be recognised",
                     "Name a mistake that can be built in, such as scale.missing.", "mistakes");
  }
}

/// An inverse sheet shows no mistakes of its own, and is no find-the-bug sheet.
void check_inverse(const ExerciseSpec& spec) {
  if (!spec.inverse) return;
  if (spec.find_the_bug)
    throw spec_error("exercise-spec", "a sheet is either inverse or find-the-bug", kKeepOne,
                     "inverse");
  if (!spec.mistakes.empty())
    throw spec_error("exercise-spec",
                     "an inverse sheet cannot promise to show mistakes: any numbers that fit are "
                     "right",
                     "Leave out the mistakes.", "mistakes");
}

/// Something that people divide scores by, and its square.
struct Divisor {
  const char* code;  ///< "" for the right one
  const char* name;
  const char* size;  ///< the setting that the square comes from (of two, not d_k); "" for none
  double square;
};

std::vector<Divisor> divisors(const ExerciseSpec& spec) {
  const auto d_k = static_cast<double>(spec.d_k), d_model = static_cast<double>(spec.d_model);
  const auto keys = static_cast<double>(spec.memory_tokens.value_or(spec.tokens));
  const char* key_name = spec.memory_tokens ? "memory tokens" : "tokens";
  std::vector<Divisor> all = {{"", "√d_k", "d_k", d_k},
                              {"scale.missing", "1", "", 1.0},
                              {"scale.d_k", "d_k", "d_k", d_k * d_k},
                              {"scale.tokens", "√tokens", key_name, keys}};
  if (!spec.qkv_given) all.push_back({"scale.d_model", "√d_model", "d_model", d_model});
  const auto heads = static_cast<double>(spec.heads.value_or(1));
  if (heads > 1) all.push_back({"scale.heads", "√heads", "heads", heads});
  if (heads > 1 && heads * d_k != d_model)
    all.push_back({"scale.width", "√(heads·d_k)", "heads", heads * d_k});
  if (heads > 1 && heads * d_k != d_model && spec.d_model % *spec.heads == 0 && !spec.qkv_given)
    all.push_back({"scale.share", "√(d_model/heads)", "heads", d_model / heads});
  return all;
}

/// Two divisors that give the same result; the second is a mistake.
using Clash = std::pair<Divisor, Divisor>;

std::optional<Clash> find_clash(const ExerciseSpec& spec) {
  const auto matters = [&](const Divisor& each) {
    return spec.mistakes.empty() ||
           std::find(spec.mistakes.begin(), spec.mistakes.end(), each.code) != spec.mistakes.end();
  };
  const std::vector<Divisor> all = divisors(spec);
  for (auto one = all.begin(); one != all.end(); ++one) {
    for (auto other = one + 1; other != all.end(); ++other) {
      const bool wanted = (*one->code != '\0' && matters(*one)) || matters(*other);
      if (one->square == other->square && wanted) return Clash(*one, *other);
    }
  }
  return std::nullopt;
}

/// "d_k = 4 and d_model = 4", as settings and in words.
struct ClashSizes {
  std::vector<Place> places;
  std::string words;
};

ClashSizes sizes_of(const ExerciseSpec& spec, const Clash& clash) {
  ClashSizes sizes{{{.pointer = "/d_k"}}, filled("d_k = {}", spec.d_k)};
  for (const Divisor& each : {clash.first, clash.second}) {
    const std::string name = each.size;
    if (name.empty() || name == "d_k") continue;
    const auto size = name == "heads" ? spec.heads.value_or(1) : static_cast<Index>(each.square);
    sizes.words += filled(" and {} = {}", name, size);
    sizes.places.push_back({.pointer = name == "memory tokens" ? "/memory_tokens" : "/" + name});
  }
  return sizes;
}

/// The sizes nearest to those of the spec that make no two divisors alike: "These sizes work: …".
std::string sizes_that_work(const ExerciseSpec& spec) {
  constexpr Index kMost = 12;
  Index least = 3 * kMost;
  std::string words = "Choose other sizes";
  for (Index keys = 2; keys <= kMost; ++keys) {
    for (Index d_model = 2; d_model <= kMost; ++d_model) {
      for (Index d_k = 2; d_k <= kMost; ++d_k) {
        ExerciseSpec other = spec;
        Index& tokens = other.memory_tokens ? *other.memory_tokens : other.tokens;
        const Index change =
            std::abs(keys - tokens) + std::abs(d_model - spec.d_model) + std::abs(d_k - spec.d_k);
        tokens = keys;
        other.d_model = d_model;
        other.d_k = d_k;
        if (change > least || find_clash(other)) continue;  // of equals, the larger
        least = change;
        words = filled("These sizes work: {}, d_model = {} and d_k = {}",
                       counted(keys, other.memory_tokens ? "memory token" : "token"), d_model, d_k);
      }
    }
  }
  return words;
}

}  // namespace

Error spec_error(const char* id, std::string what, std::string fix, std::string setting) {
  Diagnostic wrong{.id = id, .what = std::move(what), .fix = std::move(fix)};
  if (!setting.empty()) wrong.changes = {{std::move(setting), ""}};
  return Error(ErrorKind::Usage, {std::move(wrong)});
}

void check_spec(const ExerciseSpec& spec) {
  if (spec.find_the_bug && !spec.mistake_texts.empty())
    throw spec_error("exercise-spec",
                     "texts about mistakes would never be shown: what is wrong on a find-the-bug "
                     "sheet is the question",
                     "Leave out \"mistake_texts\".", "mistake_texts");
  check_inverse(spec);
  check_name(spec);
  if (spec.problems.empty()) check_ranges(spec);
  check_numbers(spec);
  check_steps(spec);
  check_codes(spec);
}

void check_sizes(const ExerciseSpec& spec) {
  const bool printed = std::any_of(spec.steps.begin(), spec.steps.end(), [](const AskedStep& step) {
    return step.id == "scaled_scores" && step.points == 0.0;
  });
  if (spec.force || spec.inverse || printed || !spec.problems.empty()) return;
  const std::optional<Clash> clash = find_clash(spec);
  if (!clash) return;
  const auto& [one, other] = *clash;
  const ClashSizes sizes = sizes_of(spec, *clash);
  Diagnostic wrong =
      spec_error(
          "exercise-blind",
          *one.code == '\0'
              ? filled("with {}, dividing by {} is right by accident", sizes.words, other.name)
              : filled("with {}, dividing by {} and by {} give the same result", sizes.words,
                       one.name, other.name),
          filled("{}. Or do without {}.", sizes_that_work(spec), other.code), "force")
          .diagnostics()
          .front();
  wrong.places = sizes.places;
  throw Error(ErrorKind::Usage, {std::move(wrong)});
}

}  // namespace attn
