// Finds the reports of an earlier run, and writes one for each student of the roster.
#include "commands/class_reports.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/grade_report.hpp"
#include "attn/render/text.hpp"
#include "attn/uploads.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/sheet_page.hpp"
#include "files/submissions.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// A text with a line end in place of whatever is between two marks.
std::string without(std::string_view text, std::string_view open, char close) {
  std::string rest;
  for (std::size_t at = text.find(open); at != text.npos; at = text.find(open)) {
    rest.append(text.substr(0, at)).append("\n");
    text.remove_prefix(std::min(text.find(close, at), text.size() - 1) + 1);
  }
  return rest.append(text);
}

/// The lines that a report begins with, from its title on; "" for what cannot be one.
std::string beginning_of(std::string_view bytes, const std::string& ending) {
  constexpr std::size_t kMost = 20000;  // names and ids may be long
  constexpr std::string_view kPage = "<!doctype html>", kPageTitle = "<h1>", kTitle = "# ";
  if (ending == ".txt") return without(bytes.substr(0, kMost), "\x1b[", 'm');  // colours
  if (ending == ".html") {
    const std::size_t title = bytes.find(kPageTitle);
    if (!bytes.starts_with(kPage) || title == bytes.npos || is_sheet_page(bytes)) return "";
    return without(bytes.substr(title, kMost), "<", '>').substr(1);
  }
  if (!bytes.starts_with(kTitle)) return "";
  std::string text(bytes.substr(kTitle.size(), kMost));
  std::erase(text, '\\');
  return text;
}

/// Where `wanted` ends if it is in `text` at `at`, wherever its lines are broken; otherwise npos.
std::size_t end_of(const std::string& text, std::size_t at, const std::string& wanted) {
  for (const char each : wanted) {
    if (each == ' ') continue;
    at = text.find_first_not_of(" \n", at);
    if (at == text.npos || text[at] != each) return text.npos;
    ++at;
  }
  return at;
}

/// Whether a text begins with the title of the exercise, and soon has a line of facts about the
/// student: "s001", or "variant K7Q2-9MXA · s001 · …".
bool begins_report(const std::string& text, const std::string& exercise, const std::string& variant,
                   const std::string& student) {
  constexpr int kMostLines = 3;  // points, or a decision
  const auto is_line = [&](std::size_t end) {
    return end != text.npos && (text.find_first_not_of(" \r", end) == text.find('\n', end) ||
                                text.compare(end, 3, " ·") == 0);
  };
  std::size_t at = end_of(text, 0, exercise);
  if (student.empty() || at == text.npos ||
      (at < text.size() && text[at] != ' ' && text[at] != '\r' && text[at] != '\n'))
    return false;
  for (int line = 0; line < kMostLines; ++line) {
    at = text.find_first_not_of(" \r\n", text.find('\n', at));
    if (at == text.npos) return false;
    if (is_line(end_of(text, at, student))) return true;
    const std::size_t found = variant.empty() ? text.npos : text.find(variant + " · ", at);
    if (found < text.find('\n', at) && is_line(end_of(text, found, variant + " · " + student)))
      return true;
  }
  return false;
}

/// Whether the file is a report that an earlier run wrote about a student of this exercise: it has
/// the name of the student or of an upload, and begins like one.
bool is_own_report(const fs::path& file, const std::map<std::string, std::string>& students,
                   const KeyFolder& key, const Streams& streams) {
  const auto student = students.find(file.stem().string());
  const std::string ending = file.extension().string();
  const bool of_upload = student == students.end() && end_of_ids(file.stem().string()) > 0;
  std::error_code none;
  if ((student == students.end() && !of_upload) || !fs::is_regular_file(file, none) ||
      (ending != ".txt" && ending != ".md" && ending != ".html"))
    return false;
  return Input(file.string(), streams, kUsualMemory).read([&](std::string_view bytes) {
    const std::string text = beginning_of(bytes, ending);
    const auto shown = [&](const std::string& name) {
      return ending == ".html" ? html_text(name) : name;
    };
    const auto is_about = [&](const auto& each) {
      const auto sheet = key.sheet_of(each.second);
      return begins_report(text, shown(key.exercise), sheet ? sheet->variant : "",
                           shown(each.second));
    };
    return of_upload ? std::any_of(students.begin(), students.end(), is_about) : is_about(*student);
  });
}

Document report_of(const Check& o, const ClassBook& book, const ClassRow& row) {
  CheckView view{book.exercise, false, {}, "attn help"};
  view.facts.push_back(row.student());
  Document document = row.grade && !row.by_hand ? grade_document(*row.grade, view)
                                                : ungraded_document(book.exercise, row);
  if (is_excused(row)) std::get<Title>(document.blocks.front()).facts = {translated("excused")};
  std::vector<std::string> decisions;
  for (const std::string& each : row.decisions) decisions.push_back(translated_sentence(each));
  const bool is_scaled =
      o.grading.book_for == BookFor::Canvas || o.grading.book_for == BookFor::Moodle;
  if (std::string scaled = is_scaled ? scaled_text(row, summarise(book).points) : "";
      !scaled.empty())
    decisions.push_back(std::move(scaled));
  if (!decisions.empty())  // below the title and the facts, beside the points
    document.blocks.insert(
        document.blocks.begin() + 2,
        Paragraph{clauses(decisions), Role::Labelled, translated("Your teacher")});
  return document;
}

