// Pictures as text: what colours add, how panels are arranged, what happens to large ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "attn/render/heatmap.hpp"
#include "attn/render/text.hpp"
#include "support/infinity.hpp"
#include "support/plain.hpp"
#include "support/program.hpp"
#include "support/traces.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr ColorDepth kDepths[] = {ColorDepth::Ansi16, ColorDepth::Ansi256, ColorDepth::TrueColor};

View only(const std::string& step) {
  View view;
  view.steps = {step};
  return view;
}

/// A picture without the lines above it: what is below the heading "[7/8] …".
std::string body(const std::string& text) {
  return text.substr(text.find('\n', text.find('/')) + 1);
}

std::string drawn(const Trace& trace, const std::string& step, const TextStyle& style = {},
                  const HeatLook& look = {}, const HeatOptions& options = {}) {
  HeatMap map = make_heatmap(trace, only(step), options);
  map.title.clear();
  map.facts.clear();
  map.heading.formula = map.heading.phrase = map.heading.shape = "";
  return body(write_heatmap(map, look, style));
}

/// One head with `n` tokens t0, t1, … and queries (0, 1), (1, 1), (2, 1), …
Trace many_tokens(int n, const std::string& mask = "none") {
  std::string tokens, q, k;
  for (int i = 0; i < n; ++i) {
    const std::string comma = i == 0 ? "" : ", ", number = std::to_string(i);
    tokens += comma + "\"t" + number + "\"";
    q += comma + "[" + number + ", 1]";
    k += comma + "[1, " + std::to_string(i % 3) + "]";
  }
  return trace_of(R"({"tokens": [)" + tokens + R"(], "q": [)" + q + R"(], "k": [)" + k +
                  R"(], "v": [)" + k + R"(], "mask": ")" + mask + "\"}");
}

/// The escape codes that hold at each `sign` of coloured text.
std::vector<std::string> codes_of(const std::string& text, const std::string& sign) {
  std::vector<std::string> found;
  std::string codes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') {
      const std::size_t end = text.find('m', at);
      codes = text.substr(at + 2, end - at - 2);
      at = end;
    } else if (text.compare(at, sign.size(), sign) == 0) {
      found.push_back(codes);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("heatmap: without its colours a coloured picture is the plain one, step by step") {
  int count = 0;
  for (int number = 1; number <= 14; ++number) {
    const Trace trace = sample_trace(number, true);
    for (const Step& step : trace.steps) {
      const HeatMap map = make_heatmap(trace, only(step.id));
      for (const Fit fit : {Fit::Whole, Fit::Wrap, Fit::Screen}) {
        TextStyle style{.width = 60, .fit = fit, .big = number == 2};
        const std::string plain = write_heatmap(map, {}, style);
        for (const ColorDepth depth : kDepths) {
          style.color = depth;
          const std::string colored = write_heatmap(map, {}, style);
          CAPTURE(step.id);
          CHECK(first_difference(plain, without_colors(colored)) == "");
          CHECK(colored != plain);
          ++count;
        }
      }
    }
  }
  CHECK(count > 1000);
}

TEST_CASE("heatmap: no trailing spaces, one line end at the end, and no line is too wide") {
  for (int number = 1; number <= 14; ++number) {
    const Trace trace = sample_trace(number, true);
    for (const Step& step : trace.steps) {
      for (const std::ptrdiff_t width : {40, 60, 80, 120}) {
        const TextStyle style{.width = width, .fit = Fit::Wrap};
        const std::string text = write_heatmap(make_heatmap(trace, only(step.id)), {}, style);
        CAPTURE(step.id);
        CAPTURE(text);
        CHECK(text.ends_with("\n"));
        CHECK(!text.ends_with("\n\n"));
        for (const std::string& line : lines_of(body(text))) {
          CHECK((line.empty() || line.back() != ' '));
          CHECK(display_width(line) < width);
        }
      }
    }
  }
}

TEST_CASE("heatmap: 7-bit pictures are just as high") {
  for (int number : {1, 3, 4, 9}) {
    const HeatMap map = make_heatmap(sample_trace(number), only("weights"));
    const std::string ascii = write_heatmap(map, {}, {.ascii = true});
    for (const char c : ascii) REQUIRE(static_cast<unsigned char>(c) < 128);
    CHECK(lines_of(body(ascii)).size() == lines_of(body(write_heatmap(map))).size());
  }
}

TEST_CASE("heatmap: a causal mask, with the numbers in cells") {
  CHECK(first_difference(R"(          key
  query    the    cat   dreams   it   flies
  the     █1.00█   ·      ·      ·      ·
  cat     ░0.18░ █0.82█   ·      ·      ·
  dreams  ░0.19░ ▓0.51▓ ▒0.31▒   ·      ·
  it      ░0.21░ ▓0.58▓ ░0.08░ ░0.13░   ·
  flies   ░0.14░ ░0.24░ ░0.09░ ▒0.39▒ ░0.14░

  0 ░░░░▒▒▒▒▓▓▓▓████ 1     ·  hidden: exactly 0
)",
                         body(attn_run({"heatmap", "--mask", "causal"}).out)) == "");
}

