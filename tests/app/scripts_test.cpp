// Labels of many scripts in tables, on terminals that show ambiguous characters narrow or wide.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/samples.hpp"
#include "attn/render/text.hpp"
#include "support/program.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

const std::string kFamily = "👩\u200D👩\u200D👧";
const Words kTokenTexts{"猫", "e\u0301", "🙂", "🇯🇵", "Γ", "①", "ａ", kFamily};

std::string list_of(const Words& tokens) {
  std::string list;
  for (const std::string& token : tokens) list += (list.empty() ? "\"" : ", \"") + token + "\"";
  return "[" + list + "]";
}

/// Tokens with numbers of any kind, below zero too.
std::string problem_with(const Words& tokens) {
  std::string column;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    column += (i == 0 ? "[" : ", [") + std::to_string(i % 2 == 0 ? 1.5 : -0.25) + "]";
  }
  return R"({"title": "“Γ” × ①", "description": "Γ → α · β … ×", "mask": "causal", "tokens": )" +
         list_of(tokens) + R"(, "q": [)" + column + R"(], "k": [)" + column + R"(], "v": [)" +
         column + "]}";
}

std::string on_screen(std::ptrdiff_t width, const Ruler& ruler, Words more,
                      const std::string& problem) {
  Words args{"explain", "-", "--ambiguous-width", std::to_string(ruler.ambiguous)};
  args.insert(args.end(), more.begin(), more.end());
  return attn_run_on(screen(width), args, problem).out;
}

/// The lines of the tables in `text`: their headers and rows.
Words table_lines(const std::string& text) {
  Words lines;
  for (const std::string& line : lines_of(text)) {
    const bool row = std::any_of(
        kTokenTexts.begin(), kTokenTexts.end(),
        [&](const std::string& token) { return line.starts_with("    " + token + " "); });
    if (row || line.starts_with("    query\\key ")) lines.push_back(line);
  }
  return lines;
}

/// The widths of lines in groups of a header and its rows: each group must have one width.
void check_aligned(const Words& lines, const Ruler& ruler) {
  const std::size_t height = kTokenTexts.size() + 1;
  REQUIRE(lines.size() % height == 0);
  REQUIRE(!lines.empty());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    CHECK(ruler.width(lines[i]) == ruler.width(lines[i - i % height]));
  }
}

void all_fit(const Words& lines, std::ptrdiff_t width, const Ruler& ruler) {
  for (const std::string& line : lines) {
    CAPTURE(line);
    CHECK(ruler.width(line) <= width);
  }
}

constexpr Ruler kRulers[] = {{1}, {2}};

}  // namespace

TEST_CASE("scripts: tables of any script are aligned, whole, in blocks and for projectors") {
  const std::string problem = problem_with(kTokenTexts);
  for (const Ruler& ruler : kRulers) {
    for (const std::ptrdiff_t width : {35, 50, 100}) {
      for (const Words& more : {Words{"--steps", "scores"}, Words{"--steps", "masked_scores"},
                                Words{"--steps", "scores,weights", "--big"}}) {
        const Words lines = table_lines(on_screen(width, ruler, more, problem));
        check_aligned(lines, ruler);
        all_fit(lines, width, ruler);
      }
    }
  }
}

TEST_CASE("scripts: the sums and the strips of weights line up") {
  const std::string problem = problem_with(kTokenTexts);
  for (const Ruler& ruler : kRulers) {
    Words lines = table_lines(on_screen(200, ruler, {"--steps", "weights"}, problem)), numbers;
    REQUIRE(lines.size() == kTokenTexts.size() + 1);
    const std::ptrdiff_t cell = ruler.width("█");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CAPTURE(lines[i]);
      const std::size_t end = i == 0 ? lines[i].size() : lines[i].rfind("1.000") + 5;
      numbers.push_back(lines[i].substr(0, end));
      if (i == 0) continue;
      const std::string strip = lines[i].substr(end);
      REQUIRE(strip.starts_with("   "));
      // A row's last shade may be narrower than its cell; a dot is not.
      if (i < kTokenTexts.size()) {
        CHECK(ruler.width(strip) == 3 + cell * static_cast<std::ptrdiff_t>(kTokenTexts.size()));
      }
    }
    check_aligned(numbers, ruler);
  }
}

