// Opens what a command reads, and finds out what it is.
#include "files/input.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>

#include "attn/error.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/language.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = std::size_t{2} << 30;  // bytes

constexpr InputKind kForeign = InputKind::Foreign;
constexpr const char* kPicture = in_catalogue("Type its numbers into a JSON file: attn help json.");
constexpr const char* kPytorch = in_catalogue(
    "In PyTorch, save the weights with safetensors.torch.save_file(model.state_dict(), FILE).");
constexpr const char* kSafetensors =
    in_catalogue("Save its arrays with numpy.savez or safetensors.");
constexpr const char* kUnpack = in_catalogue("Unpack it first.");
constexpr const char* kTable =
    "Name it in a problem: \"embeddings\": {\"file\": \"x.csv\"}; or give it with --embeddings "
    "FILE.";
constexpr const char* kSpreadsheet =
    "Save answers as a table (.csv); write a problem as JSON: attn help json.";

constexpr const char* kArray =
    "Give it with --embeddings FILE, or name it in a problem: {\"file\": \"x.npy\"}.";

enum class By { Bytes, Format, Name };

struct KindRow {
  By by;
  /// The first bytes (? is any), the "format" of JSON, or the end of the name.
  std::string_view mark;
  InputKind kind;
  const char* what;
  const char* fix;
};

constexpr KindRow kKinds[] = {
    {By::Bytes, "PK\x03\x04", kForeign,
     in_catalogue("a zip archive, as NumPy's .npz and PyTorch's .pt files are"),
     in_catalogue("Give it a name that ends in .npz, if that is what it is.")},
    {By::Bytes, "\x80\x02", kForeign, in_catalogue("a Python pickle, as PyTorch writes it"),
     kPytorch},
    {By::Bytes, "\x80\x03", kForeign, in_catalogue("a Python pickle"), kPytorch},
    {By::Bytes, "\x80\x04", kForeign, in_catalogue("a Python pickle"), kPytorch},
    {By::Bytes, "\x80\x05", kForeign, in_catalogue("a Python pickle"), kPytorch},
    {By::Bytes, "\x1F\x8B", kForeign, in_catalogue("a file compressed with gzip"),
     in_catalogue("Decompress it first: gunzip FILE.")},
    {By::Bytes, kLfsPointer, kForeign, in_catalogue("a Git LFS pointer instead of the file itself"),
     in_catalogue("Fetch the file itself: git lfs pull.")},
    {By::Bytes, "%PDF", kForeign, in_catalogue("a PDF document"), kPicture},
    {By::Bytes, "\x89PNG", kForeign, in_catalogue("a picture"), kPicture},
    {By::Bytes, "\xFF\xD8\xFF", kForeign, in_catalogue("a picture"), kPicture},
    {By::Bytes, std::string_view("\0\0\0?ftyp", 8), kForeign,
     in_catalogue("a picture (.heic) or a video"), kPicture},
    {By::Bytes, "RIFF????WEBP", kForeign, in_catalogue("a picture"), kPicture},
    {By::Bytes, "GIF8", kForeign, in_catalogue("a picture"), kPicture},
    {By::Bytes, "{\\rtf", kForeign, in_catalogue("a text document (.rtf)"), kSpreadsheet},
    {By::Bytes, "\xD0\xCF\x11\xE0", kForeign,
     in_catalogue("an old Word or Excel file (.doc, .xls)"), kSpreadsheet},
    {By::Bytes, "7z\xBC\xAF", kForeign, in_catalogue("an archive (.7z)"), kUnpack},
    {By::Bytes, "Rar!\x1A", kForeign, in_catalogue("an archive (.rar)"), kUnpack},
    {By::Bytes, "\x89HDF", kForeign, in_catalogue("an HDF5 file (.h5)"), kSafetensors},
    {By::Bytes, "GGUF", kForeign, "the weights of a model for llama.cpp (.gguf)",
     in_catalogue("Download the model.safetensors that they were made from.")},
    {By::Bytes, "<", kForeign, in_catalogue("a web page, or XML"),
     in_catalogue("Open it in a browser: a sheet saves its answers there, and a failed download "
                  "may say why.")},
    {By::Format, "attn.trace", InputKind::Trace, "", ""},
    {By::Format, "attn.sheet", InputKind::Sheet, "", ""},
    {By::Name, ".csv", InputKind::Table, in_catalogue("a table (.csv)"), kTable},
    {By::Name, ".tsv", kForeign, in_catalogue("a table (.tsv)"), kTable},
    {By::Name, ".xlsx", kForeign, in_catalogue("a spreadsheet (.xlsx)"), kSpreadsheet},
    {By::Name, ".xls", kForeign, in_catalogue("a spreadsheet (.xls)"), kSpreadsheet},
    {By::Name, ".docx", kForeign, in_catalogue("a text document (.docx)"), kSpreadsheet},
    {By::Name, ".odt", kForeign, in_catalogue("a text document (.odt)"), kSpreadsheet},
    {By::Name, ".pages", kForeign, in_catalogue("a text document (.pages)"), kSpreadsheet},
    {By::Name, ".numbers", kForeign, in_catalogue("a spreadsheet (.numbers)"), kSpreadsheet},
    {By::Name, ".ods", kForeign, in_catalogue("a spreadsheet (.ods)"), kSpreadsheet},
    {By::Name, ".py", kForeign, in_catalogue("a Python program"),
     "Make it write JSON: json.dump(numbers, open(\"numbers.json\", \"w\"))."},
    {By::Name, ".yaml", kForeign, in_catalogue("YAML"),
     in_catalogue("Write it as JSON: attn help json.")},
    {By::Name, ".yml", kForeign, in_catalogue("YAML"),
     in_catalogue("Write it as JSON: attn help json.")},
};

