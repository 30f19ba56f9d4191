// Where numbers fall on the palette: ranges, hidden cells, NaN and infinities.
#include "attn/render/heatmap.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "render/pictures/svg_canvas.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"
#include "support/traces.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

View view_of(const std::string& step) {
  View view;
  view.steps = {step};
  return view;
}

std::vector<double> ats(const HeatMap& map) {
  std::vector<double> all;
  for (const HeatPlace& place : map.panels.front().places) all.push_back(place.at);
  return all;
}

std::vector<HeatMark> marks(const HeatMap& map) {
  std::vector<HeatMark> all;
  for (const HeatPlace& place : map.panels.front().places) all.push_back(place.mark);
  return all;
}

HeatMap queries(const std::vector<double>& q, const HeatOptions& options = {}) {
  return make_heatmap(with_queries(q), view_of("q"), options);
}

std::string error_of(const Trace& trace, const View& view, const HeatOptions& options = {}) {
  return id_and_what(refusal_from([&] { make_heatmap(trace, view, options); }));
}

const std::vector<HeatMark> kAllShown(4, HeatMark::None);

}  // namespace

TEST_CASE("heatmap: weights and the mask run from 0 to 1, whatever their numbers") {
  const Trace trace = sample_trace(4);  // causal
  for (const char* step : {"weights", "mask"}) {
    const HeatMap map = make_heatmap(trace, view_of(step));
    CAPTURE(step);
    CHECK(map.low == 0.0);
    CHECK(map.high == 1.0);
    CHECK(!map.diverging);
    const HeatPanel& panel = map.panels.front();
    const std::size_t n = panel.grid.col_labels.size();
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
      const bool hidden = i % n > i / n;
      CHECK(panel.places[i].mark == (hidden ? HeatMark::Hidden : HeatMark::None));
      if (!hidden) CHECK(panel.places[i].at == panel.grid.numbers[i]);
    }
  }
}

TEST_CASE("heatmap: the default is the last weights, after all that masks do to them") {
  const std::string head = R"({"tokens": ["a", "b"], "q": [[0], [1]], "k": [[0], [1]],
                               "v": [[1], [2]], )";
  const auto shown = [&](const std::string& rest) {
    return make_heatmap(trace_of(head + rest + "}"), {}).heading.id;
  };
  CHECK(shown(R"("mask": "causal")") == "weights");
  CHECK(shown(R"("mask": "causal", "masking": {"mode": "multiply"})") == "masked_weights");
  CHECK(shown(R"("mask": "causal", "masking": {"mode": "renormalize"})") == "renormalized_weights");
  CHECK(shown(R"("mask": ["causal", "queries:1"], "masking": {"mode": "multiply"})") ==
        "query_masked_weights");
}

TEST_CASE("heatmap: the row of a padded query is hidden, whatever its keys") {
  const Trace trace = trace_of(R"({"tokens": ["a", "b"], "q": [[0], [1]], "k": [[0], [1]],
                                   "v": [[1], [2]], "mask": "queries:1"})");
  const HeatMap map = make_heatmap(trace, {});
  CHECK(marks(map) ==
        std::vector{HeatMark::None, HeatMark::None, HeatMark::Hidden, HeatMark::Hidden});
  CHECK(map.panels[0].grid.kinds[2] == CellKind::HiddenWeight);
  CHECK(marks(make_heatmap(trace, view_of("weights"))) == kAllShown);
}

TEST_CASE("heatmap: its heading has the number that explain gives the step") {
  const HeatMap map = make_heatmap(sample_trace(4), {});
  CHECK(map.heading.number == 8);
  CHECK(map.heading.total == 9);
}

TEST_CASE("heatmap: a step goes by id, symbol or number") {
  const Trace trace = sample_trace(1);
  CHECK(make_heatmap(trace, {}).heading.id == "weights");
  CHECK(make_heatmap(trace, view_of("S")).heading.id == "scores");
  CHECK(make_heatmap(trace, view_of("5")).heading.id == "scores");
}

