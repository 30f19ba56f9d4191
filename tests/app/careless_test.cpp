// Mistakes that people make: each message names the mistake and the repair.
#include <doctest/doctest.h>

#include <filesystem>

#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

struct Row {
  std::string input;
  std::string what;
  std::string fix;
};

void check(const Ran& ran, const Row& row) {
  const std::string text = unwrapped(ran.err);
  CAPTURE(row.input);
  CHECK(ran.out.empty());
  CHECK(ran.exit_code >= 2);
  CHECK_MESSAGE(has(text, row.what), text);
  CHECK_MESSAGE(has(text, "fix " + row.fix), text);
}

}  // namespace

TEST_CASE("careless: JSON that is nearly right") {
  const Row rows[] = {
      {R"({"q": [[1, 0],], "k": [[1]]})", "error[json-syntax]", "Remove"},
      {R"({"q": {{1, 0}, {0, 1}}})", "found \"{\"", "Write lists"},
      {R"({"q": [[1, 0], ...]})", "expected a value, found ...",
       "Write all the numbers: JSON has no ellipsis."},
      {R"({"q": [[1]])", "error[json-syntax]", "Add the closing \"}\""},
      {R"({"causal": True})", "found True", "JSON writes"},
      {"1 0\n0 1\n", "expected JSON, found 1", "This is"},
  };
  for (const Row& row : rows) check(attn_run({"explain", "-"}, row.input), row);
}

TEST_CASE("careless: problems that are nearly right") {
  const std::string weights =
      R"("weights": {"w_q": [[1, 0, 2]], "w_k": [[1, 0, 2]], "w_v": [[1, 0, 2]]})";
  const Row rows[] = {
      {R"({"embeddings": [[1, 0, 1]], )" + weights + "}", "X has 3 columns, w_q has 1 row",
       "Give w_q, w_k and w_v 3 rows, or X rows of 1 number. If they are stored as out × in, "
       "transpose them."},
      {R"([[1, 0]])", kAnObject + std::string("{\"embeddings\": ..., \"weights\": ...}"),
       kInBraces},
      {R"({"q": "[[1, 2] [3]]"})", "one row has 2 numbers, another 1", "Write a row"},
      {R"({"q": [["one"]]})", expected("a number", "the string \"one\""), kWithoutQuotes},
      {R"({"q": [true, 0]})", "error[wrong-type]", "Write one list"},
      {R"({"tokens": "the cat"})", expected(kStrings, "the string"), kListWords},
      {R"({"w_q": [[1]]})", "\"w_q\" belongs in \"weights\"", "Write \"weights\": {\"w_q\""},
      {R"({"Q": [[1]]})", did_you_mean({"q"}), "Correct it"},
      {R"({"d_model": 2})", no_such("key", "d_model"), "Leave it out: "},
      {R"({"dropout": 0.1})", kAnObject + std::string("{\"p\": ...}"), kInBraces},
      {R"({"is_causal": true})", no_such("key", "is_causal"), "Write \"mask\": \"causal\"."},
      {R"({"mask": [[1, 0], [1, 1]]})", "expected " + std::string(kMaskList), kUnderAllowed},
      {R"({"mask": "causal,padding"})", "there is no mask \"causal,padding\"",
       "Give each mask on its own: \"mask\": [\"causal\", \"padding\"] (--mask causal --mask "
       "padding)."},
      {R"({"scale": "1/0"})", "scale cannot be \"1/0\"", "Write \"1/sqrt(d_k)\""},
      {R"({"dtype": "fp16"})", did_you_mean({"float16"}), "Write"},
      {R"({"positions": "rotary"})", did_you_mean({"rope"}), "Write"},
  };
  for (const Row& row : rows) check(attn_run({"explain", "-"}, row.input), row);
}

