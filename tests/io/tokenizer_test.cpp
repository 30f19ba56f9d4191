// Text as tokens: small tokenizers with every stage that a tokenizer.json may have.
#include "attn/io/tokenizer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

#include "attn/error.hpp"
#include "attn/io/samples.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

using namespace attn;
using attn::testing::has;

namespace {

using Ids = std::vector<Index>;
using Texts = std::vector<std::string>;

/// A tokenizer.json with these stages, and the model in JSON.
Tokenizer with(const std::string& model, const std::string& stages = "") {
  return Tokenizer::read("{" + stages + (stages.empty() ? "" : ", ") + "\"model\": " + model + "}",
                         "tokenizer.json");
}

/// WordPiece with these words, each an id from 0 on: shows how a text is split. What is none of
/// them is [?], id 0.
Tokenizer words(const Texts& known, const std::string& stages) {
  std::string vocab = "{\"[?]\": 0";
  for (std::size_t i = 0; i < known.size(); ++i)
    vocab += ", \"" + known[i] + "\": " + std::to_string(i + 1);
  return with(R"({"type": "WordPiece", "unk_token": "[?]", "continuing_subword_prefix": "",)"
              R"("max_input_chars_per_word": 100, "vocab": )" +
                  vocab + "}}",
              stages);
}

Texts tokens(const Tokenizer& tokenizer, const std::string& text) {
  Texts found;
  for (const Index id : tokenizer.encode(text)) found.push_back(tokenizer.token(id));
  return found;
}

std::string refusal(const std::string& text) {
  return testing::id_and_what(testing::refusal_from([&] { Tokenizer::read(text, "t.json"); }));
}

const std::string kBytes =
    R"({"type": "BPE", "vocab": {"c": 0, "a": 1, "t": 2, "Ġ": 3, "at": 4, "cat": 5, "Ġcat": 6, "ç": 7,
        "Į": 8, "«": 9, "s": 10, "'": 11, "'s": 12}, "merges": ["a t", "c at", "Ġ cat", "' s"]})";
const std::string kByteLevel =
    R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
       "decoder": {"type": "ByteLevel"})";

const std::string kMarks =
    R"({"type": "BPE", "byte_fallback": true, "fuse_unk": true, "unk_token": "<unk>", "vocab":
        {"<unk>": 0, "▁": 1, "a": 2, "b": 3, "▁a": 4, "ab": 5, "▁ab": 6, "<0xE7>": 7, "<0x8C>": 8,
         "<0xAB>": 9}, "merges": [["▁", "a"], ["a", "b"], ["▁a", "b"], ["▁", "ab"]]})";

}  // namespace

TEST_CASE("tokens: byte-level BPE merges in the order learned, and spaces belong to words") {
  const Tokenizer tokenizer = with(kBytes, kByteLevel);
  CHECK(tokenizer.encode("cat") == Ids{5});
  CHECK(tokenizer.encode(" cat") == Ids{6});
  CHECK(tokenizer.encode("cat cat's") == Ids{5, 6, 12});
  CHECK(tokenizer.encode("猫") == Ids{7, 8, 9});
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.decode(tokenizer.encode("cat 猫's")) == "cat 猫's");
  CHECK(tokenizer.decode(Ids{7, 8}) == "\uFFFD");  // the beginning of a character
  CHECK(tokenizer.shown(6) == "␣cat");
  CHECK(tokenizer.shown(7) == "<0xE7>");
  CHECK(tokenizer.encode("x").empty());  // without an unknown token, it is dropped
}

TEST_CASE("tokens: a whole piece that is a token is not merged, where the file says so") {
  const std::string model =
      R"({"type": "BPE", "ignore_merges": WHOLE, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": []})";
  const auto ids = [&](const std::string& whole) {
    std::string text = model;
    return with(text.replace(text.find("WHOLE"), 5, whole)).encode("ab");
  };
  CHECK(ids("false") == Ids{0, 1});
  CHECK(ids("true") == Ids{2});
}

TEST_CASE("tokens: of two merges with the same rank the left one is first") {
  const Tokenizer tokenizer =
      with(R"({"type": "BPE", "vocab": {"a": 0, "aa": 1, "aaaa": 2}, "merges": ["a a", "aa aa"]})");
  CHECK(tokenizer.encode("aaa") == Ids{1, 0});
  CHECK(tokenizer.encode("aaaaaaa") == Ids{2, 1, 0});
}

