// Lessons: every claim holds, on a lesson's own numbers and on others; a false one is reported.
#include "attn/teach/lesson.hpp"
#include "attn/suggest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/pace.hpp"
#include "support/phrases.hpp"
#include "support/random_problem.hpp"
#include "teach/lessons/telling.hpp"

namespace attn::testing {
namespace {

std::vector<Claim> claims_of(const std::vector<LessonPart>& parts) {
  std::vector<Claim> claims;
  for (const LessonPart& part : parts) {
    if (const Claim* claim = std::get_if<Claim>(&part)) claims.push_back(*claim);
  }
  return claims;
}

const Lesson& lesson_of(const std::string& name) {
  return *std::find_if(lessons().begin(), lessons().end(),
                       [&](const Lesson& lesson) { return lesson.name == name; });
}

/// Whether the problem cannot be computed as it is: a query sees no key, and that is an error.
bool refuses_itself(const ProblemDraft& draft) {
  return draft.empty_row == EmptyRow::Error && has_empty_row(draft);
}

/// What a sink makes false, and a mask that multiplies weights where a lesson keeps the masks of
/// the problem.
bool may_fail(const std::string& lesson, const ProblemDraft& draft, const std::string& claim) {
  const bool keeps_masks = lesson == "one-head" || lesson == "symbols";
  const bool of_sums =
      claim.find("add up to 1") != claim.npos || claim.find(" between ") != claim.npos;
  if (of_sums && (draft.sinks || draft.weights.contains("sinks"))) return true;
  return draft.masking == MaskingMode::Multiply && keeps_masks && of_sums;
}

/// The paragraphs of a lesson on this problem.
std::string said(const Lesson& lesson, const std::string& problem) {
  LessonOptions options;
  options.problem = parse_problem(problem, "own").draft;
  std::string text;
  for (const LessonPart& part : tell(lesson, options)) {
    if (const auto* paragraph = std::get_if<Paragraph>(&part)) text += paragraph->text + "\n";
  }
  return text;
}

/// An answer that says what is expected.
std::string typed(const Expected& expected) {
  return expected.number ? format_exact(*expected.number) : expected.words.front();
}

/// The text of a page of one claim.
std::string told(const Claim& claim) {
  const std::vector<Document> pages = lesson_pages("A lesson", "", {claim});
  REQUIRE(pages.size() == 1);
  return std::get<Paragraph>(pages[0].blocks.back()).text;
}

}  // namespace

TEST_CASE("lessons: every claim holds on the lesson's own numbers") {
  for (const Lesson& lesson : lessons()) {
    const std::vector<Claim> claims = claims_of(tell(lesson));
    CAPTURE(lesson.name);
    CHECK(!claims.empty());
    for (const Claim& claim : claims) CHECK_MESSAGE(claim.holds, claim.sentence);
  }
}

TEST_CASE("lessons: every claim of a general lesson holds on random problems" *
          doctest::test_suite("long")) {
  for (const Lesson& lesson : lessons()) {
    if (!lesson.general) continue;
    int given = 0;
    for (std::uint64_t seed = 0; given < 40 / static_cast<int>(kEach); ++seed) {
      REQUIRE_MESSAGE(seed < 4000, std::string(lesson.name) << " refuses nearly every problem");
      ProblemDraft draft = random_problem(seed);
      if (refuses_itself(draft)) continue;
      if (seed % 3 == 0) draft.dtype = Dtype::Float16;
      LessonOptions options;
      options.problem = draft;
      CAPTURE(std::string(lesson.name));
      CAPTURE(seed);
      const Diagnostic refusal = refusal_from([&] {
        for (const Claim& claim : claims_of(tell(lesson, options))) {
          if (!may_fail(lesson.name, draft, claim.sentence))
            CHECK_MESSAGE(claim.holds, claim.sentence);
        }
        ++given;
      });
      CHECK_MESSAGE((refusal.id.empty() || refusal.id == "lesson-problem"), refusal.what);
    }
  }
}

TEST_CASE(
    "lessons: a problem in a narrow number type is computed in float64, and the lesson says so") {
  for (const Lesson& lesson : lessons()) {
    if (!lesson.general) continue;
    for (const Dtype dtype : {Dtype::Float64, Dtype::Float32, Dtype::Bfloat16, Dtype::Float16}) {
      LessonOptions options;
      options.problem = draft_of_sample(lesson.sample);
      options.problem->dtype = dtype;
      const std::vector<LessonPart> parts = tell(lesson, options);
      CAPTURE(lesson.name);
      for (const Claim& claim : claims_of(parts)) CHECK_MESSAGE(claim.holds, claim.sentence);
      const auto said = std::count_if(parts.begin(), parts.end(), [](const LessonPart& part) {
        const auto* paragraph = std::get_if<Paragraph>(&part);
        return paragraph != nullptr && paragraph->text.starts_with("The numbers of this problem");
      });
      CHECK(said == (dtype == Dtype::Float64 ? 0 : 1));
    }
  }
}

TEST_CASE("lessons: a claim that does not hold is not printed as if it did") {
  CHECK(told({"The shares add up to 1.", true}).starts_with("The shares add up to 1. (Checked: "));
  CHECK(told({"The shares add up to 1.", false})
            .starts_with(kNotTrueHere + std::string("The shares add up to 1. (Checked: ")));
  LessonOptions options;
  options.problem = parse_problem(R"({"q": [[1], [1]], "k": [[1], [2]], "v": [[1], [2]],
    "mask": "keys:0", "masking": {"mode": "multiply"}})",
                                  "leaky")
                        .draft;
  std::vector<std::string> failing;
  for (const Claim& claim : claims_of(tell(lesson_of("one-head"), options))) {
    if (!claim.holds) failing.push_back(claim.sentence);
  }
  CHECK(std::count(failing.begin(), failing.end(), "The shares add up to 1.") == 1);
}

