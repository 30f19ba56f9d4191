// .npy files: number types, byte orders, broken headers.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <bit>
#include <string>
#include <vector>

#include "attn/io/tensor_file.hpp"
#include "io/arrays/number_type.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"
#include "support/tensor_bytes.hpp"

namespace attn::testing {
namespace {

using Sizes = std::vector<Index>;
using Numbers = std::vector<double>;

NamedArray read_array(const std::string& bytes) { return read_npy(bytes, "a.npy"); }

Diagnostic refused_array(const std::string& bytes) {
  return refusal([&] { read_array(bytes); }, "a.npy");
}

/// One number of that dtype.
double number(const std::string& dtype, const std::string& bytes) {
  return read_array(npy_file(dtype, "(1,)", false, bytes)).array.data.at(0);
}

}  // namespace

TEST_CASE("npy: what is written is read back bit for bit, whatever the rank") {
  for (const Sizes& shape : {Sizes{8}, Sizes{3, 4}, Sizes{2, 3, 4}, Sizes{2, 1, 3, 4}, Sizes{0},
                             Sizes{2, 0, 3}, Sizes{1, 1, 1, 1, 1, 9}}) {
    const Array array = awkward_array(shape);
    const std::string bytes = write_npy(array);
    CHECK((bytes.size() - array.data.size() * 8) % 64 == 0);
    const NamedArray found = read_array(bytes);
    CHECK(same(found.array, array));
    CHECK(found.dtype == "<f8");
    CHECK(found.name.empty());
  }
}

TEST_CASE("npy: the bytes are those that numpy.save writes") {
  const std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  CHECK(write_npy({{1, 2}, {1, -2}}) ==
        npy_file(dictionary + std::string(117 - dictionary.size(), ' ') + "\n",
                 little(0x3FF0000000000000, 8) + little(0xC000000000000000, 8)));
  const std::string vector = "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }";
  CHECK(write_npy({{0}, {}}) ==
        npy_file(vector + std::string(117 - vector.size(), ' ') + "\n", ""));
}

TEST_CASE("npy: every kind of number becomes float64, in both byte orders") {
  CHECK(number("<f8", little(0xC004000000000000, 8)) == -2.5);
  CHECK(number(">f8", {"\xC0\x04\0\0\0\0\0\0", 8}) == -2.5);
  CHECK(number("<f4", little(0x3DCCCCCD, 4)) == static_cast<double>(0.1F));
  CHECK(number(">f4", "\x3D\xCC\xCC\xCD") == static_cast<double>(0.1F));
  CHECK(number("<f2", little(0xC100, 2)) == -2.5);
  CHECK(number(">f2", {"\xC1\0", 2}) == -2.5);
  CHECK(number("<i8", little(0xFFFFFFFFFFFFFFFE, 8)) == -2);
  CHECK(number(">i8", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE") == -2);
  CHECK(number("<i4", little(0x80000000, 4)) == -2147483648.0);
  CHECK(number(">i4", "\xFF\xFF\xFF\xFE") == -2);
  CHECK(number("<i2", little(0x8000, 2)) == -32768);
  CHECK(number("|i1", "\x80") == -128);
  CHECK(number("<u8", little(0xFFFFFFFFFFFFFFFF, 8)) == 0x1p64);
  CHECK(number("<u4", little(0xFFFFFFFF, 4)) == 4294967295.0);
  CHECK(number(">u2", "\xFF\xFE") == 65534);
  CHECK(number("|u1", "\xFF") == 255);
  CHECK(number("|b1", "\x01") == 1);
  CHECK(number("|b1", std::string(1, '\0')) == 0);
  CHECK(number("|b1", "\x02") == 1);
  CHECK(read_array(npy_file("<i4", "(1,)", false, little(7, 4))).dtype == "<i4");
}

TEST_CASE("npy: all 65536 halves and bfloat16s are the numbers that Eigen makes of them") {
  for (const std::string name : {"F16", "BF16"}) {
    std::string bytes;
    for (unsigned bits = 0; bits < 0x10000; ++bits) bytes += little(bits, 2);
    const Numbers found = find_safetensors_type(name)->decode(bytes, false);
    REQUIRE(found.size() == 0x10000);
    int wrong = 0;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const auto raw = static_cast<Eigen::numext::uint16_t>(bits);
      const float expected = name == "F16"
                                 ? static_cast<float>(std::bit_cast<Eigen::half>(raw))
                                 : static_cast<float>(std::bit_cast<Eigen::bfloat16>(raw));
      if (!same(found[bits], static_cast<double>(expected))) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("npy: columns first, as Fortran has them, become rows first") {
  std::string bytes;
  for (const char* i = "\1\4\2\5\3\6"; *i != 0; ++i) bytes += *i;
  const Array matrix = read_array(npy_file("|u1", "(2, 3)", true, bytes)).array;
  CHECK(matrix.shape == Sizes{2, 3});
  CHECK(matrix.data == Numbers{1, 2, 3, 4, 5, 6});

  // Element (i, j, k) of a 2×3×4 array is at i + 2j + 6k; let it be 100i + 10j + k.
  bytes.clear();
  Numbers expected;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) bytes += static_cast<char>(100 * i + 10 * j + k);
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) expected.push_back(100 * i + 10 * j + k);
    }
  }
  CHECK(read_array(npy_file("|u1", "(2, 3, 4)", true, bytes)).array.data == expected);
  CHECK(read_array(npy_file("|u1", "(2, 0, 4)", true, "")).array.data.empty());
}

TEST_CASE("npy: the header may be of version 1, 2 or 3 and written in other ways") {
  const std::string plain = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1)}";
  for (const char version : {'\1', '\2', '\3'}) {
    CHECK(read_array(npy_file(plain, "ab", version)).array.data == Numbers{97, 98});
  }
  for (const std::string dictionary :
       {"{\"shape\":(2,1),\"descr\":\"|u1\",\"fortran_order\":False}",
        "{ 'fortran_order' : False , 'shape' : ( 2L , 1L , ) , 'descr' : '|u1' , }   \n",
        "{'descr': '<u1', 'fortran_order': False, 'shape': (2, 1), }"}) {
    CHECK(read_array(npy_file(dictionary, "ab")).array.shape == Sizes{2, 1});
  }
}

