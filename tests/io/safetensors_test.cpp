// .safetensors files: number types, header, broken files.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/io/tensor_file.hpp"
#include "support/phrases.hpp"
#include "support/tensor_bytes.hpp"

namespace attn::testing {
namespace {

using Sizes = std::vector<Index>;
using Numbers = std::vector<double>;

constexpr const char* kWriteAgain = "Write it again with safetensors' save_file(tensors, path).";

std::vector<NamedArray> read_tensors(const std::string& bytes) {
  return read_safetensors(bytes, "a.safetensors");
}

Diagnostic refused_tensors(const std::string& bytes) {
  return refusal([&] { read_tensors(bytes); }, "a.safetensors");
}

/// The header's member for one tensor: R"("w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})".
std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

/// A file of two tensors with eight bytes each, unless `b` differs.
std::string pair_file(const std::string& b, std::size_t data = 16) {
  return safetensors_file("{" + entry("a", "F64", "[1]", "[0,8]") + "," + b + "}",
                          std::string(data, '\0'));
}

}  // namespace

TEST_CASE("safetensors: what is written is read back bit for bit, whatever the names and ranks") {
  const std::vector<NamedArray> arrays = {
      {"w_q", awkward_array({3, 4}), ""},
      {"", awkward_array({8}), ""},
      {"with \"quotes\" and é", awkward_array({1, 2, 1, 2}), ""},
      {"none", awkward_array({2, 0}), ""},
      {"last", awkward_array({1, 1, 1, 1, 2}), ""}};
  const std::string bytes = write_safetensors(arrays);
  CHECK(same(read_tensors(bytes), arrays));
  CHECK(read_tensors(bytes)[0].dtype == "F64");
  CHECK(bytes == write_safetensors(arrays));
  CHECK(static_cast<unsigned char>(bytes[0]) % 8 == 0);  // the tensors begin at a multiple of 8
  CHECK(read_tensors(write_safetensors({})).empty());
}

TEST_CASE("safetensors: the bytes of a tiny file are known") {
  const std::vector<NamedArray> arrays = {{"w", {{1, 2}, {1, -2}}, "ignored"},
                                          {"b_o", {{1}, {0.5}}, ""}};
  CHECK(write_safetensors(arrays) ==
        safetensors_file(R"({"w":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]},)"
                         R"("b_o":{"dtype":"F64","shape":[1],"data_offsets":[16,24]}}      )",
                         little(0x3FF0000000000000, 8) + little(0xC000000000000000, 8) +
                             little(0x3FE0000000000000, 8)));
}

TEST_CASE("safetensors: every kind of number becomes float64") {
  struct Row {
    const char* dtype;
    std::string bytes;
    double number;
  };
  for (const Row& row :
       {Row{"F64", little(0xC004000000000000, 8), -2.5}, Row{"F32", little(0xC0200000, 4), -2.5},
        Row{"F16", little(0x0001, 2), 0x1p-24}, Row{"BF16", little(0x3FC0, 2), 1.5},
        Row{"I64", little(0xFFFFFFFFFFFFFFFE, 8), -2}, Row{"I32", little(0xFFFFFFFE, 4), -2},
        Row{"I16", little(0xFFFE, 2), -2}, Row{"I8", "\xFE", -2}, Row{"U64", little(1, 8), 1},
        Row{"U32", little(0xFFFFFFFF, 4), 4294967295.0}, Row{"U16", little(0xFFFF, 2), 65535},
        Row{"U8", "\xFF", 255}, Row{"BOOL", "\x01", 1}}) {
    CAPTURE(row.dtype);
    const std::string end = std::to_string(row.bytes.size());
    const auto found = read_tensors(
        safetensors_file("{" + entry("w", row.dtype, "[1]", "[0," + end + "]") + "}", row.bytes));
    REQUIRE(found.size() == 1);
    CHECK(found[0].array.data == Numbers{row.number});
    CHECK(found[0].dtype == row.dtype);
  }
}

TEST_CASE("safetensors: order, white space, metadata and unknown members do not matter") {
  const std::string header = R"({ "__metadata__": {"format": "pt"},
      "b": {"data_offsets": [1, 2], "shape": [1], "dtype": "U8", "more": [{}]},
      "none": {"data_offsets": [1, 1], "shape": [0, 7], "dtype": "F64"},
      "a": {"data_offsets": [0, 1], "shape": [1, 1], "dtype": "U8"} }   )";
  const std::vector<NamedArray> found = read_tensors(safetensors_file(header, "ab"));
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "b");
  CHECK(found[0].array.data == Numbers{98});
  CHECK(found[1].array.shape == Sizes{0, 7});
  CHECK(found[2].name == "a");
  CHECK(found[2].array.data == Numbers{97});
}

