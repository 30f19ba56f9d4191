// Reads answers from JSON: step → matrix of numbers, fractions and blanks.
#include "io/answers/answers_json.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/setting_names.hpp"
#include "io/answers/answer_cell.hpp"
#include "io/arrays/matrix_text.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/json.hpp"
#include "io/json/token.hpp"
#include "io/trace/trace_lines.hpp"

namespace attn {
namespace {

using json::Node;
using json::Value;

AnswerCell cell_of(const Node& node, bool commas) {
  if (std::holds_alternative<std::nullptr_t>(node.value)) return {.state = CellState::Empty};
  if (const auto* text = std::get_if<std::string>(&node.value))
    return read_answer_cell(*text, commas);
  return {.state = CellState::Unreadable, .fix = kAnswerCellFix};
}

/// "/scores/1/0" for number `index` of a matrix of that shape.
std::string pointer_to(const std::string& matrix, const std::vector<Index>& shape, Index index) {
  std::string tail;
  for (std::size_t axis = shape.size(); axis-- > 0; index /= shape[axis])
    tail.insert(0, "/" + std::to_string(index % shape[axis]));
  return matrix + tail;
}

/// A cell that cannot be read.
struct Odd {
  std::size_t index;
  const Node* node;
  AnswerCell cell;
};

/// Throws if the file is a problem: problems and answers may both have the key "weights".
void refuse_problem(const Node& root, const SourceMap& places) {
  const Node* weights = json::find(root, "weights");
  const bool layer = weights != nullptr && std::holds_alternative<json::Members>(weights->value);
  if (!layer && !json::find(root, "embeddings") && !json::find(root, "tokens")) return;
  throw places.locate(
      input_error({.id = "wrong-format",
                   .what = "expected answers, found a problem",
                   .places = {{}},
                   .fix = "Write one matrix for each step: {\"scores\": [[1, 2]]}."}));
}

/// The number type of a trace.
Dtype dtype_of(const Node& trace) {
  const Node* settings = json::find(trace, "settings");
  const Node* dtype = settings != nullptr ? json::find(*settings, "dtype") : nullptr;
  const auto* word = dtype != nullptr ? std::get_if<std::string>(&dtype->value) : nullptr;
  return word != nullptr ? parse_word<Dtype>(*word, "/settings/dtype") : Dtype::Float64;
}

}  // namespace

Answer read_answer(const Value& value, const std::string& id, const SourceMap& places,
                   bool commas) {
  Answer answer{.id = id};
  std::vector<Odd> described;
  const auto keep = [&](const Node& node, std::size_t index) {
    AnswerCell cell = cell_of(node, commas);
    const double number = cell.number;
    answer.commas += cell.comma;
    if (cell.state == CellState::Filled) return number;
    answer.states.resize(index, CellState::Filled);
    answer.states.push_back(cell.state);
    const auto* text = std::get_if<std::string>(&node.value);
    const bool unread = cell.state == CellState::Unreadable && text != nullptr;
    if (unread && answer.unread.size() < kMostUnread)
      answer.unread.push_back({index, excerpt(*text)});
    if (cell.state == CellState::Unreadable && described.size() < kMostDescribed)
      described.push_back({index, &node, std::move(cell)});
    return number;
  };
  try {
    const auto* text = std::get_if<std::string>(&value.node.value);
    const bool is_text = text != nullptr && may_be_matrix_text(*text);
    MatrixText read = is_text ? read_matrix_text(*text, single_number) : MatrixText{};
    if (!read.fault.empty()) throw bad_matrix_text(read.fault, {.pointer = value.pointer});
    Array array = is_text ? std::move(read.array) : read_lists(value, {1, 4}, keep);
    answer.shape = std::move(array.shape);
    answer.numbers = std::move(array.data);
  } catch (const Error& error) {
    return {.id = id, .unreadable = places.locate(error).diagnostics()};
  }
  if (!answer.states.empty()) answer.states.resize(answer.numbers.size(), CellState::Filled);
  for (const Odd& odd : described) {
    const Source& source = value.file.source;
    const std::size_t at = odd.node->offset;
    const std::string pointer =
        pointer_to(value.pointer, answer.shape, static_cast<Index>(odd.index));
    Diagnostic wrong =
        unreadable_cell(json::describe_token(source.text, at), odd.cell, {.pointer = pointer});
    answer.unreadable.push_back(places.locate(input_error(std::move(wrong))).diagnostics().front());
  }
  return answer;
}

bool has_comma_texts(const Node& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return may_have_commas(*text);
  if (const auto* items = std::get_if<json::Items>(&node.value))
    return std::all_of(items->begin(), items->end(), has_comma_texts);
  const auto* members = std::get_if<json::Members>(&node.value);
  return members == nullptr ||
         std::all_of(members->begin(), members->end(),
                     [](const json::Member& member) { return has_comma_texts(member.value); });
}

std::vector<Answer> read_answers(const Value& object, const SourceMap& places, const char* inside,
                                 bool commas) {
  const auto& members = std::get<json::Members>(object.node.value);
  if (members.size() > kMostMatrices)
    throw too_many_matrices(members.size(), {.pointer = object.pointer});
  std::vector<Answer> answers;
  std::size_t broken = 0;
  const SourceMap nowhere(object.file.source.name);
  for (const json::Member& member : members) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    const Node* matrix = inside == nullptr ? &member.value : json::find(member.value, inside);
    if (matrix == nullptr) continue;
    std::string pointer = json::child_pointer(object.pointer, member.key);
    if (inside != nullptr) pointer = json::child_pointer(pointer, std::string_view(inside));
    const Value value{object.file, *matrix, std::move(pointer)};
    answers.push_back(
        read_answer(value, member.key, broken < kMostPlaces ? places : nowhere, commas));
    broken += answers.back().unreadable.empty() ? 0 : 1;
  }
  return answers;
}

namespace {

/// The steps of a trace, even if the steps that they are made from are missing.
Answers answers_from_steps(const json::Document& file, const SourceMap& places) {
  Answers answers{.source = file.source.name, .by_program = true, .dtype = dtype_of(file.root)};
  const Node* steps = json::find(file.root, "steps");
  if (steps != nullptr && std::holds_alternative<json::Members>(steps->value))
    answers.matrices = read_answers({file, *steps, "/steps"}, places, "data");
  return answers;
}

}  // namespace

Answers parse_answers_json(std::string_view bytes, const std::string& name, MemoryBudget budget,
                           DecimalMark mark) {
  const bool is_trace = stated_format(bytes) == "attn.trace";
  const auto file = std::make_shared<const json::Document>(
      json::parse(is_trace ? joined_lines({bytes}) : SharedBytes{bytes}, name, &budget,
                  json::OddWords::Quoted));
  const SourceMap places(file);
  const auto* members = std::get_if<json::Members>(&file->root.value);
  if (members == nullptr) {
    throw places.locate(
        json::wrong_type(*file, "", "an object such as {\"scores\": [[1, 0.5], [null, 2]]}",
                         "Write an object with one matrix for each step, named after it."));
  }
  try {
    if (is_trace) return answers_from_steps(*file, places);
    refuse_problem(file->root, places);
    const bool commas =
        mark == DecimalMark::Auto ? may_have_commas(file->source.text) : mark == DecimalMark::Comma;
    return {.source = name,
            .matrices = read_answers({*file, file->root, ""}, places, nullptr, commas)};
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

}  // namespace attn