TEST_CASE("tokens: marks for spaces, and bytes for what is not in the vocabulary") {
  const Tokenizer tokenizer = with(
      kMarks,
      R"("normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
                   {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
                 "decoder": {"type": "Sequence", "decoders": [
                   {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                   {"type": "ByteFallback"}, {"type": "Fuse"},
                   {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})");
  CHECK(tokenizer.encode("ab") == Ids{6});
  CHECK(tokenizer.encode("ab ab") == Ids{6, 6});
  CHECK(tokenizer.encode("猫") == Ids{1, 7, 8, 9});
  CHECK(tokenizer.encode("犬犬") == Ids{1, 0});  // unknown ones next to each other are one
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.decode(tokenizer.encode("ab 猫")) == "ab 猫");
  CHECK(tokenizer.decode(Ids{4, 7, 8}) == "a\uFFFD\uFFFD");
}

TEST_CASE("tokens: letters inside a word and at its end may be tokens of their own") {
  const Tokenizer suffix = with(
      R"({"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {"a": 0, "b</w>": 1, "ab</w>": 2,
          "a</w>": 3}, "merges": ["a b</w>"]})",
      R"("pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": {"type": "BPEDecoder"})");
  CHECK(suffix.encode("ab a") == Ids{2, 3});
  CHECK(suffix.decode(Ids{2, 3}) == "ab a");
  const Tokenizer prefix = with(
      R"({"type": "BPE", "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "ab": 2},
          "merges": ["a ##b"]})");
  CHECK(prefix.encode("ab") == Ids{2});
}

TEST_CASE("tokens: WordPiece takes the longest token that fits, as BERT does") {
  const Tokenizer tokenizer = with(
      R"({"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2,
          "un": 3, "##aff": 4, "##able": 5, "cafe": 6, "!": 7, "猫": 8, "##a": 9, "don": 10,
          "'": 11, "t": 12}})",
      R"("normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
           "strip_accents": null, "lowercase": true},
         "pre_tokenizer": {"type": "BertPreTokenizer"},
         "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
         "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true})");
  CHECK(tokenizer.encode("unaffable") == Ids{1, 3, 4, 5, 2});
  CHECK(tokenizer.encode("CAFÉ!") == Ids{1, 6, 7, 2});
  CHECK(tokenizer.encode("cafe\u0301\t\x01!") == Ids{1, 6, 7, 2});
  CHECK(tokenizer.encode("猫猫") == Ids{1, 8, 8, 2});
  CHECK(tokenizer.encode("unx cafe") == Ids{1, 0, 6, 2});  // all of the word is unknown
  CHECK(tokenizer.encode("don't") == Ids{1, 10, 11, 12, 2});
  CHECK(tokenizer.encode("", true) == Ids{1, 2});
  CHECK(tokenizer.encode("", false).empty());
  CHECK(tokenizer.encode(std::string(101, 't')) == Ids{1, 0, 2});  // more than 100 letters
  CHECK(tokenizer.decode(Ids{3, 4, 5, 7}) == "unaffable!");
}

TEST_CASE("tokens: normal forms, lower case, accents and white space") {
  const auto normalized = [](const std::string& normalizer, const std::string& text,
                             const std::string& expected) {
    const Tokenizer tokenizer = words({expected}, "\"normalizer\": " + normalizer);
    CHECK_MESSAGE(tokenizer.encode(text) == Ids{1}, normalizer << ": " << text);
  };
  normalized(R"({"type": "NFC"})", "e\u0301", "\u00e9");
  normalized(R"({"type": "NFC"})", "ﬁ", "ﬁ");
  normalized(R"({"type": "NFD"})", "\u00e9", "e\u0301");
  normalized(R"({"type": "NFKC"})", "ﬁe\u0301", "fi\u00e9");
  normalized(R"({"type": "NFKD"})", "ﬁ\u00e9", "fie\u0301");
  normalized(R"({"type": "Lowercase"})", "ÀΣx", "àσx");
  normalized(R"({"type": "Strip", "strip_left": true, "strip_right": true})", " \u3000x y\n",
             "x y");
  normalized(R"({"type": "Strip", "strip_left": false, "strip_right": true})", " x ", " x");
  normalized(R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})",
             "éà", "ea");
  normalized(R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": true,
                 "handle_chinese_chars": false})",
             "É猫", "E猫");
}

