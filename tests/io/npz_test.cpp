// .npz files: archives that NumPy writes, and broken ones.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/io/tensor_file.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/inflate.hpp"
#include "io/arrays/zip.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/tensor_bytes.hpp"

namespace attn::testing {
namespace {

std::vector<NamedArray> read_archive(const std::string& bytes) { return read_npz(bytes, "a.npz"); }

Diagnostic refused_archive(const std::string& bytes) {
  Diagnostic found = refusal([&] { read_archive(bytes); }, "a.npz");
  CHECK(found.id == "npz-format");
  CHECK(!found.fix.empty());
  return found;
}

std::string what(const std::string& bytes) { return refused_archive(bytes).what; }

/// What tests/support/make_array_files.py saves.
std::vector<NamedArray> numpy_arrays() {
  return {{"w", {{2, 2}, {1, 2, 3, 4.5}}, "<f8"}, {"columns", {{2, 3}, {1, 2, 3, 4, 5, 6}}, "<i4"}};
}

std::string numpy_file(const std::string& name) {
  return read_test_file("reference/arrays/" + name);
}

/// An archive whose bytes are collected.
struct KeptArchive {
  std::string bytes;
  Sink sink = [this](std::string_view piece) { bytes += piece; };
  ZipArchive zip{sink};

  void add(const std::string& name, std::string_view contents) {
    add_member(zip, name, std::vector<std::string_view>{contents});
  }
  std::string finished() {
    finish(zip);
    return bytes;
  }
};

/// An archive of one array "w" of one byte; where its parts are.
std::string tiny() {
  KeptArchive archive;
  archive.add("w.npy", npy_file("|u1", "(1,)", false, "a"));
  return archive.finished();
}
constexpr std::size_t kContents = 30 + 5;
const std::size_t kDirectory = kContents + npy_file("|u1", "(1,)", false, "a").size();
const std::size_t kEnd = kDirectory + 46 + 5;

}  // namespace

TEST_CASE("npz: what is written is read back bit for bit, in the order given") {
  const std::vector<NamedArray> arrays = {{"w_q", awkward_array({3, 4}), ""},
                                          {"é/α", awkward_array({8}), ""},
                                          {"", awkward_array({2, 0}), ""},
                                          {"a.npy", awkward_array({2, 1, 3}), ""}};
  const std::string bytes = write_npz(arrays);
  CHECK(same(read_archive(bytes), arrays));
  CHECK(read_archive(bytes)[0].dtype == "<f8");
  CHECK(bytes == write_npz(arrays));
  CHECK(read_archive(write_npz({})).empty());
}

TEST_CASE("npz: the bytes of a tiny file are known") {
  const std::vector<NamedArray> arrays = {{"w", {{1}, {1}}, ""}};
  const std::string npy = write_npy(arrays[0].array);
  const std::string fields = little(20, 2) + little(0, 6) + little(0x21, 2) +
                             little(crc32(npy), 4) + little(136, 4) + little(136, 4) +
                             little(5, 2) + little(0, 2);
  CHECK(write_npz(arrays) == "PK\x03\x04" + fields + "w.npy" + npy +           //
                                 "PK\x01\x02" + little(20, 2) + fields +       //
                                 little(0, 8) + little(0, 6) + "w.npy" +       //
                                 "PK\x05\x06" + little(0, 4) + little(1, 2) +  //
                                 little(1, 2) + little(51, 4) + little(171, 4) + little(0, 2));
  const std::vector<NamedArray> accented = {{"é", {{1}, {1}}, ""}};
  CHECK(write_npz(accented).substr(6, 2) == little(0x800, 2));  // flag: the name is UTF-8
}

TEST_CASE("npz: checksums of any number of bytes, whole or in two parts") {
  CHECK(crc32("123456789") == 0xCBF43926U);  // the check value of every list of CRCs
  CHECK(crc32("") == 0U);
  std::string bytes;
  std::uint32_t one_by_one = 0;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const std::string byte(1, static_cast<char>(37 * i + 200));
    bytes += byte;
    one_by_one = crc32(byte, one_by_one);
    CHECK(crc32(bytes) == one_by_one);
    CHECK(crc32(bytes.substr(bytes.size() / 3), crc32(bytes.substr(0, bytes.size() / 3))) ==
          one_by_one);
  }
}

TEST_CASE("npz: NumPy's archives are read: stored, streamed, with zip64, compressed") {
  for (const std::string name : {"stored.npz", "streamed.npz", "zip64.npz", "compressed.npz"}) {
    CAPTURE(name);
    const std::string bytes = numpy_file(name);
    CHECK(same(read_archive(bytes), numpy_arrays()));
    CHECK(read_archive(bytes)[1].dtype == "<i4");
  }
}

TEST_CASE("npz: another kind of file is named") {
  CHECK(what("") == "expected arrays in a zip archive (.npz), found an empty file");
  CHECK(what("[[1]]") == "expected arrays in a zip archive (.npz), found text");
  CHECK(what(write_npy({{1}, {1}})) ==
        "expected arrays in a zip archive (.npz), found " + std::string(kAnArray));
  CHECK(what(write_safetensors({})) ==
        "expected arrays in a zip archive (.npz), found tensors (.safetensors)");
}