TEST_CASE("lessons: numbers are equal if their first twelve digits are, however large they are") {
  const auto holds = [](const std::string& check) {
    const std::string file =
        "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n\n"
        "```claim\nSo.\ncheck: " +
        check + "\n```\n";
    return claims_of(tell(read_lesson(file, "mine.md"))).at(0).holds;
  };
  CHECK(holds("sqrt(2) * sqrt(2) * 1000000000 = 2000000000"));
  CHECK_FALSE(holds("2000000001 = 2000000000"));
  CHECK_FALSE(holds("0.000001 = 0.000002"));
}

TEST_CASE("lessons: some claims of \"In symbols\" fail under a mask that multiplies weights") {
  LessonOptions options;
  options.problem = parse_problem(R"({"q": [[1], [1]], "k": [[1], [2]], "v": [[1], [2]],
    "mask": "causal", "masking": {"mode": "multiply"}})",
                                  "leaky")
                        .draft;
  const std::vector<Claim> claims = claims_of(tell(lesson_of("symbols"), options));
  REQUIRE(claims.size() == 4);
  CHECK(!claims[0].holds);
  CHECK(!claims[1].holds);
}

TEST_CASE("lessons: \"What order means\" needs the tokens of one sequence") {
  for (const char* text : {R"({"q": [[1, 1]], "k": [[1, 2]], "v": [[1, 2]]})",
                           R"({"embeddings": [[1, 1]], "weights": {"w_q": {"eye": 2},
                               "w_k": {"eye": 2}, "w_v": {"eye": 2}}})"}) {
    LessonOptions options;
    options.problem = parse_problem(text, "other").draft;
    CHECK_THROWS_WITH_AS(tell(lesson_of("order"), options),
                         doctest::Contains("lesson \"order\" needs"), Error);
  }
}

TEST_CASE("lessons: \"What order means\" depends on the masks of the problem") {
  const auto with = [](const std::string& settings) {
    return said(lesson_of("order"), R"({"tokens": ["a", "<pad>", "b"],
      "embeddings": [[1, 2], [3, 1], [0, 2]],
      "weights": {"w_q": {"eye": 2}, "w_k": {"eye": 2}, "w_v": {"eye": 2}})" +
                                        settings + "}");
  };
  CHECK(with("").find("of this problem") == std::string::npos);
  const std::string padding = with(R"(, "mask": "padding")"),
                    causal = with(R"(, "mask": "causal", "positions": "alibi")");
  CHECK(padding.find("The masks of this problem follow its tokens") != std::string::npos);
  CHECK(padding.find("It leaves out these parts of your problem: its mask \"padding\".") !=
        std::string::npos);
  CHECK(causal.find("The masks of this problem go by position") != std::string::npos);
  CHECK(causal.find("its mask \"causal\", its positions.") != std::string::npos);
}

