// Settings: their words, read and written, and their defaults.
#include "attn/setting_names.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

/// The one diagnostic of the Error that `action` throws.
template <class Action>
Diagnostic error_of(const Action& action) {
  const Error error = error_from(action);
  REQUIRE(error.diagnostics().size() == 1);
  return error.diagnostics()[0];
}

}  // namespace

TEST_CASE("settings: every name is read back as the value it names") {
  for (const std::string& name : words_of<MaskingMode>())
    CHECK(word_of(parse_word<MaskingMode>(name, "")) == name);
  for (const std::string& name : words_of<Align>())
    CHECK(word_of(parse_word<Align>(name, "")) == name);
  for (const std::string& name : words_of<EmptyRow>()) {
    CHECK(word_of(parse_word<EmptyRow>(name, "")) == name);
  }
  for (const std::string& name : words_of<PositionKind>()) {
    CHECK(word_of(parse_word<PositionKind>(name, "")) == name);
  }
  for (const std::string& name : words_of<Dtype>())
    CHECK(word_of(parse_word<Dtype>(name, "")) == name);
}

TEST_CASE("settings: the default comes first") {
  const AttentionSettings draft;
  CHECK(words_of<MaskingMode>().front() == word_of(draft.masking));
  CHECK(words_of<Align>().front() == word_of(draft.align));
  CHECK(words_of<EmptyRow>().front() == word_of(draft.empty_row));
  CHECK(words_of<PositionKind>().front() == word_of(draft.positions.kind));
  CHECK(words_of<Dtype>().front() == word_of(draft.dtype));
  CHECK(parse_scale("1/sqrt(d_k)").kind == with_defaults(draft, 4, 1).scale.kind);
}

TEST_CASE("settings: defaults are filled in, and what was written stays") {
  const AttentionSettings usual = with_defaults({}, 4, 2);
  CHECK(usual.scale.number == 0.5);
  CHECK(*usual.fill == -std::numeric_limits<double>::infinity());
  CHECK(usual.positions.base == 10000.0);
  CHECK(usual.positions.rotary_dim == 4);
  CHECK(usual.positions.offset == 0);
  CHECK(usual.positions.slopes == std::vector{0.0625, 0.00390625});
  AttentionSettings written;
  written.scale = {ScaleRule::Kind::Number, 3.0};
  written.fill = -5.0;
  written.softcap = 30.0;
  written.positions = {PositionKind::Rope, 100.0, 2, 7, {1.0, 2.0}};
  const AttentionSettings same = with_defaults(written, 4, 2);
  CHECK(same.scale.number == 3.0);
  CHECK(same.fill == -5.0);
  CHECK(same.softcap == 30.0);
  CHECK(same.positions.base == 100.0);
  CHECK(same.positions.rotary_dim == 2);
  CHECK(same.positions.offset == 7);
  CHECK(same.positions.slopes == std::vector{1.0, 2.0});
  written.scale.kind = ScaleRule::Kind::None;  // whatever the number was before
  CHECK(with_defaults(written, 4, 2).scale.number == 1.0);
}

TEST_CASE("settings: a scale is a word or a number") {
  CHECK(parse_scale("1/sqrt(d_k)").kind == ScaleRule::Kind::InverseSqrtDk);
  CHECK(parse_scale("none").kind == ScaleRule::Kind::None);
  CHECK(parse_scale("0.125").kind == ScaleRule::Kind::Number);
  CHECK(parse_scale("0.125").number == 0.125);
  CHECK(parse_scale("-2e-3").number == -2e-3);
  CHECK(parse_scale("1/8").number == 0.125);
  CHECK(close(std::sqrt(0.5), parse_scale("√2/2").number));
}

TEST_CASE("settings: anything but a scale is refused") {
  for (const char* text : {"", "1x", "1e999", "1/0", "√-1", "inf", "∞", "nan", "sqrt"}) {
    CAPTURE(text);
    const Diagnostic found = error_of([&] { parse_scale(text); });
    CHECK(found.id == "unknown-value");
    CHECK(found.what.starts_with("scale cannot be \"" + std::string(text) + "\""));
    CHECK(found.fix == "Write " + std::string(kScales) + ".");
    CHECK(found.places.at(0).pointer == "/scale");
  }
}

TEST_CASE("settings: an unknown word is answered with the known ones and a guess") {
  const Diagnostic align = error_of([] { parse_word<Align>("ende", "/somewhere"); });
  CHECK(align.id == "unknown-value");
  CHECK(align.what == "somewhere cannot be \"ende\"" + did_you_mean({"end"}));
  CHECK(align.fix == "Write \"start\", \"end\" or \"key-lengths\".");
  CHECK(align.places.at(0).pointer == "/somewhere");

  const Diagnostic masking = error_of([] { parse_word<MaskingMode>("nothing", "/masking/mode"); });
  CHECK(masking.what == "mode cannot be \"nothing\"");
  CHECK(masking.fix == "Write \"replace\", \"add\", \"multiply\" or \"renormalize\".");
  CHECK(masking.places.at(0).pointer == "/masking/mode");

  const Diagnostic empty_row = error_of([] { parse_word<EmptyRow>("Zero", "/empty_row"); });
  CHECK(empty_row.what == "empty_row cannot be \"Zero\"" + did_you_mean({"zero"}));
  CHECK(empty_row.places.at(0).pointer == "/empty_row");

  const Diagnostic positions =
      error_of([] { parse_word<PositionKind>("rope-interleavd", "/positions"); });
  CHECK(positions.what.find(did_you_mean({"rope-interleaved"})) != std::string::npos);
  CHECK(positions.places.at(0).pointer == "/positions");

  const Diagnostic dtype = error_of([] { parse_word<Dtype>("float8", "/dtype"); });
  CHECK(dtype.fix.find("\"float64\", \"float32\", \"bfloat16\" or \"float16\"") !=
        std::string::npos);
  CHECK(dtype.places.at(0).pointer == "/dtype");
}

}  // namespace attn::testing