/// Whether the text begins like this; ? stands for any byte.
bool begins_with(std::string_view text, std::string_view mark) {
  return text.size() >= mark.size() &&
         std::equal(mark.begin(), mark.end(), text.begin(),
                    [](char wanted, char byte) { return wanted == '?' || wanted == byte; });
}

/// The row of these bytes, this "format" or this name; nullptr if there is none.
const KindRow* row_by(By by, std::string_view text) {
  const auto* const row =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindRow& each) {
        return each.by == by && (by == By::Name    ? text.ends_with(each.mark)
                                 : by == By::Bytes ? begins_with(text, each.mark)
                                                   : text == each.mark);
      });
  return row == std::end(kKinds) ? nullptr : row;
}

/// Throws Error (files, id "cannot-read") if text of that many bytes is too large.
void refuse_large_text(std::size_t bytes, const std::string& name) {
  if (bytes <= kMostText) return;
  throw file_error("cannot-read", name + " is larger than 2 GiB",
                   "Copy what you need from it into a smaller file.");
}

/// All bytes of a stream, of which `name` is written in messages. More than `limit` are refused
/// before they take memory.
std::string all_of(std::istream& stream, const std::string& name, double limit) {
  const auto most = static_cast<std::size_t>(std::min(limit, static_cast<double>(kMostText)));
  std::string text;
  errno = 0;
  try {
    std::array<char, 65536> part{};
    while (stream.read(part.data(), part.size()), stream.gcount() > 0) {
      const std::size_t size = text.size() + static_cast<std::size_t>(stream.gcount());
      if (static_cast<double>(size) > limit)
        MemoryBudget{limit}.take_bytes(static_cast<double>(size), "");
      refuse_large_text(size, name);
      // In large steps, and the last one early: two copies together stay below the limit.
      if (size > text.capacity()) text.reserve(size < most / 8 ? 8 * size : std::max(size, most));
      text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    }
  } catch (const std::ios_base::failure&) {
    stream.setstate(std::ios::badbit);
  }
  if (!stream.bad()) return text;
  throw file_error("cannot-read", name + " cannot be read: " + system_reason(errno),
                   "Check what it is: a problem is a JSON file.");
}

