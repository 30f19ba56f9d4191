// Checks format and version, reads all keys, adds places to errors, and writes piece by piece.
#include "attn/io/problem_file.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "attn/checkpoint.hpp"
#include "core/trace/text_pieces.hpp"
#include "io/json/json.hpp"
#include "io/json/value.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

/// Another format of ours, and what to do with it.
struct OtherFormat {
  const char* format;
  const char* what;
  const char* fix;
};

constexpr OtherFormat kOthers[] = {
    {"attn.trace", "a trace, which is the result of a problem",
     "Give the problem that the trace was computed from."},
    {"attn.sheet", "a worksheet, which has a problem inside",
     "Save what is under \"problem\" as a separate file."},
};

void check_format(const json::Value& value) {
  const std::string& format = json::read_text(value);
  if (format == "attn.problem") return;
  const OtherFormat* other =
      std::find_if(std::begin(kOthers), std::end(kOthers),
                   [&](const OtherFormat& each) { return format == each.format; });
  const bool known = other != std::end(kOthers);
  throw input_error({
      .id = "wrong-format",
      .what = "expected the format \"attn.problem\", found " +
              (known ? other->what : "\"" + format + "\""),
      .places = {{.pointer = value.pointer}},
      .fix = known ? other->fix : "Give a problem file, or write \"format\": \"attn.problem\".",
  });
}

ProblemDraft read_problem(const json::Document& file) {
  if (const json::Node* format = json::find(file.root, "format")) {
    check_format({file, *format, "/format"});
  }
  if (const json::Node* version = json::find(file.root, "format_version")) {
    json::read_version({file, *version, "/format_version"});
  }
  ProblemDraft draft;
  read_keys({file, file.root, ""}, "", draft);
  if (draft.model || draft.model_weights.empty()) return draft;
  throw input_error({.id = "missing-key",
                     .what = "weights from a file are those of a whole model, but there is no "
                             "\"model\"",
                     .places = {{.pointer = "/weights"}},
                     .fix =
                         "Add \"model\": {\"kind\": \"gpt2\"}, for example; or name the matrices: "
                         "{\"w_q\": {\"file\": …, \"tensor\": …}, …}."});
}

}  // namespace

ProblemFile parse_problem(std::string_view text, const std::string& name, const ReadFile& read_file,
                          MemoryBudget* budget, const OpenFile& open_file) {
  return parse_problem(copy_of(text), name, read_file, budget, open_file);
}

ProblemFile parse_problem(const SharedBytes& text, const std::string& name,
                          const ReadFile& read_file, MemoryBudget* budget,
                          const OpenFile& open_file) {
  MemoryBudget usual;
  if (budget == nullptr) budget = &usual;
  SourceMap places(name);
  try {
    const auto document = std::make_shared<json::Document>(json::parse(text, name, budget));
    places = SourceMap(document);
    check_described(document->root, *budget);
    document->read_file = read_file;
    document->budget = budget;
    if (open_file) {
      document->list_tensors = [&](const std::string& path, const std::string& pointer) {
        return checkpoint_tensors(
            path, [&](const std::string& file) { return open_file(file, pointer); });
      };
    }
    ProblemDraft draft = read_problem(*document);
    document->read_file = nullptr;  // with the files it keeps
    document->list_tensors = nullptr;
    document->budget = nullptr;
    return {std::move(draft), places};
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

void each_problem_piece(const ProblemDraft& draft, const Sink& sink) {
  json::Writer out(sink);
  out.object(json::Layout::Lines, [&] { write_keys(out, "", draft); }).end_text();
}

std::string problem_json(const ProblemDraft& draft) {
  return in_one_text([&](const Sink& sink) { each_problem_piece(draft, sink); });
}

}  // namespace attn
