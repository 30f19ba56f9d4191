// Markdown read into Documents: every kind of block, what is left of inlines, and what is refused.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "attn/render/markdown.hpp"
#include "attn/writers.hpp"
#include "support/program.hpp"

using attn::Document;
using attn::read_markdown;
using attn::testing::first_difference;
using attn::testing::has;

namespace {

template <typename T>
const T& block_at(const Document& document, std::size_t i) {
  REQUIRE(document.blocks.size() > i);
  REQUIRE(std::holds_alternative<T>(document.blocks[i]));
  return std::get<T>(document.blocks[i]);
}

/// The only paragraph of the text.
std::string paragraph_of(const std::string& text) {
  return block_at<attn::Paragraph>(read_markdown(text), 0).text;
}

/// What is wrong with the text.
std::string markdown_fault(const std::string& text) {
  try {
    read_markdown(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

attn::TextStyle narrow_style(std::ptrdiff_t width) {
  attn::TextStyle style;
  style.width = width;
  style.fit = attn::Fit::Wrap;
  return style;
}

constexpr const char* kPage = R"(# A page

Some words
on two lines.

## A section

Below it.

- **A term** What it means,
  in two lines.
- No term.

```sh
attn explain   *not* emphasis
  indented

```

| | |
| --- | --- |
| `attn explain` | all steps |
| `attn a\|b` | more |

| name | many words | 1st |
| --- | --- | ---: |
| a | b | 1 |
)";

}  // namespace

TEST_CASE("markdown reader: headings, paragraphs, lists, code and tables become blocks") {
  const Document document = read_markdown(kPage);
  REQUIRE(document.blocks.size() == 8);
  CHECK(block_at<attn::Title>(document, 0).text == "A page");
  CHECK(block_at<attn::Title>(document, 0).level == 1);
  CHECK(block_at<attn::Paragraph>(document, 1).text == "Some words on two lines.");
  CHECK(block_at<attn::Title>(document, 2).level == 2);
  const auto& items = block_at<attn::List>(document, 4).items;
  REQUIRE(items.size() == 2);
  CHECK(items[0].term == "A term");
  CHECK(items[0].text == "What it means, in two lines.");
  CHECK(items[1].term.empty());
  CHECK(items[1].text == "No term.");
  CHECK(block_at<attn::Code>(document, 5).lines ==
        std::vector<std::string>{"attn explain   *not* emphasis", "  indented", ""});
  const auto& commands = block_at<attn::Table>(document, 6);
  CHECK(commands.commands);
  CHECK(commands.hangs);
  CHECK(commands.header == std::vector<std::string>{"", ""});
  CHECK(commands.rows[1] == std::vector<std::string>{"attn a|b", "more"});
  const auto& numbers = block_at<attn::Table>(document, 7);
  CHECK(!numbers.commands);
  CHECK(!numbers.hangs);
  CHECK(numbers.texts == 2);
  CHECK(numbers.rows[0] == std::vector<std::string>{"a", "b", "1"});
}

TEST_CASE("markdown reader: a list, code and a table end where another block begins") {
  CHECK(read_markdown("a\n# b\nc\n- d\n- e\n\nf\n| g |\n| --- |\n\n```\n```\nh\n").blocks.size() ==
        8);
  CHECK(read_markdown("").blocks.empty());
  CHECK(read_markdown("\n \n").blocks.empty());
}

TEST_CASE("markdown reader: of code, emphasis, links and escapes the text remains") {
  CHECK(paragraph_of("a `b*c_d` **e *f* g** *h `*` i*") == "a b*c_d e f g h * i");
  CHECK(paragraph_of("[masks `x`](masks.md), error[…], A[cat, the]") ==
        "masks x, error[…], A[cat, the]");
  CHECK(paragraph_of("`` a`b `` \\*c\\* \\<id> 2 * 3 < 4, <.001, d_k, w\\q") ==
        "a`b *c* <id> 2 * 3 < 4, <.001, d_k, w\\q");
  CHECK(paragraph_of("`  two spaces`") == "  two spaces");
}

TEST_CASE("markdown reader: a million equal signs are read as fast as a million letters") {
  const std::size_t many = 1'000'000;
  for (const std::string& text : {std::string(many, '*'), std::string(many, '[') + "]",
                                  std::string(many, '[') + "] " + std::string(many, '*')})
    CHECK(paragraph_of(text) == text);
  CHECK(paragraph_of("[a] [b](c) [d] * ** *e*") == "[a] b [d] * ** e");
}

TEST_CASE("markdown reader: a comment is replaced by the blocks that it stands for") {
  const auto insert = [](const std::string& text) -> std::optional<std::vector<attn::Block>> {
    if (text == "nothing") return std::vector<attn::Block>{};
    if (text != "two notes") return std::nullopt;
    return std::vector<attn::Block>{attn::Paragraph{"a", attn::Role::Note},
                                    attn::Paragraph{"b", attn::Role::Note}};
  };
  const Document document = read_markdown("a\n<!-- two notes -->\n<!--nothing-->\n", insert);
  REQUIRE(document.blocks.size() == 3);
  CHECK(block_at<attn::Paragraph>(document, 2).text == "b");
  CHECK_THROWS_WITH_AS(read_markdown("\n<!-- note -->", insert),
                       "line 2 of the Markdown: nothing is known about the comment \"note\"",
                       std::invalid_argument);
}

TEST_CASE("markdown reader: everything else is refused, with its line") {
  struct Row {
    const char *text, *fault;
  };
  const Row rows[] = {
      {"a\n\n> b", "line 3 of the Markdown: not read here: a quotation"},
      {"1. a", "line 1 of the Markdown: not read here: a numbered list"},
      {"* a", "line 1 of the Markdown: not read here: a list with *"},
      {"a\n---", "line 2 of the Markdown: not read here: a rule"},
      {"a\n===", "line 2 of the Markdown: not read here: an underlined heading"},
      {"    a", "line 1 of the Markdown: not read here: a line that begins with spaces"},
      {"<p>", "line 1 of the Markdown: HTML and pictures"},
      {"a <b>c</b>", "line 1 of the Markdown: HTML and pictures are not read here"},
      {"![a](b.svg)", "line 1 of the Markdown: HTML and pictures"},
      {"#### a", "line 1 of the Markdown: a heading is #, ## or ###"},
      {"#a", "line 1 of the Markdown: a heading is"},
      {"a\n```\nb", "line 2 of the Markdown: the code has no end"},
      {"a `b", "line 1 of the Markdown: the code that begins with ` has no end"},
      {"a\n\nb **c", "line 3 of the Markdown: the emphasis that begins with ** has no end"},
      {"[a](b", "line 1 of the Markdown: the address of a link has no end"},
      {"- a\nb", "line 2 of the Markdown: after a list comes an empty line"},
      {"- a\n  - b", "line 2 of the Markdown: an item of a list is one paragraph"},
      {"- a\n- **b", "line 2 of the Markdown: the emphasis"},
      {"| a |\nb", "line 2 of the Markdown: below the header of a table"},
      {"| a |", "line 2 of the Markdown: below the header of a table"},
      {"| a | b |\n| --- |", "line 2 of the Markdown: below the header of a table"},
      {"| a |\n| :-: |", "line 2 of the Markdown: below the header of a table"},
      {"| a | b |\n| ---: | --- |", "line 2 of the Markdown: columns of words come before"},
      {"| a |\n| --- |\n| b | c |", "line 3 of the Markdown: a row of this table has 1 cell"},
      {"| a |\n| --- |\nb", "line 3 of the Markdown: a row of this table has 1 cell"},
      {"<!-- a", "line 1 of the Markdown: a comment is one line"},
      {"<!-- a -->", "line 1 of the Markdown: nothing is known about the comment \"a\""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string fault = markdown_fault(row.text);
    CHECK_MESSAGE(fault.starts_with(row.fault), fault);
  }
}

TEST_CASE("markdown reader: the page as text, in columns and on a narrow screen") {
  CHECK(first_difference(R"(A page

Some words on two lines.

A section
  Below it.

  A term
      What it means, in two lines.
  - No term.

  attn explain   *not* emphasis
    indented


  attn explain   all steps
  attn a|b       more

name  many words  1st
a     b             1
)",
                         write_text(read_markdown(kPage), narrow_style(80))) == "");
  const std::string narrow = write_text(read_markdown(kPage), narrow_style(24));
  CHECK(has(narrow, "\n      What it means, in\n      two lines.\n"));
  CHECK(has(narrow, "\n  attn explain   *not* emphasis\n"));
  CHECK(has(narrow, "\n  attn explain\n      all steps\n"));
}

TEST_CASE("markdown reader: the prose of a table begins where that takes the fewest lines") {
  const Document document = read_markdown(
      "| | |\n| --- | --- |\n| a | some words |\n| a long name of something | more of these words "
      "and others |\n");
  CHECK(write_text(document, narrow_style(80)) ==
        "  a                         some words\n"
        "  a long name of something  more of these words and others\n");
  CHECK(write_text(document, narrow_style(40)) ==
        "  a   some words\n"
        "  a long name of something\n"
        "      more of these words and others\n");
  const Document headed = read_markdown(
      "| what | which words | 3rd |\n| --- | --- | --- |\n| some name | some words | c |\n");
  CHECK(write_text(headed, narrow_style(24)) ==
        "  what: some name,\n"
        "      which words: some\n"
        "      words, 3rd: c\n");
}

TEST_CASE("markdown reader: the other formats have lists and code, too") {
  const Document document = read_markdown(kPage);
  CHECK(has(write_markdown(document), "\n- **A term** What it means, in two lines.\n- No term.\n"));
  CHECK(has(write_markdown(document), "\n```\nattn explain   *not* emphasis\n"));
  CHECK(has(write_latex(document), "\\item \\textbf{A term} What it means, in two lines.\n"));
  CHECK(has(write_latex(document), "\\begin{flushleft}\n\\texttt{attn explain"));
  const std::string page = write_page(document);
  CHECK(has(page, "<li><strong>A term</strong> What it means, in two lines.</li>\n"));
  CHECK(has(page, "<pre>attn explain   *not* emphasis\n  indented\n\n</pre>"));
  attn::TextStyle lines;
  lines.layout = attn::Layout::Lines;
  CHECK(has(write_text(document, lines), "\nA term: What it means, in two lines.\nNo term.\n"));
}