TEST_CASE("lessons: a lesson with masks of its own says what it leaves out") {
  for (const char* name : {"masks", "minus-infinity", "future", "training", "gradients"}) {
    const auto with = [&](const std::string& settings) {
      return said(lesson_of(name), R"({"tokens": ["a", "b", "c"],
        "embeddings": [[1, 2], [3, 1], [0, 2]],
        "weights": {"w_q": {"eye": 2}, "w_k": {"eye": 2}, "w_v": {"eye": 2}}, )" +
                                       settings + "}");
    };
    CAPTURE(name);
    CHECK(with(R"("mask": "causal")").find("leaves out") == std::string::npos);
    CHECK(with(R"("mask": ["window:2", "causal"], "masking": {"fill": -1e9})")
              .find("It leaves out these parts of your problem: its mask \"window:2\", its way of "
                    "hiding scores.") != std::string::npos);
  }
}

TEST_CASE(
    "lessons: what a question expects is right, nonsense is not, and reasons are about wrong "
    "answers") {
  for (const Lesson& lesson : lessons()) {
    std::size_t n = 0;
    for (const LessonPart& part : tell(lesson)) {
      const auto* question = std::get_if<Question>(&part);
      if (question == nullptr) continue;
      ++n;
      CAPTURE(lesson.name);
      CAPTURE(question->text);
      REQUIRE(!question->expected.empty());
      std::string all;
      for (const Expected& each : question->expected)
        all += (all.empty() ? "" : "; ") + typed(each);
      CHECK(judge(lesson, n, all).right);
      CHECK_MESSAGE(judge(*question, all).right, all);
      for (const char* nonsense : {"", "xyzzy", "123456.7"})
        CHECK(!judge(*question, nonsense).right);
      for (const Question::Reason& reason : question->reasons) {
        const Judgement judged = judge(*question, typed(reason.of));
        CHECK_MESSAGE(!judged.right, typed(reason.of));
        CHECK_MESSAGE(judged.message.ends_with(reason.says), typed(reason.of));
      }
      CHECK(!question->hint.empty());
    }
    CHECK(n >= 1);
  }
}

TEST_CASE("lessons: German and Chinese answers are read as they are written there") {
  const auto judged = [](const Question& question, const char* answer) {
    CAPTURE(answer);
    return judge(question, answer).right;
  };
  Question more;
  more.expected = {{.words = {"cat"}}, {.words = {"ja", "mehr als die Hälfte"}}};
  for (const char* right : {"cat, ja", "cat und ja", "„cat“; mehr als die Hälfte"})
    CHECK(judged(more, right));
  for (const char* wrong : {"cat, nein", "cat und nicht mehr als die Hälfte", "cat, keine Hälfte"})
    CHECK(!judged(more, wrong));
  more.expected[1].words = {"是", "超过一半"};
  for (const char* right : {"cat，是", "cat、是的", "“cat”和是", "cat，它超过一半。"})
    CHECK(judged(more, right));
  for (const char* wrong : {"cat，不是", "cat，不超过一半", "cat，没有超过一半", "cat，否"})
    CHECK(!judged(more, wrong));
  Question falls;
  falls.expected = {{.words = {"下降"}}};
  CHECK(judged(falls, "熵会下降。"));
  for (const char* wrong : {"不会下降", "上升", "未下降"}) CHECK(!judged(falls, wrong));
  Question three;
  three.expected = {{.number = 3.0}};
  for (const char* right : {"三", "三个", "drei", "３。", "300 Prozent"})
    CHECK(judged(three, right));
  for (const char* wrong : {"二", "zwei", "３０"}) CHECK(!judged(three, wrong));
  for (const char* wrong :
       {"3 ist es nicht", "nicht 3", "3不是", "3 it is not", "drei ist es nicht"})
    CHECK(!judged(three, wrong));
  for (const char* right : {"2 ist es nicht, sondern 3", "2不是，是3", "3, nicht 2", "3 不变"})
    CHECK(judged(three, right));
}

