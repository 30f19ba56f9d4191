#include <charconv>
#include <limits>

#include "attn/error.hpp"
#include "attn/settings.hpp"
#include "files.hpp"
#include "options.hpp"
#include "read_problem.hpp"

namespace attn::app {
namespace {

double number(const std::string& option, const std::string& text) {
  if (text == "-Infinity" || text == "-inf") return -std::numeric_limits<double>::infinity();
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc() && stop == end) return value;
  throw Error(ErrorKind::Usage, {{.id = "option-value",
                                  .what = option + " takes a number, not \"" + text + "\"",
                                  .fix = "Write " + option + " 0.5, for example."}});
}

/// A wrong value of an option is a wrong command line, and its place is the option.
template <typename Parse>
auto from_option(const std::string& option, const std::string& text, Parse parse) {
  try {
    return parse();
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& each : diagnostics) each.places = {{.file = option + " " + text}};
    throw Error(ErrorKind::Usage, std::move(diagnostics));
  }
}

using Apply = std::function<void(ProblemDraft&, const std::string&)>;

/// An option that replaces the setting at `pointer` of the file.
Option setting(ProblemOptions& o, const std::string& name, const std::string& value,
               const std::string& help, const std::string& pointer,
               std::vector<std::string> choices, Apply apply) {
  return {name, value, help, std::move(choices), [&o, name, pointer, apply](const std::string& v) {
            ProblemDraft trial;
            from_option(name, v, [&] {
              apply(trial, v);
              return 0;
            });  // wrong values are told at once
            o.given.push_back(name + " " + v);
            o.changes.emplace_back([=](ProblemFile& file) {
              apply(file.draft, v);
              file.places.override_with(pointer, name + " " + v);
            });
          }};
}

std::string words_in(const std::string& text) {
  if (text.find_first_not_of(" \t\n") != text.npos) return text;
  throw Error(ErrorKind::Usage, {{.id = "option-value",
                                  .what = "--text needs at least one word",
                                  .fix = "Write --text \"the cat\", for example."}});
}

Index count(const std::string& option, const std::string& text) {
  return whole_number(option, text, 1, 1000000000);
}

/// The problem of a file as the command line changes it.
Problem made(ProblemFile file, const ProblemOptions& options) {
  for (const auto& change : options.changes) change(file);
  if (!options.masks.empty()) {
    file.draft.masks.clear();
    std::string all;
    for (const std::string& mask : options.masks) {
      file.draft.masks.push_back(parse_mask(mask));
      all += (all.empty() ? "--mask " : " --mask ") + mask;
    }
    file.places.override_with("/mask", all);
  }
  try {
    return make_problem(file.draft);
  } catch (const Error& error) {
    throw file.places.locate(error);
  }
}

Error already_computed(const std::string& source, const std::string& option) {
  return {ErrorKind::Usage,
          {{.id = "already-computed",
            .what = option + " would change the problem, but " + source +
                    " is a trace: it is already computed",
            .fix = "Give the problem that the trace was computed from, or leave the option out."}}};
}

}  // namespace

void add_problem_options(Command& command, ProblemOptions& o) {
  command.operand = "[PROBLEM]";
  command.set_operand = [&o, name = command.name](const std::string& path) {
    require_path("attn " + name, path);
    o.path = path;
  };
  auto& add = command.options;
  add.push_back({"--mask",
                 "SPEC",
                 "causal, window:2, padding, keys:1,3 … (repeatable)",
                 {},
                 [&o](const std::string& v) {
                   from_option("--mask", v, [&] { return parse_mask(v); });
                   o.masks.push_back(v);
                   o.given.push_back("--mask " + v);
                 }});
  add.push_back(
      setting(o, "--heads", "N", "number of heads", "/heads", {},
              [](ProblemDraft& d, const std::string& v) { d.heads = count("--heads", v); }));
  add.push_back(
      setting(o, "--kv-heads", "N", "number of key/value heads", "/kv_heads", {},
              [](ProblemDraft& d, const std::string& v) { d.kv_heads = count("--kv-heads", v); }));
  add.push_back(setting(o, "--scale", "S", "1/sqrt(d_k), none, or a number", "/scale", {},
                        [](ProblemDraft& d, const std::string& v) { d.scale = parse_scale(v); }));
  add.push_back(setting(o, "--softcap", "C", "scores become C·tanh(score / C)", "/softcap", {},
                        [](ProblemDraft& d, const std::string& v) {
                          d.softcap = number("--softcap", v);
                          if (!(*d.softcap > 0))
                            throw Error(
                                ErrorKind::Usage,
                                {{.id = "option-value",
                                  .what = "--softcap takes a number above 0, not \"" + v + "\"",
                                  .fix = "Write --softcap 30, for example."}});
                        }));
  add.push_back(setting(o, "--align", "A", "where queries stand among the keys", "/align",
                        align_names(),
                        [](ProblemDraft& d, const std::string& v) { d.align = parse_align(v); }));
  add.push_back(setting(
      o, "--masking", "MODE", "how hidden scores are hidden", "/masking/mode", masking_names(),
      [](ProblemDraft& d, const std::string& v) { d.masking = parse_masking(v); }));
  add.push_back(
      setting(o, "--fill", "X", "what hidden scores become (default -Infinity)", "/masking/fill",
              {}, [](ProblemDraft& d, const std::string& v) { d.fill = number("--fill", v); }));
  add.push_back(setting(o, "--empty-row", "POLICY", "weights of a query that sees no key",
                        "/empty_row", empty_row_names(), [](ProblemDraft& d, const std::string& v) {
                          d.empty_row = parse_empty_row(v);
                        }));
  add.push_back(setting(o, "--positions", "KIND", "what tells positions apart", "/positions",
                        positions_names(), [](ProblemDraft& d, const std::string& v) {
                          d.positions = {};
                          d.positions.kind = parse_positions(v);
                        }));
  add.push_back(setting(o, "--dtype", "T", "number type of every result", "/dtype", dtype_names(),
                        [](ProblemDraft& d, const std::string& v) { d.dtype = parse_dtype(v); }));
  add.push_back(setting(o, "--text", "WORDS", "look these words up in the embedding table", "/text",
                        {}, [](ProblemDraft& d, const std::string& v) { d.text = words_in(v); }));
  add.push_back({"--prefix",
                 "NAME.",
                 "one layer of a checkpoint: its tensors begin so",
                 {},
                 [&o](const std::string& v) {
                   o.prefix = v;
                   o.given.push_back("--prefix " + v);
                 }});
  add.push_back({"--embeddings",
                 "FILE",
                 "X from a .npy file, in place of the problem's",
                 {},
                 [&o](const std::string& v) {
                   o.embeddings = v;
                   o.given.push_back("--embeddings " + v);
                 }});
}

LoadedTrace load_trace(const ProblemOptions& options, const Recipe& recipe,
                       const Streams& streams) {
  const std::string source = options.path.empty()  ? "built-in sample (no file given)"
                             : options.path == "-" ? "standard input"
                                                   : options.path;
  auto read = read_problem_or_trace({options.path, options.prefix, options.embeddings}, streams);
  if (auto* trace = std::get_if<Trace>(&read)) {
    if (!options.given.empty()) throw already_computed(source, options.given.front());
    return {std::move(*trace), source};
  }
  return {attend(made(std::get<ProblemFile>(std::move(read)), options), recipe), source};
}

}  // namespace attn::app