TEST_CASE("careless: the command line") {
  struct Line {
    std::vector<std::string> args;
    std::string what;
    std::string fix;
  };
  const Line lines[] = {
      {{"explain", "--mask", "causal,padding"},
       no_such("mask", "causal,padding"),
       "Give each mask on its own: \"mask\": [\"causal\", \"padding\"] (--mask causal --mask "
       "padding)."},
      {{"explain", "--mask", "causal+window:2"},
       "there is no mask",
       "Give each mask on its own: \"mask\": [\"causal\", \"window:2\"] (--mask causal --mask "
       "window:2)."},
      {{"explain", "--mask", "window:2,padding"},
       "the mask \"window:2,padding\"",
       "Give each mask on its own: \"mask\": [\"window:2\", \"padding\"] (--mask window:2 --mask "
       "padding)."},
      {{"explain", "--mask", "window=2"}, no_such("mask", "window=2"), "Write window:2."},
      {{"explain", "--mask", "prefix(3)"}, no_such("mask", "prefix(3)"), "Write prefix:3."},
      {{"explain", "--mask", "CAUSAL"}, did_you_mean({"causal"}), "Write one of"},
      {{"explain", "--mask", "causal", "padding"},
       "error[extra-argument]",
       "Write --mask causal --mask padding."},
      {{"explain", "padding"},
       unreadable("padding"),
       "For the mask, write --mask padding. To get the built-in sample as a file, run attn new "
       "--sample 05-padding -o 05-padding.json. "
       "For text, write --text padding."},
      {{"explain", "cat"}, unreadable("cat"), "Write the whole name of the file"},
      {{"explain", "hello"},
       unreadable("hello"),
       "Write the whole name of the file, such as mine.json. For text, write --text hello."},
      {{"explain", "99"},
       unreadable("99"),
       "Write the whole name of the file, such as mine.json. The samples have the numbers 1 to "
       "25."},
      {{"explain", "01", "--memory", "06"},
       unreadable("06"),
       "--memory takes a matrix: an .npy file, or JSON such as [[1, 0], [0, 1]]."},
      {{"explain", "--cell", "weights", "cat", "the"},
       "error[extra-argument]",
       "Write --cell weights:cat,the."},
      {{"compare", "causal", "none"}, "which is a mask, not a file", "Write --left mask=causal."},
      {{"exercise", "verify", "weak1"},
       "there is no exercise, file or sample \"weak1\"",
       "Name the folder that attn exercise make wrote, a problem or a sample."},
      {{"new", "04"}, "error[extra-argument]", "Write attn new --sample 04-causal."},
      {{"convert", "p.json", "p.npz"},
       "error[extra-argument]",
       "Write attn convert p.json -o p.npz."},
      {{"exercise", "new", "--preset", "self", "-o", "week"},
       "no command \"exercise new\"",
       "attn exercise --help lists them all."},
      {{"exercise", "mkae", "--preset", "self"},
       "no command \"exercise mkae\"" + did_you_mean({"make"}),
       "attn exercise --help lists them all."},
      {{"explain", "the", "cat", "sat"},
       "error[extra-argument]",
       "For text, write --text \"the cat sat\"."},
      {{"softmax"}, "no command \"softmax\"", "Write attn lesson softmax, or attn help softmax."},
      {{"1"}, "no command \"1\"", "Write attn lesson 1."},
      {{"variance"}, "no command \"variance\"", "Write attn help variance."},
      {{"tutorial"}, "no command \"tutorial\"", "Write attn lesson."},
      {{"quiz"}, "no command \"quiz\"", "Write attn practice."},
      {{"version"}, "no command \"version\"", "Write attn --version."},
      {{"lessons"}, did_you_mean({"lesson"}), "Write attn lesson."},
      {{"pratice", "04-causal", "--blank", "weights"},
       did_you_mean({"practice"}),
       "Write attn practice 04-causal --blank weights."},
      {{"check", "a", "--class", "b.json", "--force"},
       "attn check " + no_option("--force"),
       "attn check --help"},
      {{"explain", "--steps", "q k"}, no_such("step", "q k"), "Write commas between ids."},
      {{"explain", "--scale", "1/d_k"}, "scale cannot be \"1/d_k\"", "Write \"1/sqrt(d_k)\""},
      {{"explain", "--dtype", "float"}, did_you_mean({"float32"}), "Choose one of"},
      {{"mine.json"},
       no_such("command", "mine.json"),
       "Put a command before the file: attn explain mine.json."},
      {{"-v"}, did_you_mean({"--version"}), "Write attn --version."},
  };
  for (const Line& line : lines) check(attn_run(line.args), {line.what, line.what, line.fix});
}