TEST_CASE("lessons: German and Chinese answers in the words and spaces of a sentence are right") {
  struct Row {
    const char* code;
    const char* lesson;
    std::size_t n;
    std::vector<const char*> right, wrong;
  };
  const Row rows[] = {
      {"zh", "tokens", 1, {"六个数", "6个数", "六", "有六个"}, {"五个数", "第六个", "不是六个"}},
      {"zh", "tokens", 2, {"是0", "零", "等于零"}, {"是1", "不是0", "零点五"}},
      {"zh", "one-head", 1, {"等于1", "分数是1"}, {"等于2", "分数不是1", "一样"}},
      {"zh", "one-head", 2, {"cat，对", "cat，没错", "cat是的"}, {"cat，不对", "cat，没有"}},
      {"zh",
       "softmax",
       1,
       {"加起来是1", "都是1", "不论分数是多少都是1"},
       {"不是1", "不等于1", "唯一"}},
      {"zh",
       "softmax",
       2,
       {"7.389倍", "7.4倍", "e的平方", "e的2次方", "e的二次方", "7.389 倍"},
       {"e的2倍", "不是7.389倍", "2倍"}},
      {"zh",
       "scale",
       1,
       {"变得更小", "越来越小", "趋近于0", "趋近于零", "接近0", "降到接近 0", "它会降到接近 0",
        "不断下降"},
       {"变得更大", "不会变小", "接近1", "趋近于1"}},
      {"zh", "masks", 1, {"第五行", "第5行", "第 5 行", "最后一行"}, {"第四行", "第一行", "5"}},
      {"zh", "masks", 2, {"会变成0/0", "否则会出现NaN", "整行都是−∞", "全都是-inf"}, {"不知道"}},
      {"de",
       "softmax",
       2,
       {"7,389-mal", "7.389-mal", "e^2-mal", "e hoch 2", "e hoch zwei", "e^2 mal so groß",
        "das 7,4-fache"},
       {"2-mal", "e hoch 3", "nicht 7,389-mal"}},
      {"de",
       "softmax",
       1,
       {"1", "genau 1", "1, egal ob groß oder nicht", "nicht 0, sondern 1"},
       {"nicht 1", "sie ergeben nicht 1"}},
      {"de", "scale", 1, {"sie geht gegen null", "gegen 0"}, {"sie geht gegen eins"}},
      {"de",
       "masks",
       1,
       {"die fünfte", "Zeile 5", "die fünfte Zeile", "5. Zeile", "Zeile 4"},
       {"die vierte", "die erste", "5", "Zeile 6"}},
      {"de", "masks", 2, {"Weil alles -inf wäre", "weil alle Scores −∞ wären"}, {"-inf"}},
      {"en", "softmax", 2, {"7.389-fold", "7.4x", "e to the power of 2", "e squared"}, {"2-fold"}},
      {"en", "softmax", 1, {"not 0 but 1", "it is 1"}, {"not 1", "it isn't 1", "!= 1"}},
      {"en", "scale", 1, {"to zero", "the gradient falls"}, {"it doesn't fall", "not to 0"}},
      {"en",
       "masks",
       1,
       {"the fifth", "row 5", "5th", "4"},
       {"the fourth", "first", "not the fifth"}},
      {"en", "masks", 2, {"everything would be -inf"}, {"everything would not be -inf"}},
  };
  for (const Row& row : rows) {
    const LanguageInUse use(language_of(row.code));
    const Lesson& lesson = in_language(lesson_of(row.lesson));
    CAPTURE(row.code);
    CAPTURE(row.lesson);
    for (const char* right : row.right) CHECK_MESSAGE(judge(lesson, row.n, right).right, right);
    for (const char* wrong : row.wrong) CHECK_MESSAGE(!judge(lesson, row.n, wrong).right, wrong);
  }
}