TEST_CASE("scripts: the numbers and the signs of heat maps line up") {
  const std::string problem = problem_with(kTokenTexts);
  const auto rows = [&](const Ruler& ruler, const Words& more) {
    Words args{"heatmap", "-", "--ambiguous-width", std::to_string(ruler.ambiguous)}, found;
    args.insert(args.end(), more.begin(), more.end());
    for (const std::string& line : lines_of(attn_run(args, problem).out)) {
      const bool row =
          std::any_of(kTokenTexts.begin(), kTokenTexts.end(), [&](const std::string& token) {
            return line.starts_with("  ") && has(line.substr(0, 8 + token.size()), token + " ");
          });
      if (row) found.push_back(line);
    }
    REQUIRE(found.size() == kTokenTexts.size());
    return found;
  };
  for (const Ruler& ruler : kRulers) {
    std::vector<std::vector<std::ptrdiff_t>> points;
    for (const std::string& line : rows(ruler, {"--steps", "scores"})) {
      points.emplace_back();
      for (std::size_t at = line.find('.'); at != line.npos; at = line.find('.', at + 1))
        points.back().push_back(ruler.width(line.substr(0, at)));
      CHECK(points.back().size() == kTokenTexts.size());
      CHECK(points.back() == points.front());
    }
    Words signs = rows(ruler, {"--compact"});
    signs.pop_back();  // all others end with a dot
    for (const std::string& line : signs) CHECK(ruler.width(line) == ruler.width(signs.front()));
  }
}

TEST_CASE("scripts: ambiguous characters are narrow unless the option says otherwise") {
  const std::string problem = problem_with(kTokenTexts);
  const auto width = [&](const Words& args, const Ruler& ruler) {
    return ruler.width(table_lines(attn_run(args, problem).out).back());
  };
  const Words plain{"explain", "-", "--steps", "scores"};
  Words one = plain, two = plain;
  one.insert(one.end(), {"--ambiguous-width", "1"});
  two.insert(two.begin(), {"--ambiguous-width=2"});
  CHECK(attn_run(plain, problem).out == attn_run(one, problem).out);
  CHECK(attn_run(plain, problem).out != attn_run(two, problem).out);
  CHECK(width(plain, {1}) == width(two, {2}));
  CHECK(attn_run({"explain", "--ambiguous-width", "3"}).exit_code == 2);
}

TEST_CASE("scripts: every sample keeps to the screen with wide symbols") {
  for (const Sample& sample : samples()) {
    for (const Words& more : {Words{}, Words{"--detail", "full"}, Words{"--big"}}) {
      CAPTURE(std::string(sample.name));
      all_fit(lines_of(on_screen(80, {2}, more, std::string(sample.text))), 80, {2});
    }
  }
}

TEST_CASE("scripts: labels are cut between clusters, to twelve cells of any kind") {
  std::string families, accents;
  for (int i = 0; i < 10; ++i) families += kFamily;
  for (int i = 0; i < 14; ++i) accents += "e\u0301";
  const std::string problem = problem_with({families, accents});
  const auto times = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const auto cut = [&](const Ruler& ruler) {
    return on_screen(200, ruler, {"--steps", "scores"}, problem);
  };
  for (const Ruler& ruler : kRulers) {
    const std::string text = cut(ruler);
    const std::string family = times(kFamily, 5) + "…";
    const std::string accent = times("e\u0301", ruler.ambiguous == 1 ? 11 : 10) + "…";
    CHECK(has(text, "\n    " + family + "  is  " + families + "\n"));
    CHECK(has(text, "\n    " + accent + "  is  " + accents + "\n"));
    Words rows;
    for (const std::string& line : lines_of(text)) {
      const bool label = line.starts_with("    " + family) || line.starts_with("    " + accent);
      if (label && !has(line, "  is  ")) rows.push_back(line);
    }
    REQUIRE(rows.size() == 2);
    CHECK(ruler.width(rows[0]) == ruler.width(rows[1]));
  }
}

TEST_CASE("scripts: a caret is below its place after wide symbols") {
  const std::string problem = R"({"title": "Γ “①”", "tokens": 3})";
  for (const Ruler& ruler : kRulers) {
    const Words lines = lines_of(
        attn_run({"explain", "-", "--ambiguous-width", std::to_string(ruler.ambiguous)}, problem)
            .err);
    const auto caret = std::find_if(lines.begin(), lines.end(),
                                    [](const std::string& line) { return has(line, "^"); });
    REQUIRE(caret != lines.end());
    const std::string& source = *(caret - 1);
    CHECK(ruler.width(source.substr(0, source.find("3}"))) ==
          static_cast<std::ptrdiff_t>(caret->find('^')));
  }
}
