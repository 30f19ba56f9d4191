// Reads PyTorch's .pt and .bin files.
// Each is a zip archive with a pickle, which names the tensors, and a file for the numbers of each
// storage.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "attn/io/tensor_file.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/number_type.hpp"
#include "io/arrays/pickle.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/arrays/zip.hpp"

namespace attn {
namespace {

constexpr std::string_view kPickle = "data.pkl";
constexpr const char* kSave =
    "In PyTorch, save the weights alone: torch.save(model.state_dict(), FILE), or as .safetensors.";

Error torch_error(const Origin& origin, const std::string& what, const char* fix = kSave) {
  return tensor_error(origin, "torch-format", what, fix);
}

/// The files of the archive, by their names in its only folder.
std::map<std::string, ZipMember> members_of(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with("PK"))
    throw torch_error({file}, "expected what torch.save writes, found " + describe_bytes(bytes),
                      remedy_for(bytes, kSave));
  std::vector<ZipMember> all;
  try {
    all = list_zip(bytes, file);
  } catch (const Error& error) {
    throw torch_error({file}, error.what(), kCopyAgain);
  }
  std::map<std::string, ZipMember> members;
  for (ZipMember& member : all) {
    if (member.deflated)
      throw torch_error({file}, "expected files that are not compressed in the archive, found " +
                                    excerpt(member.name));
    const std::string name = member.name.substr(member.name.find('/') + 1);
    members.emplace(name, std::move(member));
  }
  return members;
}

struct NamedTensor {
  std::string name;
  pickle::Tensor tensor;
};

/// The tensors of a dict, and of those inside it, whose names begin with the name of that.
class Collector {
 public:
  Collector(const pickle::Contents& contents, const std::string& file)
      : contents_(contents), file_(file) {}

  std::vector<NamedTensor> all() {
    if (std::holds_alternative<pickle::Tensor>(contents_.values[contents_.root])) {
      add("tensor", contents_.root);
    } else {
      collect(contents_.root, "", 0);
    }
    return std::move(found_);
  }

 private:
  static constexpr int kDeepest = 16;
  static constexpr std::size_t kLongestName = 1024;  // dicts share the name of the one around them

  void add(const std::string& name, pickle::Id id) {
    if (names_.insert(name).second)
      found_.push_back({name, std::get<pickle::Tensor>(contents_.values[id])});
  }

  void collect(pickle::Id id, const std::string& prefix, int depth) {
    const auto* dict = std::get_if<pickle::Dict>(&contents_.values[id]);
    if (dict == nullptr || depth == kDeepest || !seen_.insert(id).second) return;
    for (const auto& [key, value] : dict->members) {
      const auto* name = std::get_if<std::string>(&contents_.values[key]);
      if (name == nullptr) continue;
      if (prefix.size() + name->size() > kLongestName)
        throw torch_error({file_}, "it has a name of more than 1024 bytes: " + excerpt(*name));
      if (std::holds_alternative<pickle::Tensor>(contents_.values[value])) {
        add(prefix + *name, value);
      } else {
        collect(value, prefix + *name + ".", depth + 1);
      }
    }
  }