TEST_CASE("careless: no fix of a mask repeats the mistake") {
  struct Mask {
    const char* written;
    std::string fix;
  };
  const Mask masks[] = {
      {"window=-1", "Write one of none, causal,"},
      {"window:-1", "Write window:LEFT[,RIGHT], for example window:2."},
      {"causal(1)", "Write one of none, causal,"},
      {"causal:1", "Write causal alone."},
      {"causal,window:-1", "Write one of none, causal,"},
      {"keys:2-1", "Write the smaller index first: 1-2."},
      {"window(1,1)", "Write window:1,1."},
  };
  for (const Mask& mask : masks) {
    check(attn_run({"explain", "--mask", mask.written}),
          {mask.written, mask.written == std::string_view("keys:2-1") ? "the range 2-1" : "mask",
           mask.fix});
  }
}

TEST_CASE("careless: a file that is not there is looked for") {
  const TemporaryFolder folder;
  folder.write("mine.npz", "");
  folder.write("yours.json", "{}");
  const std::string numbers = folder.path("mine"), near = folder.path("yuors.json");
  check(attn_run({"explain", numbers}),
        {"end", "No such file", ("Add its extension: " + numbers + ".npz").c_str()});
  check(attn_run({"explain", near}),
        {"near", did_you_mean({folder.path("yours.json")}).c_str(), "Correct its name."});
  check(attn_run({"explain", "elsewhere/04-causal.json"}),
        {"sample", "No such file", "Without a folder, 04-causal names the built-in sample;"});
  check(attn_run({"explain", "./01-one-head"}),
        {"sample", "No such file", "Without a folder, 01-one-head names the built-in sample;"});
  check(attn_run({"explain", "06-translatoin"}),
        {"misspelt sample", did_you_mean({"06-translation"}).c_str(), "Correct its name."});
  check(attn_run({"explain", "nope.json"}),
        {"no file", "No such file",
         "Check the name and the folder; attn new -o nope.json writes a problem to start from"});
  check(attn_run({"explain", folder.path("nowhere/a.json")}),
        {"folder", "No such file", "Correct its folder: there is no"});
  check(attn_run({"explain", folder.path("yours.json/a.json")}),
        {"folder", "Not a directory", "Correct its folder"});
}

TEST_CASE("careless: answers that are not there are neither samples nor text") {
  const char* const fix =
      "Check the name: it should be a file of answers or, with --key, a folder of sheets.";
  check(attn_run({"check", "nofile.json", "--problem", "-"}), {"file", "No such file", fix});
  check(attn_run({"check", "nofile.npz", "--problem", "-"}), {"arrays", "No such file", fix});
  check(attn_run({"check", "nodir"}), {"folder", "No such file", fix});
  check(attn_run({"check", "causal", "--problem", "-"}), {"mask", "No such file", fix});
  const TemporaryFolder desk;
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", desk.path("w")}).exit_code == 0);
  check(attn_run({"exercise", "grade", "nosuch", "--key", desk.path("w/key")}),
        {"grade", "No such file", fix});
  check(attn_run({"check", "nowhere/a.json"}), {"folder", "No such file", "Correct its folder"});
}

TEST_CASE("careless: a report that is text gets no name of another format" *
          doctest::test_suite("long")) {
  const TemporaryFolder folder;
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", folder.path("w")}).exit_code ==
          0);
  const std::string report = folder.path("v.json");
  CHECK(has(usage({"exercise", "verify", folder.path("w"), "-o", report}),
            "error[unknown-format]: attn exercise verify writes text, not .json files"));
  CHECK(attn_run({"exercise", "verify", folder.path("w"), "-o", folder.path("v.txt")}).exit_code ==
        0);
  CHECK(has(unwrapped(usage({"exercise", "make", "--preset", "causal", "--tokens", "2", "-o",
                             folder.path("small")})),
            "or take it as it is (--any-size)."));
  CHECK(has(attn_run({"exercise", "mutants", "04-causal", "-o", folder.path("w")}).err,
            "a new one or an empty one"));
}