/// The folder in which Moodle hands out the files of a student and takes feedback back; "" for any
/// other.
fs::path platform_folder(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (const std::string folder = moodle_folder(file); !folder.empty()) return folder;
  }
  return {};
}

/// The name, without an ending, under which Canvas takes feedback back: that of the upload, be it a
/// file or an archive of the student; "" if there is none.
std::string canvas_name(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const fs::path path(file);
    for (const fs::path& part : path) {
      const std::string stem = part.stem().string();
      const std::size_t end = end_of_ids(stem);
      if (end > 0 && (part == path.filename() || is_zip_name(part)))
        return file_name_of(stem.substr(0, end)) + file_name_of(stem.substr(end));
    }
  }
  return "";
}

}  // namespace

std::vector<fs::path> earlier_reports(const Check& o, const KeyFolder& key, const CsvTable& roster,
                                      const Streams& streams) {
  const std::string& folder = o.grading.reports;
  std::vector<fs::path> reports;
  std::error_code none;
  for (const std::string& named : o.operands) {
    if (fs::is_directory(named, none) && fs::equivalent(named, folder, none))
      refuse_inside(named, "the folder of the sheets", {folder});
  }
  if (!fs::is_directory(folder, none)) return reports;
  std::map<std::string, std::string> students;  // by the names of their files
  for (const auto& row : roster.rows) students.emplace(file_name_of(row.front()), row.front());
  for (const auto& [student, sheet] : key.sheets) students.emplace(file_name_of(student), student);
  std::error_code failed;
  fs::recursive_directory_iterator file(folder, failed);
  for (; !failed && file != fs::end(file); file.increment(failed)) {
    const fs::path& path = file->path();
    const bool hidden = path.filename().string().starts_with('.');
    if (file->is_directory(none) || hidden) continue;
    if (is_own_report(path, students, key, streams)) {
      reports.push_back(path);
      continue;
    }
    throw file_error("file-exists",
                     "the folder \"" + folder + "\" has other files in it than reports of this " +
                         "exercise: \"" + path.filename().string() + "\"",
                     "Choose a folder for --reports that is new or empty, or has the reports of an "
                     "earlier run.");
  }
  if (failed)
    throw file_error("cannot-read",
                     "the folder \"" + folder + "\" cannot be read: " + failed.message(),
                     "Choose a folder for --reports that is new or empty.");
  return reports;
}

std::vector<Output> report_outputs(const Check& o, const ClassBook& book, const Streams& streams) {
  const Format& format = *find_row(document_formats(), o.grading.reports_as);
  const std::string ending(format.endings.front());
  std::vector<Output> outputs;
  std::set<std::string> taken;
  for (const ClassRow& row : book.rows) {
    if (o.grading.reports.empty() || row.status == RowStatus::NotInRoster || row.student().empty())
      continue;
    const fs::path folder = fs::path(o.grading.reports) / platform_folder(row.files);
    const std::string own = file_name_of(row.student());
    std::string name = o.grading.book_for == BookFor::Canvas ? canvas_name(row.files) : "";
    if (name.empty() || !taken.insert(caseless(name)).second) name = own;
    const std::string path = (folder / (name + ending)).string();
    outputs.push_back({path,
                       [&o, &book, &row, &format, &streams, path](const Sink& sink) {
                         TextStyle style = text_style(o.text, path, streams);
                         style.markup.standalone = true;
                         sink(format.document(report_of(o, book, row), style));
                       },
                       true});
  }
  return outputs;
}

void note_earlier(const std::string& folder, std::vector<fs::path> earlier,
                  const std::vector<Output>& reports, const Streams& streams) {
  std::erase_if(earlier, [&](const fs::path& path) {
    return std::any_of(reports.begin(), reports.end(), [&](const Output& each) {
      return fs::path(each.path).lexically_normal() == path.lexically_normal();
    });
  });
  if (earlier.empty()) return;
  std::vector<std::string> names;
  for (const fs::path& path : earlier)
    names.push_back(path.lexically_relative(folder).generic_string());
  std::sort(names.begin(), names.end());
  streams.err << "note: " << counted(std::ssize(names), "report") << " in " << visible(folder)
              << (names.size() == 1 ? " is" : " are")
              << " from an earlier run; delete what is not to be handed back: "
              << visible(listed(names)) << "\n"
              << std::flush;
}

}  // namespace attn::app
