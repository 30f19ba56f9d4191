// Turns the blocks of a lesson's file into its parts.
#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "teach/lessons/expression_reader.hpp"
#include "teach/lessons/lesson_words.hpp"

namespace attn {
namespace {

/// The parts of a text between marks that are in no brackets and no quotation marks.
std::vector<std::string_view> split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at; (at = place_outside_brackets(text, mark)) != text.npos;) {
    parts.push_back(trimmed(text.substr(0, at)));
    text.remove_prefix(at + mark.size());
  }
  parts.push_back(trimmed(text));
  return parts;
}

class Performance : private LessonWords {
 public:
  using LessonWords::LessonWords;

  void perform() {
    check_settings();
    for (const ScriptField& field : script_.front) {
      if (field.key == "needs") need(field.text);
    }
    check_row();
    bool is_section = true;  // <!-- when: … -->
    for (const ScriptBlock& block : script_.blocks) {
      if (block.kind == "when") is_section = block.words.empty() || holds(block.words);
      if (!is_section || block.kind == "when") continue;
      bool is_there = true;
      for (const ScriptField& field : block.fields) {
        if (field.key == "when") is_there = is_there && holds(field.text);
      }
      // Each fault has its own place; this is the block's, for one that nobody gave a place.
      if (is_there) located(block.words, [&](auto*) { return add(block), 0; });
    }
    name_next(script_.front_value("next"));
  }

 private:
  /// What is wrong with the settings, or the row, of the whole lesson has its place there, not
  /// where they are used first. A problem without such a row may be one that the lesson is not
  /// about.
  void check_settings() {
    const std::string_view settings = script_.front_value("settings");
    if (!settings.empty()) located(settings, [&](auto*) { return scene_.draft(), 0; });
  }
  void check_row() {
    const std::string_view row = script_.front_value("row");
    if (!row.empty()) located(row, [&](auto*) { return scene_.row(), 0; });
  }

  /// "count(hidden) > 0 — a query with hidden keys".
  void need(std::string_view text) {
    auto parts = split(text, " — ");
    for (const char* dash : {" – ", " -- "}) {
      if (parts.size() < 2) parts = split(text, dash);
    }
    if (parts.size() < 2)
      throw script_.error_at(text, "needs: has no words for a reader whose problem lacks it",
                             "Write needs: CONDITION — WORDS, with a dash, not a hyphen.");
    lesson_.needs(holds(parts.front()), std::string(parts.back()));
  }

  void name_next(std::string_view name) {
    if (name.empty()) return;
    std::vector<std::string> names;
    for (const Lesson& each : lessons()) {
      names.push_back(each.name);
      if (each.name == name)
        return lesson_.suggest("lesson " + each.name,
                               translated("next: {title}", in_language(each).title));
    }
    throw script_.error_at(
        name, "there is no lesson \"" + std::string(name) + "\"" + did_you_mean(name, names),
        "Leave next: out, or name one of attn lesson.");
  }

  void add(const ScriptBlock& block) {
    if (block.kind.empty()) return prose(block);
    if (block.kind == "show") return show(block);
    if (block.kind == "question") return question(block);
    if (block.kind == "claim") return claim(block);
    tries(block);
  }

  void show(const ScriptBlock& block) {
    View view;
    view.batch = view.head = 0;
    for (const ScriptField& field : block.fields) {
      if (field.key == "query") view.query = std::to_string(value(field.text, whole_number));
      if (field.key == "heads") view.head.reset();
      if (field.key == "examples") view.examples = field.text != "no";
    }
    for (const ScriptField& field : block.fields) {
      if (field.key == "show") shown(field.text, view);
      if (field.key == "beside") beside(field.text, view);
      define(field);
    }
  }

  /// NAME: SETTINGS, or NAME = EXPRESSION.
  void define(const ScriptField& field) {
    if (!field.defines) return;
    if (field.text.starts_with("="))
      return void(located(field.key, [&](auto*) {
        return scene_.name_value(field.key, value(trimmed(field.text.substr(1)))), 0;
      }));
    located(field.key, [&](auto*) { return scene_.name_settings(field.key, field.text), 0; });
    located(field.text, [&](auto*) { return scene_.changed(field.text).dtype; });
  }

  void shown(std::string_view names, const View& view) {
    std::vector<std::string> ids;
    SharedTrace last;
    for (const std::string_view name : split(names, ",")) {
      SharedTrace of;
      const Step* step =
          located(name, [&](auto*) { return scene_.step_if_any(std::string(name), &of); });
      if (last && of != last) lesson_.show(last, std::exchange(ids, {}), view);
      if (step != nullptr) ids.push_back(step->id);
      last = of;
    }
    if (last) lesson_.show(last, ids, view);
  }

