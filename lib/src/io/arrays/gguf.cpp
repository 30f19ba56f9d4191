// Reads GGUF files: a header of keys with typed values, a list of tensors, and their numbers.
#include "io/arrays/gguf.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "core/text/bit_cast.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/number_type.hpp"
#include "io/arrays/tensor_error.hpp"

namespace attn {
namespace {

constexpr std::string_view kGgufMagic = "GGUF";
constexpr std::size_t kMostGgufAxes = 4;

template <class Name>
std::vector<double> plain(std::string_view bytes) {
  return find_safetensors_type(Name::name)->decode(bytes, false);
}
struct F32 {
  static constexpr std::string_view name = "F32";
};
struct F16 {
  static constexpr std::string_view name = "F16";
};
struct Bf16 {
  static constexpr std::string_view name = "BF16";
};

/// Blocks of 32 numbers from −127 to 127, with a factor in float16 before them.
std::vector<double> eight_bits(std::string_view bytes) {
  constexpr std::size_t kBlock = 34;
  const NumberType* half = find_safetensors_type("F16");
  std::vector<double> numbers;
  numbers.reserve(bytes.size() / kBlock * 32);
  for (std::size_t at = 0; at < bytes.size(); at += kBlock) {
    const double factor = half->decode(bytes.substr(at, 2), false).front();
    for (std::size_t i = 2; i < kBlock; ++i)
      numbers.push_back(factor * static_cast<double>(static_cast<signed char>(bytes[at + i])));
  }
  return numbers;
}

constexpr GgufType kGgufTypes[] = {{0, "F32", 1, 4, plain<F32>},
                                   {1, "F16", 1, 2, plain<F16>},
                                   {30, "BF16", 1, 2, plain<Bf16>},
                                   {8, "Q8_0", 32, 34, eight_bits}};

struct OtherGgufType {
  std::uint32_t code;
  const char* name;
};
constexpr OtherGgufType kOtherGgufTypes[] = {
    {2, "Q4_0"},  {3, "Q4_1"},  {6, "Q5_0"},  {7, "Q5_1"},  {9, "Q8_1"},  {10, "Q2_K"},
    {11, "Q3_K"}, {12, "Q4_K"}, {13, "Q5_K"}, {14, "Q6_K"}, {15, "Q8_K"}, {39, "MXFP4"}};

/// Takes numbers and texts from the beginning of what is left.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  Error error(const std::string& what, const char* fix = kCopyAgain) const {
    return tensor_error({file_}, "gguf-format", what, fix);
  }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  std::string_view take(std::uint64_t size) {
    if (size > left()) throw error("the file ends in the middle of its header");
    at_ += static_cast<std::size_t>(size);
    return bytes_.substr(at_ - static_cast<std::size_t>(size), static_cast<std::size_t>(size));
  }
  std::uint64_t number(std::size_t size) { return little_endian(take(size), 0, size); }
  std::string text() { return std::string(take(number(8))); }
  /// A count of things that take at least `bytes` each.
  std::size_t count(std::size_t bytes) {
    const std::uint64_t found = number(8);
    if (found > left() / bytes) throw error("the file ends in the middle of its header");
    return static_cast<std::size_t>(found);
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
  std::size_t at_ = 0;
};

/// How a number of the header is stored, by the code of its type.
struct NumberCode {
  std::uint64_t code;
  std::string_view type;
};
constexpr NumberCode kNumbers[] = {{0, "U8"},  {1, "I8"},  {2, "U16"},  {3, "I16"},  {4, "U32"},
                                   {5, "I32"}, {6, "F32"}, {10, "U64"}, {11, "I64"}, {12, "F64"}};
constexpr std::uint64_t kBool = 7, kText = 8, kList = 9;

const NumberType* number_type(std::uint64_t code) {
  const auto* row = std::find_if(std::begin(kNumbers), std::end(kNumbers),
                                 [code](const NumberCode& each) { return each.code == code; });
  return row == std::end(kNumbers) ? nullptr : find_safetensors_type(row->type);
}

GgufValue read_list(Reader& reader) {
  const std::uint64_t code = reader.number(4);
  if (code == kText) {
    std::vector<std::string> texts(reader.count(8));
    for (std::string& each : texts) each = reader.text();
    return texts;
  }
  const NumberType* type = code == kBool ? find_safetensors_type("U8") : number_type(code);
  if (type == nullptr)
    throw reader.error("its header has a list of the unknown type " + std::to_string(code));
  const std::size_t count = reader.count(type->size);
  return type->decode(reader.take(count * type->size), false);
}

GgufValue read_value(Reader& reader) {
  const std::uint64_t code = reader.number(4);
  if (code == kBool) return reader.number(1) != 0;
  if (code == kText) return reader.text();
  if (code == kList) return read_list(reader);
  const NumberType* type = number_type(code);
  if (type == nullptr)
    throw reader.error("its header has a value of the unknown type " + std::to_string(code));
  return type->decode(reader.take(type->size), false).front();
}

const GgufType* read_type(Reader& reader, const Origin& origin) {
  const auto code = static_cast<std::uint32_t>(reader.number(4));
  for (const GgufType& type : kGgufTypes) {
    if (type.code == code) return &type;
  }
  const auto* other = std::find_if(std::begin(kOtherGgufTypes), std::end(kOtherGgufTypes),
                                   [code](const OtherGgufType& each) { return each.code == code; });
  throw tensor_error(origin, "dtype",
                     "expected numbers as F32, F16, BF16 or Q8_0, found " +
                         (other == std::end(kOtherGgufTypes) ? "the type " + std::to_string(code)
                                                             : std::string(other->name)),
                     "Take the same model in F16 or Q8_0, or its .safetensors.");
}

GgufTensor read_tensor(Reader& reader, const std::string& file) {
  GgufTensor tensor;
  tensor.name = reader.text();
  const Origin origin{file, tensor.name};
  const std::uint64_t axes = reader.number(4);
  if (axes == 0 || axes > kMostGgufAxes)
    throw reader.error(excerpt(tensor.name) + " has " + std::to_string(axes) + " axes");
  for (std::uint64_t i = 0; i < axes; ++i) {
    const std::uint64_t size = reader.number(8);
    if (size > static_cast<std::uint64_t>(PTRDIFF_MAX))
      throw reader.error(excerpt(tensor.name) + " is too large");
    tensor.shape.insert(tensor.shape.begin(), static_cast<std::ptrdiff_t>(size));
  }
  tensor.type = read_type(reader, origin);
  const std::optional<std::size_t> count = number_count(tensor.shape);
  if (!count) throw shape_error(origin, "gguf-format", tensor.shape);
  const auto row = static_cast<std::size_t>(tensor.shape.back());
  if (row % tensor.type->numbers != 0)
    throw reader.error(excerpt(tensor.name) + " has rows of " + std::to_string(row) +
                       " numbers, which are no whole blocks");
  tensor.size = *count / tensor.type->numbers * tensor.type->bytes;
  const std::uint64_t offset = reader.number(8);
  if (offset > reader.left())
    throw reader.error(excerpt(tensor.name) + " begins beyond the end of the file");
  tensor.begin = static_cast<std::size_t>(offset);
  return tensor;
}

std::size_t alignment_of(const GgufFile& file, const Reader& reader) {
  const auto found = file.metadata.find("general.alignment");
  if (found == file.metadata.end()) return 32;
  const auto* stated = std::get_if<double>(&found->second);
  if (stated && *stated >= 1 && *stated <= 65536) return static_cast<std::size_t>(*stated);
  throw reader.error("its alignment is none");
}

}  // namespace

