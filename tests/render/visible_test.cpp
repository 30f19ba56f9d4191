// Characters that nobody can see: shown as escapes, unless they give others their shape.
#include <doctest/doctest.h>

#include "attn/render/text.hpp"

using attn::visible;

TEST_CASE("visible: tags become escapes, except after the black flag that they colour") {
  CHECK(visible("the\U000E0074\U000E0068") == "the\\u{e0074}\\u{e0068}");
  CHECK(visible("\U000E0001") == "\\u{e0001}");
  const std::string scotland = "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F";
  CHECK(visible(scotland) == scotland);
  CHECK(visible(scotland + "a\U000E0074") == scotland + "a\\u{e0074}");
}

TEST_CASE("visible: joiners without something to join on both sides become escapes") {
  CHECK(visible("\u200D") == "\\u{200d}");
  CHECK(visible("cat\u200D") == "cat\\u{200d}");
  CHECK(visible("\u200Ccat") == "\\u{200c}cat");
  CHECK(visible("cat\u200D the") == "cat\\u{200d} the");
  CHECK(visible("\"é\u200D\"") == "\"é\\u{200d}\"");
  CHECK(visible("a\u200Db") == "a\\u{200d}b");  // joins nothing
  CHECK(visible("a\u200D\n") == "a\\u{200d}\\n");
  const std::string persian = "می\u200Cخواهم", family = "👩\u200D👧";
  CHECK(visible(persian) == persian);
  CHECK(visible(family) == family);
  using attn::json_visible;
  CHECK(json_visible("\"" + persian + family + "\"") == "\"" + persian + family + "\"");
  CHECK(json_visible("\"é\u200D\"") == "\"é\\u200d\"");
  CHECK(json_visible("\"éa\u200D猫\U000E0041\"") == "\"éa\\u200d猫\\udb40\\udc41\"");
}