TEST_CASE("careless: endings of outputs, and outputs that are named twice") {
  struct Line {
    std::vector<std::string> args;
    std::string what;
    std::string fix;
  };
  const Line lines[] = {
      {{"explain", "-o", "trace.jsn"}, "cannot write .jsn files", "It can write .txt, "},
      {{"explain", "--also", "out.xyz"}, "cannot write .xyz files", "It can write .txt, "},
      {{"explain", "-o", "page.pdf"},
       "cannot write .pdf files",
       "Print the page that -o NAME.html makes"},
      {{"heatmap", "-o", "map.png"}, "cannot write .png files", "It can write .txt, .svg. For"},
      {{"explain", "--also", "-"},
       "two outputs would go to standard output",
       "Name a file for one"},
      {{"heatmap", "--also", "-"},
       "two outputs would go to standard output",
       "Name a file for one"},
      {{"explain", "-o", "/dev/stdout", "--also", "-"},
       "two outputs would go to standard output",
       "Name a file for one"},
      {{"explain", "--also", "/dev/fd/1"},
       "two outputs would go to standard output",
       "Name a file for one"},
      {{"explain", "-o", "f.json", "--also", "./f.json"},
       "the output \"./f.json\" is named twice",
       "Give each output a name of its own"},
      {{"explain", "--also", "a.txt", "--also", "a.txt"},
       "the output \"a.txt\" is named twice",
       "Give each output a name of its own"},
  };
  for (const Line& line : lines) check(attn_run(line.args), {line.what, line.what, line.fix});

  const TemporaryFolder folder;
  std::filesystem::create_symlink("new.json", folder.path("link.json"));
  check(attn_run({"explain", "-o", folder.path("new.json"), "--also", folder.path("link.json")}),
        {"link", "link.json\" is named twice", "Give each output a name of its own"});
  for (const char* name : {"page", "page.txt", "page.text", "page.log", "page.ans", ".page"}) {
    CAPTURE(name);
    CHECK(attn_run({"explain", "-o", folder.path(name)}).exit_code == 0);
    CHECK(read_text(folder.path(name)) == attn_run({"explain"}).out);
  }
  const std::string page = folder.path("page.odt");
  CHECK(attn_run({"explain", "--format", "text", "-o", page}).exit_code == 0);
  CHECK(attn_run({"explain", "-o", folder.path("a.json"), "--also", "-"}).out != "");
}

