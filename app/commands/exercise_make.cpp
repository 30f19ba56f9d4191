// attn exercise make: sheets for a class, and the key that grades them.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include "attn/attend.hpp"
#include "attn/core/random_problem.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/mistakes.hpp"
#include "commands/exercise_summary.hpp"
#include "commands/progress.hpp"
#include "files/exercise_folder.hpp"
#include "files/exercise_language.hpp"
#include "files/input.hpp"
#include "files/printed_sheet.hpp"
#include "files/read_problem.hpp"
#include "files/sheet_page.hpp"
#include "files/slips.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Make {
  std::string preset, spec, name, roster, salt_file, new_salt, web;
  std::optional<std::uint64_t> seed;
  /// What options change, each with its key in the file of an exercise and as it was typed.
  struct Change {
    std::string pointer, typed;
    std::function<void(ExerciseSpec&)> apply;
  };
  std::vector<Change> changes;
  bool csv = false, merge = false;
  Naming naming;
  std::vector<const Format*> documents;  ///< further formats of the sheets
  TextOptions text;
};

std::vector<std::string> preset_names() { return names_in(exercise_presets()); }

std::vector<std::string> words_in(const std::string& list) {
  std::vector<std::string> words;
  for (const std::string& word : split_at_commas(list)) words.emplace_back(trimmed(word));
  return words;
}

/// A size of the exercise: a row whose value goes into a field of the spec.
template <class Field>
OptionRow size_row(Make& o, const std::string& name, const std::string& key,
                   const std::string& help, Field ExerciseSpec::*field,
                   std::int64_t most = kLargestWhole) {
  return text(name, "N", help, [&o, key, field, most](const GivenValue& given) {
    const std::int64_t number = whole_number(given, 1, most);
    o.changes.push_back({"/" + key, given.written(), [field, number](ExerciseSpec& spec) {
                           spec.*field = static_cast<typename Held<Field>::type>(number);
                         }});
  });
}

void set_blanks(Make& o, const GivenValue& given) {
  const BlankRule rule = parsed(given, parse_blank_rule);
  o.changes.push_back(
      {"/blanks", given.written(), [rule](ExerciseSpec& spec) { spec.blanks = rule; }});
}

std::vector<std::string> sheet_formats() {
  std::vector<std::string> names{"json", "csv"};
  for (const Format& format : document_formats()) {
    if (format.document != nullptr) names.emplace_back(format.name);
  }
  return names;
}

void add_formats(Make& o, const std::string& given) {
  for (const std::string& word : words_in(given)) {
    const Format* format = find_row(document_formats(), word);
    const std::vector<std::string> known = sheet_formats();
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw unknown_choice("--format", word, known);
    o.csv = o.csv || word == "csv";
    if (format != nullptr) o.documents.push_back(format);
  }
}

