// Formulas: the notation, its tree, and what is printed of it.
#include <doctest/doctest.h>

#include <regex>
#include <string>

#include "attn/attend.hpp"
#include "attn/render/formula.hpp"
#include "attn/render/text.hpp"
#include "core/operations/operations.hpp"
#include "support/gradients.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

using Kind = Formula::Kind;

/// Kinds of the parts, as letters: "SGS" for a symbol, a sign and a symbol.
std::string kinds(const std::string& text) {
  std::string all;
  for (const Formula& part : parse_formula(text).parts)
    all += "RSNFWG*BDVX"[static_cast<std::size_t>(part.kind)];
  return all;
}

std::string replaced(const std::string& text, const std::string& pattern, const std::string& by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

/// What a reader sees of the letters and digits, in order.
std::string letters_of(std::string text) {
  for (const auto& [letter, meaning] : {std::pair{"ᵀ", "⊤"},
                                        {"²", "2"},
                                        {"³", "3"},
                                        {"₀", "0"},
                                        {"₁", "1"},
                                        {"₂", "2"},
                                        {"₃", "3"},
                                        {"₄", "4"},
                                        {"₅", "5"},
                                        {"₆", "6"},
                                        {"₇", "7"},
                                        {"₈", "8"},
                                        {"₉", "9"},
                                        {"−", "-"},
                                        {"·", ""},
                                        {"√", ""},
                                        {"&#x2062;", ""},
                                        {"&nbsp;", ""},
                                        {"&gt;", ">"}})
    text = replaced(text, letter, meaning);
  text = replaced(replaced(text, "\\b1e(-?)\\+?0?", "10$1"), "([0-9])e\\+0?", "$0110");
  return replaced(text, "[ ()/_^]", "");
}

/// That LaTeX and MathML have all that the text has, and nothing that they do not know.
void check_printed(const std::string& text) {
  const std::string latex = formula_latex(text), math = formula_mathml(text);
  CAPTURE(text);
  CAPTURE(latex);
  CAPTURE(math);
  CHECK(latex.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \\{}_^=+-/<>()|,;.'") ==
        latex.npos);
  CHECK(!has(latex, "\\text{\\"));
  CHECK(math.starts_with("<math alttext=\"" + html_text(text) + "\">"));
  CHECK(letters_of(replaced(math, "<[^>]*>", "")) == letters_of(as_mathematics(text)));
}

/// A pattern with symbols and numbers in its places: all inputs, or only those that it needs.
std::string filled(std::string pattern, bool all) {
  if (!all) pattern = replaced(pattern, "\\[[^\\]]*\\]", "");
  const char* symbols[] = {"S′", "A_m", "K_all", "N1", "∂L/∂X", "memory_v", "ℓ_mean", "γ"};
  for (std::size_t i = 0; i < std::size(symbols); ++i)
    pattern = replaced(pattern, "\\{" + std::to_string(i) + "\\}", symbols[i]);
  return replaced(replaced(pattern, "[\\[\\]]", ""), "\\{[a-z_]+\\}", "1e-05");
}

}  // namespace

TEST_CASE("formulas: the tree of a text") {
  CHECK(kinds("S′ = S / √d_k") == "XGSGV");
  CHECK(kinds(std::string("M = S′ + B, −∞") + kWhereHidden) == "SGXGSGGSWGN");
  CHECK(kinds("softmax(S)·0.5") == "FBGN");
  CHECK(kinds("Q·Kᵀ") == "S*X");
  CHECK(kinds("memory·W_k") == "WGX");
  CHECK(kinds("∂L/∂A_m ∘ (1 + x)²") == "DGX");
  CHECK(kinds("(X − mean) / √(variance + 1e-05) ∘ γ") == "DGS");
  CHECK(kinds("e^(S − m) / (row sums as a row)") == "D");
  CHECK(kinds("row sums as a row") == "W");
  CHECK(kinds("|query − key|") == "B");
  const Formula scripts = parse_formula("W_qᵀ").parts.at(0);
  CHECK(scripts.parts.at(0).text == "W");
  CHECK(scripts.parts.at(1).parts.at(0).text == "q");
  CHECK(scripts.parts.at(2).parts.at(0).text == "⊤");
}

TEST_CASE("formulas: what mathematics has functions for is not said in words") {
  const std::pair<const char*, const char*> rows[] = {
      {"r = sum of each row of E", "r = rowsum(E)"},
      {"m = largest of each row of M", "m = rowmax(M)"},
      {"∂L/∂γ = column sums of ∂L/∂N ∘ z, z = X normalised",
       "∂L/∂γ = colsum(∂L/∂N ∘ z), z = X normalised"},
      {"C = Z side by side", "C = concat(Z)"},
      {"Q_i = Q cut into 2 heads", "Q_i = split(Q, 2)"},
      {"Q_i = Q cut into 1 head", "Q_i = split(Q, 1)"},
      {"K_all = K_past above K above bias_k", "K_all = stack(K_past, K, bias_k)"},
      {"Q_r = Q rotated by position / 10000^(2i/4)", "Q_r = rope(Q)"},
      {"Q_r = Q_i, from column 2 on rotated by position / 10000^(2i/2)",
       "Q_r = rope(Q_i, from column 2 on)"},
      {"P = sin, cos of position / 10000^(2i/d_model)",
       "P = sin, cos(position / 10000^(2i/d_model))"},
      {"A = softmax(M)", "A = softmax(M)"}};
  for (const auto& [text, mathematics] : rows) CHECK(as_mathematics(text) == mathematics);
}