TEST_CASE("heatmap: a hidden cell never has a background colour") {
  const Trace trace = many_tokens(7, "causal");
  for (const ColorDepth depth : kDepths) {
    for (const bool big : {false, true}) {
      for (const std::ptrdiff_t width : {80, 30, 20}) {
        const TextStyle style{.width = width, .fit = Fit::Wrap, .big = big, .color = depth};
        for (const char* step : {"weights", "masked_scores", "mask"}) {
          const std::vector<std::string> behind = codes_of(drawn(trace, step, style), "·");
          CHECK(std::count(behind.begin(), behind.end(), "2") ==
                static_cast<std::ptrdiff_t>(behind.size()));
          CHECK(behind.size() == 21 + 1);  // and one in the legend
        }
      }
    }
  }
}

TEST_CASE("heatmap: cells set text and background, and shades merge with it") {
  const TextStyle style{.color = ColorDepth::Ansi256};
  const std::string text = drawn(with_queries({0, 1, 1, 0}), "q", style);
  CHECK(has(text, "\x1b[48;5;17;38;5;17m ░\x1b[0m\x1b[48;5;17;38;5;231m0\x1b[0m"));
  CHECK(has(text, "\x1b[48;5;221;38;5;221m █\x1b[0m\x1b[48;5;221;38;5;16m1\x1b[0m"));
}

TEST_CASE("heatmap: the palette is that of the style; a diverging one where numbers have signs") {
  const TextStyle style{.color = ColorDepth::Ansi256, .palette = Palette::Viridis};
  CHECK(has(drawn(with_queries({0, 1, 1, 0}), "q", style), "48;5;220;38;5;16m1\x1b"));
  CHECK(has(drawn(with_queries({-1, 1, 1, 0}), "q", style), "48;5;94;38;5;231m 1\x1b"));
  const HeatLook gray{.palette = Palette::Gray};
  CHECK(has(drawn(with_queries({-1, 1, 1, 0}), "q", style, gray), "48;5;255;38;5;16m 1\x1b"));
}

TEST_CASE("heatmap: what is out of range, infinite or not a number is marked") {
  const Trace trace = with_queries({-1, 0.5, kInfinity, std::numeric_limits<double>::quiet_NaN()});
  CHECK(first_difference(R"(       q0     q1
  a  ░-1.0- ▓ 0.5▓
  b  █ inf+  nan

  0 ░░░░▒▒▒▒▓▓▓▓████ 1     -  below (1)     +  above (1)     nan  not a number (1)
)",
                         drawn(trace, "q", {}, {}, {.unit = true})) == "");
  const TextStyle small{.width = 20, .fit = Fit::Wrap};
  HeatLook compact;
  compact.compact = true;
  CHECK(has(drawn(trace, "q", small, compact, {.unit = true}), "  a -▓\n  b +?\n"));
  TextStyle colored = small;
  colored.color = ColorDepth::Ansi256;  // a mark has to be seen
  CHECK(has(drawn(trace, "q", colored, compact, {.min = -2.0, .max = -0.5}), "above (2)"));
}