void add_make_options(Command& command, Make& o) {
  using Spec = ExerciseSpec;
  add_rows(
      command, Group::Own,
      {offer(text("--preset", "NAME", listed(preset_names()), o.preset), preset_names),
       file("--spec", "FILE", "a preset and what differs from it", PathUse::Input, o.spec),
       text("--name", "NAME", "name of the exercise (default: the preset)",
            [&o](const std::string& name) {
              o.changes.push_back(
                  {"/name", "--name " + name, [name](Spec& spec) { spec.name = name; }});
            }),
       file("--roster", "FILE", "CSV; a sheet for each id in its first column", PathUse::Input,
            o.roster),
       file("--salt-file", "FILE", "the secret behind the sheets of a class", PathUse::Input,
            o.salt_file),
       file("--new-salt", "FILE", "make a new random secret, and write it to FILE", PathUse::Output,
            o.new_salt),
       whole("--seed", "without a roster: another sheet (default 0)", 0, 9007199254740992, o.seed),
       size_row(o, "--tokens", "tokens", "how many tokens (default 4)", &Spec::tokens),
       text("--words", "A,B,C", "names of the tokens",
            [&o](const GivenValue& given) {
              o.changes.push_back(
                  {"/tokens", given.written(), [words = token_names(given)](Spec& spec) {
                     spec.words = words;
                     spec.tokens = std::ssize(words);
                   }});
            }),
       size_row(o, "--d-model", "d_model", "columns of an embedding (default 6)", &Spec::d_model),
       size_row(o, "--d-k", "d_k", "columns of Q, K and V, per head (default 3)", &Spec::d_k),
       size_row(o, "--heads", "heads", "how many heads", &Spec::heads),
       size_row(o, "--precision", "decimals", "decimals to round to (default 3)", &Spec::decimals,
                kMostDecimals),
       offer(text("--blank-cells", "RULE", "what to fill in: 40%, all, row or one",
                  [&o](const GivenValue& given) { set_blanks(o, given); }),
             [] {
               return std::vector<std::string>{"40%", "all", "row", "one"};
             }),
       list(offer(text("--mistakes", "CODE,…",
                       "every sheet must reveal these (default: those that nearly all sheets show)",
                       [&o](const std::string& given) {
                         o.changes.push_back(
                             {"/mistakes", "--mistakes " + given,
                              [given](Spec& spec) { spec.mistakes = words_in(given); }});
                       }),
                  mistake_codes),
            List::Commas),
       flag("--any-size", "accept sizes that hide mistakes",
            [&o] {
              o.changes.push_back({"/force", "--any-size", [](Spec& spec) { spec.force = true; }});
            }),
       list(offer(text("--format", "FORMAT,…",
                       "json, and also: csv (tables to fill in), text, markdown, latex, html (to "
                       "print, with keys)",
                       [&o](const std::string& given) { add_formats(o, given); }),
                  sheet_formats),
            List::Commas),
       flag("--merge", "one document with the sheets of all students, to print", o.merge),
       flag("--anonymous", "documents show the variant, not the student",
            [&o] { o.naming.where = Naming::Where::List; }),
       flag("--slips",
            "the same, with the name on a strip above each sheet, to fold back or cut off",
            [&o] { o.naming.where = Naming::Where::Slip; }),
       file("--web", "attn.html",
            "the page that opens and checks sheets, too; with html, a page for each sheet",
            PathUse::Input, o.web)});
  command.conflicts = {{"--tokens", "--words", "the words say how many tokens there are"},
                       {"--anonymous", "--slips", "each says where the names are"},
                       {"--seed", "--roster", "a seed can be guessed; a class needs a salt"},
                       {"--seed", "--salt-file", "each decides the numbers"},
                       {"--seed", "--new-salt", "each decides the numbers"},
                       {"--salt-file", "--new-salt", "one reads a salt, the other makes it"}};
}

void require_preset(const std::string& name) {
  try {
    find_preset(name);
  } catch (const Error& error) {
    throw usage_error_at("--preset " + name, error);
  }
}

/// The exercise that is asked for, and where its settings come from.
SpecFile wanted(const Make& o, const Streams& streams) {
  SpecFile file;
  if (!o.preset.empty()) require_preset(o.preset);
  if (!o.spec.empty()) {
    MemoryBudget budget;
    const ReadFile beside = o.spec == "-" ? ReadFile() : reader_beside(o.spec, budget, streams);
    file = parse_input(o.spec, streams, [&](std::string_view bytes, const std::string& name) {
      return parse_exercise_spec(bytes, name, o.preset, beside);
    });
  } else if (!o.preset.empty()) {
    file.spec = find_preset(o.preset).spec;
  } else {
    throw usage_error(
        "missing-option", "attn exercise make needs --preset NAME or --spec FILE",
        "Choose " + either(preset_names()) + ": attn exercise make --preset self -o DIR.");
  }
  for (const Make::Change& change : o.changes) {
    change.apply(file.spec);
    file.places.override_with(change.pointer, change.typed);
  }
  if (std::ssize(file.spec.words) != file.spec.tokens) file.spec.words.clear();  // --tokens
  const std::string& language = streams.common.language;
  if (!language.empty()) file.spec.language = language == "en" ? "" : language;
  const std::string& preset = file.spec.preset;
  if (file.spec.name.empty()) file.spec.name = preset.empty() ? "exercise" : preset;
  const char* drawn =
      first_given(streams, {"--tokens", "--words", "--d-model", "--d-k", "--heads"});
  if (drawn != nullptr && !file.spec.problems.empty())
    throw usage_error("option-conflict", no_effect(drawn, o.spec + " has problems of its own"),
                      filled("Leave out {}.", drawn));
  return file;
}