TEST_CASE("safetensors: one tensor can be read, whatever the others are") {
  const std::string bytes = safetensors_file("{" + entry("odd", "F8_E4M3", "[2,2]", "[0,4]") + "," +
                                                 entry("scalar", "F32", "[]", "[4,8]") + "," +
                                                 entry("h.0.weight", "U8", "[1,2]", "[8,10]") + "}",
                                             "01234567ab");
  const auto one = [&](const std::string& wanted) {
    return read_safetensors(bytes, "a.safetensors",
                            [&](const std::string& name) { return name == wanted; });
  };
  const std::vector<NamedArray> found = one("h.0.weight");
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "odd");
  CHECK(found[1].array.data.empty());
  CHECK(found[2].name == "h.0.weight");
  CHECK(found[2].array.shape == Sizes{1, 2});
  CHECK(found[2].array.data == Numbers{97, 98});

  const Diagnostic dtype = refusal([&] { one("odd"); }, "a.safetensors");
  CHECK(dtype.id == "dtype");
  CHECK(dtype.what ==
        "expected numbers as F64, F32, F16, BF16, whole numbers or BOOL, found \"F8_E4M3\"");
  CHECK(dtype.fix == "Convert it before saving: tensor.to(torch.float32).");
  CHECK(dtype.places.at(0).remark == "the array \"odd\"");
  CHECK(refusal([&] { one("scalar"); }, "a.safetensors").id == "rank");
  CHECK(refused_tensors(bytes).id == "dtype");
}

TEST_CASE("safetensors: another kind of file is named") {
  struct Row {
    std::string bytes;
    const char* found;
  };
  for (const Row& row :
       {Row{"", "an empty file"}, Row{"{\"abcde\":{}}", "text"}, Row{"{\"abcd\":{}}", "text"},
        Row{{"\x02\0\0\0\0\0\0\0", 8}, "other bytes"}, Row{little(2, 8) + "[]", "other bytes"},
        Row{write_npy({{1}, {1}}), kAnArray}, Row{write_npz({}), "an empty zip archive"}}) {
    const Diagnostic found = refused_tensors(row.bytes);
    CHECK(found.id == "safetensors-format");
    CHECK(found.what == "expected a .safetensors file, found " + std::string(row.found));
    CHECK(found.fix == "Write it with safetensors' save_file(tensors, path).");
  }
}

TEST_CASE("safetensors: a header longer than the file or than 100 MB is refused") {
  CHECK(refused_tensors(little(100'000'001, 8) + "{}").what ==
        expected(header_of("at most 100 MB"), "one of 100000001 bytes"));
  CHECK(refused_tensors(std::string(8, '\xFF') + "{}").what ==
        expected(header_of("at most 100 MB"), "one of 18446744073709551615 bytes"));
  CHECK(refused_tensors(little(100'000'000, 8) + "{}").what ==
        expected(header_of("100000000 bytes"), "2 bytes before the end"));
}

