// attn lesson: questions at a terminal, commands that run, docs/lessons.md.
#include "attn/teach/lesson.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/render/text.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"
#include "support/pace.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/random_problem.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

constexpr const char* kAsk = "Your answer (Enter shows it, ? gives a hint, q ends): ";

attn::app::Terminal at_a_desk() {
  attn::app::Terminal terminal = screen(80);
  terminal.in_is_terminal = true;
  return terminal;
}

/// How often `part` is in `text`.
std::size_t times(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The words of a command, some in quotation marks.
std::vector<std::string> words_of(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> std::ws;) {
    const char quote = text.peek() == '\'' ? '\'' : '"';
    if (!(text >> std::quoted(word, quote))) break;
    words.push_back(word);
  }
  return words;
}

/// A new folder as the working directory.
class Elsewhere {
 private:
  TemporaryFolder folder_;
  WorkingFolder inside_{folder_.path("")};
};

/// What `explain` makes of the problem of a command, with those of its options that change it.
std::string results(const std::vector<std::string>& args) {
  std::vector<std::string> plain = {"explain", "--format", "csv", "--steps", "*weights*,output"};
  if (!args.at(2).starts_with("-")) plain.push_back(args.at(2));
  for (std::size_t i = 2; i + 1 < args.size(); ++i) {
    for (const char* option : {"--mask", "--masking", "--fill", "--scale", "--positions"}) {
      if (args[i] == option) plain.insert(plain.end(), {args[i], args[i + 1]});
    }
  }
  return attn_run(plain).out;
}

/// Whether the options of a command do something to the problem, if they are meant to. `as_it_is`:
/// the results of each problem without them, as far as they are known.
bool has_effect(const std::vector<std::string>& args, const Ran& ran,
                std::map<std::string, std::string>& as_it_is) {
  if (args.at(1) == "compare") return !has(ran.out, "No number differs");
  const auto is_given = [&](const char* option) {
    return std::find(args.begin(), args.end(), option) != args.end();
  };
  const bool only_shows = is_given("add") && !is_given("--fill");
  const bool changes = is_given("--mask") || is_given("--masking") || is_given("--fill") ||
                       is_given("--scale") || is_given("--positions");
  if (!changes || only_shows) return true;
  const std::string problem = args[2].starts_with("-") ? "--" : args[2];
  if (!as_it_is.contains(problem)) as_it_is[problem] = results({"attn", "explain", problem});
  return results(args) != as_it_is[problem];
}

/// Runs the commands to try here, and returns how many there are.
int run_commands(const std::vector<attn::LessonPart>& parts) {
  std::map<std::string, std::string> as_it_is;
  int count = 0;
  for (const attn::LessonPart& part : parts) {
    const auto* next = std::get_if<attn::Try>(&part);
    if (next == nullptr) continue;
    const std::vector<std::string> args = words_of(next->command);
    CHECK(args.at(0) == "attn");
    const Ran ran = attn_run({args.begin() + 1, args.end()});
    CHECK_MESSAGE(ran.exit_code == 0, next->command << "\n" << ran.err);
    CHECK_MESSAGE(has_effect(args, ran, as_it_is), next->command << " changes nothing");
    ++count;
  }
  return count;
}

/// docs/lessons.md: its first words, and a section for each lesson.
std::string page_of_lessons() {
  std::string page = read_text(source_dir() + "/docs/lessons.md");
  page.resize(std::min(page.size(), page.find("\n## ")));
  for (const attn::Lesson& lesson : attn::lessons()) {
    page += "\n## " + std::string(lesson.title) + "\n\n" + lesson.summary + "." +
            (lesson.general ? " *Any problem.*" : "") + "\n\n```\n$ attn lesson " + lesson.name +
            "\n```\n\n";
    for (const attn::LessonPart& part : attn::tell(lesson)) {
      if (const auto* claim = std::get_if<attn::Claim>(&part))
        page += "* " + claim->sentence + "\n";
    }
  }
  return page;
}

}  // namespace

TEST_CASE("lesson: without a name, all lessons in teaching order") {
  const std::string list = attn_run({"lesson"}).out;
  std::size_t at = 0;
  for (const attn::Lesson& lesson : attn::lessons()) {
    const std::size_t place = list.find(" " + lesson.name + " ");
    CHECK(place != list.npos);
    CHECK(place >= at);
    at = place;
    CHECK(has(list, lesson.summary));
  }
}

