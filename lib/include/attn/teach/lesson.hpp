// Lessons: guided experiments. What a lesson shows and claims is computed each time it is given.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "attn/document.hpp"
#include "attn/problem.hpp"
#include "attn/render/explain.hpp"
#include "attn/trace.hpp"

namespace attn {

/// Steps of a computation as `explain` shows them. With `view.only` the matrices alone: consecutive
/// ones are put side by side.
struct ShownSteps {
  std::shared_ptr<const Trace> trace;
  View view;
  std::string caption = {};  ///< of matrices alone
};

/// What an answer, or a part of one, has to be: a number, or one of some words.
struct Expected {
  std::optional<double> number = {};
  double tolerance = -1.0;  ///< below 0: half a hundredth, of the number if that is above 1
  std::vector<std::string> words = {};
  std::string hint = {};  ///< if this part alone is wrong; of a question with a hint for each part
};

/// What a reader should think about before reading on.
struct Question {
  std::string text, answer;
  std::vector<Expected> expected = {};  ///< one for each part
  struct Reason {
    Expected of;  ///< a wrong answer
    std::string says;
  };
  std::vector<Reason> reasons = {};  ///< why wrong answers are wrong
  std::string hint = {};             ///< for all other wrong answers
};

/// Whether an answer is right, and why not.
struct Judgement {
  bool right = false;
  std::string message;  ///< in the language in use
};

/// A sentence, and whether it is true of the numbers at hand.
struct Claim {
  std::string sentence;
  bool holds = false;
  std::string place = {};  ///< of what does not hold: "mine.md:9:8"
};

/// A command to try next, and what it does.
struct Try {
  std::string command, says;
};

using LessonPart =
    std::variant<Paragraph, List, Code, Title, ShownSteps, Table, Question, Claim, Try>;

/// How a lesson is to be given.
struct LessonOptions {
  std::optional<ProblemDraft> problem = {};  ///< somebody's own, for general lessons only
  std::string file = {};                     ///< its name in commands to try
  std::optional<Index> block = {};           ///< keys at a time, for lessons about blocks
  int precision = kUsualDecimals;            ///< decimals, 0 to 17
};

struct LessonScript;

/// A lesson: a Markdown file in samples/lessons, compiled in, or a teacher's own
/// (docs/writing-lessons.md).
struct Lesson {
  std::string name;            ///< "one-head"
  std::string title;           ///< "One head by hand"
  std::string summary;         ///< one line, without a full stop: what it shows
  std::string sample;          ///< the built-in problem that it is about, "01-one-head"
  bool general;                ///< its claims are about any single attention: takes a problem
  bool blocks;                 ///< uses LessonOptions::block
  std::string next = {};       ///< the name of the lesson to go on with; empty: none
  std::string_view text = {};  ///< of the file
  std::shared_ptr<const LessonScript> script = {};
};

/// Every lesson, in teaching order.
std::span<const Lesson> lessons();

/// A lesson of that list in the language in use; as it is, if nobody has translated it.
const Lesson& in_language(const Lesson& lesson);

/// Reads a lesson from a file. Throws Error (input, id "lesson-file") with line and column.
Lesson read_lesson(std::string_view text, const std::string& name);

/// The parts of a lesson, in order. Throws Error (input) if the problem is wrong, or not one that
/// the lesson can be about (id "lesson-problem").
std::vector<LessonPart> tell(const Lesson& lesson, const LessonOptions& options = {});

/// Whether `answer` is right for question `n`, from 1. Throws Error (usage, id "no-such-question").
Judgement judge(const Lesson& lesson, std::size_t n, const std::string& answer,
                const LessonOptions& options = {});
/// The same for a question.
Judgement judge(const Question& question, const std::string& answer);

/// {"right": true, "message": "Right."}
std::string judgement_json(const Judgement& judgement);

/// A lesson as documents: each but the last ends with a question, and the next one begins with its
/// answer. `source` is where the problem came from; empty for the lesson's own.
std::vector<Document> lesson_pages(const std::string& title, const std::string& source,
                                   const std::vector<LessonPart>& parts,
                                   int precision = kUsualDecimals);

/// Adds to the document of a whole lesson how every number was made (add_cells): each of its
/// computations is a side.
void add_lesson_cells(Document& document, const std::vector<LessonPart>& parts);

}  // namespace attn