TEST_CASE("tokens: where a text is split, and what becomes of what it is split at") {
  const auto pieces = [](const std::string& pre_tokenizer, const std::string& text,
                         const Texts& expected) {
    Texts known = expected;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const Tokenizer tokenizer = words(known, "\"pre_tokenizer\": " + pre_tokenizer);
    Texts found;
    for (const Index id : tokenizer.encode(text)) found.push_back(tokenizer.token(id));
    CHECK_MESSAGE(found == expected, pre_tokenizer);
  };
  pieces(R"({"type": "Whitespace"})", "it's  3.5 猫!", {"it", "'", "s", "3", ".", "5", "猫", "!"});
  pieces(R"({"type": "WhitespaceSplit"})", " it's\t\n3 ", {"it's", "3"});
  pieces(R"({"type": "BertPreTokenizer"})", "it's $3--4",
         {"it", "'", "s", "$", "3", "-", "-", "4"});
  pieces(R"({"type": "Punctuation"})", "a--b", {"a", "-", "-", "b"});
  pieces(R"({"type": "Punctuation", "behavior": "Contiguous"})", "a--b", {"a", "--", "b"});
  pieces(R"({"type": "Punctuation", "behavior": "Removed"})", "a--b", {"a", "b"});
  pieces(R"({"type": "Digits", "individual_digits": true})", "a12٣", {"a", "1", "2", "٣"});
  pieces(R"({"type": "Digits", "individual_digits": false})", "a12b", {"a", "12", "b"});
  const auto split = [&](const std::string& behavior, bool invert, const Texts& expected) {
    pieces(R"({"type": "Split", "pattern": {"String": "-"}, "behavior": ")" + behavior +
               R"(", "invert": )" + (invert ? "true" : "false") + "}",
           "a--bc-", expected);
  };
  split("Isolated", false, {"a", "-", "-", "bc", "-"});
  split("Removed", false, {"a", "bc"});
  split("MergedWithPrevious", false, {"a-", "-", "bc-"});
  split("MergedWithNext", false, {"a", "-", "-bc", "-"});
  split("Contiguous", false, {"a", "--", "bc", "-"});
  split("Removed", true, {"-", "-", "-"});
  pieces(R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})", "a b  c",
         {"▁a", "▁b", "▁", "▁c"});
  pieces(R"({"type": "Metaspace", "prepend_scheme": "never", "split": false})", "a b", {"a▁b"});
  pieces(R"({"type": "Metaspace", "add_prefix_space": true})", "a", {"▁a"});
  pieces(R"({"type": "ByteLevel", "add_prefix_space": true, "use_regex": true})", "a\n 猫",
         {"Ġa", "Ċ", "ĠçĮ«"});
  pieces(R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})", "a b", {"aĠb"});
  pieces(
      R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Digits"}]})",
      "a1 b", {"a", "1", "b"});
}

TEST_CASE("tokens: \"first\" adds a space only where the text begins") {
  const Tokenizer tokenizer =
      words({"▁a", "a"},
            R"("pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "first"},
         "added_tokens": [{"id": 9, "content": "<s>", "special": true, "normalized": false}])");
  CHECK(tokens(tokenizer, "a") == Texts{"▁a"});
  CHECK(tokens(tokenizer, "a<s>a") == Texts{"▁a", "<s>", "a"});
  CHECK(tokens(tokenizer, "<s>a") == Texts{"<s>", "a"});
}

TEST_CASE("tokens: added tokens are found before the text is split, the longest first") {
  const Tokenizer tokenizer =
      words({"a", "b", "ab", "x"},
            R"("normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "WhitespaceSplit"},
         "added_tokens": [
           {"id": 20, "content": "<e>", "special": true, "normalized": false},
           {"id": 21, "content": "<e><e>", "special": true, "normalized": false},
           {"id": 22, "content": "<L>", "lstrip": true, "normalized": false},
           {"id": 23, "content": "<R>", "rstrip": true, "normalized": false},
           {"id": 24, "content": "ONE", "single_word": true, "normalized": false},
           {"id": 25, "content": "Low", "normalized": true}])");
  CHECK(tokenizer.encode("ab<e>ab") == Ids{3, 20, 3});
  CHECK(tokenizer.encode("<e><e><e>") == Ids{21, 20});
  CHECK(tokenizer.encode("<E>") == Ids{0});  // as written only
  CHECK(tokenizer.encode("lOW") == Ids{25});
  CHECK(tokenizer.encode("ONE, ONEx") != tokenizer.encode("ONE, ONE"));
  CHECK(tokenizer.encode("ONE x") == Ids{24, 4});
  CHECK(tokenizer.encode("ONEx") == Ids{0});
  CHECK(tokenizer.encode("xONE") == Ids{0});
  // White space next to these is theirs.
  const Tokenizer spaces =
      words({"\\u2581"},
            R"("normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
         "added_tokens": [{"id": 22, "content": "<L>", "lstrip": true, "normalized": false},
                          {"id": 23, "content": "<R>", "rstrip": true, "normalized": false}])");
  CHECK(spaces.encode(" <L> ") == Ids{22, 1});
  CHECK(spaces.encode(" <R> ") == Ids{1, 23});
}