TEST_CASE("lesson: --ask waits after each question; the end of input ends the lesson") {
  const std::string all = attn_run_on(at_a_desk(), {"lesson", "one-head", "--no-ask"}).out;
  const auto questions = times("    question ", all);
  CHECK(questions >= 2);
  CHECK(times("    answer ", all) == questions);

  const Ran none = attn_run_on(at_a_desk(), {"lesson", "one-head"});  // on a terminal, by default
  CHECK(none.out == attn_run_on(at_a_desk(), {"lesson", "one-head", "--ask"}).out);
  CHECK(none.exit_code == 0);
  CHECK(times("    question ", none.out) == 1);
  CHECK(times("    answer ", none.out) == 0);
  CHECK(none.out.ends_with(std::string(kAsk) + "\nattn lesson 2 begins it again.\n"));

  const Ran one = attn_run_on(at_a_desk(), {"lesson", "one-head"}, "1\n");
  CHECK(times("    answer ", one.out) == 1);
  const std::string skips(questions, '\n');
  const Ran every = attn_run_on(at_a_desk(), {"lesson", "one-head", "--ask"}, skips + "q\n");
  CHECK(times("    answer ", every.out) == questions);
  CHECK(every.out.ends_with("Enter goes on with softmax, q ends: "));
  const Ran on = attn_run_on(at_a_desk(), {"lesson", "one-head"}, skips + "\n");
  CHECK(has(on.out, "From scores to shares"));
  CHECK(times(kAsk, every.out) == questions);
  CHECK(has(every.out, "try next"));
}

TEST_CASE("lesson: in German and Chinese it goes on, begins again and is tried in that language") {
  const auto at_end = [](const char* code, const std::string& lines) {
    return attn_run_on(at_a_desk(), {"lesson", "1", "--lang", code}, "\n\n" + lines).out;
  };
  const std::string german = at_end("de", "\nq\n");
  CHECK(has(german, "Eingabetaste: weiter mit one-head, q: Ende: "));
  CHECK(has(unwrapped(german), "Multipliziere die Abfrage von „the“"));
  CHECK(!has(german, "Multiply the query"));
  CHECK(german.ends_with("Von vorn: attn lesson 2 --lang de\n"));
  CHECK(has(german, "attn lesson one-head --lang de "));
  CHECK(has(german, "attn practice --blank q --lang de "));
  CHECK(!has(german, "attn help embedding --lang"));
  CHECK(at_end("zh", "\nq\n").ends_with("从头开始：attn lesson 2 --lang zh\n"));
  CHECK(!has(attn_run({"lesson", "1"}).out, "--lang"));
}

TEST_CASE("lesson: a wrong answer gets its reason and one more try, then the answer") {
  const Ran right = attn_run_on(at_a_desk(), {"lesson", "one-head"}, "0*0 + 1*1 + 2*0 + 0*1\n\n");
  CHECK(has(right.out,
            std::string(kAsk) + "\n    Right.\n\n    answer          0·0 + 1·1 + 2·0 + 0·1 = 1."));
  const Ran wrong = attn_run_on(at_a_desk(), {"lesson", "one-head"}, "0.5\n7\n\n");
  CHECK(has(unwrapped(wrong.out),
            kNotQuite +
                std::string(" That is the score after the scaling, which comes next. Once more?")));
  CHECK(has(wrong.out, kNotQuite + std::string(" Multiply the first number by the first")));
  CHECK(times(kAsk, wrong.out) == 3);
  CHECK(times("    answer ", wrong.out) == 2);
}

TEST_CASE("lesson: q ends it at a question, ? gives the hint and costs no try") {
  for (const char* end : {"q\n", "Quit\n", " exit \n", ":q\n"}) {
    const Ran left = attn_run_on(at_a_desk(), {"lesson", "one-head"}, std::string("0.5\n") + end);
    CHECK_MESSAGE(left.out.ends_with(std::string(kAsk) + "attn lesson 2 begins it again.\n"), end);
    CHECK(times("    answer ", left.out) == 0);
  }
  const Ran hint = attn_run_on(at_a_desk(), {"lesson", "one-head"}, "?\n0.5\nhelp\n1\n");
  CHECK(times("    Multiply the first number by the first", hint.out) == 2);
  CHECK(times(kNotQuite, hint.out) == 1);
  CHECK(has(hint.out, std::string(kAsk) + "\n    Right.\n"));
}