GgufFile read_gguf_header(std::string_view bytes, const std::string& file, const MakeRoom& room) {
  if (!bytes.starts_with(kGgufMagic))
    throw tensor_error({file}, "gguf-format", "expected GGUF, found " + describe_bytes(bytes),
                       kCopyAgain);
  Reader reader(bytes, file);
  reader.take(kGgufMagic.size());
  const std::uint64_t version = reader.number(4);
  if (version != 2 && version != 3)
    throw reader.error("expected version 2 or 3 of GGUF, found " + std::to_string(version),
                       "Convert the model again with a newer llama.cpp.");
  GgufFile made;
  const std::size_t tensors = reader.count(24), keys = reader.count(12);
  room({static_cast<std::ptrdiff_t>(8 * (tensors + keys))});
  for (std::size_t i = 0; i < keys; ++i) {
    std::string key = reader.text();
    const std::size_t before = reader.at();
    GgufValue value = read_value(reader);
    room({static_cast<std::ptrdiff_t>(reader.at() - before)});  // texts, or numbers of one byte
    if (!made.metadata.emplace(std::move(key), std::move(value)).second)
      throw reader.error("its header has a key twice");
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < tensors; ++i) {
    made.tensors.push_back(read_tensor(reader, file));
    if (!names.insert(made.tensors.back().name).second)
      throw reader.error(excerpt(made.tensors.back().name) + " is there twice");
  }
  const std::size_t alignment = alignment_of(made, reader);
  const std::size_t data = (reader.at() + alignment - 1) / alignment * alignment;
  for (GgufTensor& tensor : made.tensors) {
    tensor.begin += data;
    if (tensor.begin > bytes.size() || tensor.size > bytes.size() - tensor.begin)
      throw tensor_error({file, tensor.name}, "gguf-format",
                         "its numbers go on beyond the end of the file", kCopyAgain);
  }
  return made;
}

Array read_gguf_numbers(const GgufTensor& tensor, const std::string& file, std::string_view bytes) {
  if (tensor.begin > bytes.size() || tensor.size > bytes.size() - tensor.begin)
    throw tensor_error({file, tensor.name}, "gguf-format", "the file has become shorter",
                       kCopyAgain);
  return {tensor.shape, tensor.type->decode(bytes.substr(tensor.begin, tensor.size))};
}

std::vector<NamedArray> read_gguf(std::string_view bytes, const std::string& file_name,
                                  const WantArray& wanted, const MakeRoom& room) {
  std::vector<NamedArray> arrays;
  for (const GgufTensor& each : read_gguf_header(bytes, file_name, room).tensors) {
    if (!wanted(each.name)) {
      arrays.push_back({each.name, {}, ""});
      continue;
    }
    room(each.shape);
    arrays.push_back(
        {each.name, read_gguf_numbers(each, file_name, bytes), std::string(each.type->name)});
  }
  return arrays;
}

std::vector<ListedArray> list_gguf(std::string_view bytes, const std::string& file_name,
                                   const MakeRoom& room) {
  std::vector<ListedArray> listed;
  for (const GgufTensor& each : read_gguf_header(bytes, file_name, room).tensors) {
    listed.push_back({each.name, each.shape, [each, file_name](std::string_view all) {
                        return read_gguf_numbers(each, file_name, all);
                      }});
  }
  return listed;
}

}  // namespace attn