TEST_CASE("lessons: what is said of a part of an answer is in the language of the lesson") {
  const auto said = [](const char* code, const char* lesson, std::size_t n, const char* answer) {
    const LanguageInUse use(language_of(code));
    return judge(in_language(lesson_of(lesson)), n, answer).message;
  };
  CHECK(said("en", "one-head", 2, "cat") ==
        std::string("The first part is right.") + kSecondPart + " Is that share more than 0.5?");
  CHECK(said("de", "one-head", 2, "cat") ==
        "Der erste Teil ist richtig. Und der zweite Teil? Ist dieser Anteil größer als 0.5?");
  CHECK(said("de", "one-head", 2, "the, ja") ==
        "„ja“ ist richtig. Und der erste Teil? Der größte Score hat den größten Anteil.");
  CHECK(said("zh", "one-head", 2, "猫，是的") ==
        "“是的”正确。那么第一部分呢？分数最大的键份额最大。");
  CHECK(said("zh", "masks", 1, "5") == "不太对。这里的行从 0 数起。你指的是哪一行？");
}

TEST_CASE("lessons: answers are numbers, arithmetic, words with synonyms, or parts of these") {
  Question number;
  number.expected = {{.number = 0.299}};
  for (const char* right : {"0.299", "0,3", "it is 0.3", "29.9%", "1 - 0.701", "0.3."})
    CHECK_MESSAGE(judge(number, right).right, right);
  for (const char* wrong : {"0", "0.31", "2.99", "-0.299", "none"})
    CHECK_MESSAGE(!judge(number, wrong).right, wrong);
  Question nothing;
  nothing.expected = {{.number = 0.0, .tolerance = 0.0}};
  CHECK(judge(nothing, "none").right);
  CHECK(judge(nothing, "0*1 + 0*2").right);
  CHECK(!judge(nothing, "one").right);
  Question word;
  word.expected = {{.words = {"change", "two weights"}}};
  for (const char* right : {"It changes.", "\"Two weights\"", "it has changed"})
    CHECK_MESSAGE(judge(word, right).right, right);
  for (const char* wrong : {"it does not change", "weights", "exchange"})
    CHECK_MESSAGE(!judge(word, wrong).right, wrong);
  Question yes;
  yes.expected = {{.words = {"no"}}};
  CHECK(judge(yes, "No, never.").right);
  CHECK(!judge(yes, "yes, no doubt").right);
  Question parts;
  parts.expected = {{.number = 0.7}, {.words = {"no"}}};
  parts.hint = "Look again.";
  CHECK(judge(parts, "0.7 and no").right);
  CHECK(judge(parts, "0.7; no").right);
  CHECK(judge(parts, "0.7, yes").message ==
        std::string("\"0.7\" is right.") + kSecondPart + " Look again.");
  parts.expected[1].hint = "Yes or no?";
  CHECK(judge(parts, "0.7, yes").message ==
        std::string("\"0.7\" is right.") + kSecondPart + " Yes or no?");
  parts.expected[1].hint = "";
  CHECK(judge(parts, "1 and yes").message == kNotQuite + std::string(" Look again."));
}

TEST_CASE("lessons: answers may be written in many ways, but not as several numbers") {
  struct Row {
    double number;
    std::vector<const char*> right, wrong;
  };
  const Row rows[] = {
      {7.389,
       {"e^2", "e**2", "e²", "exp(2)", "e*e", "E^2", "= e^2", "e^2 = 7.389", "7,389"},
       {"e^3", "2", "e", "exp(3)", "e^2 = 2"}},
      {3.0, {"1 + 2 = 3", "6/2", "it is 3", "three", "3 = 3"}, {"5 6 3", "1, no, 3", "2 + 1 = 4"}},
      {0.305,
       {"~0.305", "０．３０５", "≈0.305", "=0.305", "30.5 %", "30.5 percent", "61/200 ≈ 0.305"},
       {"~0.4"}},
      {1.0, {"0x0+1x1", "0 x 0 + 1 x 1", "one"}, {"1x0", "1 2"}},
  };
  for (const Row& row : rows) {
    Question question;
    question.expected = {{.number = row.number}};
    for (const char* right : row.right) CHECK_MESSAGE(judge(question, right).right, right);
    for (const char* wrong : row.wrong) CHECK_MESSAGE(!judge(question, wrong).right, wrong);
  }
  Question power;
  power.expected = {{.number = 7.389}};
  power.reasons = {{{.number = 2.0}, "That is the difference."}};
  CHECK(judge(power, "2").message == kNotQuite + std::string(" That is the difference."));
  CHECK(judge(power, "e^2").right);
  CHECK(judge(lesson_of("masks"), 2, "division by zero").right);
  CHECK(judge(lesson_of("masks"), 2, "it would be undefined").right);
}

