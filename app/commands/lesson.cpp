// attn lesson: guided experiments.
#include "attn/teach/lesson.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/suggest.hpp"
#include "commands/lesson_dialog.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct LessonRun {
  std::string name;  ///< or its number
  std::string file;
  ProblemOptions problem;
  std::optional<Index> block;
  bool ask = false, no_ask = false, source = false;
  std::optional<std::pair<std::size_t, std::string>> judged;  ///< a question, and an answer
  int precision = kUsualDecimals;
  TextOptions text;
  OutputOptions output;
};

std::vector<std::string> lesson_names() { return names_in(lessons()); }

/// Whether a text has that word, in any case; "√d_k" has d_k.
bool has_word(const std::string& text, const std::string& word) {
  const std::string all = lowered(text), wanted = lowered(word);
  const auto is_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = all.find(wanted); at != all.npos; at = all.find(wanted, at + 1)) {
    const bool begins = at == 0 || !is_of_word(all[at - 1]);
    const std::size_t end = at + wanted.size();
    if (begins && (end == all.size() || !is_of_word(all[end]))) return wanted.size() > 1;
  }
  return false;
}

const Lesson& find_lesson(const std::string& name) {
  if (const Lesson* lesson = find_row(lessons(), name)) return *lesson;
  const std::optional<double> number = parse_number(name);
  const auto count = static_cast<double>(lessons().size());
  if (number && *number >= 1 && *number <= count && std::floor(*number) == *number)
    return lessons()[static_cast<std::size_t>(*number) - 1];
  for (const Lesson& lesson : lessons()) {  // a subject: d_k, causal
    if (has_word(lesson.title, name) || has_word(lesson.summary, name)) return lesson;
  }
  if (name.ends_with(".md"))
    throw usage_error("unknown-lesson", "there is no lesson \"" + name + "\"",
                      "A lesson in a file: attn lesson --file " + shell_word(name));
  throw usage_error("unknown-lesson",
                    "there is no lesson \"" + name + "\"" + did_you_mean(name, lesson_names()),
                    "attn lesson lists all lessons, numbered from 1 to " +
                        std::to_string(lessons().size()) + ".");
}

/// The lesson that is asked for, from the program or from a file; nullptr for the list.
std::shared_ptr<const Lesson> chosen_lesson(const LessonRun& o, const Streams& streams) {
  if (o.file.empty())
    return o.name.empty() ? nullptr
                          : std::make_shared<const Lesson>(in_language(find_lesson(o.name)));
  if (!o.name.empty())
    throw usage_error("option-conflict",
                      "--file " + o.file + " is a lesson, and so is \"" + o.name + "\"", kKeepOne);
  const auto input = open_input(o.file, streams);
  input->require_text("a lesson in Markdown");
  return input->read([&](std::string_view text) {
    return std::make_shared<const Lesson>(read_lesson(text, input->name()));
  });
}

std::vector<std::string> lessons_about_samples() {
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons()) {
    if (!lesson.general) names.emplace_back(lesson.name);
  }
  return names;
}

Document list_of_lessons() {
  Document document;
  document.blocks.emplace_back(Title{translated("Lessons, in teaching order")});
  Table table{{"", translated("name"), translated("what it shows")}, {}, 3};
  table.hangs = true;
  for (const Lesson& lesson : lessons())
    table.rows.push_back(
        {std::to_string(table.rows.size() + 1), lesson.name, in_language(lesson).summary});
  document.blocks.emplace_back(std::move(table));
  document.blocks.emplace_back(Paragraph{
      translated("attn lesson 1, or its name, begins one. On a terminal it waits after each "
                 "question; --no-ask prints through. --problem FILE tries it on your own numbers, "
                 "except in these lessons: {list}.",
                 listed(lessons_about_samples())),
      Role::Footer});
  return document;
}

