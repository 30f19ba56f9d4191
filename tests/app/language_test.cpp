// The catalogues of languages: complete, in step with the sources, and as wide as they look.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/mask.hpp"
#include "attn/operation.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/lesson.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/trace.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/sources.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// What the scripts of a folder say.
std::set<std::string> words_of_scripts(const std::string& folder) {
  std::set<std::string> words;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + folder)) {
    if (entry.path().extension() != ".js") continue;
    std::string text = read_text(entry.path().string());
    for (std::size_t at = text.find("\" +\n"); at != text.npos; at = text.find("\" +\n"))
      text.erase(at + 1, text.find('"', at + 1) - at - 1);  // a text on several lines
    for (std::string& word : first_arguments(text, "inWords")) words.insert(std::move(word));
  }
  return words;
}

/// What attn.html says apart from its scripts: the texts of its elements with data-words.
std::set<std::string> words_of_html() {
  const std::string html = read_text(source_dir() + "/app/web/page/page.html"),
                    mark = "data-words>";
  std::set<std::string> words;
  for (std::size_t at = html.find(mark); at != html.npos; at = html.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size(), end = html.find('<', begin);
    words.insert(html.substr(begin, end - begin));
  }
  words.erase("");
  return words;
}

/// The English of what a student reads, each with where it is.
std::map<std::string, std::string> texts_for_students() {
  std::map<std::string, std::string> texts;
  const auto add = [&](const std::string& english, const std::string& where) {
    if (english.find_first_not_of(" ") != english.npos) texts.emplace(english, where);
  };
  for_each_source({"lib/src", "app"}, [&](const std::string& file, const std::string& text) {
    for (const char* function : {"translated", "in_catalogue"}) {
      for (const std::string& english : first_arguments(text, function)) add(english, file);
    }
    for (const std::string& noun : second_arguments(text, "translated_count")) {
      add("1 " + noun, file);
      add("{n} " + plural(noun), file);
    }
  });
  for (const std::string& word : words_of_scripts("/app/web/page")) add(word, "attn.html");
  for (const std::string& word : words_of_html()) add(word, "attn.html");
  add("Views", "attn.html");
  texts.erase("1 ");  // how translated_count makes its keys
  texts.erase("{n} ");
  for (const std::string& id : step_ids()) {
    const StepInfo& info = *find_step_info(id);
    if (info.role == StepRole::Gradient) continue;  // made from those of its step
    for (const char* text : {info.title, info.phrase, info.why, info.row_axis, info.col_axis})
      add(text, "the step " + id);
  }
  for (const Mistake& mistake : mistakes()) {
    for (const char* text :
         {mistake.title, mistake.explanation, mistake.hint, mistake_fix(mistake.code)})
      add(text, std::string("the mistake ") + mistake.code);
  }
  for (const MaskKind& kind : mask_kinds()) add(kind.why, std::string("the mask ") + kind.name);
  for (const Operation* operation : operations()) {
    add(operation->why, std::string("the operation ") + operation->name);
    add(operation->gradient_why, std::string("the operation ") + operation->name);
  }
  return texts;
}

/// Everything in quotation marks in the sources, and what is counted there.
std::set<std::string> literals_in_sources() {
  std::set<std::string> all{", ", " and "};
  for_each_source({"lib/src", "lib/include", "app"},
                  [&](const std::string&, const std::string& text) {
                    for (std::string& literal : literals_in(text)) {
                      all.insert("1 " + literal);
                      if (!literal.empty()) all.insert("{n} " + plural(literal));
                      all.insert(std::move(literal));
                    }
                  });
  return all;
}

/// The gaps of a text, in alphabetical order: "{n}", "{}".
std::set<std::string> gaps_in(const std::string& text) {
  std::set<std::string> gaps;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close != text.npos && text.find(' ', open) > close)
      gaps.insert(text.substr(open, close + 1 - open));
  }
  return gaps;
}

std::vector<const Language*> catalogues() {
  std::vector<const Language*> all;
  for (const std::string& code : language_codes()) {
    if (code != "en") all.push_back(&language_of(code));
  }
  return all;
}