TEST_CASE("lessons: two parts of an answer may be separated by any comma, and or a space") {
  Question numbers, words;
  numbers.expected = {{.number = 0.74}, {.number = 0.0}};
  words.expected = {{.words = {"cat"}}, {.words = {"yes"}}};
  for (const char* right : {"0.74,0", "0.74, 0", "0.74 0", "0,74; 0", "0.74 and none"})
    CHECK_MESSAGE(judge(numbers, right).right, right);
  for (const char* wrong : {"0,0.74", "0.74", "0.74 1"})
    CHECK_MESSAGE(!judge(numbers, wrong).right, wrong);
  for (const char* right : {"cat yes", "'cat', yes", "cat,yes", "cat; yes"})
    CHECK_MESSAGE(judge(words, right).right, right);
  CHECK(!judge(words, "yes, cat").right);
  CHECK(judge(words, "'cat', no").message == std::string("\"cat\" is right.") + kSecondPart);
}

TEST_CASE("lessons: what is wrong in a file is an error with a place, whatever it is" *
          doctest::test_suite("long")) {
  for (const Lesson& lesson : lessons()) {
    const std::string text(lesson.text);
    for (std::size_t at = text.size() / 7; at + 1 < text.size(); at += text.size() / 7 + 3) {
      const std::string broken[] = {text.substr(0, at), text.substr(0, at) + text.substr(at + 9),
                                    text.substr(0, at) + "[0, last] {\"" + text.substr(at)};
      for (const std::string& each : broken) {
        const Diagnostic found = refusal_from([&] { tell(read_lesson(each, "broken.md")); });
        const bool placed = found.id == "lesson-file" && found.places.at(0).line > 0;
        CHECK_MESSAGE((placed || found.id.empty() || found.id == "lesson-problem"), found.what);
      }
    }
  }
}