TEST_CASE("lesson: where Enter goes on, only Enter, yes or a name does; other words ask again") {
  attn::app::Terminal small = at_a_desk();
  small.height = 14;
  const std::string page = kEnterGoesOn, once = "Press Enter alone to go on";
  const auto typed = [&](const std::string& lines) {
    return attn_run_on(small, {"lesson", "softmax"}, lines).out;
  };
  const std::string first = typed("");
  REQUIRE(times(page, first) >= 1);
  CHECK(times(page, typed("what\n")) == times(page, first) + 1);
  CHECK(has(typed("what\n"), once));
  CHECK(typed("q\n").ends_with(page + "attn lesson 3 begins it again.\n"));
  CHECK(typed("NO\n").ends_with(page + "attn lesson 3 begins it again.\n"));
  CHECK(typed("y\n").size() > first.size() + 100);
  const auto at_end = [](const std::string& line) {
    return attn_run_on(at_a_desk(), {"lesson", "one-head"}, std::string(2, '\n') + line).out;
  };
  const std::string next = "A score says how well";
  CHECK(!has(at_end("why\n"), next));
  CHECK(has(at_end("why\n"), once));
  for (const char* yes : {"\n", "yes\n", "softmax\n", "why\n\n"}) CHECK(has(at_end(yes), next));
  CHECK(at_end("q\n").ends_with("Enter goes on with softmax, q ends: "));
}

TEST_CASE("lesson: what was typed before a question is dropped, and feedback fits the screen") {
  attn::app::Terminal desk = at_a_desk();
  desk.width = 60;
  int dropped = 0;
  desk.forget_typed = [&] { ++dropped; };
  const Ran ran = attn_run_on(desk, {"lesson", "one-head"}, "7\n");
  CHECK(dropped == 2);
  CHECK(
      has(unwrapped(ran.out), kNotQuite + std::string(" Multiply the first number by the first")));
  for (const std::string& line : lines_of(ran.out))
    CHECK_MESSAGE(attn::display_width(line) < 60, line);
}

TEST_CASE("lesson: --judge says whether an answer is right, as text or JSON") {
  const Ran right = attn_run({"lesson", "one-head", "--judge", "1=1", "--json"});
  CHECK(right.exit_code == 0);
  CHECK(right.out == "{\"right\": true, \"message\": \"Right.\"}\n");
  const Ran wrong = attn_run({"lesson", "2", "--judge", "2='cat', less"});
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.out ==
        std::string("\"cat\" is right.") + kSecondPart + " Is that share more than 0.5?\n");
  CHECK(has(usage({"lesson", "one-head", "--judge", "3=1"}), "has no question 3"));
  CHECK(has(usage({"lesson", "one-head", "--judge", "first"}), "--judge 1=0.5"));
  CHECK(has(usage({"lesson", "one-head", "--json"}), "error[lesson-option]"));
}

TEST_CASE("lesson: a number names a lesson, and each lesson names the next") {
  CHECK(attn_run({"lesson", "4"}).out == attn_run({"lesson", "scale"}).out);
  CHECK(attn_run({"lesson", "d_k"}).out == attn_run({"lesson", "scale"}).out);  // a subject
  CHECK(attn_run({"lesson", "Shares"}).out == attn_run({"lesson", "softmax"}).out);
  CHECK(has(usage({"lesson", "shar"}), "unknown-lesson"));  // only whole words
  CHECK(has(unwrapped(usage({"lesson", "99"})), "numbered from 1 to"));
  const auto all = attn::lessons();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    CAPTURE(all[i].name);
    CHECK(all[i].next == all[i + 1].name);
    CHECK(has(attn_run({"lesson", all[i].name}).out, "attn lesson " + all[i + 1].name + " "));
  }
}

