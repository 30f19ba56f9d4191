// Goes through folders, follows no links in them, and keeps what cannot be read as a broken file.
#include "files/submissions.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include "attn/io/answers_file.hpp"
#include "attn/io/zip_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/uploads.hpp"
#include "files/counting.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "platform/regular_file.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSheetBytes = std::size_t{16} << 20;  // a sheet has a few kilobytes
/// Of the archive of one student.
constexpr ZipLimits kOwnLimits{.files = 1000, .bytes = std::uint64_t{1} << 26};
// What a link leads to may be the key, or the file of somebody else.
constexpr const char* kLink = "it is a link, and links are not followed";
constexpr const char* kDeepArchive = "it is an archive inside an archive: unpack it";
constexpr const char* kInKey = "it does not lie where it was handed in";

/// "line 3: expected a number, found …"
std::string sentence_of(const Error& error) {
  const Diagnostic& first = error.diagnostics().front();
  const Place place = first.places.empty() ? Place{} : first.places.front();
  return (place.line > 0 ? "line " + std::to_string(place.line) + ": " : "") + first.what;
}

void parse(HandedIn& file, const std::string& bytes, double max_memory, DecimalMark mark) {
  MemoryBudget budget{max_memory};
  budget.take_bytes(static_cast<double>(bytes.size()), "");
  const KindOfFile kind = kind_of(bytes, file.name);
  if (kind.kind == InputKind::Sheet) {
    SheetFile read = parse_sheet(bytes, file.name, budget, mark);
    file.student = read.sheet.student;
    file.variant = read.sheet.variant;
    file.exercise = read.sheet.exercise;
    file.answers = std::move(read.answers);
    file.bug = read.sheet.bug;
    file.seal_fits = read.seal_fits;
    file.sheet = std::move(read.sheet);
    return;
  }
  if (kind.kind != InputKind::Table)
    refuse_foreign(kind, file.name, "the sheet that was handed out (.json)");
  file.answers = parse_answers(bytes, file.name, budget, mark);
  if (kind.kind != InputKind::Table) return;
  if (const std::optional<SheetName> name = sheet_name_in(bytes, file.name)) {
    file.student = name->student;
    file.variant = name->variant;
    file.exercise = name->exercise;
  }
}

/// What systems hide in folders and archives.
bool is_hidden(const std::string& name) {
  return (name.starts_with('.') && name != ".." && name != ".") || name == "__MACOSX";
}

/// Whether a hidden file may have been meant as a sheet: no system makes such a name.
bool may_be_hidden_sheet(const fs::path& path) {
  const std::string name = path.filename().string(), ending = lowered(path.extension().string());
  return name.starts_with('.') && !name.starts_with("._") &&
         (ending == ".json" || ending == ".csv");
}

/// Photos and videos of paper, what was typed into a platform, and what Windows and office programs
/// leave behind.
bool is_no_sheet(const fs::path& path) {
  constexpr std::string_view kPhotos[] = {".jpg", ".jpeg", ".png", ".heic", ".heif", ".webp",
                                          ".gif", ".bmp",  ".tif", ".tiff", ".avif", ".dng",
                                          ".cr2", ".cr3",  ".nef", ".arw",  ".raf",  ".orf",
                                          ".rw2", ".pef",  ".srw", ".raw",  ".mov",  ".mp4"};
  const std::string name = lowered(path.filename().string());
  const std::string ending = lowered(path.extension().string());
  return name == "thumbs.db" || name == "ehthumbs.db" || name == "desktop.ini" ||
         name.starts_with("~$") || is_online_text(path.generic_string()) ||
         std::find(std::begin(kPhotos), std::end(kPhotos), ending) != std::end(kPhotos);
}

/// Collects files, those of folders too, and reads each as soon as it is found: only what can be
/// graded is kept. A part that cannot be searched becomes a broken file.
class Search {
 public:
  /// Names are relative to `base`, unless it is empty.
  Search(const std::string& base, const std::vector<std::string>& others, const Reading& reading,
         const Streams& streams)
      : base_(base), others_(others), reading_(reading), streams_(streams) {}

  /// A file or folder that is named.
  void collect(const std::string& named) {
    require_answers(named);
    std::error_code failed;
    if (fs::is_directory(named, failed)) {
      if (const int error = add_all(named)) throw cannot_open(named, error);
    } else if (is_collection(named)) {
      add_archive(named);
    } else if (!is_other(named)) {
      add_file(named, fs::is_symlink(named, failed) ? kLink : lies_in_other(named) ? kInKey : "");
    }
  }