TEST_CASE("lessons: errors name the place, what is wrong there and what to try") {
  const auto error_of = [](const std::string& body) {
    const std::string text = "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n" + body;
    return refusal_from([&] { tell(read_lesson(text, "mine.md")); });
  };
  struct Row {
    std::string body, what;
    int line, column;
  };
  const Row rows[] = {
      {"```clam\nSo.\n```\n", no_such("block", "clam") + did_you_mean({"claim"}), 6, 1},
      {"Half of {sum(weights}.\n", "expected \")\" here", 6, 21},
      {"Half of {sum(weights.\n", "a brace { is not closed", 6, 1},
      {"{sums(weights)}\n", no_such("function", "sums") + did_you_mean({"sum"}), 6, 2},
      {"\n{√weights[7]}\n", "index 7 is not between 0 and 5", 7, 11},
      {"```claim\nSo.\n```\n", "the claim is not checked", 7, 1},
      {"```claim\nSo.\ncheck: sum(weights) =\n```\n", "expected a number, a name or ( here", 8, 22},
      {"```claim\nSo.\ncheck: weights = [1, 2, 3]\n```\n",
       "numbers with 6 and with 3 rows do not go together", 8, 27},
      {"```show\nzero: mask=causel\n```\n", no_such("mask", "causel") + did_you_mean({"causal"}), 7,
       7},
      {"```show\nzero: fil=0\n```\n", no_such("setting", "fil=0"), 7, 7},
      {"{online_row(0)}\n", "a block has at least one key", 6, 15},
      {"```show\nshow: wieghts\n```\n", "this computation has no step \"wieghts\"", 7, 7},
      {"```show\na: fill=0\na: fill=1\n```\n", "the name \"a\" is used twice", 8, 1},
      {"```question\nHow many?\nanswer: 2.\n```\n", "the question has no answer to judge by", 7, 1},
      {"```try\nexplain {file}\n```\n", "a command to try begins with attn", 7, 1},
      {"```show\nb: sample=99\n```\n", no_such("sample", "99"), 7, 4},
      {"Look.\n``````show\n", "the code has no end", 7, 1},
      {"```question\nHow many?\nexpect: hidden\nanswer: 2.\n```\n", "expected one number, found ",
       8, 9},
      {"```question\nHow many?\nexpect: 1 ± visible\nanswer: 2.\n```\n",
       "expected one number, found ", 8, 13},
      {"```question\nHow many?\nexpect: 1\nif visible: No.\nanswer: 2.\n```\n",
       "expected one number, found ", 9, 4},
      {"| a | b |\n| --- | --- |\n| {for \"x\"} | 1 |\n", "expected numbers, found text", 8, 8},
      {"| a | b |\n| --- | --- |\n| {each key(1)} | 1 |\n", "expected numbers, found text", 8, 9},
      {"```show\nquery: weights\nshow: weights\n```\n", "expected one number, found 36", 7, 8},
      {"```show\nquery: 1/0\nshow: weights\n```\n", "expected a whole", 7, 8},
      {"```show\nquery: weights\n```\n", "expected one number, found 36", 7, 8},
      {"> quoted\n", "not read here: a quotation", 6, 1},
      {"```claim\nSo.\ncheck: sum(weights[row])\n```\n", "this is no condition", 8, 8},
      {"```claim\nSo.\ncheck: 2 * row\n```\n", "this is no condition", 8, 8},
      {"```claim\nSo.\ncheck: weights[0, 0]\n```\n", "this is no condition", 8, 8},
      {"```claim\nSo.\ncheck: [] \n```\n", "this is no condition", 8, 8},
      {"```show\nshow: weights\n\nWords.\n\n```claim\nSo.\ncheck: 1 = 1\n```\n",
       "the block has no end", 6, 1},
      {"```show\n  show: weights\n```\n", no_such("line", "  show:") + " in a block \"show\"", 7,
       1},
      {"```question\nHow?\nexpect: 1\nhints: A.\nanswer: 1.\n```\n",
       no_such("line", "hints:") + " in a block \"question\"" + did_you_mean({"hint"}), 9, 1},
      {"```question\nHow?\nExpect: 1\nanswer: 1.\n```\n",
       no_such("line", "Expect:") + " in a block \"question\"", 8, 1},
      {"```question\nHow?\nexpect : 1\nanswer: 1.\n```\n",
       no_such("line", "expect :") + " in a block \"question\"", 8, 1},
      {"```show\nbeside: weights \"a\" scores \"b\"\n```\n", "expected a comma before this", 7, 21},
      {"```show\nbeside: weights “a”\n```\n", "curly quotation marks are not read", 7, 17},
      {"{choose(1 = 1, “a”, \"b\")}\n", "curly quotation marks are not read", 6, 16},
      {"```show\n", "the block has no end", 6, 1}};
  for (const Row& row : rows) {
    const Diagnostic found = error_of(row.body);
    CAPTURE(std::string(row.body));
    CHECK(found.id == "lesson-file");
    CHECK(found.what.find(row.what) == 0);
    REQUIRE(found.places.size() == 1);
    CHECK(found.places[0].file == "mine.md");
    CHECK(found.places[0].line == row.line);
    CHECK(found.places[0].column == row.column);
    CHECK(!found.fix.empty());
  }
  CHECK(error_of("```claim\nSo.\ncheck: sum(weights[0]) = 1\n```\n").id.empty());
}

