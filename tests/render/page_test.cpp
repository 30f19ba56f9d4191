// HTML pages as text: what a browser may load, and what cannot become markup.
#include <doctest/doctest.h>

#include <regex>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "attn/render/explain.hpp"
#include "attn/writers.hpp"
#include "core/text/sha256.hpp"
#include "render/page/html_text.hpp"
#include "support/program.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

std::string sample_page(int number) { return write_page(explain_page(sample_trace(number), {})); }

/// What is between two marks, the first time.
std::string between(const std::string& text, const std::string& open, const std::string& close) {
  const std::size_t begin = text.find(open);
  REQUIRE(begin != text.npos);
  const std::size_t end = text.find(close, begin + open.size());
  return text.substr(begin + open.size(), end - begin - open.size());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("pages: nothing is loaded") {
  const std::string page = sample_page(4);
  CHECK_FALSE(std::regex_search(page, std::regex("(src|href) *= *\"?(https?:|//)")));
  CHECK_FALSE(has(page, "@import"));
  CHECK_FALSE(has(page, "url("));
  CHECK_FALSE(has(page, "http:"));
  CHECK_FALSE(has(page, "https:"));
}

TEST_CASE("pages: style and script are allowed by their hashes alone") {
  const std::string page = sample_page(4);
  const auto hash = [](const std::string& text) { return "sha256-" + base64(sha256(text)); };
  const std::string policy = between(page, "Security-Policy\" content=\"", "\"");
  CHECK(policy == "default-src 'none'; style-src '" + hash(between(page, "<style>", "</style>")) +
                      "'; script-src '" + hash(between(page, "<script>", "</script>")) +
                      "'; base-uri 'none'; form-action 'none'");
  CHECK(base64("") == "");  // RFC 4648, section 10
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("pages: tokens never become markup") {
  const std::string token = "</script><script>alert(1)</script>";
  ProblemDraft draft;
  draft.tokens = TokenLists{{token, "a\"b&c'\\",
                             "\xE2\x80\xAE"
                             "bidi"}};
  draft.q = draft.k = draft.v = Array{{3, 1}, {1.0, 2.0, 3.0}};
  const std::string page = write_page(explain_page(attend(make_problem(draft)), {}));
  CHECK_FALSE(has(page, "alert(1)</script>"));
  CHECK(has(page, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(has(page, "a&quot;b&amp;c'\\"));
  CHECK(has(page, "\\u003c/script>"));
  CHECK_FALSE(has(page, "\xE2\x80\xAE"));
  CHECK(count(page, "<script") == 2);
}

TEST_CASE("pages: what is to be typed is not broken, ids only at their dots") {
  CHECK(html_prose("Try attn generate with --text \"<bos>\".") ==
        "Try <span class=\"typed\">attn generate</span> with "
        "<span class=\"typed\">--text &quot;&lt;bos&gt;&quot;</span>.");
  for (const std::string topic : {"why", "scale.missing"})
    CHECK(html_prose("Read attn help " + topic + ".") ==
          "Read <span class=\"typed\">attn help " + topic + "</span>.");
  CHECK(html_prose("(--full prints them)") == "(<span class=\"typed\">--full</span> prints them)");
  const std::string dashes(100, '-');
  for (const std::string& plain : {std::string("a -- b, x--y, attn"), dashes, std::string()})
    CHECK(html_prose(plain) == html_text(plain));
  CHECK(html_prose("layers.0.norm1 is 0.5.", true) == "layers.<wbr>0.<wbr>norm1 is 0.5.");
  CHECK(html_prose("<script>.x") == "&lt;script&gt;.x");
}

TEST_CASE("pages: hatched and coloured cells are explained where there are any") {
  const auto page = [](const std::vector<std::string>& args) {
    std::vector<std::string> all = args;
    all.insert(all.end(), {"--format", "html"});
    return attn_run(all).out;
  };
  const std::string compared = page({"compare", "--left", "mask=none", "--right", "mask=causal"});
  CHECK(has(compared, "<p class=\"dim\">hatched: hidden, coloured: differs</p>"));
  CHECK(has(page({"explain", "--mask", "causal"}), "<p class=\"dim\">hatched: hidden</p>"));
  CHECK_FALSE(has(page({"explain"}), "hatched"));
}

TEST_CASE("pages: each matrix is a table with a caption, each step a heading") {
  const std::string page = sample_page(4);
  CHECK(has(page, "<html lang=\"en\">"));
  CHECK(has(page, "<title>"));
  CHECK(count(page, "<caption>") == count(page, "<table"));
  CHECK(has(page, "<caption>A, attention weights · 6×6</caption>"));
  CHECK(count(page, "<h1>") == 1);
  CHECK(count(page, "<h2>") == count(page, "<section id=\"step-"));
  CHECK(has(page, "<th scope=\"col\">"));
  CHECK(has(page, "<th scope=\"row\">"));
}

TEST_CASE("pages: what a sink takes is beside the weights, without being a cell of theirs") {
  const Trace trace = sample_trace(20);
  const std::string page = write_page(explain_page(trace, {}));
  const std::string table = between(page, "<table data-step=\"weights\"", "</table>");
  CHECK(has(table,
            "<th scope=\"col\" class=\"sum\">sink</th><th scope=\"col\" class=\"sum\">sum</th>"));
  CHECK(has(table, "head 0 · 3×3</caption>"));
  const Tensor& taken = trace.value("sink_weights");
  for (Index row = 0; row < taken.rows(); ++row)
    CHECK(has(table, "class=\"sum\" data-sum=\"" + format_exact(taken.at({0, 0, row, 0})) + "\""));
  CHECK(count(table, ">1.000</td></tr>") == 3);  // with it, each row adds up to 1
  CHECK(count(page, "<th scope=\"col\" class=\"sum\">sink</th>") == 2);  // one for each head
}

TEST_CASE("pages: of a row, the single numbers in its sum are links") {
  const Trace trace = sample_trace(1);
  Document row = explain_cell(trace, "output:cat", {});
  add_cells(row, trace);
  const std::string page = write_page(row);
  CHECK(count(page, "<a href=\"#step=weights&amp;row=1&amp;col=") == 5);
  CHECK(has(page, "col=2&amp;batch=0&amp;head=0\">A[cat, dreams]</a>"));
  CHECK(!has(page, ">O[cat]</a>"));
}

TEST_CASE("pages: the names and numbers of a worked cell lead to their cells") {
  const std::string page = attn_run({"explain", "--mask", "causal", "--format", "html"}).out;
  CHECK(has(page,
            "row=2&amp;col=1&amp;batch=0&amp;head=0\">A[dreams, cat]</a> = e^<a href=\""
            "#step=masked_scores&amp;row=2&amp;col=1&amp;batch=0&amp;head=0\">1.5</a> / (e^"));
}

TEST_CASE("pages: the same input gives the same bytes, and a small page is small") {
  CHECK(sample_page(4) == sample_page(4));
  CHECK(sample_page(1).size() < 100 * 1024);
  CHECK(sample_page(4).size() < 100 * 1024);
}

TEST_CASE("pages: a head of 64 tokens takes less than a mebibyte") {
  const Ran made = attn_run({"new", "--random", "--normal", "--tokens", "64", "--d-model", "16"});
  const Ran page = attn_run({"explain", "-", "--mask", "causal", "--format", "html"}, made.out);
  CHECK(page.exit_code == 0);
  CHECK(page.out.size() < 1024 * 1024);
}

TEST_CASE("pages: everything is there without script and style") {
  const Trace trace = sample_trace(3);
  const std::string page = write_page(explain_page(trace, {}));
  const std::string body = between(page, "<body>", "<script");
  for (const Step& step : trace.steps) {
    CAPTURE(step.id);
    if (step.info().role == StepRole::Mask) continue;  // the masked scores show it
    CHECK(has(body, "alttext=\"" + formula_text(trace, step)));
  }
  const Tensor& weights = trace.value("weights");
  for (const double weight : weights.data()) {
    char text[32];
    std::snprintf(text, sizeof text, ">%.3f</td>", weight);
    CHECK(has(body, text));
  }
}

}  // namespace attn::testing