bool is_seven_bit(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

TEST_CASE("languages: each has every text that a student reads, and no other") {
  const std::map<std::string, std::string> wanted = texts_for_students();
  const std::set<std::string> literals = literals_in_sources();
  CHECK(wanted.size() > 300);
  REQUIRE(catalogues().size() == 2);
  for (const Language* language : catalogues()) {
    for (const auto& text : wanted) {  // clang captures no binding
      const std::string &english = text.first, &where = text.second;
      const bool known = language->texts.contains(english);
      CHECK_MESSAGE(known, "add to samples/lang/", language->code, ".json, which ", where,
                    " needs: \"", english, "\"");
    }
    for (const auto& text : language->texts) {
      const std::string& english = text.first;
      const bool used = wanted.contains(english) || literals.contains(english);
      CHECK_MESSAGE(used, "no source has this any more; take it out of samples/lang/",
                    language->code, ".json: \"", english, "\"");
    }
  }
}

TEST_CASE("languages: pages have what their scripts say") {
  const std::string page =
      attn_run({"explain", "--mask", "causal", "--lang", "zh", "--format", "html"}).out;
  const std::set<std::string> words = words_of_scripts("/lib/page");
  CHECK(words.size() > 25);
  for (const std::string& english : words) {
    CAPTURE(english);
    CHECK(has(page, "\"" + english + "\": "));
  }
}

TEST_CASE(
    "languages: titles and descriptions of samples are in each, also with options and faults") {
  for (const Language* language : catalogues()) {
    CAPTURE(language->code);
    for (const Sample& sample : samples()) {
      const ProblemDraft draft = parse_problem(sample.text, "p").draft;
      CAPTURE(sample.name);
      const LanguageInUse use(*language);
      for (const std::string& english : {draft.title, draft.description})
        CHECK(translated_title(english) != english);
    }
    {
      const LanguageInUse use(*language);
      for (const char* own : {"text", "hint", "everything", "Attention (with residuals)",
                              "Q = mean of X over the labelled rows"})
        CHECK(translated_title(own) == own);
    }
    const std::string options = attn_run({"explain", "01", "--mask", "causal", "--set",
                                          "softcap=0.5", "--lang", language->code})
                                    .out;
    CHECK(has(unwrapped(options), "--mask causal --softcap 0.5"));
    CHECK(!has(options, "One head"));
    CHECK(!has(options, "with --mask"));
    const std::string fault =
        attn_run({"explain", "01", "--fault", "scale.missing", "--lang", language->code}).out;
    CHECK(has(fault, "scale.missing"));
    for (const char* english : {kNotScaled, "One head", "A known mistake"})
      CHECK(!has(fault, english));
  }
}

TEST_CASE("languages: the codes of mistakes, and what a summary says, are in each") {
  for (const Language* language : catalogues()) {
    CAPTURE(language->code);
    const auto said = [&](std::vector<std::string> args) {
      args.insert(args.end(), {"--lang", language->code});
      return attn_run(args).out;
    };
    const std::string tokens = said({"tokens", "a cat"}) + said({"tokens", "--decode", "66,64"});
    for (const char* english : {"The t", "bytes ·", "tokenizer", "text "}) {
      CAPTURE(english);
      CHECK(!has(tokens, english));
    }
    const std::string rules = said({"exercise", "rules"});
    for (const Mistake& mistake : mistakes()) {
      CHECK(has(rules, mistake.code));
      CHECK(!has(rules, mistake.explanation));
    }
    for (const char* english : {"Parameters", "shapes alone", "shape ", "if even", "everything",
                                "multiplications", "rank of", "The loss"}) {
      CAPTURE(english);
      for (const char* option : {"--summary", "--outline", "--gradient"})
        CHECK(!has(said({"explain", "15", option}) + said({"explain", "01", option}), english));
    }
  }
}

TEST_CASE("languages: a text has the gaps of its English, and none is empty") {
  for (const Language* language : catalogues()) {
    CHECK(!language->name.empty());
    std::map<std::string, std::string> all(language->texts.begin(), language->texts.end());
    all.insert(language->sentences.begin(), language->sentences.end());
    for (const auto& row : all) {
      const std::string &english = row.first, &text = row.second;
      CAPTURE(english);
      CAPTURE(text);
      CHECK(!text.empty());
      CHECK(gaps_in(english) == gaps_in(text));
    }
  }
}

TEST_CASE("languages: gaps are filled by name, and a text that is missing stays English") {
  const Language pirate{
      "pi", "Pirate", {{"{a} before {b}", "{b} after {a}"}, {"1 head", "1 skull"}}, {}, {}};
  {
    const LanguageInUse use(pirate);
    CHECK(translated("{a} before {b}", "x", 2) == "2 after x");
    CHECK(translated("{a} beside {b}", "{b}", "y") == "{b} beside y");
    CHECK(translated_count(1, "head") == "1 skull");
    CHECK(translated_count(3, "head") == "3 heads");
    CHECK(language_code() == "pi");
  }
  CHECK(translated("{a} before {b}", "x", 2) == "x before 2");
  CHECK(translated_list({"a", "b", "c"}) == "a, b and c");
  CHECK(language_code() == "en");
}

TEST_CASE(
    "languages: names are in the quotation marks of the language, without spaces in Chinese") {
  const char* rows = "the rows of {names}";
  const std::string some = "\"cat\", \"it\"";
  {
    const LanguageInUse use(language_of("de"));
    CHECK(translated(rows, some) == "die Zeilen von „cat“, „it“");
    CHECK(translated_sentence("The row of \"cat\" adds up to 2 instead of 1.") ==
          "Die Summe der Zeile von „cat“ ist 2 statt 1.");
    CHECK(translated_sentence("Write a comma between \"a\" and \"b\".") ==
          "Schreib ein Komma zwischen \"a\" und \"b\".");  // as JSON has them
    CHECK(without_loose_spaces("a „b“ c") == "a „b“ c");
  }
  {
    const LanguageInUse use(language_of("zh"));
    CHECK(translated(rows, some) == "“cat”“it”这些行");
    CHECK(translated_sentence("The row of \"猫 咪\" adds up to 2 instead of 1.") ==
          "“猫 咪”这一行加起来是 2，而不是 1。");
    CHECK(translated("{what} are given", "X 的“a”行 和 W 的 v0 列") ==
          "X 的“a”行和 W 的 v0 列已知");
    CHECK(without_loose_spaces("跟着 “猫 咪” 走： 好") == "跟着“猫 咪”走：好");
    CHECK(comma_joined({"X", "", "输入"}) == "X，输入");
  }
  CHECK(translated(rows, some) == "the rows of " + some);
  CHECK(comma_joined({"X", "", "input"}) == "X, input");
}

TEST_CASE("languages: what a broken file gets is in each, with --lang only") {
  const TemporaryFolder folder;
  const std::string cut = folder.write("cut.json", "{\"scores\": [[1, 2], [3"),
                    word = folder.write("word.json", "hello"), none = folder.write("none.json", ""),
                    missing = folder.path("missing.json");
  for (const std::string& file : {cut, word, none, missing}) {
    CAPTURE(file);
    const std::string zh = unwrapped(attn_run({"check", file, "--lang", "zh"}).err);
    CHECK(has(zh, "解决"));
    for (const char* each : {"found", "cannot be read", "fix ", "Check ", "Add ", "This is"})
      CHECK(!has(zh, each));
    CHECK(has(attn_run({"check", file, "--lang", "de"}).err, "Rat "));
    CHECK(has(attn_run({"check", file}).err, "fix "));
    CHECK(attn_run({"check", file, "--lang", "de", "--error-format", "json"}).err ==
          attn_run({"check", file, "--error-format", "json"}).err);
  }
}

TEST_CASE("languages: an error about a cell or an option is in one language, not in two") {
  const auto said = [](const char* code, const std::string& option, const std::string& value) {
    return unwrapped(attn_run({"explain", option, value, "--lang", code}).err);
  };
  const std::string row = said("de", "--cell", "weights:9,1"),
                    step = said("de", "--cell", "wights:1,1"),
                    mask = said("de", "--mask", "kausal");
  CHECK(has(row, "weights hat 5 Zeilen (Abfrage) und 5 Spalten (Schlüssel)"));
  CHECK(has(row, "Es gibt keine Zeile „9“"));
  CHECK(has(row, "Die Indizes beginnen bei 0; der letzte ist 4."));
  CHECK(has(step, "Diese Aufgabe hat keinen Schritt „wights“; meinst du „weights“?"));
  CHECK(has(step, "Schreib SCHRITT:ZEILE,SPALTE für eine Zahl"));
  CHECK(has(step, "SCHRITT:KOPF,ZEILE,SPALTE"));
  CHECK(has(said("de", "--cell", "scores:1,0,0"), "scores hat keine Köpfe"));
  CHECK(has(mask, "Schreib eins von diesen: none, causal"));
  CHECK(has(said("zh", "--cell", "weights:1,9"), "weights 有 5 行（查询）和 5 列（键）"));
  CHECK(has(
      attn_run({"explain", "--cell", "weights:9,1", "--lang", "de", "--error-format", "json"}).err,
      "weights has 5 rows (query) and 5 columns (key)"));
  const LanguageInUse use(language_of("de"));
  CHECK(translated_sentence("Write --hint 4, for example.") == "Schreib zum Beispiel --hint 4.");
  CHECK(translated_sentence("Write A:B for one number.") == "Write A:B for one number.");
  CHECK(has(unwrapped(attn_run({"lesson", "--lang", "de"}).out), "oder ihr Name, beginnt eine."));
}

TEST_CASE("languages: a symbol keeps its letters in formulas, and what it means is beside it") {
  const auto explained = [](const std::string& sample, const std::string& code) {
    return unwrapped(attn_run({"explain", sample, "--lang", code}).out);
  };
  CHECK(has(explained("06-translation", "zh"), "] memory（记忆） "));
  CHECK(has(explained("06-translation", "de"), "] memory (Memory) "));
  CHECK(has(explained("06-translation", "en"), "] memory what the keys"));
  CHECK(has(explained("23-rope-scaling", "en"), "times 1.208 "));
  CHECK(has(explained("23-rope-scaling", "de"), "mal 1.208 "));
  CHECK(has(explained("21-additive", "de"), "q aus Q, k aus K"));
  CHECK(has(explained("24-experts", "de"), "red: 0 und 3, "));
}

TEST_CASE("languages: what students read is German and Chinese, within the width of the screen") {
  const std::vector<std::vector<std::string>> commands{
      {"explain", "--mask", "causal", "--heads", "2"},
      {"explain", "--mask", "causal", "--detail", "full", "--gradient"},
      {"explain", "--cell", "weights:1,0", "--mask", "causal"},
      {"explain", "samples/24-experts.json"},
      {"explain", "samples/09-batch.json", "--summary"},
      {"check", "samples/answers/first-try.json", "--problem", "samples/01-one-head.json"},
      {"compare", "samples/04-causal.json", "--left", "mask=none"},
      {"practice", "--blank", "weights"},
      {"lesson", "softmax", "--no-ask"},
      {"lesson", "masks", "--no-ask"},
      {"exercise", "rules"},
      {"explain", "samples/10-chinese.json", "--layout", "lines"}};
  for (const std::vector<std::string>& command : commands) {
    std::vector<std::string> args = command;
    for (std::string& arg : args) {
      if (arg.starts_with("samples/")) arg = source_dir() + "/" + arg;
    }
    const Ran english = attn_run_on(screen(80), args);
    for (const char* code : {"de", "zh"}) {
      args.insert(args.begin() + 1, {"--lang", code});
      const Ran ran = attn_run_on(screen(80), args);
      args.erase(args.begin() + 1, args.begin() + 3);
      CAPTURE(code);
      CAPTURE(separated(args, " "));
      CHECK(ran.exit_code == english.exit_code);
      CHECK(ran.out != english.out);
      if (has(separated(args, " "), "lines")) continue;  // one line for each step
      for (const std::string& line : lines_of(ran.out)) {
        CAPTURE(line);
        CHECK(display_width(line) <= 80);
      }
    }
  }
  const std::string german =
      unwrapped(attn_run({"explain", "--mask", "causal", "--lang", "de"}).out);
  CHECK(has(german, "wie jede Abfrage ihre Aufmerksamkeit verteilt"));
  CHECK(has(german, "causal verdeckt M[dreams, it]: Der Schlüssel kommt später"));
  const std::string chinese = attn_run({"explain", "--mask", "causal", "--lang", "zh"}).out;
  CHECK(has(chinese, "每个查询如何分配注意力"));
  CHECK(has(chinese, "舍入到 3 位小数"));
}

TEST_CASE("languages: columns stay under their labels where these are two columns wide") {
  const std::string text = attn_run({"explain", "--steps", "scores", "--lang", "zh"}).out;
  std::set<std::ptrdiff_t> widths;
  std::size_t rows = 0;
  for (const std::string& line : lines_of(text)) {
    const bool in_matrix = line.starts_with("    ") && !has(line, "例如");
    if (!in_matrix) continue;
    widths.insert(display_width(line));
    ++rows;
  }
  CHECK(has(text, "查询\\键"));
  CHECK(rows == 6);
  CHECK(widths.size() == 1);
}

TEST_CASE("languages: 7 bits write German with ae, and leave Chinese English") {
  const std::vector<std::string> args{"explain", "--mask", "causal", "--ascii", "--lang"};
  const auto run_in = [&](const char* code) {
    std::vector<std::string> all = args;
    all.emplace_back(code);
    return attn_run(all).out;
  };
  CHECK(is_seven_bit(run_in("de")));
  CHECK(has(run_in("de"), "Der Schluessel kommt spaeter"));
  CHECK(run_in("zh") == run_in("en"));
}

TEST_CASE("languages: what programs read is the same in all of them") {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"explain", "--mask", "causal", "--json"},
           {"explain", "--mask", "causal", "--heads", "2", "--format", "csv"},
           {"explain", "--mask", "causal", "--cell", "weights:1,2", "--json"},
           {"exercise", "rules", "--json"}}) {
    std::vector<std::string> args = command;
    const std::string english = attn_run(args).out;
    CHECK(!english.empty());
    for (const char* code : {"de", "zh"}) {
      args = command;
      args.insert(args.end(), {"--lang", code});
      CHECK(first_difference(english, attn_run(args).out) == "");
    }
  }
}