TEST_CASE("tokens: templates add the special tokens of a model") {
  const std::string special =
      R"("special_tokens": {"<s>": {"id": "<s>", "ids": [5, 6], "tokens": ["<s>", "<t>"]},
                            "</s>": {"id": "</s>", "ids": [7], "tokens": ["</s>"]}})";
  const std::string processor =
      R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
          {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
          "pair": [], )" +
      special + "}";
  CHECK(words({"a"}, "\"post_processor\": " + processor).encode("a") == Ids{5, 6, 1, 7});
  CHECK(words({"a"},
              R"("post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"}, )" +
                  processor + "]}")
            .encode("a") == Ids{5, 6, 1, 7});
  CHECK(words({"a"}, R"("post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2],
                        "cls": ["<s>", 3]})")
            .encode("a") == Ids{3, 1, 2});
}

TEST_CASE("tokens: Metaspace decodes to spaces, without the first") {
  const Tokenizer tokenizer = words({"▁a", "b▁"}, R"("decoder": {"type": "Metaspace"})");
  CHECK(tokenizer.decode(Ids{1, 2, 1}) == "ab  a");
  CHECK(words({"a"}, "\"decoder\": null").decode(Ids{1, 1}) == "a a");
}

TEST_CASE("tokens: WordPiece leaves spaces before signs where the file does not clean up") {
  const auto decoded = [](const std::string& cleanup) {
    return words({"a", "!"}, R"("decoder": {"type": "WordPiece", "cleanup": )" + cleanup + "}")
        .decode(Ids{1, 2});
  };
  CHECK(decoded("true") == "a!");
  CHECK(decoded("false") == "a !");
}

TEST_CASE("tokens: what attn does not have is refused by name") {
  CHECK(has(refusal(R"({"model": {"type": "Unigram", "vocab": [["a", -1]]}})"),
            "not-supported: attn does not have the model \"Unigram\""));
  CHECK(has(refusal(R"({"model": {"vocab": [["a", -1]]}})"), "Unigram"));
  const auto stage = [](const std::string& stages) {
    return refusal("{" + stages + R"(, "model": {"type": "BPE", "vocab": {}, "merges": []}})");
  };
  CHECK(has(stage(R"("normalizer": {"type": "Precompiled"})"), "the normalizer \"Precompiled\""));
  CHECK(has(stage(R"("pre_tokenizer": {"type": "UnicodeScripts"})"), "\"UnicodeScripts\""));
  CHECK(has(stage(R"("pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+b"}})"),
            "the pattern (a+)+b"));
  CHECK(has(stage(R"("pre_tokenizer": {"type": "Split", "pattern": {"String": "a"},
                     "behavior": "Odd"})"),
            "\"Odd\""));
  CHECK(has(stage(R"("decoder": {"type": "CTC"})"), "the decoder \"CTC\""));
  CHECK(has(stage(R"("post_processor": {"type": "Odd"})"), "\"Odd\""));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "dropout": 0.1, "vocab": {}, "merges": []}})"),
            "at random"));
}