  /// weights "as it is", hide.weights "masked".
  void beside(std::string_view items, const View& view) {
    for (const std::string_view item : split(items, ",")) {
      if (const std::size_t at = curly_quote(item); at != item.npos)
        located(item.substr(at), [](auto*) -> int { throw curly_fault(); });
      const std::size_t quote = std::min(item.find('"'), item.size());
      const std::size_t end = item.find('"', quote + 1);
      if (quote < item.size() && end + 1 != item.size())
        throw script_.error_at(
            end < item.size() ? trimmed(item.substr(end + 1)) : item,
            end < item.size() ? "expected a comma before this" : "the text has no end",
            "Write STEP \"words\", STEP \"words\".");
      const std::string_view name = trimmed(item.substr(0, quote));
      std::string_view caption = item.substr(quote);
      if (caption.size() > 1) caption = caption.substr(1, caption.size() - 2);
      SharedTrace of;
      const Step& step =
          located(name, [&](auto*) -> const Step& { return scene_.step(std::string(name), &of); });
      lesson_.beside(of, step.id, sentence(caption), view);
    }
  }

  void question(const ScriptBlock& block) {
    Question asked;
    std::vector<std::string> hints;  // one, or one for each part
    asked.text = sentence(block.words);
    for (const ScriptField& field : block.fields) {
      if (field.key == "expect") {
        asked.expected.push_back(expected(field.text));
        const auto count = asked.expected.size();
        const Expected& part = asked.expected.back();
        const std::string name = "expect" + (count == 1 ? "" : std::to_string(count));
        if (part.number)
          scene_.name_value(name, number_value(*part.number));
        else
          scene_.name_value(name, part.words.front());
      }
      if (field.key.starts_with("if "))
        asked.reasons.push_back({expected(field.key.substr(3)), sentence(field.text)});
      if (field.key == "hint") hints.push_back(sentence(field.text));
    }
    for (std::size_t i = 0; hints.size() == asked.expected.size() && i < hints.size(); ++i)
      asked.expected[i].hint = hints[i];
    asked.hint = separated(hints, " ");
    for (const ScriptField& field : block.fields) {
      if (field.key != "answer") continue;
      asked.answer = sentence(field.text);
    }
    if (asked.answer.empty() || asked.expected.empty())
      throw script_.error_at(block.words, "the question has no answer to judge by",
                             "Add expect: … and answer: … below it.");
    lesson_.add(std::move(asked));
  }

  /// "sum(weights[row, hidden]) ± 0.01", or words that mean the same: "no", "none".
  Expected expected(std::string_view text) {
    Expected part;
    for (const std::string_view each : split(text, ",")) {
      std::vector<std::string_view> sides;
      for (const char* mark : {"±", "+/-", "+-"}) {
        if (sides.size() < 2) sides = split(each, mark);
      }
      if (sides.size() == 2) part.tolerance = value(sides[1], one_number);
      value(sides[0], [&](const LessonValue& found) {
        if (const auto* word = std::get_if<std::string>(&found))
          part.words.push_back(*word);
        else
          part.number = one_number(found);
        return 0;
      });
    }
    return part;
  }

  /// Refuses what is no condition: sum(weights[row]), without "= 1".
  void check_condition(std::string_view expression) {
    located(expression, [&](auto* at) {
      bool is_condition = false;
      scene_.value(expression, at, &is_condition);
      *at = expression;
      if (!is_condition)
        throw LessonFault{"this is no condition: nothing is compared",
                          "Say what it has to be: sum(weights[row]) = 1."};
      return 0;
    });
  }

  void claim(const ScriptBlock& block) {
    bool all = true, checked = false;
    std::string place;
    for (const ScriptField& field : block.fields) {
      if (field.key != "check") continue;
      check_condition(field.text);
      const bool is_true = holds(field.text);
      if (!is_true && place.empty()) place = script_.place_of(field.text);
      all = all && is_true;
      checked = true;
    }
    if (!checked)
      throw script_.error_at(block.words, "the claim is not checked",
                             "Add check: … with a condition, such as sum(weights[row]) = 1.");
    lesson_.add(Claim{sentence(block.words), all, place});
  }

  /// One command in a line, and after # what it does.
  void tries(const ScriptBlock& block) {
    for (std::string_view rest = block.words; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const std::size_t mark = std::min(line.find('#'), line.size());
      const std::string_view command = trimmed(line.substr(0, mark));
      if (!command.starts_with("attn "))
        throw script_.error_at(line, "a command to try begins with attn",
                               "For example attn explain {file} --mask causal  # what it does.");
      located(line, [&](auto*) {
        const std::string_view says = trimmed(line.substr(std::min(line.size(), mark + 1)));
        lesson_.suggest(scene_.filled_in(command.substr(5)), scene_.filled_in(says));
        return 0;
      });
    }
  }
};

}  // namespace

void perform(const LessonScript& script, Telling& lesson) { Performance(script, lesson).perform(); }

}  // namespace attn