  std::vector<HandedIn> files = {};

 private:
  /// The entries of a folder. Returns the system's error, or 0.
  int add_all(const fs::path& folder) {
    std::error_code failed;
    for (const fs::path& path : entries_of(folder, failed)) add(path);
    return errno_of(failed);
  }

  /// The files of an archive, each of which must be read now.
  void add_archive(const std::string& named) {
    auto members = parse_input(named, streams_, [](std::string_view bytes, const auto& name) {
      return read_zip(bytes, name);
    });
    add_members(std::move(members), base_.empty() ? named + "/" : "", nullptr);
  }

  /// What is in an archive; within a student's archive, `own`, none is opened.
  void add_members(std::vector<ZippedFile> members, const std::string& prefix,
                   const HandedIn* own) {
    for (ZippedFile& each : members) {
      const fs::path inside(each.name);
      const fs::path folder = inside.parent_path();
      const bool hidden_sheet = may_be_hidden_sheet(inside);
      const bool hidden =
          std::any_of(folder.begin(), folder.end(),
                      [](const fs::path& part) { return is_hidden(part.string()); }) ||
          (is_hidden(inside.filename().string()) && !hidden_sheet);
      if (hidden && each.broken.empty()) continue;
      HandedIn file{.name = prefix + each.name,
                    .path = prefix + each.name,
                    .time = own ? own->time : fs::file_time_type(std::chrono::seconds(each.time)),
                    .broken = each.broken,
                    .is_read = true,
                    .ignored = hidden_sheet || is_no_sheet(inside),
                    .zip_time = own == nullptr || own->zip_time};
      if (file.broken.empty() && is_zip_name(inside)) {
        if (own == nullptr) {
          add_own_archive(each.bytes, std::move(file));
          continue;
        }
        file.broken = kDeepArchive;
      }
      if (file.broken.empty() && !file.ignored) file.bytes = std::move(each.bytes);
      keep(std::move(file));
    }
  }

  /// The archive of a student, among what was handed in; one that cannot be read, or has nothing
  /// in it, is a broken file. What is in it was changed when the archive was.
  void add_own_archive(std::string_view bytes, HandedIn whole) {
    const std::size_t before = files.size();
    whole.broken = "it is an archive with nothing in it";
    try {
      add_members(read_zip(bytes, whole.name, kOwnLimits), whole.name + "/", &whole);
    } catch (const Error& error) {
      whole.broken = sentence_of(error);
    }
    if (files.size() == before) keep(std::move(whole));
  }

  void add(const fs::path& path) {
    std::error_code none;
    const bool hidden_sheet = may_be_hidden_sheet(path) && fs::is_regular_file(path, none);
    if ((is_hidden(path.filename().string()) && !hidden_sheet) || is_other(path)) return;
    if (fs::is_symlink(path, none)) return add_file(path, kLink);
    if (hidden_sheet) {
      HandedIn file = found(path);
      file.ignored = true;
      return keep(std::move(file));
    }
    if (is_zip_name(path) && fs::is_regular_file(path, none)) {
      std::string broken;
      const std::string bytes = regular_bytes(path, kMostSheetBytes, broken);
      return broken.empty() ? add_own_archive(bytes, found(path)) : add_file(path, broken);
    }
    if (!fs::is_directory(path, none)) return add_file(path, "");
    if (const int error = add_all(path))
      add_file(path, "it is a folder that cannot be read: " + system_reason(error));
  }

  void add_file(const fs::path& path, const std::string& broken) {
    HandedIn file = found(path);
    file.broken = broken;
    keep(std::move(file));
  }

  void keep(HandedIn file) {
    file.refused = !file.broken.empty();
    if (!file.refused && !file.ignored) read(file);
    files.push_back(std::move(file));
  }