TEST_CASE("heatmap: numbers of one sign run from the lowest to the highest") {
  const HeatMap map = queries({1, 2, 3, 5});
  CHECK(map.low == 1.0);
  CHECK(map.high == 5.0);
  CHECK(ats(map) == std::vector<double>{0.0, 0.25, 0.5, 1.0});
  CHECK(marks(map) == kAllShown);
}

TEST_CASE("heatmap: a step with negative numbers is symmetric around 0") {
  const HeatMap map = queries({-1, 0, 2, 1});
  CHECK(map.diverging);
  CHECK(map.low == -2.0);
  CHECK(ats(map) == std::vector<double>{0.25, 0.5, 1.0, 0.75});
}

TEST_CASE("heatmap: what each option makes of the same numbers") {
  const std::vector<double> q{-1, 0, 1, 3};
  HeatOptions options;
  options.normalize = Normalize::All;
  CHECK(ats(queries(q, options)) == std::vector<double>{0.0, 0.25, 0.5, 1.0});
  CHECK(!queries(q, options).diverging);
  options.normalize = Normalize::Row;
  CHECK(ats(queries(q, options)) == std::vector<double>{0.0, 1.0, 0.0, 1.0});
  CHECK(ats(queries({4, 0, 1, 0.5}, options)) == std::vector<double>{1.0, 0.0, 1.0, 0.0});
  options.normalize = Normalize::Column;
  CHECK(ats(queries({4, 0, 1, 0.5}, options)) == std::vector<double>{1.0, 0.0, 0.0, 1.0});
  options = {.diverging = true};
  CHECK(ats(queries({0, 1, 2, 4}, options)) == std::vector<double>{0.5, 0.625, 0.75, 1.0});
  options = {.min = 0.0};
  CHECK(ats(queries(q, options)) == std::vector<double>{0.0, 0.0, 1.0 / 3.0, 1.0});
  CHECK(marks(queries(q, options))[0] == HeatMark::Below);
}

TEST_CASE("heatmap: what is outside a given range has the colour of its end, and a mark") {
  using enum HeatMark;
  const HeatMap unit = queries({-1, 0.5, 1, 3}, {.unit = true});
  CHECK(ats(unit) == std::vector<double>{0.0, 0.5, 1.0, 1.0});
  CHECK(marks(unit) == std::vector<HeatMark>{Below, None, None, Above});
  const HeatMap fixed = queries({-1, 0.5, 1, 3}, {.min = 0.5, .max = 1.5});
  CHECK(marks(fixed) == std::vector<HeatMark>{Below, None, None, Above});
}

TEST_CASE("heatmap: a constant matrix is in the middle") {
  CHECK(ats(queries({3, 3, 3, 3})) == std::vector<double>(4, 0.5));
  CHECK(ats(queries({0, 0, 0, 0})) == std::vector<double>(4, 0.5));
  CHECK(ats(queries({0, 0, 0, 0}, {.diverging = true})) == std::vector<double>(4, 0.5));
  CHECK(ats(queries({2, 2, 7, 7}, {.normalize = Normalize::Row})) == std::vector<double>(4, 0.5));
}

TEST_CASE("heatmap: infinities and NaN take no part in the range") {
  using enum HeatMark;
  const HeatMap map = queries({1, kInfinity, -kInfinity, 3});
  CHECK(map.low == 1.0);
  CHECK(map.high == 3.0);
  CHECK(marks(map) == std::vector<HeatMark>{None, Above, Hidden, None});
  CHECK(marks(queries({1, kNan, 2, 3}))[1] == NotANumber);
  const HeatMap none = queries({kNan, kNan, kNan, -kInfinity});
  CHECK(none.low == 0.0);
  CHECK(none.high == 1.0);
}