/// Refuses options where the lesson has no use for them, or there is none.
void check_options(const LessonRun& o, const Lesson* lesson, const Streams& streams) {
  const auto check = [&](const char* option, bool useful) {
    if (useful || first_given(streams, {option}) == nullptr) return;
    const std::string of =
        lesson == nullptr ? "a list of lessons" : "the lesson \"" + lesson->name + "\"";
    throw usage_error("lesson-option", no_effect(option, "it is not for " + of),
                      lesson == nullptr ? "Name a lesson: attn lesson one-head."
                                        : std::string("Leave ") + option + " out.");
  };
  for (const char* option : {"--ask", "--no-ask", "--source", "--judge"})
    check(option, lesson != nullptr);
  check("--block", lesson != nullptr && lesson->blocks);
  check("--problem", lesson != nullptr && lesson->general);
  const auto targets = targets_of(o.output, streams);
  const bool json = std::any_of(targets.begin(), targets.end(),
                                [](const Target& target) { return target.format->is_json; });
  if (json && !o.judged)
    throw usage_error(
        "lesson-option", "a lesson is text, not JSON",
        "Add --judge 1=ANSWER, which has a result as JSON, or choose another format.");
}

/// Calls `use` with how the lesson is to be given.
void with_options(const LessonRun& o, const Streams& streams,
                  const std::function<void(const LessonOptions& options)>& use) {
  const std::string& path = o.problem.source.path;
  LessonOptions options{.file = shell_word(path), .block = o.block, .precision = o.precision};
  if (path.empty()) return use(options);
  use_problem(o.problem, streams, [&](const ProblemDraft& draft) {
    options.problem = draft;
    use(options);
  });
}

/// " --lang de" if that was given, for commands that are typed next.
std::string language_option(const Streams& streams) {
  const std::string& language = streams.common.language;
  return language.empty() ? "" : " --lang " + shell_word(language);
}

/// The commands to try, in the language of the lesson; help and new files are in English alone.
void keep_language(std::vector<LessonPart>& parts, const Streams& streams) {
  for (LessonPart& part : parts) {
    auto* next = std::get_if<Try>(&part);
    if (next == nullptr || next->command.starts_with("attn help") ||
        next->command.starts_with("attn new"))
      continue;
    next->command += language_option(streams);
  }
}

/// The command that gives the same lesson again.
std::string command_again(const LessonRun& o, const Lesson& lesson, const Streams& streams) {
  const Lesson* built_in = o.file.empty() ? find_row(lessons(), lesson.name) : nullptr;
  const std::string& problem = o.problem.source.path;
  return "attn lesson " +
         (built_in == nullptr ? "--file " + shell_word(o.file)
                              : std::to_string(built_in - lessons().data() + 1)) +
         (problem.empty() ? "" : " --problem " + shell_word(problem)) + language_option(streams);
}

/// Whether to wait for answers: as asked, or because a person reads text on a terminal.
bool waits(const LessonRun& o, const std::vector<Target>& targets, const Streams& streams) {
  if (o.ask) require_person("--ask", "answers", "a lesson", targets, streams.terminal);
  const bool person = streams.terminal.in_is_terminal && streams.terminal.out_is_terminal;
  const Target& first = targets.front();
  return o.ask || (person && !o.no_ask && targets.size() == 1 && is_stdout(first.path) &&
                   first.format->name == "text" && o.output.format.empty());
}

/// On its own sample a false claim is a mistake in the lesson.
void note_false_claims(const std::vector<LessonPart>& parts, const Streams& streams) {
  if (streams.common.quiet) return;
  for (const LessonPart& part : parts) {
    const auto* claim = std::get_if<Claim>(&part);
    if (claim != nullptr && !claim->holds)
      streams.err << "note: " << visible(claim->place) << ": this claim does not hold\n";
  }
}

void write_lesson(const LessonRun& o, const Lesson& lesson, const Streams& streams) {
  const std::vector<Target> targets = targets_of(o.output, streams);
  std::vector<LessonPart> parts;
  with_options(o, streams, [&](const LessonOptions& options) { parts = tell(lesson, options); });
  keep_language(parts, streams);
  if (!o.file.empty() && o.problem.source.path.empty()) note_false_claims(parts, streams);
  std::vector<Document> pages =
      lesson_pages(lesson.title, o.problem.source.path, parts, o.precision);
  if (waits(o, targets, streams)) {
    const Target& screen = targets.front();
    const bool end =
        give_lesson(pages, parts, *screen.format, text_style(o.text, screen.path, streams),
                    command_again(o, lesson, streams), streams);
    if (end && o.problem.source.path.empty() && !lesson.next.empty() &&
        wants_next(lesson.next, streams)) {
      LessonRun next = o;
      next.file = "";
      write_lesson(next, in_language(find_lesson(lesson.next)), streams);
    }
    return;
  }
  Document whole{{}, o.precision};
  for (Document& page : pages)
    std::move(page.blocks.begin(), page.blocks.end(), std::back_inserter(whole.blocks));
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    Document document = whole;
    if (target.format->asks_cells) add_lesson_cells(document, parts);
    write_document(document, target, o.text, o.output, streams, sink);
  });
}

