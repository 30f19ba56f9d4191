// The teacher's own problems in the file of an exercise.
#include <map>
#include <utility>

#include "attn/io/problem_file.hpp"
#include "io/classroom/spec_fields.hpp"
#include "io/problem/array_source.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

using json::Value;

constexpr const char* kFile = "file";
constexpr const char* kStudents = "students";

/// The same error; its places are below `root`.
Error below(const Error& error, const std::string& root) {
  std::vector<Diagnostic> all = error.diagnostics();
  for (Diagnostic& each : all) {
    for (Place& place : each.places) place.pointer.insert(0, root);
  }
  return Error(error.kind(), std::move(all), error.omitted());
}

/// A problem in a file of its own; files that it names are relative to it.
ProblemDraft read_problem_in(const Value& name) {
  const std::string& path = json::read_text(name);
  json::check_path(name, path, name.file.read_file != nullptr);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const auto beside = [&](const std::string& other, const std::string& pointer) {
    return name.file.read_file(folder + other, pointer);
  };
  ProblemFile file = parse_problem(name.file.read_file(path, name.pointer), path, beside);
  try {
    make_problem(file.draft);
  } catch (const Error& error) {
    throw file.places.locate(error);
  }
  return std::move(file.draft);
}

/// A problem as in a problem file, or where it is: {"file": "mine.json"}.
ProblemDraft read_own(const Value& value) {
  if (std::holds_alternative<std::string>(value.node.value)) return read_problem_in(value);
  if (const json::Node* file = json::find(value.node, kFile))
    return read_problem_in({value.file, *file, json::child_pointer(value.pointer, kFile)});
  ProblemDraft draft;
  read_keys(value, "", draft);
  try {
    make_problem(draft);
  } catch (const Error& error) {
    throw below(error, value.pointer);
  }
  return draft;
}

}  // namespace

std::map<std::string, ProblemDraft> read_problems(const Value& value) {
  const json::Node* students = json::find(value.node, kStudents);
  if (students == nullptr) return {{"", read_own(value)}};
  const std::string pointer = json::child_pointer(value.pointer, kStudents);
  const auto* members = std::get_if<json::Members>(&students->value);
  if (members == nullptr || members->empty())
    throw json::wrong_type(value.file, pointer,
                           "an object such as {\"s001\": {\"file\": \"s001.json\"}}",
                           "Name each student, and the problem.");
  std::map<std::string, ProblemDraft> problems;
  for (const json::Member& member : *members)
    problems[member.key] =
        read_own({value.file, member.value, json::child_pointer(pointer, member.key)});
  return problems;
}

void write_problems(json::Writer& out, const std::map<std::string, ProblemDraft>& problems) {
  const auto write = [&](const ProblemDraft& draft) {
    out.object(json::Layout::Lines, [&] { write_keys(out, "", draft); });
  };
  out.key("problem");
  if (const auto all = problems.find(""); all != problems.end()) return write(all->second);
  out.object(json::Layout::Lines, [&] {
    out.key(kStudents).object(json::Layout::Lines, [&] {
      for (const auto& [student, draft] : problems) {
        out.key(student);
        write(draft);
      }
    });
  });
}

}  // namespace attn
