// Zip archives that are not trusted: what of them is not read, and why.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/error.hpp"
#include "attn/io/zip_file.hpp"
#include "support/errors.hpp"

namespace attn::testing {

TEST_CASE("zip: links, damage, too many files and what is no archive") {
  const std::string good = write_zip(std::vector<FileToZip>{{"a", "hello"}, {"b", "world", true}});
  CHECK(is_zip(good));
  const auto read = read_zip(good, "a.zip");
  REQUIRE(read.size() == 2);
  CHECK(read[0].bytes == "hello");
  CHECK(read[0].time > 0);
  std::string link = good;
  const std::size_t entry = link.find("PK\x01\x02");
  link[entry + 41] = static_cast<char>(0xA1);  // the upper byte of the mode: S_IFLNK
  CHECK(read_zip(link, "")[0].broken == "it is a link, and links are not followed");
  std::string damaged = good;
  damaged[damaged.find("hello")] = 'j';
  CHECK(read_zip(damaged, "")[0].broken == "its bytes in the archive are damaged");
  CHECK(read_zip(good, "", {.bytes_each = 4})[1].broken ==
        "it takes 5 bytes, and a sheet takes a few thousand");
  CHECK(read_zip(good, "", {.bytes = 7})[1].broken ==
        "the archive holds more than can be read at once");
  const auto small_first = read_zip(
      write_zip(std::vector<FileToZip>{{"huge", "1234567"}, {"sheet", "12"}}), "", {.bytes = 8});
  CHECK(small_first[0].broken == "the archive holds more than can be read at once");
  CHECK(small_first[1].bytes == "12");
  CHECK_THROWS_AS(read_zip(good, "", {.files = 1}), Error);
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_THROWS_AS(read_zip(good.substr(0, size), ""), Error);
  const Diagnostic error = refusal_from([] { read_zip("my answers", "a.zip"); });
  CHECK(id_and_what(error) ==
        "zip-format: this archive cannot be read: expected a zip archive, found text");
}

TEST_CASE("zip: a name that leads out of the archive is no file of it") {
  std::vector<FileToZip> files;
  for (const char* name : {"../a", "/etc/a", "C:\\a", "a/../../b", "a/b"})
    files.push_back({name, "x"});
  const std::vector<ZippedFile> read = read_zip(write_zip(files), "");
  REQUIRE(read.size() == 5);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(read[i].name);
    CHECK(read[i].broken == "its name leads out of the archive");
    CHECK(read[i].bytes.empty());
  }
  CHECK(read[4].broken.empty());
  CHECK(read[4].bytes == "x");
}

}  // namespace attn::testing