TEST_CASE("careless: files of another kind say what they are") {
  const TemporaryFolder folder;
  struct File {
    const char* name;
    std::string bytes;
    std::string what;
    std::string fix;
  };
  const File files[] = {
      {"words.csv", "the,1,0\ncat,0,1\n", "found a table (.csv)", "Name it in a problem:"},
      {"x.json", "\x93NUMPY\x01", "found " + std::string(kAnArray), "Give it with --embeddings"},
      {"model.zip", std::string("PK\x03\x04zip"), "found a zip archive",
       "Give it a name that ends in .npz, if that is what it is."},
      {"model.pt", std::string("PK\x03\x04zip"), "error[", "Create or copy the file again"},
      {"model.pkl", "\x80\x04\x95", "found a Python pickle", "In PyTorch, save the weights with"},
      {"sheet.pdf", "%PDF-1.4\n", "found a PDF document", "Type its numbers"},
      {"x.png", "\x89PNG\r\n", "found a picture", "Type its numbers"},
      {"sheet.heic",
       std::string("\0\0\0\x18"
                   "ftypheic",
                   12),
       "found a picture (.heic)", "Type its"},
      {"x.webp", "RIFF\1\2\3\4WEBPVP8", "found a picture", "Type its numbers"},
      {"x.gif", "GIF89a", "found a picture", "Type its numbers"},
      {"a.rtf", "{\\rtf1\\ansi}", "found a text document (.rtf)", "Save answers as a table"},
      {"a.xls", "\xD0\xCF\x11\xE0\xA1\xB1", "found an old Word or Excel file", "Save answers as a"},
      {"a.7z", "7z\xBC\xAF\x27\x1C", "found an archive (.7z)", "Unpack it first."},
      {"a.rar", "Rar!\x1A\x07", "found an archive (.rar)", "Unpack it first."},
      {"a.h5", "\x89HDF\r\n\x1A\n", "found an HDF5 file (.h5)", "Save its arrays with"},
      {"a.gguf", "GGUF\3", "the file ends in the middle of its header",
       "Create or copy the file again"},
      {"a.json", "<!DOCTYPE html>", "found a web page, or XML", "Open it in a browser"},
      {"a.json.gz", "\x1F\x8B\x08", "found a file compressed with gzip", "Decompress it first"},
      {"a.py", "import numpy\n", "found a Python program", "Make it write JSON"},
      {"a.xlsx", "PK\x03\x04sheet", "found a spreadsheet (.xlsx)", "Save answers as a table"},
      {"a.yaml", "q: [[1]]\n", "found YAML", "Write it as JSON"},
      {"empty.json", "", "error[json-empty]", "Check that"},
  };
  for (const File& file : files) {
    const std::string path = folder.write(file.name, file.bytes);
    check(attn_run({"explain", path}), {file.name, file.what, file.fix});
  }
  const std::string inside = folder.path("");
  check(attn_run({"explain", "-o", inside}), {"-o", "error[cannot-write]", "Name a file inside"});
  check(attn_run({"explain", inside}), {"folder", "error[cannot-read]", "Name a file inside it."});
}

TEST_CASE("careless: documents and Git LFS pointers say what they are, wherever they are read") {
  const TemporaryFolder folder;
  struct File {
    std::string bytes;
    std::string what;
  };
  const File files[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
       "found a Git LFS pointer"},
      {"PK\x03\x04.[Content_Types].xml.xl/workbook.xml", "found a spreadsheet (.xlsx)"},
      {"PK\x03\x04." + std::string(200'000, '.') + "word/document.xml", "found a text document"},
      {"PK\x03\x04.mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
       "found a spreadsheet (.ods)"},
  };
  const std::string problem = folder.write("problem.json", R"({"q": [[1]], "k": [[1]], "v": [[1]],
      "vocabulary": {"w": [[1, 0]]}})");
  const std::string beside = folder.write("beside.json", R"({"q": {"file": "x.npy"}})");
  const std::string weights = folder.write("weights.json", R"({"embeddings": [[1]],
      "weights": {"file": "x.safetensors"}})");
  for (const File& file : files) {
    CAPTURE(file.what);
    for (const char* name : {"x", "x.json", "x.csv", "x.npy", "x.npz", "x.safetensors"}) {
      CAPTURE(name);
      const std::string path = folder.write(name, file.bytes);
      const bool archive = file.bytes.starts_with("PK") && std::string(name) == "x.npz";
      for (const std::vector<std::string>& args : {
               std::vector<std::string>{"explain", path},
               {"check", path, "--problem", problem},
               {"explain", problem, "--embeddings", path},
               {"explain", problem, "--tokenizer", path},
               {"exercise", "make", "--spec", path, "-o", folder.path("week")},
               {"exercise", "make", "--preset", "self", "--roster", path, "--new-salt",
                folder.path("salt"), "-o", folder.path("week")},
           }) {
        const Ran ran = attn_run(args);
        CHECK(ran.exit_code == 3);
        if (!archive) CHECK(has(unwrapped(ran.err), file.what));
      }
    }
    const std::string page = folder.write("x.html", file.bytes);
    CHECK(has(unwrapped(attn_run({"lesson", "--file", page}).err), file.what));
    CHECK(has(unwrapped(attn_run({"exercise", "make", "--preset", "self", "--web", page, "-o",
                                  folder.path("week")})
                            .err),
              file.what));
    CHECK(has(unwrapped(attn_run({"explain", beside}).err), file.what));
    CHECK(has(unwrapped(attn_run({"explain", weights}).err), file.what));
  }
  const Ran salt = attn_run({"exercise", "make", "--preset", "self", "--roster",
                             folder.write("roster.csv", "id\nann\n"), "--salt-file",
                             folder.write("salt", files[0].bytes), "-o", folder.path("week")});
  CHECK(salt.exit_code == 3);  // what lies in a repository is no secret
  CHECK(has(unwrapped(salt.err), "expected a salt, found a Git LFS pointer"));
}

