// PyTorch's files: small ones put together here, and hostile ones.
// tests/app/torch_files_test.py has those that Python and PyTorch write.
#include <doctest/doctest.h>

#include "attn/error.hpp"
#include "attn/io/tensor_file.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/zip.hpp"
#include "support/errors.hpp"

using namespace attn;
using std::string_literals::operator""s;

namespace {

/// An archive as torch.save writes it: what the pickle is, storage 0, and the order of its bytes.
std::string archive(const std::string& pickle, const std::string& storage,
                    std::string_view order = "little") {
  std::string bytes;
  const Sink sink = [&](std::string_view piece) { bytes += piece; };
  ZipArchive zip{sink};
  const auto add = [&](const char* name, std::string_view part) {
    add_member(zip, name, std::span(&part, 1));
  };
  add("model/data.pkl", pickle);
  add("model/byteorder", order);
  add("model/data/0", storage);
  finish(zip);
  return bytes;
}

std::string floats(const std::vector<float>& numbers) {
  std::string bytes;
  for (const float x : numbers) bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  return bytes;
}

std::string text(const std::string& word) {
  std::string bytes = "X";
  append_little_endian(bytes, word.size(), 4);
  return bytes + word;
}

std::string whole(int number) {
  std::string bytes = "J";
  append_little_endian(bytes, static_cast<std::uint32_t>(number), 4);
  return bytes;
}

std::string tuple(const std::vector<int>& numbers) {
  std::string bytes = "(";
  for (const int each : numbers) bytes += whole(each);
  return bytes + "t";
}

std::string tensor(int offset, const std::vector<int>& shape, const std::vector<int>& strides,
                   const std::string& storage = "ctorch\nFloatStorage\n") {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + storage + text("0") +
         text("cpu") + whole(4) + "tQ" + whole(offset) + tuple(shape) + tuple(strides) +
         "\x89"
         "ccollections\nOrderedDict\n)RtR";
}

std::string dict(const std::string& members) { return "\x80\x02}(" + members + "u."; }

const std::string kFour = floats({1, 2, 3, 4});

std::vector<NamedArray> read(const std::string& pickle, const std::string& storage = kFour) {
  const std::string bytes = archive(pickle, storage);
  const ArrayFileType* type = array_file_type(bytes, "model.pt");
  REQUIRE(type != nullptr);
  REQUIRE(type->ending == ".pt");
  const std::vector<ListedArray> listed = type->list(bytes, "model.pt", any_size);
  const std::vector<NamedArray> arrays = type->read(bytes, "model.pt", want_all, any_size);
  REQUIRE(listed.size() == arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    CHECK(listed[i].name == arrays[i].name);
    CHECK(listed[i].shape == arrays[i].array.shape);
    CHECK(listed[i].read(bytes).data == arrays[i].array.data);
  }
  return arrays;
}

std::string torch_refusal(const std::string& pickle, const std::string& storage = kFour) {
  return testing::id_and_what(
      testing::refusal_from([&] { read_torch(archive(pickle, storage), "model.pt"); }));
}

bool refuses(const std::string& pickle, const std::string& part) {
  const std::string said = torch_refusal(pickle);
  INFO(said);
  return said.starts_with("torch-format") && said.find(part) != said.npos;
}

using Doubles = std::vector<double>;

}  // namespace

TEST_CASE("torch: a state dict gives each tensor under its name") {
  const auto arrays =
      read(dict(text("w") + tensor(0, {2, 2}, {2, 1}) + text("b") + tensor(1, {3}, {1})));
  REQUIRE(arrays.size() == 2);
  CHECK(arrays[0].name == "w");
  CHECK(arrays[0].dtype == "F32");
  CHECK(arrays[0].array.data == Doubles{1, 2, 3, 4});
  CHECK(arrays[1].array.shape == std::vector<std::ptrdiff_t>{3});
  CHECK(arrays[1].array.data == Doubles{2, 3, 4});
}

