// attn tokens: what it prints, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

TEST_CASE("attn tokens: each token with its text, its name in the vocabulary and its id") {
  const Ran ran = attn_run({"tokens", "The cat sat"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "3 tokens · 11 bytes"));
  CHECK(has(ran.out, "0  The   The    299\n1  ␣cat  Ġcat   574\n2  ␣sat  Ġsat   551\n"));
  const Ran bytes = attn_run({"tokens", "猫🙂\n"});
  CHECK(has(bytes.out, "<0xE7>"));
  CHECK(has(bytes.out, "<0x82>"));
  CHECK(has(bytes.out, "\\n"));
  CHECK(has(attn_run({"tokens", ""}).out, "0 tokens · 0 bytes"));
  CHECK(attn_run({"tokens", "猫", "--ascii"}).exit_code == 0);
}

TEST_CASE("attn tokens: JSON to the letter, and the way back") {
  const Ran ran = attn_run({"tokens", "a cat", "--json"});
  CHECK(has(ran.out, "\"format\": \"attn.tokens\", \"format_version\": \"1.0\""));
  CHECK(has(ran.out, "\"ids\": [64, 574],"));
  CHECK(has(ran.out, "\"tokens\": [\"a\", \"Ġcat\"],"));
  CHECK(has(ran.out, "\"shown\": [\"a\", \"␣cat\"],"));
  CHECK(has(ran.out, "\"text\": \"a cat\",\n  \"notes\": []"));
  const Ran back = attn_run({"tokens", "--decode", "64, 574"});
  CHECK(back.exit_code == 0);
  CHECK(has(back.out, "\n  a cat\n"));
  CHECK(has(attn_run({"tokens", "--decode", "64,198,574"}).out, "\n  a\n   cat\n"));
  for (const char* same : {"64 574", "[64, 574]", "64,574,"})
    CHECK(attn_run({"tokens", "--decode", same}).out == back.out);
}

TEST_CASE("attn help text: what the page says about its commands is so") {
  const std::string page = attn_run({"help", "text"}).out;
  const auto rows = [&](std::vector<std::string> args) {
    std::string command = "attn tokens";
    for (const std::string& each : args)
      command += " " + (has(each, " ") ? "\"" + each + "\"" : each);
    CHECK_MESSAGE(has(page, command + "\n"), command);
    args.insert(args.begin(), "tokens");
    const std::string out = attn_run(args).out;
    return out.substr(out.find("id\n") + 3);
  };
  CHECK(rows({" cat"}) == "0  ␣cat  Ġcat   574\n");
  CHECK(rows({"cat"}) == "0  c     c       66\n1  at    at     266\n");
  const std::string bytes = rows({"猫🙂"});
  CHECK(std::count(bytes.begin(), bytes.end(), '\n') == 7);
  for (const char* each : {"<0xE7>", "<0x8C>", "<0xAB>"}) CHECK(has(bytes, each));
  CHECK(has(attn_run({"tokens", "--decode", "163,234"}).out, "\n  \uFFFD\n"));
  CHECK(has(attn_run({"tokens", "--decode", "66,266,82"}).out, "\n  cats\n"));
}

TEST_CASE("attn tokens: standard input is read as it is") {
  const Ran ran = attn_run({"tokens", "-", "--json"}, "a\n");
  CHECK(has(ran.out, "\"ids\": [64, 198]"));
}

TEST_CASE("attn tokens: --max-memory counts the text and the tokenizer") {
  const TemporaryFolder folder;
  std::string words = R"("[UNK]": 0)";
  for (int i = 1; i < 100000; ++i)
    words += ", \"a" + std::to_string(i) + "\": " + std::to_string(i);
  const std::string vocabulary = folder.write(
      "tokenizer.json",
      R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {)" + words + "}}}");
  const auto with = [&](const std::string& limit) {
    return attn_run({"tokens", "cat", "--tokenizer", vocabulary, "--max-memory", limit});
  };
  CHECK(with("256M").exit_code == 0);
  CHECK(with("1M").exit_code == 3);
  CHECK(has(with("1M").err, "error[too-large]"));
  CHECK(attn_run({"tokens", "-"}, std::string(4000, 'a')).exit_code == 0);
  CHECK(attn_run({"tokens", "-", "--max-memory", "1K"}, std::string(4000, 'a')).exit_code == 3);
  CHECK(has(usage({"tokens", "cat", "--max-memory", "much"}), "--max-memory"));
}