TEST_CASE("lessons: what is wrong in the facts at the top has its place there") {
  const auto error_of = [](const std::string& front, const std::string& body) {
    const std::string text = "---\ntitle: T\nsummary: S\nsample: 04-causal\n" + front + body;
    return refusal_from([&] { tell(read_lesson(text, "mine.md")); });
  };
  struct Row {
    const char* front;
    std::string what;
    int line, column;
  };
  const Row rows[] = {{"settings: fil=0\n---\n", no_such("setting", "fil=0"), 5, 11},
                      {"row: weights\n---\n", "expected one number, found 36", 5, 6},
                      {"row: 99\n---\n", "index 99 is not between 0 and 5", 5, 6},
                      {"row: 1\nrow: 2\n---\n", "there are two lines row: about the lesson", 6, 1},
                      {"needs: 1 = 1 - words\n---\n", "needs: has no words", 5, 8},
                      {"", "the facts about the lesson have no end", 1, 1}};
  for (const Row& row : rows) {
    CAPTURE(std::string(row.front));
    const Diagnostic found = error_of(row.front, "Half of {sum(weights)}.\n");
    CHECK(found.what.find(row.what) == 0);
    REQUIRE(found.places.size() == 1);
    CHECK(found.places[0].line == row.line);
    CHECK(found.places[0].column == row.column);
  }
}

TEST_CASE("lessons: line ends of any system are read; UTF-16 is called what it is") {
  const std::string text =
      "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n```claim\nSo.\ncheck: 1 = 1\n```\n";
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string other;
    for (const char c : text) other += c == '\n' ? end : std::string(1, c);
    const std::vector<Claim> claims = claims_of(tell(read_lesson(other, "mine.md")));
    REQUIRE(claims.size() == 1);
    CHECK(claims[0].holds);
  }
  for (const std::string mark : {"\xFF\xFE", "\xFE\xFF"})
    CHECK_THROWS_WITH_AS(read_lesson(mark + "-", "mine.md"),
                         "a lesson is text in UTF-8, and this is UTF-16", Error);
}

TEST_CASE("lessons: lists and sums of a hundred thousand numbers are computed at once") {
  std::string list = "1", sum = "1";
  for (int i = 1; i < 100'000; ++i) list += ",1", sum += "+1";
  const std::string text =
      "---\ntitle: T\nsummary: S\nsample: 04-causal\n---\n```claim\nSo.\ncheck: sum([" + list +
      "]) = " + sum + "\n```\n";
  const std::vector<Claim> claims = claims_of(tell(read_lesson(text, "mine.md")));
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].holds);
}

TEST_CASE("lessons: a minus as it is printed, +- and a byte order mark are read") {
  const std::string text =
      "\xEF\xBB\xBF---\ntitle: T\nsummary: S\nsample: 04-causal\nrow: 0\n---\n```show\n"
      "a: mask=causal fill=−10\nb: mask=causal fill=-10\n```\n"
      "```question\nHow many?\nexpect: 2 +- 0.5\nanswer: 2.\n```\n"
      "```claim\nSo.\ncheck: a.weights == b.weights\ncheck: 1 = 1.05 +- 0.1\n```\n"
      "```claim\nNot so.\ncheck: 1 = 2\n```\n";
  const std::vector<LessonPart> parts = tell(read_lesson(text, "mine.md"));
  const std::vector<Claim> claims = claims_of(parts);
  REQUIRE(claims.size() == 2);
  CHECK(claims[0].holds);
  CHECK(claims[1].place == "mine.md:23:8");
  const auto* question = std::get_if<Question>(&parts.at(0));
  REQUIRE(question != nullptr);
  CHECK(judge(*question, "2.4").right);
  CHECK(!judge(*question, "2.6").right);
}

TEST_CASE("lessons: pages end with a question, and the next one begins with its answer") {
  const std::vector<Document> pages = lesson_pages(
      "A lesson", "",
      {Paragraph{"Look."}, Question{"How many?", "Two.", {}, {}, ""}, Paragraph{"So."}});
  REQUIRE(pages.size() == 2);
  CHECK(std::get<Paragraph>(pages[0].blocks.back()).text == "How many?");
  CHECK(std::get<Paragraph>(pages[1].blocks.front()).text == "Two.");
  CHECK(std::get<Paragraph>(pages[1].blocks.back()).text == "So.");
}

}  // namespace attn::testing