  /// Never throws for what is in a file, and leaves one as it is that is already known to be broken
  /// or not a sheet. A file that is as small as sheets are is always read. All larger ones may have
  /// no more bytes than `left_`, of which each may take a part: so they leave room for others.
  void read(HandedIn& file) {
    constexpr double kLargeFilesAtLeast = 16.0, kUsualBytes = 65536.0;
    try {
      std::string bytes = file.is_read ? std::exchange(file.bytes, "")
                          : file.path == "-"
                              ? text_of("-", streams_, kMostSheetBytes)
                              : regular_bytes(file.path, kMostSheetBytes, file.broken);
      const auto size = static_cast<double>(bytes.size());
      file.is_empty = bytes.empty() && file.broken.empty();
      if (file.is_empty) file.broken = "it is empty";
      const bool large = size > kUsualBytes;
      if (large && size * kLargeFilesAtLeast > left_)
        file.broken = "it takes " + counted(std::ssize(bytes), "byte") +
                      ", more than a sixteenth of what other large files leave";
      if (!file.broken.empty()) return;
      parse(file, bytes, reading_.max_memory, reading_.mark);
      if (large) left_ -= size;
      file.bytes = std::move(bytes);
    } catch (const Error& error) {
      file.broken = sentence_of(error);
    }
  }

  HandedIn found(const fs::path& path) const {
    std::error_code none;
    return {.name = name_of(path),
            .path = path,
            .time = fs::last_write_time(path, none),
            .ignored = is_no_sheet(path)};
  }

  /// Below what is named, if that is one folder; of the only file, its name.
  std::string name_of(const fs::path& path) const {
    if (path == base_) return path.filename().string();
    return (base_.empty() ? path : path.lexically_relative(base_)).generic_string();
  }

  bool is_other(const fs::path& path) const {
    return std::any_of(others_.begin(), others_.end(), [&](const std::string& other) {
      std::error_code none;
      return !other.empty() && fs::equivalent(path, other, none);
    });
  }

  /// Whether links in the path of a file lead into one of the folders.
  bool lies_in_other(const fs::path& path) const {
    std::error_code none;
    const fs::path real = fs::canonical(path, none);
    for (fs::path at = real.parent_path(); at.has_relative_path(); at = at.parent_path()) {
      if (is_other(at)) return true;
    }
    return false;
  }

  const std::string& base_;
  const std::vector<std::string>& others_;
  const Reading& reading_;
  const Streams& streams_;
  double left_ = std::max(reading_.max_memory, kSubmissionMemory);  ///< bytes of large files
};

}  // namespace

bool is_zip_name(const fs::path& path) { return lowered(path.extension().string()) == ".zip"; }

bool is_collection(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none) || (is_zip_name(path) && fs::is_regular_file(path, none));
}

std::vector<HandedIn> handed_in(const std::vector<std::string>& named,
                                const std::vector<std::string>& others, const Reading& reading,
                                const Streams& streams) {
  const std::string base = named.size() == 1 ? named.front() : "";
  Search search(base, others, reading, streams);
  for (const std::string& each : named)
    search.collect(base.empty() ? fs::path(each).lexically_normal().string() : each);
  std::vector<HandedIn> files = std::move(search.files);
  std::sort(files.begin(), files.end(),
            [](const HandedIn& a, const HandedIn& b) { return a.name < b.name; });
  files.erase(std::unique(files.begin(), files.end(),
                          [](const HandedIn& a, const HandedIn& b) { return a.name == b.name; }),
              files.end());
  return files;
}

void refuse_link(const std::string& path) {
  std::error_code none;
  if (!fs::is_symlink(path, none) || !fs::is_regular_file(path, none)) return;
  throw input_error({.id = "not-gradable",
                     .what = "this file is a link, and links are not followed",
                     .places = {{.file = path}},
                     .fix = "Name the file itself."});
}

HandedIn one_submission(const std::string& folder, const Streams& streams, double max_memory) {
  std::vector<HandedIn> files = handed_in({folder}, {}, {max_memory}, streams);
  std::erase_if(files, [](const HandedIn& each) { return each.ignored; });
  Files all;
  Times times;
  for (const HandedIn& each : files) {
    all.push_back(&each);
    times[&each] = each.time;
  }
  std::vector<std::string> notes, names;
  const Files count = all.empty() ? all : counting(all, nullptr, times, notes);
  const bool readable = !count.empty() && count.front()->broken.empty();
  if (count.size() == 1 && (readable || !count.front()->is_read)) return *count.front();
  for (const HandedIn* each : count)
    names.push_back(readable || !each->is_read ? each->name
                                               : with_remark(each->name, each->broken));
  throw input_error({.id = "not-gradable",
                     .what = files.empty() ? "no sheet was handed in"
                             : !readable   ? "none of the files is a sheet: " + listed(names)
                                           : "several sheets were handed in: " + listed(names),
                     .places = {{.file = folder}},
                     .fix = "Hand in the one file of your sheet."});
}

}  // namespace attn::app