TEST_CASE("npz: members that are not arrays, or two of the same name, are refused") {
  KeptArchive checkpoint;
  checkpoint.add("archive/data.pkl", "\x80\x02");
  const Diagnostic found = refused_archive(checkpoint.finished());
  CHECK(found.what == "expected only arrays (.npy) in the archive, found \"archive/data.pkl\"");
  CHECK(found.fix ==
        "Write it with np.savez(path, name=array); save a PyTorch file (.pt) as .safetensors.");

  KeptArchive twice;
  twice.add("w.npy", npy_file("|u1", "(1,)", false, "a"));
  twice.add("w.npy", npy_file("|u1", "(1,)", false, "b"));
  CHECK(what(twice.finished()) == "expected each array once, found \"w.npy\" twice");
}

TEST_CASE("npz: an error of an array names the file and the array") {
  KeptArchive archive;
  archive.add("good.npy", npy_file("|u1", "(1,)", false, "a"));
  archive.add("bad.npy", npy_file("<c16", "(1,)", false, std::string(16, 'a')));
  const std::string bytes = archive.finished();
  const Diagnostic found = refusal([&] { read_archive(bytes); }, "a.npz");
  CHECK(found.id == "dtype");
  CHECK(found.places.at(0).remark == "the array \"bad\"");
}

TEST_CASE("npz: the directory must be whole and where the end says") {
  const std::string bytes = tiny();
  REQUIRE(read_archive(bytes).size() == 1);
  CHECK(what(bytes.substr(0, bytes.size() - 1)) ==
        "expected the archive's directory at the end, found none");
  CHECK(what(bytes + "x") == "expected the archive's directory at the end, found none");
  const char* elsewhere = "the archive's directory is not where the last bytes say";
  CHECK(what(patched(bytes, kEnd + 12, little(50, 4))) == elsewhere);
  CHECK(what(patched(bytes, kEnd + 16, little(0, 4))) == elsewhere);
  CHECK(what(patched(bytes, kEnd + 16, little(0xFFFFFFFF, 4))) == elsewhere);
  CHECK(what("PK\x03\x04" + bytes) == elsewhere);
  CHECK(what(patched(bytes, kEnd + 10, little(2, 2))) ==
        "the archive\'s directory has fewer entries than the 2 it promises");
  CHECK(what(patched(bytes, kEnd + 10, little(0, 2))) ==
        "the archive\'s directory has more entries than the 0 it promises");
  CHECK(what(patched(bytes, kDirectory + 28, little(65535, 2))) ==
        "the archive\'s directory has fewer entries than the 1 it promises");
  const std::string commented = patched(bytes, kEnd + 20, little(5, 2)) + "hello";
  CHECK(read_archive(commented).size() == 1);
}

TEST_CASE("npz: entries that point outside the archive or elsewhere are refused") {
  const std::string bytes = tiny();
  const auto entry = [&](std::size_t at, std::uint64_t number, std::size_t size) {
    return what(patched(bytes, kDirectory + at, little(number, size)));
  };
  CHECK(entry(42, 1, 4) == "\"w.npy\" is not where the archive's directory says");
  CHECK(entry(42, 0xFFFFFFFE, 4) == "\"w.npy\" is not where the archive's directory says");
  CHECK(entry(42, kDirectory, 4) == "\"w.npy\" is not where the archive's directory says");
  CHECK(entry(20, 10, 4) == "expected 69 bytes in \"w.npy\", found 10");
  CHECK(what(patched(bytes, kDirectory + 20, little(99999, 4) + little(99999, 4))) ==
        "\"w.npy\" goes on beyond the end of the archive's members");
  CHECK(what(patched(bytes, 28, little(65535, 2))) ==
        "\"w.npy\" goes on beyond the end of the archive's members");
  CHECK(what(patched(bytes, 30, "v")) ==
        "\"w.npy\" has another name in the archive's directory than before its bytes");
  CHECK(entry(8, 1, 2) == "\"w.npy\" is encrypted");
  CHECK(entry(10, 12, 2) ==
        "expected \"w.npy\" stored or deflated (methods 0 and 8), found method 12");
  CHECK(what(patched(bytes, kDirectory - 1, "b")) ==
        "the bytes are damaged: their checksum (CRC-32) does not match");
}

TEST_CASE("npz: strong encryption and hidden headers are refused as any encryption is") {
  for (const std::uint64_t flag : {0x1u, 0x40u, 0x2000u})  // APPNOTE.TXT 4.4.4: bits 0, 6 and 13
    CHECK(what(patched(tiny(), kDirectory + 8, little(flag, 2))) == "\"w.npy\" is encrypted");
}