/// The bytes of what cannot be mapped.
std::string read_whole(const std::string& path, const Streams& streams, double limit) {
  if (path == "-") {
    if (streams.terminal.in_is_terminal && !streams.common.quiet) {
      streams.err << "attn: reading from the keyboard; press " << end_of_input() << " to end\n"
                  << std::flush;
    }
    return all_of(streams.in, "standard input", limit);
  }
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    require_readable(path);
    throw file_error("cannot-read", "\"" + path + "\" is a folder, not a file",
                     "Name a file inside it.");
  }
  errno = 0;
  std::ifstream file(fs::path(path), std::ios::binary);
  if (file.is_open()) return all_of(file, "\"" + path + "\"", limit);
  throw cannot_open(path, errno);
}

}  // namespace

KindOfFile kind_of(std::string_view bytes, const std::string& name) {
  const ArrayFileType* type = array_file_type(bytes, name);
  const KindRow* row = row_by(By::Bytes, bytes);
  if (type != nullptr && (type->several || row == nullptr))
    return {InputKind::Arrays, type->what, kArray, type};
  if (const char* office = office_file(bytes)) return {kForeign, office, kSpreadsheet};
  if (!begins_like_json(bytes)) {
    if (is_answers_table(bytes)) row = row_by(By::Name, ".csv");
    const KindRow* named = row_by(By::Name, name);
    if (named != nullptr && (row == nullptr || row == kKinds)) row = named;  // many are archives
  }
  if (row == nullptr) row = row_by(By::Format, stated_format(bytes));
  return row == nullptr ? KindOfFile{InputKind::Json} : KindOfFile{row->kind, row->what, row->fix};
}

void refuse_foreign(const KindOfFile& kind, const std::string& name, const std::string& expected) {
  if (*kind.fix == 0) return;
  throw input_error({.id = "wrong-format",
                     .what = "expected " + expected + ", found " + kind.what,
                     .places = {{.file = name}},
                     .fix = kind.fix});
}

std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

Input::Input(const std::string& path, const Streams& streams, double max_memory)
    : name_(input_name(path)), mapped_(path) {
  if (mapped_.is_mapped()) return;
  try {
    whole_ = read_whole(path, streams, max_memory);
  } catch (const Error& error) {
    throw SourceMap(name_).locate(error);
  }
}

Input::Input(std::string name, std::string bytes)
    : name_(std::move(name)), mapped_(""), whole_(std::move(bytes)) {}

const KindOfFile& Input::kind() const {
  if (!kind_) kind_ = read([&](std::string_view bytes) { return kind_of(bytes, name_); });
  return *kind_;
}

void Input::require_text(const std::string& expected) const {
  read([&](std::string_view bytes) {
    refuse_large_text(bytes.size(), "\"" + name_ + "\"");
    return true;
  });
  refuse_foreign(kind(), name_, expected);
}

std::shared_ptr<const Input> open_input(const std::string& path, const Streams& streams,
                                        double max_memory) {
  for (const std::string& output : streams.outputs) refuse_same_file(path, output);
  const auto known = streams.pipes->find(path);
  if (known != streams.pipes->end()) return known->second;
  auto input = std::make_shared<const Input>(path, streams, max_memory);
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) streams.pipes->emplace(path, input);
  return input;
}

std::shared_ptr<const Input> open_part(const std::string& path, const Streams& streams,
                                       double max_memory) {
  std::error_code failed;
  if (fs::exists(path, failed) && !fs::is_regular_file(path, failed))
    throw file_error("cannot-read", "\"" + path + "\" is not a regular file",
                     "A model consists of files: put the file itself there.");
  return open_input(path, streams, max_memory);
}

std::string text_of(const std::string& path, const Streams& streams, double max_memory) {
  return open_input(path, streams, max_memory)->read([](std::string_view bytes) {
    return std::string(bytes);
  });
}

TensorFile tensor_file(const std::shared_ptr<const Input>& input, double max_memory) {
  return {
      input->name(),
      [input](const std::function<void(std::string_view)>& use) {
        input->read([&](std::string_view bytes) {
          use(bytes);
          return true;
        });
      },
      [budget = input->budget(max_memory)](const auto& shape) mutable { budget.take(shape, ""); }};
}

SharedBytes shared_bytes(const std::shared_ptr<const Input>& input, std::string_view bytes) {
  return {bytes, input};
}

}  // namespace attn::app