TEST_CASE("careless: folders that may not be read, and links that lead nowhere, say so") {
  const AsNobody nobody;  // root may read everything
  const TemporaryFolder folder;
  const std::string week = folder.path("week");
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", week}).exit_code == 0);
  const std::string sheet = week + "/sheets/sheet.json", key = week + "/key";
  REQUIRE(fs::exists(sheet));
  fs::permissions(key, fs::perms::none);
  for (const std::vector<std::string>& args : {
           std::vector<std::string>{"exercise", "grade", week + "/sheets", "--key", week},
           {"exercise", "grade", week + "/sheets", "--key", key},
           {"check", sheet, "--key", key},
           {"exercise", "verify", week},
           {"exercise", "key", week},
           {"exercise", "export", week, "--format", "moodle-xml"},
           {"explain", key},
       }) {
    CAPTURE(args.back());
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 4);
    CHECK(has(unwrapped(ran.err), "/key\" cannot be read: Permission denied"));
    CHECK(has(unwrapped(ran.err), "chmod u+rX FOLDER."));
  }
  fs::permissions(key, fs::perms::owner_all);
  CHECK(has(unwrapped(attn_run({"check", sheet, "--key", folder.path("none")}).err),
            no_folder(folder.path("none"))));
  fs::create_symlink("nowhere", folder.path("link.json"));
  fs::create_symlink("loop.json", folder.path("loop.json"));
  for (const char* name : {"link.json", "loop.json"}) {
    const std::string path = folder.path(name);
    for (const std::vector<std::string>& args : {std::vector<std::string>{"explain", path},
                                                 {"check", path, "--key", key},
                                                 {"lesson", "--file", path}}) {
      const Ran ran = attn_run(args);
      CHECK(ran.exit_code == 4);
      CHECK(has(unwrapped(ran.err), std::string(name) + "\" is a link that leads nowhere fix"));
    }
  }
}

TEST_CASE("careless: names that are too long for the system, and addresses that are too long") {
  const TemporaryFolder folder;
  const std::string name(5000, 'x'), too_long = "File name too long";
  const std::string matrix = "{\"q\": {\"file\": \"" + name + ".npy\"}}";
  for (const std::vector<std::string>& args : {
           std::vector<std::string>{"explain", name},
           {"explain", "--embeddings", name},
           {"explain", "-o", name + ".html"},
           {"check", name},
           {"explain", folder.write("a.json", matrix)},
       }) {
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 4);
    CHECK(has(ran.err, too_long));
  }
  std::string commas, heads;
  for (int i = 0; i < 50'000; ++i) commas += "0,", heads += "head 0][";
  for (const std::string& cell : {"output:" + commas, commas, "output[" + heads + "0,0]"})
    CHECK(attn_run({"explain", "--cell", cell}).exit_code != 4);
}

TEST_CASE("careless: an option that takes a number takes no nan, and no infinity but -inf") {
  for (const char* option : {"--fill", "--scale", "--softcap"}) {
    CAPTURE(option);
    for (const char* value : {"nan", "NaN", "inf", "1e999"}) {
      CAPTURE(value);
      CHECK(attn_run({"explain", std::string(option) + "=" + value}).exit_code == 2);
    }
  }
  CHECK(attn_run({"explain", "--fill=-inf"}).exit_code == 0);
}