TEST_CASE("npy: another kind of file is named") {
  struct Row {
    std::string bytes;
    const char* found;
  };
  for (const Row& row :
       {Row{"", "an empty file"}, Row{"[[1, 2]]", "text"}, Row{"\x93NUMP", "other bytes"},
        Row{"PK\x03\x04rest", "a zip archive, as NumPy's .npz and PyTorch's .pt files are"},
        Row{"\x80\x04\x95", "a Python pickle"}, Row{{"\0\0\0", 3}, "other bytes"},
        Row{"version https://git-lfs.github.com/spec/v1\n",
            "a Git LFS pointer instead of the file itself"},
        Row{safetensors_file("{}", ""), "tensors (.safetensors)"}}) {
    const Diagnostic found = refused_array(row.bytes);
    CHECK(found.id == "npy-format");
    CHECK(found.what == "expected a NumPy array (.npy), found " + std::string(row.found));
    CHECK(found.fix == (row.bytes.starts_with("version")
                            ? "Fetch the file itself: git lfs pull."
                            : "Write it again with np.save or np.savez."));
  }
}

TEST_CASE("npy: other versions and broken headers are refused") {
  const std::string good = npy_file("|u1", "(1,)", false, "a");
  CHECK(refused_array(patched(good, 6, "\x04")).what ==
        "expected version 1.0, 2.0 or 3.0 of the .npy format, found 4.0");
  CHECK(refused_array(patched(good, 7, "\x01")).what ==
        "expected version 1.0, 2.0 or 3.0 of the .npy format, found 1.1");
  CHECK(refused_array(patched(good, 8, "\xFF\xFF")).what ==
        expected(header_of("65535 bytes"), "59 bytes before the end"));
  for (const std::string dictionary : {
           "",
           "{",
           "{}",
           "[]",
           "{'descr': '<f8', 'fortran_order': False}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
           "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
           "{'descr': 8, 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8, 'fortran_order': False, 'shape': (1,)}",
           "{'descr': [('x', '<f8'), 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1.5,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} {",
       }) {
    CAPTURE(dictionary);
    const Diagnostic found = refused_array(npy_file(dictionary, "12345678"));
    CHECK(found.id == "npy-format");
    CHECK(
        found.what.starts_with("expected a header such as {'descr': '<f8', 'fortran_order': "
                               "False, 'shape': (3, 4)}, found \""));
    CHECK(found.what.size() < 180);
  }
}