TEST_CASE("languages: the list of samples has a title in each, where English has one") {
  const std::vector<std::string> english = lines_of(attn_run({"new", "--list"}).out);
  CHECK(english.size() == samples().size());
  for (const Language* language : catalogues()) {
    const std::vector<std::string> titles =
        lines_of(attn_run({"new", "--list", "--lang", language->code}).out);
    REQUIRE(titles.size() == english.size());
    for (std::size_t i = 0; i < titles.size(); ++i) {
      CAPTURE(titles[i]);
      CHECK(titles[i].substr(0, 22) == english[i].substr(0, 22));
      CHECK(titles[i] != english[i]);
    }
  }
}

TEST_CASE("languages: one that does not exist is refused, with those that do") {
  const std::string refusal = usage({"explain", "--lang", "dee"});
  CHECK(has(refusal, "--lang cannot be \"dee\""));
  CHECK(has(refusal, "de"));
  CHECK(has(refusal, "Choose one of en, de, zh."));
  app::Terminal terminal = screen(80);
  terminal.language = "zh";
  CHECK(has(attn_run_on(terminal, {"explain"}).out, "注意力"));
  CHECK(!has(attn_run_on(terminal, {"explain", "--lang", "en"}).out, "注意力"));
  terminal.language = "xx";
  const Ran ran = attn_run_on(terminal, {"explain"});
  CHECK(ran.exit_code == 2);
  CHECK(has(ran.err, "ATTN_LANG=xx"));
}