TEST_CASE("heatmap: shades of numbers with signs show how far they are from 0") {
  const Trace trace = with_queries({-2, 0, 2, 0.5});
  CHECK(first_difference(R"(       q0     q1
  a  █-2.0█   0.0
  b  █ 2.0█ ▒ 0.5▒

  -2 ██▓▓▒▒░░ 0 ░░▒▒▓▓██ 2
)",
                         drawn(trace, "q")) == "");
  HeatLook compact;
  compact.compact = true;
  CHECK(first_difference(R"(    0 1
  a -█
  b +█+▒

  -2 ██▓▓▒▒░░ 0 ░░▒▒▓▓██ 2     -  below 0     +  above 0
)",
                         drawn(trace, "q", {}, compact)) == "");
  const std::string color = drawn(trace, "q", {.color = ColorDepth::Ansi256}, compact);
  CHECK(!has(color, "below 0"));
}

TEST_CASE("heatmap: big leaves an empty line between rows, with colours or without") {
  for (const ColorDepth depth : {ColorDepth::None, ColorDepth::Ansi256}) {
    const TextStyle style{.big = true, .color = depth};
    const auto lines = lines_of(without_colors(drawn(with_queries({0, 1, 1, 0}), "q", style)));
    REQUIRE(lines.size() == 10);
    CHECK(has(lines[2], "a"));
    CHECK(lines[4] == "");
    CHECK(has(lines[6], "b"));
  }
}

TEST_CASE("heatmap: cells of all panels are built alike") {
  const std::string text = drawn(sample_trace(9), "weights");  // batch 1 has longer tokens
  CHECK(has(text, " ░0.05░  ▓0.60▓  ░0.05░"));
  CHECK(has(text, " ░0.15░  ░0.15░  ▓0.69▓"));
}

TEST_CASE("heatmap: nothing to show but what is hidden") {
  const Trace trace = trace_of(R"({"tokens": ["a"], "q": [[1]], "k": [[1]], "v": [[1]],
      "mask": "keys:0"})");
  CHECK(drawn(trace, "masked_scores") == R"(         key
  query   a
  a       ·

  ·  hidden
)");
}

TEST_CASE("heatmap: a matrix of equal numbers has one colour, and the legend says so") {
  CHECK(drawn(with_queries({3, 3, 3, 3}), "q") == R"(     q0  q1
  a  ▓3▓ ▓3▓
  b  ▓3▓ ▓3▓

  ▓  all 3
)");
}

TEST_CASE("heatmap: panels are side by side where there is room") {
  const Trace trace = sample_trace(12);  // four heads
  const auto heads_in_first_line = [&](std::ptrdiff_t width) {
    const std::string line =
        lines_of(drawn(trace, "weights", {.width = width, .fit = Fit::Wrap}))[0];
    return std::count(line.begin(), line.end(), 'h');  // "head 0   head 1"
  };
  CHECK(heads_in_first_line(60) == 1);
  CHECK(heads_in_first_line(80) == 2);
  CHECK(heads_in_first_line(120) == 2);
  CHECK(heads_in_first_line(200) == 4);
}

TEST_CASE("heatmap: each batch entry with heads begins a new row of panels") {
  const std::string text = drawn(sample_trace(9), "weights", {.width = 400});
  CHECK(lines_of(text)[0].starts_with("  batch 0 · head 0  "));
  CHECK(has(lines_of(text)[0], "batch 0 · head 1"));
  CHECK(has(text, "\n\n  batch 1 · head 0  "));
}

TEST_CASE("heatmap: wide characters align") {
  const std::string text = drawn(sample_trace(10), "scaled_scores");
  std::vector<std::string> lines = lines_of(text);
  lines.resize(9);  // two headers, seven rows
  CHECK(has(lines[1], "机     器     学"));
  for (std::size_t i = 3; i < lines.size(); ++i) {
    CHECK(display_width(lines[i]) == display_width(lines[2]));
  }
}

