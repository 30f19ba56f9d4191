// How many cells text takes: East Asian characters, emoji, broken UTF-8.
#include "render/terminal/width.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/render/text.hpp"

using attn::cut;
using attn::display_width;
using attn::to_ascii;
using attn::visible;

namespace {

const std::string kAccent = "e\u0301";                              // é as two code points
const std::string kFamily = "👩\u200D👩\u200D👧";                      // joined by ZWJ
const std::string kHeart = "❤\uFE0F";                               // with emoji style
const std::string kHan = "\u1112\u1161\u11AB";                      // 한 as three Hangul letters
const std::string kWave = "👋\U0001F3FD";                            // with skin tone
const std::string kRainbow = "🏳\uFE0F\u200D🌈";                // a narrow base, widened
const std::string kEngland = "🏴\U000E0067\U000E0062\U000E007F";  // a flag spelled in tags

std::vector<std::string> clusters(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    parts.emplace_back(attn::first_cluster(text).text);
    text.remove_prefix(parts.back().size());
  }
  return parts;
}

}  // namespace

TEST_CASE("width: plain ASCII takes one cell for each byte") {
  CHECK(display_width("") == 0);
  CHECK(display_width("cat") == 3);
  CHECK(display_width(" ~") == 2);
}

TEST_CASE("width: East Asian wide and fullwidth characters take two cells") {
  CHECK(display_width("猫") == 2);
  CHECK(display_width("한") == 2);
  CHECK(display_width("Ａ") == 2);
  CHECK(display_width("、") == 2);
  CHECK(display_width("ｱ") == 1);  // halfwidth
  CHECK(display_width("玩机器学习") == 10);
}

TEST_CASE("width: ambiguous symbols take one cell") {
  for (const char* symbol : {"·", "×", "√", "∞", "…", "→", "α", "█", "▒", "−", "ᵀ", "│"}) {
    CAPTURE(symbol);
    CHECK(display_width(symbol) == 1);
  }
}

TEST_CASE("width: for other terminals ambiguous symbols take two cells, all else stays") {
  const attn::Ruler wide{.ambiguous = 2};
  for (const char* symbol : {"·", "×", "√", "∞", "…", "→", "α", "Γ", "█", "▒", "│", "①", "′", "é",
                             "“", "♀", "™", "\uFFFD", "α\u0301"}) {
    CAPTURE(symbol);
    CHECK(display_width(symbol) == 1);
    CHECK(wide.width(symbol) == 2);
  }
  for (const char* symbol :
       {"a", "−", "ᵀ", "░", "e\u0301", "\u0301", "\u00AD", "ｱ", "猫", "🙂", "🇯🇵", "❤", "قط"}) {
    CAPTURE(symbol);
    CHECK(wide.width(symbol) == display_width(symbol));
  }
  CHECK(wide.width("♀\uFE0F") == 2);
  CHECK(clusters("👩\u200D♀").size() == 1);
  CHECK(wide.pad_left("·", 4) == "  ·");
  CHECK(wide.pad_right("·", 4) == "·  ");
  CHECK(wide.cut("αβγδ", 7, "…") == "αβ…");
}

TEST_CASE("width: marks and invisible characters take no cell") {
  CHECK(display_width(kAccent) == 1);
  CHECK(display_width("é") == 1);
  CHECK(display_width("\u0301") == 0);
  CHECK(display_width("\u200B") == 0);
  CHECK(display_width("\u200D") == 0);
  CHECK(display_width("\uFEFF") == 0);
  CHECK(display_width("\u202E") == 0);
  CHECK(display_width("\n\t\x1b\x7f") == 0);
}

TEST_CASE("width: Arabic and Devanagari count their letters, not their marks") {
  CHECK(display_width("قط") == 2);
  CHECK(display_width("قِطّ") == 2);
  CHECK(display_width("\u0915\u094D") == 1);  // letter with virama
  CHECK(display_width("\u0915\u093F") == 2);  // letter with a vowel sign of its own width
}

TEST_CASE("width: a cluster takes at most two cells") {
  for (const std::string& text : {std::string("🙂"), std::string("🇯🇵"), kFamily, kHeart, kHan,
                                  kWave, kRainbow, kEngland, std::string("1\uFE0F\u20E3")}) {
    CAPTURE(text);
    CHECK(display_width(text) == 2);
    CHECK(clusters(text).size() == 1);
  }
  CHECK(display_width("❤") == 1);
  CHECK(display_width("猫\uFE0F") == 2);
  CHECK(display_width("a\uFE0F") == 1);
}

TEST_CASE("width: neighbouring clusters stay apart") {
  CHECK(clusters("🇯🇵🇫🇷") == std::vector<std::string>{"🇯🇵", "🇫🇷"});
  CHECK(clusters("🇯🇵🇫") == std::vector<std::string>{"🇯🇵", "🇫"});
  CHECK(clusters("🙂🙂") == std::vector<std::string>{"🙂", "🙂"});
  CHECK(clusters("a\u200D🙂") == std::vector<std::string>{"a\u200D", "🙂"});
  CHECK(clusters(kHan + kHan) == std::vector<std::string>{kHan, kHan});
  CHECK(clusters("가\u11A8각\u11A8") == std::vector<std::string>{"가\u11A8", "각\u11A8"});
  CHECK(clusters("각\u1161") == std::vector<std::string>{"각", "\u1161"});
  CHECK(clusters("\u06001") == std::vector<std::string>{"\u06001"});  // Arabic number sign
  CHECK(clusters("\u200B\u0301") == std::vector<std::string>{"\u200B", "\u0301"});
}

