// Files that are not problems, recognised by their bytes or names, with advice.
#include <algorithm>
#include <array>
#include <string_view>

#include "attn/error.hpp"
#include "attn/tensor_file.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

using std::string_view_literals::operator""sv;

struct Kind {
  std::string_view mark;  // the first bytes, or the end of the name
  const char* what;
  const char* fix;
};

constexpr const char* kPicture = "Type its numbers into a JSON file: attn help json.";
constexpr const char* kPytorch =
    "In PyTorch, save the weights with safetensors.torch.save_file(model.state_dict(), FILE).";
constexpr const char* kTable =
    "Write every row as a list: \"embeddings\": [[1, 0], [0, 1]]. In Python, "
    "json.dumps(numpy.loadtxt(FILE, delimiter=\",\").tolist()) does that "
    "(delimiter=\"\\t\" for a .tsv).";

constexpr const char* kSpreadsheet =
    "Save answers as a table (.csv); write a problem as JSON: attn help json.";

constexpr std::array kByBytes{
    Kind{"\x80\x02"sv, "a Python pickle, as PyTorch writes it", kPytorch},
    Kind{"\x80\x03"sv, "a Python pickle", kPytorch},
    Kind{"\x80\x04"sv, "a Python pickle", kPytorch},
    Kind{"\x80\x05"sv, "a Python pickle", kPytorch},
    Kind{"\x1F\x8B"sv, "a file compressed with gzip", "Decompress it first: gunzip FILE."},
    Kind{"version https://git-lfs"sv, "a Git LFS pointer instead of the file itself",
         "Fetch the file itself: git lfs pull."},
    Kind{"%PDF"sv, "a PDF document", kPicture},
    Kind{"\x89PNG"sv, "a picture", kPicture},
    Kind{"\xFF\xD8\xFF"sv, "a picture", kPicture},
    Kind{"<"sv, "a web page, or XML",
         "Open it in a browser: a sheet saves its answers there, and a failed download may say "
         "why."},
};

constexpr std::array kByName{
    Kind{".csv"sv, "a table (.csv)", kTable},
    Kind{".tsv"sv, "a table (.tsv)", kTable},
    Kind{".xlsx"sv, "a spreadsheet (.xlsx)", kSpreadsheet},
    Kind{".xls"sv, "a spreadsheet (.xls)", kSpreadsheet},
    Kind{".ods"sv, "a spreadsheet (.ods)", kSpreadsheet},
    Kind{".py"sv, "a Python program",
         "Make it write JSON: json.dump(numbers, open(\"numbers.json\", \"w\"))."},
    Kind{".yaml"sv, "YAML", "Write it as JSON: attn help json."},
    Kind{".yml"sv, "YAML", "Write it as JSON: attn help json."},
};

}  // namespace

void refuse_foreign_file(std::string_view bytes, const std::string& name,
                         const std::string& expected) {
  const auto refuse = [&](const char* what, const std::string& fix) {
    throw input_error({.id = "wrong-format",
                       .what = "expected " + expected + ", found " + what,
                       .places = {{.file = name}},
                       .fix = fix});
  };
  const auto* const named = std::find_if(
      kByName.begin(), kByName.end(), [&](const Kind& kind) { return name.ends_with(kind.mark); });
  for (const ArrayFileType& type : array_file_types()) {
    if (!type.recognises(bytes) || named != kByName.end()) continue;
    const std::string ending(type.ending);
    refuse(type.what,
           type.several
               ? "Give it a name that ends in " + ending + ", if that is what it is."
               : "Give it with --embeddings FILE, or name it in a problem: {\"file\": \"x" +
                     ending + "\"}.");
  }
  for (const Kind& kind : kByBytes) {
    if (bytes.starts_with(kind.mark)) refuse(kind.what, kind.fix);
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == bytes.npos || bytes[first] == '{' || bytes[first] == '[') return;
  if (named != kByName.end()) refuse(named->what, named->fix);
}

}  // namespace attn::app