/// Throws Error if a new salt would be handed out with the sheets, or written over another.
void check_new_salt(const std::string& path, const ExerciseFolder& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) throw cannot_write(path, errno_of(failed));
  const fs::path sheets = fs::weakly_canonical(here / folder.sheets(), failed);
  const fs::path salt = fs::weakly_canonical(here / path, failed);
  if (!failed &&
      std::search(salt.begin(), salt.end(), sheets.begin(), sheets.end()) == salt.begin())
    throw usage_error("option-conflict",
                      "--new-salt " + path + " is among the sheets that students get",
                      "Write it next to " + folder.path() + ", not into it.");
  if (fs::exists(path, failed))
    throw file_error("file-exists", "the file \"" + path + "\" already exists",
                     "Use it with --salt-file, or choose another name.");
}

std::string salt_of(const Make& o, const ExerciseFolder& folder, const Streams& streams) {
  if (!o.new_salt.empty()) {
    check_new_salt(o.new_salt, folder);
    return new_salt();
  }
  if (!o.salt_file.empty()) return read_salt(o.salt_file, streams);
  if (o.roster.empty()) return "seed " + std::to_string(o.seed.value_or(0));
  throw usage_error("missing-option",
                    "sheets for a class need a secret, so that nobody can make "
                    "the key",
                    "Write --new-salt FILE the first time, later --salt-file with the same FILE.");
}

/// Where the settings of a diagnostic were made: options, or keys of the file; those of the preset
/// have no place.
std::vector<Place> places_of(const Diagnostic& wrong, const SourceMap& file) {
  std::vector<Place> settings = wrong.places;
  if (settings.empty() && !wrong.changes.empty())
    settings = {{.pointer = "/" + wrong.changes.front().setting}};
  settings.insert(settings.begin(), Place{});
  std::vector<Place> places =
      file.locate(input_error({.places = std::move(settings)})).diagnostics().front().places;
  const Place whole = places.front();
  std::erase_if(places, [&](const Place& each) {
    return each.file.empty() ||
           (!is_option(each) && each.line == whole.line && each.column == whole.column);
  });
  return places;
}

/// Names the options of keys that have another name.
void name_options(std::vector<Change>& changes) {
  constexpr std::pair<const char*, const char*> kOptions[] = {
      {"decimals", "precision"}, {"blanks", "blank-cells"}, {"force", "any-size"}};
  for (Change& change : changes) {
    for (const auto& [key, option] : kOptions) {
      if (change.setting == key) change.setting = option;
    }
  }
}

/// The sheets. Throws Error with the places of the settings that are wrong.
std::vector<ExerciseVariant> made(const SpecFile& file, const std::string& salt,
                                  const std::vector<std::string>& students,
                                  const Streams& streams) {
  Progress progress(streams, "made");
  const auto show = [&](std::size_t sheets) { progress.show(sheets, students.size()); };
  try {
    std::vector<ExerciseVariant> variants = make_exercise(file.spec, salt, students, show);
    progress.end();
    return variants;
  } catch (const Error& error) {
    progress.end();
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    ErrorKind kind = error.kind();
    for (Diagnostic& each : diagnostics) {
      each.places = places_of(each, file.places);
      name_options(each.changes);
      const bool in_file = !each.places.empty() && !is_option(each.places.front());
      if (in_file) kind = ErrorKind::Input;
    }
    throw Error(kind, std::move(diagnostics));
  }
}

std::vector<Output> files_of(const ExerciseFolder& folder, const ExerciseKey& key,
                             const std::vector<ExerciseVariant>& variants, const Make& o,
                             const std::optional<SheetPage>& page) {
  std::vector<Output> files;
  if (page) files.push_back({.path = folder.page(), .write = page->with()});
  std::vector<LockedVariant> lock;
  const auto add_as = [&](WholeFile::Kind kind, std::string path, std::string text) {
    files.push_back({.path = std::move(path),
                     .write = [text = std::move(text)](const Sink& sink) { sink(text); },
                     .kind = kind});
  };
  const auto add = [&](std::string path, std::string text) {
    add_as(WholeFile::Kind::Usual, std::move(path), std::move(text));
  };
  const auto add_secret = [&](std::string path, std::string text) {
    add_as(WholeFile::Kind::Secret, std::move(path), std::move(text));
  };
  for (const ExerciseVariant& each : variants) {
    const std::string& student = each.sheet.student;
    add(folder.sheet(student, ".json"), sheet_json(each.sheet));
    if (o.csv) add(folder.sheet(student, ".csv"), sheet_csv(each.sheet));
    add_secret(folder.answer(student), sheet_json(each.key));
    for (const Format* format : o.documents) {
      const std::string ending(format->endings.front());
      const std::string path = folder.sheet(student, ending);
      if (page && ending == ".html") {
        files.push_back({.path = path, .write = page->with(sheet_json(each.sheet))});
      } else {
        add(path, printed_form(each.sheet, sheet_json(each.sheet), *format, o.naming, &each.key));
      }
      add_secret(folder.answer(student, ending), printed(each.key, *format));
    }
    lock.push_back({student, each.sheet.variant, problem_hash(each.key)});
  }
  for (const Format* format : o.documents) {
    if (!o.merge) continue;
    std::vector<Sheet> sheets;
    for (const ExerciseVariant& each : variants) sheets.push_back(each.sheet);
    add_secret(folder.all(std::string(format->endings.front())),
               printed_together(sheets, *format, o.naming));
  }
  add_secret(folder.key(), exercise_key_json(key));
  add_secret(folder.lock(), lock_csv(lock));
  return files;
}