TEST_CASE("torch: strides, parts of a storage and empty tensors") {
  CHECK(read(dict(text("t") + tensor(0, {2, 2}, {1, 2})))[0].array.data == Doubles{1, 3, 2, 4});
  CHECK(read(dict(text("t") + tensor(1, {2, 1}, {2, 7})))[0].array.data == Doubles{2, 4});
  CHECK(read(dict(text("t") + tensor(0, {3}, {0})))[0].array.data == Doubles{1, 1, 1});
  CHECK(read(dict(text("t") + tensor(0, {0, 5}, {5, 1})))[0].array.data.empty());
}

TEST_CASE("torch: dicts inside others give dotted names; what is no tensor is left out") {
  const auto arrays =
      read(dict(text("epoch") + whole(3) + text("state_dict") + "}(" + text("w") +
                tensor(0, {4}, {1}) + "u" + text("loss") + "G\x3F\xE0\0\0\0\0\0\0"s));
  REQUIRE(arrays.size() == 1);
  CHECK(arrays[0].name == "state_dict.w");
}

TEST_CASE("torch: 16 bits, whole numbers, and parameters") {
  const std::string halves("\x00\x3C\x00\xC0\x80\x3F\x00\xC0", 8);
  CHECK(
      read(dict(text("h") + tensor(0, {2}, {1}, "ctorch\nHalfStorage\n")), halves)[0].array.data ==
      Doubles{1, -2});
  CHECK(read(dict(text("h") + tensor(2, {2}, {1}, "ctorch\nBFloat16Storage\n")), halves)[0]
            .array.data == Doubles{1, -2});
  CHECK(read(dict(text("p") + "ctorch._utils\n_rebuild_parameter\n(" + tensor(0, {2}, {1}) +
                  "\x88"
                  "ccollections\nOrderedDict\n)RtR"))[0]
            .array.data == Doubles{1, 2});
}

TEST_CASE("torch: whole numbers of one to eight bytes keep their sign") {
  const auto shaped = [](const std::string& size) {
    std::string made = tensor(0, {3}, {1});
    const std::string three = tuple({3});
    return dict(text("t") + made.replace(made.find(three), three.size(), "(\x8a" + size + "t"));
  };
  CHECK(read(shaped("\x01\x02"s))[0].array.data == Doubles{1, 2});
  CHECK(read(shaped("\x08\x02\0\0\0\0\0\0\0"s))[0].array.data == Doubles{1, 2});
  CHECK(refuses(shaped("\x01\xff"s), "damaged"));  // −1
}

TEST_CASE("torch: a file of a machine with the highest byte first says so") {
  const std::string one_two("\x3F\x80\x00\x00\x40\x00\x00\x00", 8);
  const auto arrays =
      read_torch(archive(dict(text("w") + tensor(0, {2}, {1})), one_two, "big"), "model.pt");
  CHECK(arrays.at(0).array.data == Doubles{1, 2});
}

TEST_CASE("torch: no class or function is called; the first that tensors do not need is named") {
  CHECK(
      refuses("\x80\x02"
              "cposix\nsystem\n(" +
                  text("ls") + "tR.",
              "posix.system"));
  CHECK(
      refuses("\x80\x04\x8c\x08"
              "builtins\x8c\x04"
              "eval\x93.",
              "builtins.eval"));
  CHECK(refuses(dict(text("a") + "cargparse\nNamespace\n)R"), "argparse.Namespace"));
  CHECK(
      refuses("\x80\x02"
              "ctorch\nSize\n)R.",
              "damaged"));
  CHECK(
      refuses("\x80\x02"
              "ctorch\nFloatStorage\n)R.",
              "damaged"));
}

TEST_CASE("torch: lies about places and sizes are errors before memory is taken") {
  CHECK(refuses(dict(text("t") + tensor(1, {4}, {1})), "not all in the file"));
  CHECK(refuses(dict(text("t") + tensor(-1, {1}, {1})), "damaged"));
  CHECK(refuses(dict(text("t") + tensor(0, {-1}, {1})), "damaged"));
  CHECK(refuses(dict(text("t") + tensor(0, {2}, {-1})), "damaged"));
  CHECK(refuses(dict(text("t") + tensor(0, {2, 2}, {1})), "damaged"));
  CHECK(refuses(dict(text("t") + tensor(0, {2, 2}, {2147483647, 1})), "not all in the file"));
  CHECK(refuses(dict(text("t") + tensor(0, {2147483647}, {0})), "not all in the file"));
  CHECK(torch_refusal(dict(text("t") + tensor(0, {2147483647, 2147483647, 9}, {0, 0, 0})))
            .starts_with("torch-format"));
  CHECK(refuses(dict(text("t") + tensor(0, {5}, {1})), "not all in the file"));
}