TEST_CASE("attn tokens: one note says that bytes are not UTF-8") {
  const Ran ran = attn_run({"tokens", "-"}, "a cat\xFF\xE7\x8C");
  CHECK(ran.exit_code == 0);
  CHECK(has(unwrapped(ran.out),
            "note: 3 bytes of this text are not UTF-8; the first, 0xFF, comes after 5 bytes. "
            "U+FFFD is in their place."));
  CHECK(ran.out.find("note:") == ran.out.rfind("note:"));
  CHECK(has(attn_run({"tokens", "-"}, "\xFF").out, "1 byte of this text is not UTF-8"));
  CHECK(has(attn_run({"tokens", "-", "--json"}, "\xFF").out, "\"notes\": [\"1 byte of this"));
  CHECK_FALSE(has(attn_run({"tokens", "a 猫 🙂 \xEF\xBF\xBD"}).out, "note:"));  // U+FFFD itself
}

TEST_CASE("attn tokens: a note says which characters the tokens do not keep") {
  const TemporaryFolder folder;
  folder.write("tokenizer.json", R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab":
      {"[UNK]": 0, "caf": 1, "##e": 2, "the": 3, "'": 4, "!": 5}}, "normalizer": {"type":
      "BertNormalizer", "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
      "decoder": {"type": "WordPiece"}})");
  const auto noted = [&](const std::string& text) {
    const Ran ran = attn_run({"tokens", text, "--tokenizer", folder.path("")});
    CHECK(ran.exit_code == 0);
    const std::string out = unwrapped(ran.out);
    return has(out, "note:") ? out.substr(out.find("note:")) : "";
  };
  CHECK(has(noted("The CAFÉ"),
            "do not keep all of the text. Lost: T, C, A, F, É. Decoded, they "
            "are \"the cafe\"."));
  CHECK(has(noted("UN 🙂"),
            "Lost: U, N, 🙂. Decoded, they are \"[UNK] [UNK]\"."));  // not in [UNK]
  CHECK(has(noted("cafe\u0301\n"), "Lost: ◌\u0301, \\n."));
  CHECK(has(noted("the!cafe"), "Decoded, these tokens are not quite the same text: \"the! cafe\""));
  CHECK(noted("the cafe").empty());
}

TEST_CASE("attn tokens: the tokenizer of a model, from its file or its folder") {
  const TemporaryFolder folder;
  folder.write("tokenizer.json", R"({"model": {"type": "WordPiece", "unk_token": "?",
      "vocab": {"?": 0, "a": 1, "##b": 2}}, "pre_tokenizer": {"type": "Whitespace"}})");
  for (const std::string& path : {folder.path(""), folder.path("tokenizer.json")})
    CHECK(
        has(attn_run({"tokens", "ab c", "--tokenizer", path, "--json"}).out, "\"ids\": [1, 2, 0]"));
  folder.write("other.json", R"({"model": {"type": "Unigram", "vocab": []}})");
  const Ran refused = attn_run({"tokens", "a", "--tokenizer", folder.path("other.json")});
  CHECK(refused.exit_code == 3);
  CHECK(has(refused.err, "not-supported"));
  CHECK(has(refused.err, "Unigram"));
  CHECK(attn_run({"tokens", "a", "--tokenizer", folder.path("none.json")}).exit_code == 4);
}

TEST_CASE("attn tokens: wrong command lines say what to write") {
  CHECK(attn_run({"tokens"}).exit_code == 2);
  const Ran two = attn_run({"tokens", "the", "cat"});
  CHECK(two.exit_code == 2);
  CHECK(has(two.err, "attn tokens \"the cat\""));
  CHECK(attn_run({"tokens", "a", "--decode", "1"}).exit_code == 2);
  CHECK(attn_run({"tokens", "--decode", "x"}).exit_code == 2);
  CHECK(attn_run({"tokens", "--decode", "-1"}).exit_code == 2);
  const Ran beyond = attn_run({"tokens", "--decode", "99999"});
  CHECK(beyond.exit_code == 3);
  CHECK(has(beyond.err, "no token of this tokenizer has the id 99999"));
}