TEST_CASE("languages: a sentence of a report is found by what is around its gaps") {
  const Language pirate{
      "pi",
      "Pirate",
      {{"The scores are wrong.", "Scores be wrong."}},
      {{"Row {name} adds up to {number} instead of 1.", "{number} in {name}, arr."},
       {"first in {where}.", "in {where}, arr."},
       {"head {n}", "skull {n}"}},
      {}};
  const LanguageInUse use(pirate);
  CHECK(translated_sentence("Row x0 adds up to 0.5 instead of 1.") == "0.5 in x0, arr.");
  CHECK(translated_sentence("first in head 3.") == "in skull 3, arr.");
  CHECK(translated_sentence("The scores are wrong. Row a adds up to 2 instead of 1.") ==
        "Scores be wrong. 2 in a, arr.");
  CHECK(translated_sentence("Row adds up to nothing.") == "Row adds up to nothing.");
}

TEST_CASE("languages: decimals get a comma where the sheets have one, and nothing else does") {
  CHECK(with_decimal_mark("±0.02") == "±0.02");
  const DecimalMarkInUse comma(true);
  CHECK(with_decimal_mark("±0.02, -1.5 and 2.5e-07.") == "±0,02, -1,5 and 2,5e-07.");
  CHECK(with_decimal_mark("found \"0.5 (see 1.5)\", not 2.5") ==
        "found \"0.5 (see 1.5)\", not 2,5");
  for (const char* same : {"h.0.5", "1.2.3", "s1.json:3", "x1.5", "5.", ".5", "Q_1.5", "3. Zeile"})
    CHECK(with_decimal_mark(same) == same);
  CHECK(translated_sentence("Row x0 adds up to 0.5 instead of 1.") ==
        "Row x0 adds up to 0,5 instead of 1.");
  CHECK(translated_sentence("See section 3.2 of the notes.") == "See section 3.2 of the notes.");
  const LanguageInUse german(language_of("de"));
  CHECK(translated_sentence("Row x0 adds up to 0.5 instead of 1.") ==
        "Die Summe von Zeile x0 ist 0,5 statt 1.");
  CHECK(has(translated_sentence(comma_or_point("0,5", "0.5") + kSameLength),
            "schreib sie mit Punkt, 0.5,"));
  const DecimalMarkInUse point(false);
  CHECK(with_decimal_mark("0.5") == "0.5");
}