TEST_CASE("torch: a dict in itself, and one that is in itself many times over, end") {
  CHECK(refuses("\x80\x02}q\x00("s + text("d") + "h\x00u."s, "no tensors"));
  std::string many = "\x80\x02}q\x00"s;
  for (char i = 1; i < 60; ++i) {
    many += "}q"s + i + "(" + text("a") + "h" + static_cast<char>(i - 1) + text("b") + "h" +
            static_cast<char>(i - 1) + "u";
  }
  CHECK(refuses(many + ".", "no tensors"));
  CHECK(
      refuses("\x80\x02]q\x00h\x00"
              "a."s,
              "no tensors"));
}

TEST_CASE("torch: what a few bytes name again and again is not copied as often" *
          doctest::test_suite("long")) {
  const auto repeated = [](const std::string& held, const std::string& again) {
    std::string pickle = "\x80\x02" + held;
    for (int i = 0; i < 100'000; ++i) pickle += again;
    return pickle + ".";
  };
  const std::string ones = [] {  // a list of a million numbers
    std::string list = "(";
    for (int i = 0; i < 1'000'000; ++i) list += "K\x01";
    return list + "t";
  }();
  const std::string end = "\x89" + std::string("ccollections\nOrderedDict\n)RtR");
  const std::string rebuild = "ctorch._utils\n_rebuild_tensor_v2\n",
                    storage = "((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") +
                              text("cpu") + whole(4) + "tQ";
  CHECK(refuses(repeated(ones + "q\x01" + rebuild + "q\x02",
                         "h\x02" + storage + whole(0) + "h\x01h\x01" + end),
                "more than 64 axes"));
  CHECK(refuses(repeated(ones + "q\x01" + "ccollections\nOrderedDict\nq\x02", "h\x02h\x01R"),
                "no tensors"));
  const std::string key = text(std::string(1'000'000, 'k'));
  CHECK(refuses(repeated("(" + text("storage") + "ctorch\nFloatStorage\n" + key + text("cpu") +
                             whole(4) + "tq\x01",
                         "h\x01Q"),
                "damaged"));
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += text(std::to_string(i)) + "h\x01";
  CHECK(refuses("\x80\x02" + tensor(0, {4}, {1}) + "q\x01" + "}(" + key + "}(" + members + "uu.",
                "more than 1024 bytes"));
}

TEST_CASE(
    "torch: every beginning of a pickle, and every changed byte of one, is an error or tensors") {
  const std::string whole_pickle = dict(text("w") + tensor(0, {2, 2}, {2, 1}));
  for (std::size_t size = 0; size < whole_pickle.size(); ++size)
    CHECK(!torch_refusal(whole_pickle.substr(0, size)).empty());
  for (std::size_t i = 0; i < whole_pickle.size(); ++i) {
    for (const int change : {1, 128, 255}) {
      std::string changed = whole_pickle;
      changed[i] = static_cast<char>(changed[i] ^ change);
      torch_refusal(changed);
    }
  }
  CHECK(
      refuses("\x80\x02"
              "0.",
              "the instruction 48"));
}

TEST_CASE("torch: archives without a pickle or without numbers say so") {
  CHECK(refuses(dict(text("t") + tensor(0, {1}, {1}, "ctorch\nFloatStorage\n")).replace(0, 0, ""),
                "") == false);
  std::string other = dict(text("t") + tensor(0, {1}, {1}));
  other.replace(other.find(text("0")), text("0").size(), text("7"));
  CHECK(refuses(other, "missing in the archive"));
  CHECK_THROWS_AS(read_torch("PK\x03\x04", "a.pt"), Error);
}