TEST_CASE("formulas: in LaTeX") {
  const auto check = [](const std::string& text, const char* latex) {
    CHECK(formula_latex(text) == latex);
  };
  check("S′ = S / √d_k", "S' = S / \\sqrt{d_{k}}");
  check("H1 = N2·W + b", "H_{1} = N_{2} W + b");
  check("S = Q_i·K_allᵀ", "S = Q_{i} K_{\\text{all}}^{\\top}");
  check("∂₂L/∂K = (∂L/∂S)ᵀ·Q",
        "\\frac{\\partial_{2}L}{\\partial K} = \\left(\\frac{\\partial L}{\\partial "
        "S}\\right)^{\\top} Q");
  check(std::string("M = S′, -1e+09") + kWhereHidden, "M = S',\\; -10^{9}\\text{ where mask} = 0");
  check(std::string("M = S, -2.5e-09") + kWhereHidden,
        "M = S,\\; -2.5\\cdot 10^{-9}\\text{ where mask} = 0");
  check("N = (X − mean) / √(variance + 1e-05) ∘ γ",
        "N = \\frac{X - \\text{mean}}{\\sqrt{\\text{variance} + 10^{-5}}} \\odot \\gamma");
  check("F = max(0, H)", "F = \\max(0, H)");
  check("ℓ = −ln softmax(logits) at the label",
        "\\ell = -\\ln \\operatorname{softmax}(\\text{logits})\\text{ at the label}");
  check("K = memory·W_k", "K = \\text{memory}\\cdot W_{k}");
  check("1e+06^(2i/64)", "(10^{6})^{2i/64}");
  check("A = E  |  A = S″²", "A = E \\mid A = S''^{2}");
}

TEST_CASE("formulas: in MathML") {
  CHECK(formula_mathml("S′ = -S / √d_k") ==
        "<math alttext=\"S′ = -S / √d_k\"><mrow><msup><mi>S</mi><mo>′</mo></msup><mo>=</mo>"
        "<mo form=\"prefix\">−</mo><mi>S</mi><mo>/</mo><msqrt><msub><mi>d</mi><mi>k</mi></msub>"
        "</msqrt></mrow></math>");
  CHECK(formula_mathml("1 / (1 + 1e-05)") ==
        "<math alttext=\"1 / (1 + 1e-05)\"><mfrac><mn>1</mn><mrow><mn>1</mn><mo>+</mo>"
        "<msup><mn>10</mn><mrow><mo "
        "form=\"prefix\">−</mo><mn>5</mn></mrow></msup></mrow></mfrac></math>");
  CHECK(has(formula_mathml("Q·Kᵀ"), "<mi>Q</mi><mo>&#x2062;</mo><msup><mi>K</mi>"));
  CHECK(has(formula_mathml("(∂L/∂S)ᵀ"), "<mo form=\"prefix\">(</mo><mfrac>"));
  CHECK(has(formula_mathml("f(x)"), "<mo form=\"prefix\" stretchy=\"false\">(</mo>"));
  CHECK(has(formula_mathml("0 where x < 1"), "<mtext>&nbsp;where&nbsp;</mtext><mi>x</mi><mo>&lt;"));
}

TEST_CASE("formulas: any text has a tree") {
  for (const char* text :
       {"",     "(",   ")",      "((|x",  "_",    "^",    "a_", "x^", "√",   "·",   "/∂",
        " / (", "∂/∂", "x / √(", "\\{$}", "\xFF", "a  b", ".",  "1e", "1e-", "e^-", "½·"}) {
    CAPTURE(std::string(text));
    CHECK(formula_mathml(text).ends_with("</math>"));
    (void)formula_latex(text);
  }
}

TEST_CASE("formulas: every formula of every operation is printed whole" *
          doctest::test_suite("long")) {
  for (const Operation* each : ops::kAll) {
    for (const bool all : {false, true}) check_printed(filled(each->formula, all));
    if (each->formula_for == nullptr) continue;
    Parameters chosen{{"heads", Index{2}}};
    for (const ParameterField& field : each->fields) {
      for (const char* word : field.words) {
        chosen.set(field.name, std::string(word));
        check_printed(filled(each->formula_for(chosen), true));
      }
    }
  }
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto check = [](const Trace& trace) {
      for (const Step& step : trace.steps) check_printed(formula_text(trace, step));
      for (const Step& given : trace.givens) check_printed(formula_text(trace, given));
    };
    check(with_gradients(seed));
    if (seed % 4 == 0) check(model_with_gradients(seed));
  }
}

}  // namespace attn::testing