TEST_CASE("languages: a sentence follows another without a space only where the script has none") {
  CHECK(sentences({"One.", "", "Two."}) == "One. Two.");
  CHECK(sentences({"一。", "二。"}) == "一。二。");
}

TEST_CASE("languages: check says each mistake, its question and what to do in both") {
  for (const char* fault :
       {"scale.missing", "mask.missing", "softmax.columns", "values.unprojected"}) {
    const std::string wrong =
        attn_run({"explain", "--mask", "causal", "--fault", fault, "--json"}).out;
    const auto run_in = [&](const char* code, std::vector<std::string> more = {}) {
      more.insert(more.begin(),
                  {"check", "-", "--problem", source_dir() + "/samples/01-one-head.json", "--mask",
                   "causal", "--lang", code});
      return attn_run(more, wrong);
    };
    const Mistake& mistake = *find_mistake(fault);
    for (const Language* language : catalogues()) {
      const std::string text = unwrapped(run_in(language->code.c_str()).out);
      CAPTURE(fault);
      CAPTURE(text);
      CHECK(has(text, fault));
      CHECK(!has(text, mistake.explanation));
      CHECK(!has(text, mistake.hint));
      if (language->code == "de") {
        CHECK(has(text, language->texts.at(mistake.explanation)));
        CHECK(has(text, "Frag dich"));
        CHECK(has(text, "erster falscher Schritt"));
      } else {
        CHECK(has(text, "问问自己"));
      }
      CHECK(first_difference(run_in("en", {"--json"}).out,
                             run_in(language->code.c_str(), {"--json"}).out) == "");
      for (const std::string& line :
           lines_of(run_in(language->code.c_str(), {"--width", "80"}).out))
        CHECK(display_width(line) <= 80);
    }
  }
}