TEST_CASE("heatmap: as cells get narrower, labels give way to indices and numbers to shades") {
  const Trace trace = many_tokens(12);
  const auto second_line = [&](std::ptrdiff_t width) {
    return lines_of(drawn(trace, "weights", {.width = width, .fit = Fit::Wrap}))[1];
  };
  CHECK(has(second_line(120), "t0     t1     t2"));
  CHECK(has(second_line(90), "t0    t1    t2"));
  CHECK(has(second_line(75), " t0   t1   t2   t3"));
  CHECK(has(second_line(50), "0   2   4   6   8   10"));
  CHECK(has(second_line(30), "0  "));
  const std::string small = drawn(trace, "weights", {.width = 50, .fit = Fit::Wrap});
  CHECK(has(small, "\n  t0    ░░░░░░"));
  CHECK(has(small, "\n  t10   "));
}

TEST_CASE("heatmap: a pipe gets every number, however wide") {
  const std::string text = drawn(many_tokens(40), "weights");
  CHECK(has(text, "t39"));
  CHECK(lines_of(text)[2].size() > 300);
}

TEST_CASE("heatmap: on a screen the middle of a wide picture is left out, with a note") {
  const Trace trace = many_tokens(50);
  const std::string text = drawn(trace, "weights", {.width = 50, .fit = Fit::Screen});
  CHECK(has(text, "showing 38 of 50 columns\n"));
  CHECK(has(text, " … "));
  for (const std::string& line : lines_of(text)) CHECK(display_width(line) < 50);
}

TEST_CASE("heatmap: on a screen the middle of many rows is left out, too, unless all columns fit") {
  const auto rows = [](int n, const std::string& step, const TextStyle& style, bool compact) {
    HeatLook look;
    look.compact = compact;
    const auto lines = lines_of(drawn(many_tokens(n), step, style, look));
    return std::count_if(lines.begin(), lines.end(),
                         [](const std::string& line) { return line.starts_with("  t"); });
  };
  const TextStyle screen{.width = 80, .fit = Fit::Screen};
  const std::string text = drawn(many_tokens(100), "weights", screen);
  CHECK(has(text, "\n  …\n"));
  CHECK(has(text, "  showing 16 of 100 rows\n  showing "));
  CHECK(rows(100, "weights", screen, false) == 16);
  CHECK(rows(100, "q", screen, false) == 16);
  CHECK(rows(32, "q", screen, false) == 32);
  CHECK(rows(50, "weights", screen, false) == 50);  // without numbers they fit
  CHECK(rows(100, "weights", screen, true) == 100);
  CHECK(rows(300, "weights", screen, true) == 128);
  CHECK(rows(300, "weights", {}, true) == 300);
  CHECK(rows(100, "weights", {.width = 80, .fit = Fit::Wrap}, false) == 200);  // two blocks
  CHECK(rows(100, "weights", {}, false) == 100);
}

TEST_CASE("heatmap: where nothing may be left out, a wide picture comes in blocks of columns") {
  const std::string text = drawn(many_tokens(50), "weights", {.width = 40, .fit = Fit::Wrap});
  CHECK(has(text, "  columns 0 to 30\n"));
  CHECK(has(text, "\n\n  columns 31 to 49\n"));
  CHECK(!has(text, "…"));
}

TEST_CASE("heatmap: tokens that do not fit are listed below") {
  const Trace trace = trace_of(R"({"tokens": ["ja"], "q": [[1, 0]],
      "k": [[1, 0], [0, 1]], "v": [[1, 0], [0, 1]],
      "key_tokens": ["internationalization", "yes"]})");
  const std::string text = drawn(trace, "weights");
  CHECK(has(text, "query    0      1\n"));
  CHECK(has(text, "\n  key:  0:internationalization  1:yes\n"));
  const std::string keys = drawn(trace, "k", {.fit = Fit::Screen});
  CHECK(has(keys, "\n  internation…  ░0.00░") == false);
  CHECK(has(keys, "internation…"));
  CHECK(has(keys, "  internation…  is  internationalization\n"));
}