TEST_CASE("lesson: --source prints a lesson's file, and --file gives the same lesson again") {
  const TemporaryFolder folder;
  for (const attn::Lesson& lesson : attn::lessons()) {
    CAPTURE(lesson.name);
    const std::string path = folder.path(lesson.name + ".md");
    CHECK(attn_run({"lesson", lesson.name, "--source", "-o", path}).exit_code == 0);
    CHECK(read_text(path) == read_text(source_dir() + "/samples/lessons/" + lesson.name + ".md"));
    CHECK(attn_run({"lesson", "--file", path}).out == attn_run({"lesson", lesson.name}).out);
  }
  const std::string path = folder.path("softmax.md");  // as somebody's own, changed file
  CHECK(attn_run({"lesson", "sinks", "--source", "-o", path}).exit_code == 0);
  CHECK(!has(read_text(path), "title: From scores to shares"));
  CHECK(has(attn_run({"lesson", "sinks", "--file", folder.path("sinks.md")}).err,
            "error[option-conflict]"));
}

TEST_CASE("lesson: the lessons of docs/writing-lessons.md run, and their claims hold") {
  const std::string page = read_text(source_dir() + "/docs/writing-lessons.md");
  const std::string fence = "````markdown\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const std::string shown = page.substr(begin, page.find("````\n", begin) - begin);
  const std::string scratch = read_text(source_dir() + "/samples/lessons/mine/temperature.md");
  for (const std::string& text : {shown, scratch}) {
    const attn::Lesson lesson = attn::read_lesson(text, "mine.md");
    int claims = 0, questions = 0;
    const Elsewhere folder;
    const std::vector<attn::LessonPart> parts = attn::tell(lesson);
    for (const attn::LessonPart& part : parts) {
      if (const auto* claim = std::get_if<attn::Claim>(&part)) {
        CHECK_MESSAGE(claim->holds, claim->sentence);
        ++claims;
      }
      if (const auto* question = std::get_if<attn::Question>(&part)) {
        const attn::Expected& expected = question->expected.at(0);
        const std::string right =
            expected.number ? std::to_string(*expected.number) : expected.words.at(0);
        CHECK_MESSAGE(attn::judge(*question, right).right, question->text);
        CHECK(!attn::judge(*question, "I do not know").right);
        ++questions;
      }
    }
    CHECK(claims >= 1);
    CHECK(questions >= 1);
    CHECK(run_commands(parts) >= 2);
  }
}

TEST_CASE("lesson: what is wrong in a teacher's file has its line and column") {
  const TemporaryFolder folder;
  const std::string path = folder.path("mine.md");
  std::ofstream(path) << "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n\n```claim\nSo.\n"
                         "check: sum(wieghts[row]) = 1\n```\n";
  const Ran ran = attn_run({"lesson", "--file", path});
  CHECK(ran.exit_code == 3);
  CHECK(has(unwrapped(ran.err), "step, computation or role \"wieghts\""));
  CHECK(has(ran.err, "mine.md:9:12\n"));
}

TEST_CASE("lesson: a false claim in a teacher's own file is noted with its place") {
  const TemporaryFolder folder;
  const std::string path = folder.path("mine.md");
  std::ofstream(path) << "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n\n```claim\nSo.\n"
                         "check: sum(weights[row]) = 2\n```\n";
  const Ran ran = attn_run({"lesson", "--file", path});
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "note: " + path + ":9:8: this claim does not hold\n");
  CHECK(has(usage({"lesson", "mine.md"}), "attn lesson --file mine.md"));
}

TEST_CASE("lesson: what to try next is a table of its own, also below another table") {
  const TemporaryFolder folder;
  const std::string path = folder.path("mine.md");
  std::ofstream(path) << "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n\n"
                         "| a | b |\n| --: | --: |\n| 1 | 2 |\n\n"
                         "```try\nattn explain {file} --only  # the matrices\n```\n";
  const std::string out = attn_run({"lesson", "--file", path}).out;
  CHECK(out.find("try next") < out.find("--only"));
}