TEST_CASE("languages: of what check finds in a small problem, hardly a line is left in English") {
  std::size_t faults = 0;
  const auto is_label = [](const std::string& line) {
    for (const char* label : {"现象", "可能的原因", "问问自己"}) {
      if (line.starts_with("    ") && has(line, label)) return true;
    }
    return false;
  };
  for (const std::string& fault : mistake_codes()) {
    const Ran wrong = attn_run({"explain", "--mask", "causal", "--fault", fault, "--json"});
    if (wrong.exit_code != 0 || ++faults > 24) continue;
    const Ran ran = attn_run({"check", "-", "--problem", source_dir() + "/samples/01-one-head.json",
                              "--mask", "causal", "--lang", "zh"},
                             wrong.out);
    for (const std::string& line : lines_of(ran.out)) {
      if (!is_label(line)) continue;
      CAPTURE(fault);
      CAPTURE(line);
      const std::string after = line.substr(line.find("  ", 6));
      CHECK(std::any_of(after.begin(), after.end(),
                        [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
    }
  }
  CHECK(faults > 20);
}

TEST_CASE("languages: sheets are in the language of the class; of their JSON, only the words" *
          doctest::test_suite("long")) {
  const std::vector<std::string> make{
      "exercise", "make", "--preset", "self",
      "--seed",   "3",    "--format", "json,markdown,html,latex,text"};
  const auto files_in = [&](const char* code) {
    const TemporaryFolder folder;
    std::vector<std::string> args = make;
    args.insert(args.end(), {"--lang", code, "-o", folder.path("sheets")});
    const Ran ran = attn_run(args);
    CAPTURE(ran.err);
    CHECK(ran.exit_code == 0);
    std::map<std::string, std::string> texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path("sheets"))) {
      if (entry.is_regular_file() && entry.path().string().find("key") == std::string::npos)
        texts[entry.path().extension().string()] += read_text(entry.path());
    }
    return texts;
  };
  auto english = files_in("en"), german = files_in("de"), chinese = files_in("zh");
  CHECK(english.size() >= 4);
  const Sheet sheet = parse_sheet(english[".json"], "").sheet;
  for (auto* files : {&german, &chinese}) {
    Sheet other = parse_sheet((*files)[".json"], "").sheet;
    CHECK(!std::exchange(other.language, "").empty());
    CHECK(sheet_json(other) == sheet_json(sheet));
  }
  for (const char* ending : {".md", ".html", ".tex"}) {
    CAPTURE(ending);
    CHECK(has(unwrapped(german[ending]), "Fülle die Lücken aus"));
    CHECK(has(unwrapped(chinese[ending]), "填写空白"));
    CHECK(!has(chinese[ending], "Fill in"));
  }
  CHECK(has(german[".html"], "<html lang=\"de\">"));
  CHECK(has(chinese[".html"], "<html lang=\"zh\">"));
  CHECK(has(german[".html"], "\"save the answers as a file\": \"die Antworten"));
  CHECK(!has(english[".html"], "id=\"words\""));
}

TEST_CASE("languages: a translated lesson asks and claims what the English one does") {
  std::size_t translations = 0;
  for (const Language* language : catalogues()) {
    const LanguageInUse use(*language);
    for (const Lesson& english : lessons()) {
      const Lesson& lesson = in_language(english);
      if (&lesson == &english) continue;
      ++translations;
      CAPTURE(language->code);
      CAPTURE(lesson.name);
      CHECK(lesson.name == english.name);
      CHECK(lesson.sample == english.sample);
      CHECK(lesson.next == english.next);
      const std::vector<LessonPart> ours = tell(lesson), theirs = tell(english);
      REQUIRE(ours.size() == theirs.size());
      for (std::size_t i = 0; i < ours.size(); ++i) {
        CAPTURE(i);
        CHECK(ours[i].index() == theirs[i].index());
        if (const auto* claim = std::get_if<Claim>(&ours[i])) CHECK(claim->holds);
        if (const auto* next = std::get_if<Try>(&ours[i]))
          CHECK(next->command == std::get<Try>(theirs[i]).command);
        const auto* question = std::get_if<Question>(&ours[i]);
        if (question == nullptr) continue;
        std::string answer;
        for (const Expected& part : question->expected)
          answer += (answer.empty() ? "" : "; ") +
                    (part.number ? std::to_string(*part.number) : part.words.front());
        CAPTURE(answer);
        CHECK(judge(*question, answer).right);
        CHECK(!judge(*question, "xyzzy").right);
      }
    }
  }
  CHECK(translations == 10);
  const std::string german = unwrapped(attn_run({"lesson", "tokens", "--lang", "de"}).out);
  CHECK(has(german, "Woher die Zahlen kommen"));
  CHECK(has(german, "als Nächstes: Ein Kopf von Hand"));
  CHECK(has(unwrapped(attn_run({"lesson", "--lang", "zh"}).out), "词元、嵌入和权重"));
}

TEST_CASE("languages: a LaTeX document in Chinese, and no other, loads ctex and names xelatex") {
  const TemporaryFolder folder;
  const auto page = [&](const std::string& code) {
    const std::string path = folder.path(code + ".tex");
    CHECK(attn_run({"practice", "--lang", code, "-o", path}).exit_code == 0);
    return read_text(path);
  };
  CHECK(page("zh").starts_with("% Compile with xelatex"));
  CHECK(has(page("zh"), "\\ifdefined\\Umathcode\n\\usepackage[scheme=plain]{ctex}\n\\fi\n"));
  for (const char* code : {"en", "de"}) {
    CAPTURE(code);
    CHECK(has(page(code), "\\documentclass"));
    CHECK(!has(page(code), "ctex"));
  }
}