TEST_CASE("npy: numbers that have no float64 are refused with a way out") {
  struct Row {
    const char* dtype;
    const char* words;
    const char* fix;
  };
  const char* convert = "Convert it before saving: array.astype(np.float64).";
  for (const Row& row :
       {Row{"<c16", "complex numbers", "Save array.real and array.imag as two arrays."},
        Row{"|O", "Python objects",
            "Save a rectangle of numbers: np.array(rows, dtype=np.float64)."},
        Row{"<U3", "text", convert}, Row{"|S3", "text", convert}, Row{"<M8[D]", "dates", convert},
        Row{"<m8[s]", "time spans", convert},
        Row{"<V2", "records or raw bytes", "Save each field as its own array of numbers."},
        Row{"<f16", "an unusual kind of float", convert},
        Row{"|f4", "an unusual kind of float", convert}, Row{"<i16", "an unknown type", convert},
        Row{"", "an unknown type", convert}, Row{"<", "an unknown type", convert},
        Row{"f8", "an unknown type", convert}}) {
    CAPTURE(row.dtype);
    const Diagnostic found =
        refused_array(npy_file(row.dtype, "(1,)", false, std::string(16, 'a')));
    CHECK(found.id == "dtype");
    CHECK(found.what == std::string("expected real numbers, found ") + row.words + " (dtype \"" +
                            row.dtype + "\")");
    CHECK(found.fix == row.fix);
  }
  const std::string records =
      "{'descr': [('x', '<f8'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }";
  CHECK(refused_array(npy_file(records, std::string(12, 'a'))).what ==
        "expected real numbers, found records or raw bytes (dtype \"[('x', '<f8'), ('y', "
        "'<f4')]\")");
}

TEST_CASE("npy: a single number without axes is refused") {
  const Diagnostic found = refused_array(npy_file("<f8", "()", false, std::string(8, '\0')));
  CHECK(found.id == "rank");
  CHECK(found.what == "expected an array of at least one axis, found a single number (shape ())");
  CHECK(found.fix == "Give it an axis before saving: array.reshape(1).");
}

TEST_CASE("npy: the shape must fit the bytes there are, before any memory is taken") {
  const auto what = [](const std::string& shape) {
    const Diagnostic found = refused_array(npy_file("<f8", shape, false, std::string(48, 'a')));
    CHECK(found.id == "npy-format");
    return found.what;
  };
  CHECK(what("(3, 3)") == "expected 72 bytes for the shape 3×3 of <f8, found 48 bytes");
  CHECK(what("(5,)") == "expected 40 bytes for the shape 5 of <f8, found 48 bytes");
  CHECK(what("(0,)") == "expected 0 bytes for the shape 0 of <f8, found 48 bytes");
  CHECK(what("(1000000000000000,)") ==
        "expected 8000000000000000 bytes for the shape 1000000000000000 of <f8, found 48 bytes");
  CHECK(what("(4294967296, 4294967296, 3, 2)") == unfit("4294967296×4294967296×3×2"));
  CHECK(what("(0, 4294967296, 4294967296)") == unfit("0×4294967296×4294967296"));
  CHECK(what("(9223372036854775807,)") == unfit("9223372036854775807"));
  std::string many = "(";
  for (int axis = 0; axis < 33; ++axis) many += "1, ";
  CHECK(what(many + ")") == "expected at most 32 axes, found 33");
}

TEST_CASE("npy: a file cut off is refused, one with a bit flipped is read or refused") {
  const std::string ours = write_npy(awkward_array({2, 3}));
  check_cut_off(ours, read_array);
  check_flips(ours, [](const std::string& bytes) {
    const Array array = read_array(bytes).array;
    std::ptrdiff_t count = 1;
    for (const std::ptrdiff_t size : array.shape) count *= size;
    CHECK(static_cast<std::size_t>(count) == array.data.size());
  });
  const std::string columns = npy_file("<i2", "(2, 2)", true, "abcdefgh");
  check_cut_off(columns, read_array);
  check_flips(columns, read_array);
}

}  // namespace attn::testing