TEST_CASE("lesson: --ask needs a person, and options need a lesson that has a use for them") {
  CHECK(has(usage({"lesson", "one-head", "--ask"}), "error[needs-terminal]"));
  CHECK(has(attn_run_on(at_a_desk(), {"lesson", "one-head", "--ask", "-o", "x.txt"}).err,
            "error[option-conflict]"));
  CHECK(has(unwrapped(usage({"lesson", "one-haed"})), did_you_mean({"one-head"})));
  CHECK(has(unwrapped(usage({"lesson", "--ask"})), idle("--ask") + ": "));
  CHECK(has(unwrapped(usage({"lesson", "one-head", "--block", "2"})),
            idle("--block") + ": " + kOtherLesson + "\"one-head\""));
  CHECK(has(unwrapped(usage(
                {"lesson", "additive", "--problem", source_dir() + "/samples/01-one-head.json"})),
            idle("--problem")));
}

TEST_CASE("lesson: a problem of one's own takes the place of the sample, in the commands too") {
  const TemporaryFolder folder;
  const std::string path = folder.path("my own.json");
  CHECK(attn_run({"new", "--sample", "04-causal", "-o", path}).exit_code == 0);
  const Ran ran = attn_run({"lesson", "one-head", "--problem", path});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "One head by hand\n" + path + "\n"));
  CHECK(has(ran.out, "attn explain '" + path + "' --query"));
  CHECK(has(ran.out, "'yet'"));
}

TEST_CASE("lesson: a claim that is not true of somebody's problem is reported, not made") {
  const std::string leaky = R"({"q": [[1], [1]], "k": [[1], [2]], "v": [[1], [2]],
    "mask": "keys:0", "masking": {"mode": "multiply"}})";
  const Ran ran = attn_run({"lesson", "one-head", "--problem", "-"}, leaky);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out,
            "    checked         " + std::string(kNotTrueHere) + "The shares add up to 1.\n"));
  CHECK(times(kNotTrueHere, ran.out) == 2);  // nor is the result a mixture
}

TEST_CASE("lesson: every command to try runs, in the order given") {
  for (const attn::Lesson& lesson : attn::lessons()) {
    CAPTURE(lesson.name);
    const Elsewhere folder;
    CHECK(run_commands(attn::tell(lesson)) >= 2);
  }
}

TEST_CASE("lesson: with somebody's own problem, every command to try runs on it" *
          doctest::test_suite("long")) {
  const Elsewhere folder;
  for (const attn::Lesson& lesson : attn::lessons()) {
    if (!lesson.general) continue;
    int given = 0, tried = 0;
    for (std::uint64_t seed = 1; given < 12 / static_cast<int>(kEach); ++seed) {
      const attn::LessonOptions options{.problem = random_problem(seed), .file = "'my own.json'"};
      if (has_empty_row(*options.problem)) continue;  // explain may refuse it
      CAPTURE(seed);
      const auto parts = attn::testing::if_accepted([&] { return attn::tell(lesson, options); });
      if (!parts) continue;  // the lesson needs another problem
      std::ofstream("my own.json") << attn::problem_json(*options.problem);
      tried += run_commands(*parts);
      ++given;
    }
    CHECK_MESSAGE(tried >= given, std::string(lesson.name));
  }
}