TEST_CASE("npz: members that overlap are refused") {
  KeptArchive inner;
  inner.add("b.npy", npy_file("|u1", "(1,)", false, "a"));
  KeptArchive outer;
  outer.add("a.npy", inner.bytes);
  outer.zip.directory += patched(inner.zip.directory, 42, little(kContents, 4));
  outer.zip.count = 2;
  CHECK(what(outer.finished()) == "\"a.npy\" and \"b.npy\" overlap in the archive");
}

TEST_CASE("npz: zip64 fields that are missing or point elsewhere are refused") {
  const std::string bytes = numpy_file("zip64.npz");
  const std::size_t end = bytes.size() - 22, locator = end - 20, longer = locator - 56;
  const char* elsewhere = "the archive's directory (zip64) is not where the last bytes say";
  CHECK(what(patched(bytes, locator + 8, little(0xFFFFFFFFFFFFFFFF, 8))) == elsewhere);
  CHECK(what(patched(bytes, locator + 8, little(locator - 55, 8))) == elsewhere);
  CHECK(what(patched(bytes, longer + 32, little(0xFFFFFFFFFFFFFFFF, 8))) ==
        "the archive's directory has fewer entries than the 18446744073709551615 it promises");
  CHECK(what(patched(bytes, longer + 48, little(0xFFFFFFFFFFFFFFFF, 8))) ==
        "the archive's directory is not where the last bytes say");
  const std::size_t extra = longer - 28;  // of the last entry: id, size, size, stored size, offset
  CHECK(what(patched(bytes, extra + 2, little(8, 2))) ==
        "an entry of the archive's directory is incomplete");
  CHECK(what(patched(bytes, extra + 4,
                     little(0xFFFFFFFFFFFFFFF0, 8) + little(0xFFFFFFFFFFFFFFF0, 8))) ==
        "\"columns.npy\" goes on beyond the end of the archive's members");
  CHECK(what(patched(bytes, extra + 20, little(0xFFFFFFFFFFFFFFF0, 8))) ==
        "\"columns.npy\" is not where the archive's directory says");
  CHECK(what(patched(bytes, extra, little(2, 2))) ==
        "\"columns.npy\" is not where the archive's directory says");
}

TEST_CASE("npz: compressed bytes inflate to exactly as many as the directory says") {
  const std::string bytes = numpy_file("compressed.npz");
  const std::size_t entry = bytes.find("PK\x01\x02");
  const char* damaged = "the compressed bytes are damaged";
  for (const unsigned size : {0U, 1U, 159U, 161U, 100'000'000U}) {
    CAPTURE(size);
    CHECK(what(patched(bytes, entry + 24, little(size, 4))) == damaged);
  }
  CHECK(what(patched(bytes, entry + 20, little(0x54, 4))) == damaged);

  const ZipMember member = list_zip(bytes, "a.npz")[0];
  KeptArchive longer;
  longer.add("w.npy", std::string(member.stored) + "x");
  longer.zip.directory.replace(10, 2, little(8, 2));  // method: deflated
  longer.zip.directory.replace(16, 4, little(member.crc, 4));
  longer.zip.directory.replace(24, 4, little(member.size, 4));
  CHECK(what(longer.finished()) == damaged);

  const Diagnostic bomb = refused_archive(patched(bytes, entry + 24, little((1 << 27) + 1, 4)));
  CHECK(bomb.what == "expected compressed arrays of at most 128 MiB in all, found more");
  CHECK(bomb.fix == "Write them with np.savez instead of np.savez_compressed.");
  const std::size_t second = bytes.find("PK\x01\x02", entry + 1);
  CHECK(what(patched(bytes, second + 24, little((1 << 27) - 10, 4))) ==
        "expected compressed arrays of at most 128 MiB in all, found more");
}

TEST_CASE("npz: what an archive without zip64 cannot hold is not written") {
  CHECK(fits_zip(65534, 0));
  CHECK(!fits_zip(65535, 0));
  CHECK(fits_zip(1, 0xFFFFFFFE - 22 - 76));
  CHECK(!fits_zip(1, 0xFFFFFFFE - 22 - 75));
  const std::vector<NamedArray> many(65535);
  CHECK_THROWS_WITH(
      write_npz(many),
      doctest::Contains(
          "expected at most 65534 arrays and 4 GiB for an .npz file, found 65535 arrays and "));
  const std::vector<NamedArray> named = {{std::string(65532, 'w'), {{0}, {}}, ""}};
  CHECK_THROWS_WITH(write_npz(named), doctest::Contains("is too long for an .npz file"));
}

TEST_CASE(
    "npz: a file cut off anywhere is refused, one with any bit flipped is the same or refused") {
  for (const std::string name : {"stored.npz", "streamed.npz", "zip64.npz", "compressed.npz"}) {
    CAPTURE(name);
    const std::string bytes = numpy_file(name);
    check_cut_off(bytes, read_archive);
    check_flips(bytes, [](const std::string& flipped) {
      const std::vector<NamedArray> found = read_archive(flipped);
      CHECK(same(found, numpy_arrays()));
    });
  }
}

}  // namespace attn::testing