void run_make(Make& o, const Streams& streams) {
  if (is_stdout(streams.common.output)) {
    throw usage_error("missing-option", "attn exercise make writes a folder, and none is named",
                      "Write -o DIR, a folder that does not exist yet.");
  }
  const ExerciseFolder folder(streams.common.output);
  refuse_full_folder(folder.path());
  const SpecFile file = wanted(o, streams);
  for (const char* option : {"--merge", "--anonymous", "--slips"}) {
    if (!o.documents.empty() || first_given(streams, {option}) == nullptr) continue;
    throw usage_error("missing-option", no_effect(option, "no document is asked for"),
                      "Add --format json,latex or json,html.");
  }
  if (o.csv && file.spec.find_the_bug) {
    throw usage_error("option-conflict", "a table has no place for the answer to find-the-bug",
                      "Leave out --format csv.");
  }
  if (file.spec.find_the_bug && first_given(streams, {"--blank-cells"}) != nullptr) {
    throw usage_error("option-conflict", "a find-the-bug sheet has no blanks in its matrices",
                      "Leave out --blank-cells.");
  }
  if (o.roster.empty() && o.naming.where == Naming::Where::Slip)
    throw usage_error("missing-option", "--slips needs names, and there is no roster",
                      "Add --roster FILE, or leave out --slips.");
  std::optional<SheetPage> page;
  if (!o.web.empty()) page.emplace(o.web, streams);
  const std::string salt = salt_of(o, folder, streams);
  std::vector<std::string> students;
  std::string source;
  if (!o.roster.empty()) {
    const CsvTable roster = read_roster(o.roster, streams);
    for (const auto& row : roster.rows) students.push_back(row.front());
    o.naming.slips = slips_of(roster);
    source =
        translated("ids from the column \"{column}\" of {file}", roster.header.front(), o.roster);
  }
  const std::vector<ExerciseVariant> variants = made(file, salt, students, streams);
  std::vector<Output> files = [&] {
    const ExerciseLanguage language(file.spec.language, file.spec.decimal_comma, streams);
    return files_of(folder, {file.spec, salt, kExerciseGenerator}, variants, o, page);
  }();
  if (!o.new_salt.empty())
    files.push_back({.path = o.new_salt,
                     .write = [&](const Sink& sink) { sink(salt + "\n"); },
                     .kind = WholeFile::Kind::Salt});
  write_exercise(folder, files, streams);
  const Document summary = exercise_summary(file.spec, variants, folder.path(), source);
  write_output("", document_formats().front().document(summary, text_style(o.text, "", streams)),
               streams);
}

}  // namespace

Command exercise_make_command() {
  auto o = std::make_shared<Make>();
  Command command;
  command.examples = {
      {"attn exercise make --preset causal -o week1", "one sheet, and its key"},
      {"attn exercise make --preset self --seed 7 -o week2", "other numbers"},
      {"attn exercise make --preset find-the-bug -o week3", "one mistake built in"}};
  command.makes_folder = true;
  command.usual = {"--preset", "--spec",        "--roster", "--salt-file", "--new-salt",
                   "--seed",   "--blank-cells", "--tokens", "--format",    "--output"};
  add_make_options(command, *o);
  command.run = [o](const Streams& streams) { run_make(*o, streams); };
  return command;
}

}  // namespace attn::app