TEST_CASE("tokens: a damaged file is an error that says where") {
  CHECK(has(refusal("{}"), "missing-key"));
  CHECK(has(refusal("[]"), "missing-key"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {}}})"), "missing-key"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": [], "merges": []}})"), "wrong-type"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}})"),
            "out-of-range"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 1e9}, "merges": []}})"),
            "out-of-range"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a a"]}})"),
            "unknown-token: the merge needs the token \"aa\""));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a"]}})"),
            "wrong-type"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", 1]]}})"),
            "wrong-type"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [1, 2]}})"),
            "wrong-type"));
  CHECK(has(refusal(R"({"model": {"type": "BPE", "unk_token": "u", "vocab": {}, "merges": []}})"),
            "unknown-token"));
  CHECK(has(refusal(R"({"added_tokens": [{"id": 2000000000, "content": "a"}],
                        "model": {"type": "BPE", "vocab": {}, "merges": []}})"),
            "out-of-range"));
  CHECK(has(refusal(R"({"added_tokens": [{"id": 1, "content": ")" + std::string(2000, 'a') + R"("}],
                        "model": {"type": "BPE", "vocab": {}, "merges": []}})"),
            "out-of-range"));
  const auto added = [](const std::string& tokens) {
    return refusal(R"({"added_tokens": [)" + tokens +
                   R"(], "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}})");
  };
  CHECK(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 3, "b": 3}, "merges": []}})") ==
        "duplicate-id: two tokens have the id 3: \"a\" and \"b\"");
  CHECK(added(R"({"id": 0, "content": "x"})") ==
        "duplicate-id: two tokens have the id 0: \"a\" and \"x\"");
  CHECK(added(R"({"id": 5, "content": "x"}, {"id": 5, "content": "y"})") ==
        "duplicate-id: two tokens have the id 5: \"x\" and \"y\"");
  CHECK(added(R"({"id": 5, "content": "b"})") ==
        "duplicate-id: the added token \"b\" has the id 5, but 1 in the vocabulary");
  CHECK(added(R"({"id": 1, "content": "b"}, {"id": 2, "content": "x"})") == "");
  CHECK(has(refusal(R"({"model": {"type": "WordPiece", "max_input_chars_per_word": 1000000,
                        "vocab": {}}})"),
            "out-of-range"));
  const Tokenizer tokenizer = words({"a"}, "\"decoder\": null");
  CHECK_THROWS_AS(tokenizer.decode(Ids{2}), Error);
  CHECK_THROWS_AS(tokenizer.decode(Ids{-1}), Error);
  CHECK_THROWS_AS(tokenizer.token(1 << 30), Error);
}

TEST_CASE("tokens: a long word takes no longer than many short ones" *
          doctest::test_suite("long")) {
  const std::string model =
      R"({"type": "BPE", "vocab": {"a": 0, "aa": 1, "aaaa": 2}, "merges": ["a a", "aa aa"]})";
  const auto seconds = [](const Tokenizer& tokenizer, const std::string& text) {
    const auto begin = std::chrono::steady_clock::now();
    CHECK(!tokenizer.encode(text).empty());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const std::string text(1 << 20, 'a');
  CHECK(seconds(with(model), text) < 20);
  CHECK(seconds(with(model, kByteLevel), text) < 20);
  CHECK(seconds(with(kBytes, kByteLevel), std::string(1 << 20, ' ')) < 20);
  CHECK(seconds(words({"a", "aa"}, "\"pre_tokenizer\": {\"type\": \"Whitespace\"}"), text) < 20);
}

TEST_CASE("tokens: replacing that never stops growing is refused" * doctest::test_suite("long")) {
  std::string steps;
  for (int i = 0; i < 10; ++i) {  // beyond the limit after the fifth
    steps += (i ? ", " : "") +
             std::string(R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")") +
             std::string(64, 'a') + R"("})";
  }
  const Tokenizer tokenizer =
      words({"a"}, R"("normalizer": {"type": "Sequence", "normalizers": [)" + steps + "]}");
  CHECK_THROWS_AS(tokenizer.encode("a"), Error);
}

TEST_CASE("tokens: any bytes can be a text") {
  const Tokenizer tokenizer = Tokenizer::read(sample_tokenizers().front().text, "english");
  CHECK(tokenizer.decode(tokenizer.encode("a\xFF\xE7\x8Cz\xF0\x9F")) == "a\uFFFD\uFFFDz\uFFFD");
  std::string all;
  for (int byte = 0; byte < 128; ++byte) all += static_cast<char>(byte);
  all += "éí猫🙂\u202e";  // í ends with the byte AD, which is no visible letter
  CHECK(tokenizer.decode(tokenizer.encode(all)) == all);
}

TEST_CASE("tokens: the English tokenizer that ships keeps common words whole") {
  const Tokenizer tokenizer = Tokenizer::read(sample_tokenizers().front().text, "english");
  CHECK(tokens(tokenizer, "The cat sat on the mat.") ==
        Texts{"The", "Ġcat", "Ġsat", "Ġon", "Ġthe", "Ġmat", "."});
  CHECK(tokenizer.encode("cat") != tokenizer.encode(" cat"));
  CHECK(tokenizer.encode("<|endoftext|>") == Ids{tokenizer.size() - 1});
}