TEST_CASE("safetensors: a header that would fill the memory is refused, whatever it is full of" *
          doctest::test_suite("long")) {
  const std::string tensor = ":{\"dtype\":\"F64\",\"shape\":[0],\"data_offsets\":[0,0]}";
  std::string tensors = "{\"w\"" + tensor, texts = "{\"__metadata__\":{\"a\":\"\"";
  for (int i = 0; i < 500'000; ++i) tensors += ",\"" + std::to_string(i) + "\"" + tensor;
  for (int i = 0; i < 1'500'000; ++i) texts += ",\"" + std::to_string(i) + "\":\"\"";
  for (const std::string& header : {tensors + "}", texts + "}}", texts}) {
    const Diagnostic found = refused_tensors(safetensors_file(header, ""));
    CHECK(found.id == "safetensors-format");
    CHECK(found.what == "expected a header that takes at most 256 MiB in memory, found one of " +
                            std::to_string(header.size()) +
                            " bytes with too many names, or too long ones");
  }
}

TEST_CASE("safetensors: broken JSON in the header is reported as such, with its position there") {
  const Diagnostic found = refused_tensors(safetensors_file("{\"w\": {\"dtype\" \"F64\"}}", ""));
  CHECK(found.id == "safetensors-format");
  CHECK(found.what ==
        "in the header, which is JSON: expected \":\" after the key \"dtype\", found \"F64\"");
  CHECK(found.places.at(0).remark ==
        "line 1, column 16 of the header: a colon is missing before this");
  CHECK(found.places.at(0).pointer == "/w/dtype");
  CHECK(found.places.at(0).line_text.empty());
  CHECK(found.fix == kWriteAgain);

  CHECK(refused_tensors(safetensors_file("{\"w\": 1e999}", "")).id == "safetensors-format");
  CHECK(refused_tensors(safetensors_file("{\"\xFF\": 1}", "")).id == "safetensors-format");
  CHECK(refused_tensors(safetensors_file("{\"w\": 1} 2", "")).id == "safetensors-format");
  CHECK(refused_tensors(
            safetensors_file("{" + entry("w", "U8", std::string(100000, '['), "[0,1]"), "a"))
            .what == "in the header, which is JSON: " + std::string(kTooDeep));
  const std::string twice = entry("w", "U8", "[1]", "[0,1]");
  CHECK(refused_tensors(safetensors_file("{" + twice + "," + twice + "}", "a")).what ==
        "in the header, which is JSON: " + key_twice("w"));
}

TEST_CASE("safetensors: what is not dtype, shape and offsets is refused") {
  struct Row {
    std::string entry;
    std::string what;
  };
  for (
      const Row& row : std::vector<Row>{
          {R"("b":3)",
           R"(expected an object with "dtype", "shape" and "data_offsets", found the number 3 without "dtype")"},
          {R"("b":{})",
           R"(expected an object with "dtype", "shape" and "data_offsets", found an object without "dtype")"},
          {R"("b":{"dtype":64})",
           R"(expected an object with "dtype", "shape" and "data_offsets", found a "dtype" that is not a string)"},
          {R"("b":{"dtype":"F64"})", whole_numbers("shape") + "nothing"},
          {R"("b":{"dtype":"F64","shape":[1]})", whole_numbers("data_offsets") + "nothing"},
          {entry("b", "F64", "1", "[8,16]"), whole_numbers("shape") + "the number 1"},
          {entry("b", "F64", "[-1]", "[8,16]"), whole_numbers("shape") + R"("[-1]")"},
          {entry("b", "F64", "[1.5]", "[8,16]"), whole_numbers("shape") + R"("[1.5]")"},
          {entry("b", "F64", "[1e0]", "[8,16]"), whole_numbers("shape") + R"("[1e0]")"},
          {entry("b", "F64", "[\"1\"]", "[8,16]"), whole_numbers("shape") + kStrings},
          {entry("b", "F64", "[9007199254740994]", "[8,16]"),
           whole_numbers("shape") + R"("[9007199254740994]")"},
          {entry("b", "F64", "[1]", "[-8,16]"), whole_numbers("data_offsets") + R"("[-8,16]")"},
          {entry("b", "F64", "[1]", "[8]"),
           R"(expected "data_offsets" as [begin, end], found 1 number)"},
          {entry("b", "F64", "[1]", "[8,16,24]"),
           R"(expected "data_offsets" as [begin, end], found 3 numbers)"},
          {entry("b", "F64", "[1]", "[16,8]"),
           R"(expected "data_offsets" as [begin, end], found 2 numbers in the wrong order)"},
      }) {
    const Diagnostic found = refused_tensors(pair_file(row.entry));
    CHECK(found.id == "safetensors-format");
    CHECK(found.what == row.what);
    CHECK(found.fix == kWriteAgain);
    CHECK(found.places.at(0).remark == "the array \"b\"");
  }
  for (const char* metadata : {"3", "null", "[\"a\"]", "{\"a\": 1}"}) {
    CHECK(refused_tensors(pair_file("\"__metadata__\":" + std::string(metadata), 8)).what ==
          "expected \"__metadata__\" as an object of strings");
  }
}

TEST_CASE("safetensors: the shape must fit the offsets, before any memory is taken") {
  const auto what = [](const std::string& shape, const std::string& offsets) {
    const Diagnostic found = refused_tensors(pair_file(entry("b", "F64", shape, offsets)));
    CHECK(found.id == "safetensors-format");
    return found.what;
  };
  CHECK(what("[2]", "[8,16]") ==
        "expected 16 bytes for the shape 2 of F64, found offsets for 8 bytes");
  CHECK(what("[0]", "[8,16]") ==
        "expected 0 bytes for the shape 0 of F64, found offsets for 8 bytes");
  CHECK(what("[1000000000000000]", "[8,16]") ==
        "expected 8000000000000000 bytes for the shape 1000000000000000 of F64, found offsets for "
        "8 bytes");
  CHECK(what("[4294967296,4294967296]", "[8,8]") == unfit("4294967296×4294967296"));
  CHECK(what("[1000000000000000]", "[8,8000000000000008]") ==
        after_header("8000000000000008", "16 bytes"));
}

TEST_CASE("safetensors: the tensors tile the file without holes, overlaps or leftover bytes") {
  const auto what = [](const std::string& offsets, std::size_t data) {
    return refused_tensors(pair_file(entry("b", "F64", "[1]", offsets), data)).what;
  };
  CHECK(what("[4,12]", 12) ==
        "expected the tensors one after another, found an overlap: one ends at byte 8, the next "
        "begins at byte 4");
  CHECK(what("[0,8]", 8) ==
        "expected the tensors one after another, found an overlap: one ends at byte 8, the next "
        "begins at byte 0");
  CHECK(what("[9,17]", 17) ==
        "expected the tensors one after another, found a hole: one ends at byte 8, the next "
        "begins at byte 9");
  CHECK(what("[8,16]", 17) == after_header("16", "17 bytes"));
  CHECK(what("[8,16]", 15) == after_header("16", "15 bytes"));
  CHECK(what("[8,16]", 1) == after_header("16", "1 byte"));
  CHECK(
      refused_tensors(safetensors_file("{" + entry("a", "U8", "[1]", "[1,2]") + "}", "ab")).what ==
      "expected the tensors one after another, found a hole: the first begins at byte 1 "
      "instead of 0");
  CHECK(refused_tensors(safetensors_file("{}", "a")).what == after_header("0", "1 byte"));
  const std::string odd = entry("b", "F8_E4M3", "[1]", "[6,7]");
  CHECK(refused_tensors(pair_file(odd, 8)).id == "safetensors-format");
}

TEST_CASE("safetensors: a tensor cannot be called __metadata__") {
  const std::vector<NamedArray> arrays = {{"__metadata__", {{1}, {1}}, ""}};
  CHECK_THROWS_WITH(write_safetensors(arrays),
                    "a .safetensors file cannot hold a tensor named \"__metadata__\"");
}

TEST_CASE("safetensors: a file cut off is refused, one with a bit flipped is read or refused") {
  const std::vector<NamedArray> arrays = {{"w", awkward_array({2, 3}), ""},
                                          {"b", awkward_array({2}), ""}};
  const std::string bytes = write_safetensors(arrays);
  check_cut_off(bytes, read_tensors);
  check_flips(bytes, [&](const std::string& flipped) {
    for (const NamedArray& named : read_tensors(flipped)) {
      std::ptrdiff_t count = 1;
      for (const std::ptrdiff_t size : named.array.shape) count *= size;
      CHECK(static_cast<std::size_t>(count) == named.array.data.size());
    }
  });
}

}  // namespace attn::testing