TEST_CASE("width: bytes that are not UTF-8 count as replacement characters") {
  CHECK(display_width("\xFF") == 1);
  CHECK(display_width("a\x80\x80z") == 4);
  CHECK(display_width("\xE7\x8C") == 1);          // 猫 without its last byte
  CHECK(display_width("\xC0\xAF") == 2);          // overlong
  CHECK(display_width("\xED\xA0\x80") == 3);      // surrogate
  CHECK(display_width("\xF4\x90\x80\x80") == 4);  // beyond U+10FFFF
  CHECK(display_width("\xE7猫") == 3);
}

TEST_CASE("width: padded labels of any script are equally wide") {
  for (const std::string& token :
       {std::string("cat"), std::string("猫"), kAccent, std::string("🙂"), std::string("🇯🇵"),
        kFamily, kHeart, kHan, std::string("قط")}) {
    CAPTURE(token);
    CHECK(display_width(attn::pad_left(token, 8) + "1.000") == 13);
    CHECK(display_width(attn::pad_right(token, 8) + "1.000") == 13);
  }
  CHECK(attn::pad_left("ab", 4) == "  ab");
  CHECK(attn::pad_right("ab", 4) == "ab  ");
  CHECK(attn::pad_left("longer", 4) == "longer");
  CHECK(attn::pad_right("", -1) == "");
}

TEST_CASE("fit: what fits is left alone, what does not ends in the ellipsis") {
  CHECK(cut("attention", 9, "…") == "attention");
  CHECK(cut("attention", 8, "…") == "attenti…");
  CHECK(cut("attention", 8, "...") == "atten...");
  CHECK(cut("attention", 1, "…") == "…");
  CHECK(cut("attention", 2, "...") == "at");
  CHECK(cut("attention", 0, "…") == "");
  CHECK(cut("attention", -3, "…") == "");
  CHECK(cut("", -1, "…") == "");
}

TEST_CASE("fit: clusters are never cut in two") {
  CHECK(cut("猫猫猫", 5, "…") == "猫猫…");
  CHECK(cut("猫猫猫", 4, "…") == "猫…");
  CHECK(cut(kFamily + kFamily, 3, "…") == kFamily + "…");
  CHECK(cut(kFamily + kFamily, 2, "…") == "…");
  CHECK(cut("🇯🇵🇫🇷🇩🇪", 5, "~") == "🇯🇵🇫🇷~");
  CHECK(cut(kAccent + kAccent + kAccent, 2, "…") == kAccent + "…");
}

TEST_CASE("visible: control characters become escapes") {
  CHECK(visible("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(visible("\x1b[2J") == "\\e[2J");
  CHECK(visible("\x07") == "\\x07");
  CHECK(visible(std::string_view("\0\x7f", 2)) == "\\x00\\x7f");
  CHECK(visible("\u0085\u009b") == "\\u{85}\\u{9b}");
  CHECK(visible("\u2028") == "\\u{2028}");
}

TEST_CASE("visible: direction controls and zero-width spaces become escapes") {
  CHECK(visible("a\u202Eb") == "a\\u{202e}b");
  CHECK(visible("\u2066\u2069\u200E\u200F\u061C") ==
        "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}");
  CHECK(visible("\u200B\uFEFF") == "\\u{200b}\\u{feff}");
}

TEST_CASE("visible: bytes that are not UTF-8 become replacement characters") {
  CHECK(visible("a\xFFz") == "a\uFFFDz");
  CHECK(visible("\xE7\x8C") == "\uFFFD");
  CHECK(visible("\x9B[2J") == "\uFFFD[2J");  // CSI in Latin-1
}

TEST_CASE("visible: readable text of any script is left alone") {
  for (const std::string& text : {std::string("the cat"), std::string("C:\\new"), kAccent, kFamily,
                                  kHeart, kHan, std::string("قِطّ 猫 🇯🇵 \uFFFD")}) {
    CHECK(visible(text) == text);
  }
}

TEST_CASE("to_ascii: our symbols are spelled out") {
  CHECK(to_ascii("Q·Kᵀ / √d_k → 4×4") == "Q*K^T / sqrt(d_k) -> 4x4");
  CHECK(to_ascii("4 tokens · d_k 2") == "4 tokens | d_k 2");
  CHECK(to_ascii("X  ·  W ") == "X  *  W ");
  CHECK(to_ascii("√2 √(a + b) 2√ √d_k. √2.5") == "sqrt(2) sqrt(a + b) 2sqrt sqrt(d_k). sqrt(2.5)");
  CHECK(to_ascii("S″ = softcap(S′)") == "S'' = softcap(S')");
  CHECK(to_ascii("S′ ≤ −∞ … x₁₀ A ∘ M") == "S' <= -inf ... x10 A * M");
  CHECK(to_ascii("Σ ≥ ≠ ≈ ± – — “a” ‘b’") == "sum >= != ~= +- - - \"a\" 'b'");
}

TEST_CASE("to_ascii: other characters become their number") {
  CHECK(to_ascii("the cat\n") == "the cat\n");
  CHECK(to_ascii("猫") == "\\u{732b}");
  CHECK(to_ascii("🙂!") == "\\u{1f642}!");
  CHECK(to_ascii("\xFF") == "\\u{fffd}");
}

TEST_CASE("width: the version of Unicode is known") { CHECK(attn::unicode_version() == "15.0.0"); }