  const pickle::Contents& contents_;
  const std::string& file_;
  std::set<pickle::Id> seen_;
  std::set<std::string> names_;
  std::vector<NamedTensor> found_;
};

/// Where the numbers of a tensor are in the file, checked.
struct Place {
  std::size_t begin = 0, size = 0;  ///< of its storage, in bytes
  const NumberType* type = nullptr;
  bool big_endian = false;
  std::string dtype;
  std::size_t offset = 0;  ///< of its first number
  std::vector<std::ptrdiff_t> shape;
  std::vector<std::size_t> strides;
  std::size_t count = 0, last = 0;  ///< numbers; the index of the last in the storage
};

struct PlacedTensor {
  std::string name;
  Place place;
};

/// No number is outside the storage, and there are no more of them than it has.
void check_place(Place& place, const pickle::Tensor& tensor, const Origin& origin) {
  const std::size_t held = place.size / place.type->size;
  const bool sizes = tensor.offset >= 0 && tensor.shape.size() == tensor.strides.size() &&
                     std::all_of(tensor.shape.begin(), tensor.shape.end(),
                                 [](std::int64_t n) { return n >= 0; }) &&
                     std::all_of(tensor.strides.begin(), tensor.strides.end(),
                                 [](std::int64_t n) { return n >= 0; });
  if (!sizes) throw torch_error(origin, "its shape and strides are damaged", kCopyAgain);
  place.shape.assign(tensor.shape.begin(), tensor.shape.end());
  const std::optional<std::size_t> count = number_count(place.shape);
  if (!count) throw shape_error(origin, "torch-format", place.shape);
  place.count = *count;
  place.strides.assign(tensor.strides.begin(), tensor.strides.end());
  place.offset = static_cast<std::size_t>(tensor.offset);
  bool inside = place.count <= held && (place.count == 0 || place.offset < held);
  place.last = place.offset;
  for (std::size_t axis = 0; inside && place.count > 0 && axis < place.shape.size(); ++axis) {
    const auto steps = static_cast<std::size_t>(place.shape[axis] - 1);
    const std::size_t room = held - 1 - place.last;
    inside = steps == 0 || place.strides[axis] <= room / steps;
    if (inside) place.last += steps * place.strides[axis];
  }
  if (inside) return;
  throw torch_error(
      origin, "its numbers are not all in the file: the storage has " + bytes_text(place.size),
      kCopyAgain);
}

std::vector<PlacedTensor> tensors_of(std::string_view bytes, const std::string& file,
                                     const MakeRoom& room) {
  constexpr std::size_t kForEach = 25;  // numbers' worth of memory for each byte of the pickle
  const auto members = members_of(bytes, file);
  const auto pickled = members.find(std::string(kPickle));
  if (pickled == members.end())
    throw torch_error({file}, "expected PyTorch's tensors, found an archive without data.pkl");
  const std::string_view text = pickled->second.stored;
  room({static_cast<std::ptrdiff_t>(kForEach * text.size())});
  const auto order = members.find("byteorder");
  const bool big = order != members.end() && order->second.stored == "big";
  const pickle::Contents contents =
      pickle::read(text, [&](const std::string& what) { return torch_error({file}, what); });
  std::vector<PlacedTensor> placed;
  for (NamedTensor& each : Collector(contents, file).all()) {
    const Origin origin{file, each.name};
    const auto storage = members.find("data/" + each.tensor.storage.key);
    if (storage == members.end())
      throw torch_error(origin, "its numbers are missing in the archive", kCopyAgain);
    Place place;
    place.begin = static_cast<std::size_t>(storage->second.stored.data() - bytes.data());
    place.size = storage->second.stored.size();
    place.type = find_safetensors_type(each.tensor.storage.dtype);
    place.dtype = std::string(each.tensor.storage.dtype);
    place.big_endian = big;
    check_place(place, each.tensor, origin);
    placed.push_back({std::move(each.name), std::move(place)});
  }
  if (placed.empty()) throw torch_error({file}, "it holds no tensors with names");
  return placed;
}

bool is_contiguous(const Place& place) {
  std::size_t stride = 1;
  for (std::size_t axis = place.shape.size(); axis-- > 0;) {
    if (place.shape[axis] != 1 && place.strides[axis] != stride) return false;
    stride *= static_cast<std::size_t>(place.shape[axis]);
  }
  return true;
}

/// The numbers in the order of the shape, from those between the first and the last.
std::vector<double> gathered(const Place& place, const std::vector<double>& numbers) {
  std::vector<double> made;
  made.reserve(place.count);
  std::vector<std::ptrdiff_t> index(place.shape.size());
  for (std::size_t i = 0; i < place.count; ++i) {
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      at += static_cast<std::size_t>(index[axis]) * place.strides[axis];
    made.push_back(numbers[at]);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < place.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return made;
}

Array read_numbers(const Place& place, const Origin& origin, std::string_view bytes) {
  if (place.shape.empty()) throw scalar_error(origin);
  if (place.count == 0) return {place.shape, {}};
  const std::size_t size = place.type->size;
  const std::string_view part =
      bytes.substr(place.begin + place.offset * size, (place.last + 1 - place.offset) * size);
  std::vector<double> numbers = place.type->decode(part, place.big_endian);
  if (!is_contiguous(place)) numbers = gathered(place, numbers);
  return {place.shape, std::move(numbers)};
}

}  // namespace

std::vector<NamedArray> read_torch(std::string_view bytes, const std::string& file_name,
                                   const WantArray& wanted, const MakeRoom& room) {
  std::vector<NamedArray> arrays;
  for (const PlacedTensor& each : tensors_of(bytes, file_name, room)) {
    if (!wanted(each.name)) {
      arrays.push_back({each.name, {}, ""});
      continue;
    }
    room(each.place.shape);
    arrays.push_back(
        {each.name, read_numbers(each.place, {file_name, each.name}, bytes), each.place.dtype});
  }
  return arrays;
}

std::vector<ListedArray> list_torch(std::string_view bytes, const std::string& file_name,
                                    const MakeRoom& room) {
  std::vector<ListedArray> listed;
  for (PlacedTensor& each : tensors_of(bytes, file_name, room)) {
    const Origin origin{file_name, each.name};
    std::vector<std::ptrdiff_t> shape = each.place.shape;
    listed.push_back({each.name, std::move(shape),
                      [origin, place = std::move(each.place)](std::string_view all) {
                        return read_numbers(place, origin, all);
                      }});
  }
  return listed;
}

}  // namespace attn