TEST_CASE("heatmap: the header comes again where the reader asked for it, or in long columns") {
  const auto headers = [&](int tokens, const HeatLook& look) {
    const std::vector<std::string> lines = lines_of(drawn(many_tokens(tokens), "q", {}, look));
    return std::count_if(lines.begin(), lines.end(),
                         [](const std::string& line) { return has(line, "q0"); });
  };
  CHECK(headers(24, {}) == 1);
  CHECK(headers(45, {}) == 3);
  CHECK(headers(45, {.repeat = 0}) == 1);
  CHECK(headers(6, {.repeat = 2}) == 3);
  CHECK(headers(6, {.repeat = 3}) == 2);
}

TEST_CASE("heatmap: compact is one sign for a cell, in colour half a block") {
  HeatLook look;
  look.compact = true;
  const Trace trace = many_tokens(3, "causal");
  CHECK(first_difference(R"(        key
  query 0 2
  t0    █··
  t1    ▒▓·
  t2    ░▒▓

  0 ░░░░▒▒▒▒▓▓▓▓████ 1     ·  hidden: exactly 0
)",
                         drawn(trace, "weights", {}, look)) == "");
  const std::string halves = drawn(trace, "mask", {.color = ColorDepth::Ansi256}, look);
  const std::string one = "38;5;221";
  // Rows 0 and 1, then row 2 with nothing below it.
  CHECK(has(halves, "  0     \x1b[48;5;221;" + one + "m▀\x1b[0m\x1b[" + one +
                        "m▄\x1b[0m\x1b[2m·\x1b[0m\n"));
  CHECK(has(halves, "  2     \x1b[" + one + "m▀▀▀\x1b[0m\n"));
  const Trace words = trace_of(R"({"tokens": ["one", "two"], "q": [[1], [2]], "k": [[1], [2]],
                                   "v": [[1], [2]]})");
  CHECK(has(drawn(words, "weights", {.color = ColorDepth::Ansi256}, look), "key:  0:one  1:two\n"));
  CHECK(has(drawn(words, "weights", {}, look), "  0:one"));
}

TEST_CASE("heatmap: t0, t1 … show their own index, whatever the look") {
  for (const bool compact : {false, true}) {
    for (const ColorDepth depth : {ColorDepth::None, ColorDepth::Ansi256}) {
      HeatLook look;
      look.compact = compact;
      const TextStyle style{.width = 40, .fit = Fit::Wrap, .color = depth};
      const std::string text = without_colors(drawn(many_tokens(12), "weights", style, look));
      CHECK(!has(text, ":t"));
      CHECK(!has(text, "key:"));
      CHECK(has(text, "t11 ") == (!compact || depth == ColorDepth::None));
    }
  }
}

TEST_CASE("heatmap: a range that uses few of the colours is noted above the picture") {
  const auto has_hint = [](const Trace& trace, const HeatOptions& options) {
    const std::string text = write_heatmap(make_heatmap(trace, only("weights"), options), {},
                                           {.spread_colors = "spread them"});
    CHECK(!has(body(text), "spread"));
    return has(text, "\nnote: all numbers are between ") && has(text, ": spread them\n\n");
  };
  const std::string small = write_heatmap(make_heatmap(many_tokens(40), only("weights")),
                                          {.precision = 1}, {.spread_colors = "spread them"});
  CHECK(has(small, "all numbers are between 0.0"));  // not "<.1"
  CHECK(has_hint(many_tokens(40), {}));
  CHECK(!has_hint(sample_trace(4), {}));
  CHECK(!has_hint(many_tokens(40), {.normalize = Normalize::All}));
  for (const HeatOptions& chosen :
       std::vector<HeatOptions>{{.min = 0.02}, {.max = 5.0}, {.unit = true}, {.diverging = true}}) {
    CHECK(!has_hint(many_tokens(40), chosen));  // some may be outside, and the advice would fail
  }
}

TEST_CASE("heatmap: lines to be read aloud instead of a picture") {
  const std::string text =
      write_heatmap(make_heatmap(sample_trace(4), {}), {}, {.layout = Layout::Lines});
  const std::string mask = sample_trace(4).settings().masks.front();
  CHECK(has(text, "\nmask: " + mask + "\n\nStep 8 of 9: A = softmax(M), "));
  CHECK(has(text, ", 6×6\nquery "));
  CHECK(has(text, " masked"));
  CHECK(!has(text, "  "));
}