TEST_CASE("heatmap: the widest range of doubles does not overflow, nor the narrowest underflow") {
  constexpr double kMost = std::numeric_limits<double>::max();
  CHECK(ats(queries({-kMost, 0, kMost, kMost / 2})) == std::vector<double>{0.0, 0.5, 1.0, 0.75});
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  CHECK(ats(queries({0, kLeast, 2 * kLeast, 0})) == std::vector<double>{0.0, 0.5, 1.0, 0.0});
}

TEST_CASE("heatmap: a hidden score has no place, even if it is only a very low number") {
  const Trace trace = trace_of(R"({"tokens": ["a", "b"], "q": [[1, 0], [0, 1]],
      "k": [[1, 0], [0, 1]], "v": [[1, 0], [0, 1]], "mask": "causal",
      "masking": {"mode": "add", "fill": -1e9}})");
  const HeatMap map = make_heatmap(trace, view_of("masked_scores"));
  CHECK(marks(map)[1] == HeatMark::Hidden);
  CHECK(map.low == 0.0);
}

TEST_CASE("heatmap: the range is that of the whole step, the panels are those that are chosen") {
  const Trace trace = sample_trace(3);
  const HeatMap all = make_heatmap(trace, view_of("scores"));
  View view = view_of("scores");
  view.head = 1;
  view.query = "2";
  const HeatMap one = make_heatmap(trace, view);
  CHECK(all.panels.size() == 2);
  CHECK(one.panels.size() == 1);
  CHECK(one.low == all.low);
  CHECK(one.high == all.high);
  CHECK(one.panels[0].grid.row_labels.size() == 1);
  const auto& places = all.panels[1].places;
  const std::size_t n = one.panels[0].grid.col_labels.size();
  CHECK(one.panels[0].places.size() == n);
  for (std::size_t j = 0; j < n; ++j) CHECK(one.panels[0].places[j].at == places[2 * n + j].at);
}

TEST_CASE("heatmap: every step of every attention sample has a picture") {
  for (int number = 1; number <= 14; ++number) {
    const Trace trace = sample_trace(number, true);
    for (const Step& step : trace.steps) {
      const HeatMap map = make_heatmap(trace, view_of(step.id));
      CAPTURE(step.id);
      CHECK(!map.panels.empty());
      for (const HeatPanel& panel : map.panels) {
        CHECK(panel.places.size() == panel.grid.numbers.size());
        for (const HeatPlace& place : panel.places) CHECK((place.at >= 0.0 && place.at <= 1.0));
      }
    }
  }
}

TEST_CASE("heatmap: wrong choices are refused") {
  const Trace trace = sample_trace(1);
  View two;
  two.steps = {"q", "k"};
  CHECK(error_of(trace, two) == "one-step: " + one_step_not("a heat map", "2"));
  CHECK(error_of(trace, view_of("wights")) ==
        "no-such-step: " + no_such("step", "wights") + did_you_mean({"weights"}));
  CHECK(error_of(trace, {}, {.normalize = Normalize::Row, .min = 0.0}) ==
        "range-conflict: \"normalize\" and \"min\" both set the range of the colours");
  CHECK(error_of(trace, {}, {.unit = true, .diverging = true}) ==
        "range-conflict: \"unit\" and \"diverging\" both set the range of the colours");
  CHECK(error_of(trace, {}, {.min = 1.0, .max = 1.0}) ==
        "range-order: the range of colours would run from 1 to 1");
  CHECK(error_of(trace, {}, {.min = 7.0}) ==
        "range-order: the range of colours would run from 7 to 1");
  CHECK(error_of(trace, {}, {.max = kNan}) ==
        "range-order: the ends of a colour range must be finite");
  View head;
  head.head = 3;
  CHECK(error_of(trace, head).starts_with("out-of-range"));
}

TEST_CASE("svg: what XML has no character for becomes U+FFFD") {
  CHECK(xml_text("a\uFFFEb\uFFFFc\uFFFD<", false) == "a\uFFFDb\uFFFDc\uFFFD&lt;");
  CHECK(xml_text("\uFFFF猫", true) == "&#xfffd;&#x732b;");
}