/// Whether the answer that --judge brings is right.
bool write_judgement(const LessonRun& o, const Lesson& lesson, const Streams& streams) {
  Judgement judged;
  with_options(o, streams, [&](const LessonOptions& options) {
    judged = judge(lesson, o.judged->first, o.judged->second, options);
  });
  write_targets(targets_of(o.output, streams), streams,
                [&](const Target& target, const Sink& sink) {
                  if (target.format->is_json)
                    return shown_json(sink, streams)(judgement_json(judged));
                  Document document;
                  document.blocks.emplace_back(Paragraph{judged.message});
                  write_document(document, target, o.text, o.output, streams, sink);
                });
  return judged.right;
}

/// Whether the answer that was to be judged is right.
bool run_lesson(const LessonRun& o, const Streams& streams) {
  const std::shared_ptr<const Lesson> lesson = chosen_lesson(o, streams);
  check_options(o, lesson.get(), streams);
  if (lesson == nullptr) {
    write_targets(targets_of(o.output, streams), streams,
                  [&](const Target& target, const Sink& sink) {
                    write_document(list_of_lessons(), target, o.text, o.output, streams, sink);
                  });
  } else if (o.source) {
    write_output(streams.common.output, std::string(lesson->text), streams);
  } else if (o.judged) {
    return write_judgement(o, *lesson, streams);
  } else {
    write_lesson(o, *lesson, streams);
  }
  return true;
}

/// "2=0.5": question 2, and an answer.
std::pair<std::size_t, std::string> question_and_answer(const std::string& text) {
  const std::size_t mark = text.find('=');
  const std::optional<double> number = parse_number(text.substr(0, mark));
  if (mark == text.npos || !number || *number < 1 || *number > 1e6 ||
      std::floor(*number) != *number)
    throw usage_error("option-value", "--judge got \"" + text + "\"",
                      "Write the number of a question, = and an answer: --judge 1=0.5.");
  return {static_cast<std::size_t>(*number), text.substr(mark + 1)};
}

}  // namespace

Command lesson_command() {
  auto o = std::make_shared<LessonRun>();
  Command command;
  command.examples = {{"attn lesson", "all lessons, in teaching order"},
                      {"attn lesson 1", "one of them"},
                      {"attn lesson online-softmax --block 3", "three keys at a time"},
                      {"attn lesson one-head --layout lines", "to be read aloud"},
                      {"attn lesson sinks --source -o mine.md", "a file to start your own from"},
                      {"attn lesson --file mine.md", "your own"}};
  command.operand = "[NAME]";
  command.operand_examples = lesson_names;
  command.set_operand = [o](const std::string& name) { o->name = name; };
  command.usual = {"--problem", "--no-ask",    "--file",   "--source",
                   "--block",   "--precision", "--layout", "--output"};
  command.conflicts = {{"--ask", "--no-ask", "one waits for answers, the other does not"},
                       {"--source", "--judge", "one prints the file, the other judges an answer"},
                       {"--ask", "--judge", "the answer is given already"}};
  add_rows(command, Group::Own,
           {file("--problem", "FILE", "try what the lesson says on your own problem",
                 PathUse::Input, o->problem.source.path),
            file("--file", "FILE", "a lesson of your own (docs/writing-lessons.md)", PathUse::Input,
                 o->file),
            flag("--source", "print the lesson's own file, to start from", o->source),
            flag("--no-ask", "on a terminal, do not wait after questions", o->no_ask),
            flag("--ask", "wait after each question: the default on a terminal", o->ask),
            text("--judge", "N=TEXT", "say whether TEXT answers question N",
                 [o](const GivenValue& given) { o->judged = question_and_answer(given.value); }),
            whole("--block", "online-softmax: keys in a block", 1, 1000000, o->block),
            precision_row(o->precision)});
  add_text_options(command, o->text);
  add_output_options(command, o->output, is_report);
  command.ask = [o](const Streams& streams) { return run_lesson(*o, streams); };
  return command;
}

}  // namespace attn::app