TEST_CASE("lesson: at 80 × 24 each page fits, and shows what its question is about" *
          doctest::test_suite("long")) {
  struct Shown {
    const char *lesson, *question, *about;  ///< the words of one are above the other
  };
  const Shown rows[] = {
      {"tokens", "the row of 'the' in X", "the   0   0   1   0   1   0"},
      {"tokens", "the first column of W_q", "x0   1   0   0   1"},
      {"one-head", "Multiply the query of 'the'", "the   0   1   2   0"},
      {"one-head", "the key of 'the'", "the      0   1   0   1"},
      {"one-head", "the largest share", "the        0.5  2.5     0.0  1.0    1.0"},
      {"softmax", "the shares in the last column", "'the'       0.5    1.649              0.081"},
      {"masks", "Which row has the same numbers", "no mask  see        0.023"},
      {"minus-infinity", "What share do the hidden keys", "we          0.577   0.000"},
      {"training", "Which multiplications are missing", "'yet'        6 "},
      {"symbols", "When does a row of V come out", "we         1.000       ·"},
      {"translation", "The row of 'Je' looks at", "Je "},
      {"hidden-words", "a model guess 'make'", "1:[MASK]   0.075"},
      {"sinks", "A mask leaves the first query one key", "head 0  so         0.918"},
      {"additive", "Do the queries still prefer", "le         0.960"},
      {"experts", "How many of the six words notice", "runs    0.000  0.000  0.701  0.299"},
      {"gradients", "the gradient of a score", "'yet'     -0.017"}};
  attn::app::Terminal terminal = at_a_desk();
  terminal.height = 24;
  for (const attn::Lesson& lesson : attn::lessons()) {
    CAPTURE(lesson.name);
    const Ran ran = attn_run_on(terminal, {"lesson", lesson.name}, std::string(40, '\n') + "q\n");
    std::vector<std::string> pages{""};
    for (const std::string& line : lines_of(ran.out)) {
      pages.back() += line + "\n";
      const bool waits = has(line, kAsk) || has(line, "Enter goes on");
      if (waits) pages.emplace_back();
    }
    for (const std::string& page : pages) CHECK_MESSAGE(times("\n", page) <= 24 + 1, page);
    for (const Shown& row : rows) {
      if (lesson.name != row.lesson) continue;
      const auto on = [&](const std::string& page) { return has(unwrapped(page), row.question); };
      const auto page = std::find_if(pages.begin(), pages.end(), on);
      REQUIRE_MESSAGE(page != pages.end(), row.question);
      CHECK_MESSAGE(has(*page, row.about), *page);
    }
  }
}

TEST_CASE("lesson: on a screen no line is wider than 80, and lines read aloud have no grid") {
  for (const attn::Lesson& lesson : attn::lessons()) {
    CAPTURE(lesson.name);
    const std::string text = attn_run_on(screen(80), {"lesson", lesson.name}).out;
    for (const std::string& line : lines_of(text))
      CHECK_MESSAGE(attn::display_width(line) < 80, line);
    CHECK(has(text, "\ntry next\n"));  // a table, which fits
    const std::string aloud = attn_run({"lesson", lesson.name, "--layout", "lines"}).out;
    CHECK(!has(aloud, "  "));
    CHECK(times("\nquestion: ", aloud) == times("\nanswer: ", aloud));
  }
}

TEST_CASE("lesson: a command to try is one line, however long the path and narrow the screen") {
  const TemporaryFolder folder;
  const std::string path =
      folder.path("a long name,  two spaces, " + std::string(60, 'x') + ".json");
  CHECK(attn_run({"new", "--sample", "01-one-head", "-o", path}).exit_code == 0);
  const std::string command = "attn explain '" + path + "' --mask causal";
  const std::string narrow = attn_run_on(screen(80), {"lesson", "one-head", "--problem", path}).out;
  CHECK(has(narrow, "\ntry next\nattn explain '"));
  CHECK(has(narrow, "\n" + command + "\n    without the words that come later\n"));
  const std::string aloud =
      attn_run({"lesson", "one-head", "--problem", path, "--layout", "lines"}).out;
  CHECK(has(aloud, "\ntry next:\nall rows of all steps: attn explain '"));
  CHECK(has(aloud, "\nwithout the words that come later: " + command + "\n"));
}

TEST_CASE("lesson: docs/lessons.md says what the table of lessons says") {
  const fs::path path = fs::path(source_dir()) / "docs/lessons.md";
  const std::string page = page_of_lessons();
  if (updates_goldens()) std::ofstream(path, std::ios::binary) << page;
  CHECK(first_difference(read_text(path.string()), page) == "");
}

TEST_CASE("lesson: the columns of reordered weights say what they count") {
  CHECK(has(attn_run({"lesson", "what-heads-learn"}).out,
            "\nhead            right words  right if reordered   bits  bits if reordered\n"));
}

TEST_CASE("lesson: numbers in a column have the same decimals") {
  const std::string slopes = attn_run({"lesson", "gradients"}).out;
  CHECK(has(slopes, "  -0.030    -0.009  -0.017\n"));
  const std::string words = attn_run({"lesson", "hidden-words"}).out;
  CHECK(has(words, "\nbees        0.000           0.000                2.640\n"));
  CHECK(has(attn_run({"lesson", "add-or-multiply"}).out, "−10 becomes −5.774"));
}
