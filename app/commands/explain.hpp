// attn explain in parts: its options, the checks of what goes together, and its documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {

struct Explain {
  ProblemOptions problem;
  ViewOptions view;
  TextOptions text;
  OutputOptions output;
  bool wide = false, pause = false, outline = false;
  GradientOptions gradient;
  InsideChoice inside;
  std::vector<std::string> blanks;   ///< steps to leave blank, as written
  std::string solution;              ///< a file for the document without blanks
  std::optional<std::string> fault;  ///< the code of a mistake to build in
};

/// Whether the format holds only what the one --cell names, and what that was made from.
bool holds_cell(const Format& format, const ViewOptions& o);

/// Whether the target gets the blanks: all do, except the file of --solution.
bool is_handout(const Explain& o, const Target& target);

/// Every output that is asked for, each in a format that can hold it. Throws Error (usage) for
/// options that do not go together.
std::vector<Target> checked_targets(Explain& o, const Streams& streams);

/// Throws Error (input, id "too-large") if a document would take more than --max-memory allows.
void check_documents(const Explain& o, const std::vector<Target>& targets, const Trace& outline);

/// Whether only a look inside the model is shown: unless some steps, cells or all of it are asked
/// for.
bool shows_inside(const Explain& o);

/// Whether an option asks for all steps, also of a model.
bool asks_for_all(const Explain& o);

/// Whether only a summary of a model is shown: all of it would be too long to read.
bool in_summary(const Explain& o);

/// Passes on the document of a target, as its format writes it.
void write_explanation(const Explain& o, const Trace& trace, const Target& target,
                       const Streams& streams, const Sink& sink);

/// For --pause: one step after the other.
void show_steps(const Explain& o, const Trace& trace, const Target& screen, const Streams& streams);

/// What `use` makes of a --cell; errors in its text name the option as their place.
template <typename Use>
auto about_cell(const Use& use, const Trace& trace, const std::string& cell, const View& view,
                const std::string& option = "--cell ") {
  try {
    return use(trace, cell, view);
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& each : diagnostics) {
      for (Place& place : each.places) place.file = option + cell;
    }
    throw Error(error.kind(), std::move(diagnostics));
  }
}

}  // namespace attn::app
