// Makes LaTeX documents that need few packages.
// These are amsmath, geometry, LaTeX's base packages and, for Chinese letters, ctex.
#include "render/writers/latex_page.hpp"

#include <algorithm>
#include <cstdio>

#include "attn/language.hpp"
#include "render/writers/latex_text.hpp"

namespace attn {
namespace {

constexpr double kLetter = 1.9, kBetween = 3.6, kRow = 4.6;  // mm at 10 pt

constexpr double kMostPaper = 5000;  // mm: no length in TeX exceeds 5758

std::string code_of(char32_t letter) {
  char code[16];
  std::snprintf(code, sizeof code, "%04X", static_cast<unsigned>(letter));
  return code;
}

/// Whether ctex must bring the letters: the document is in Chinese, or tokens or names are.
bool needs_ctex(const std::string& text) {
  const std::set<char32_t> letters = foreign_letters(text);
  return language_code() == "zh" || std::any_of(letters.begin(), letters.end(), [](char32_t code) {
           constexpr char32_t kFirst = 0x2E80, kLast = 0x9FFF, kRare = 0x20000;  // with kana
           return (code >= kFirst && code <= kLast) || code >= kRare;
         });
}

/// Which engine has the letters of the text.
std::string engine_comment(const std::string& text) {
  if (needs_ctex(text))
    return "% Compile with xelatex, or with lualatex and luatexja. The Chinese letters need\n"
           "% \\usepackage[scheme=plain]{ctex}, others perhaps \\setmainfont{...}\n";
  if (foreign_letters(text).empty()) return "";
  return "% pdflatex lacks some of the letters here: compile with lualatex or xelatex, and choose "
         "a\n"
         "% font that has them: \\usepackage{fontspec} \\setmainfont{...}\n";
}

std::string paper(const LatexBody& body) {
  // The text of an A4 page, and its number, that Letter, which is wider and shorter, has room for.
  if (body.on_paper)
    return "a4paper,portrait,left=15mm,top=15mm,width=180mm,height=249mm,footskip=7mm";
  const double width = kLetter * static_cast<double>(body.letters) +
                       kBetween * static_cast<double>(body.columns) + 90;
  const double height = kRow * static_cast<double>(body.rows) + 90;
  const auto mm = [](double least, double size) {
    return std::to_string(static_cast<int>(std::clamp(size, least, kMostPaper))) + "mm";
  };
  return "paperwidth=" + mm(210, width) + ",paperheight=" + mm(297, height) + ",margin=20mm";
}

/// What wide matrices on paper need.
std::string graphics(const LatexBody& body) {
  return body.text.find("\\resizebox") == body.text.npos ? "" : "\\usepackage{graphicx}";
}

}  // namespace

std::string latex_part(const LatexBody& body) {
  return "% Needs \\usepackage{amsmath}" + graphics(body) + ".\n" + engine_comment(body.text) +
         "\n" + body.text;
}

std::string latex_page(const LatexBody& body) {
  std::string letters;
  for (const char32_t letter : foreign_letters(body.text)) {
    const std::string code = code_of(letter);
    letters += "\\DeclareUnicodeCharacter{" + code + "}{\\texttt{[" + code + "]}}\n";
  }
  if (!letters.empty()) letters = "\\ifdefined\\Umathcode\\else\n" + letters + "\\fi\n";
  return engine_comment(body.text) +
         "\\documentclass{article}\n"
         "\\ifdefined\\Umathcode\\else\n"
         "\\usepackage[utf8]{inputenc}\n"
         "\\usepackage[T1]{fontenc}\n"
         "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n"
         "\\fi\n"
         "\\usepackage{amsmath}" +
         graphics(body) +
         "\n"
         "\\usepackage[" +
         paper(body) + "]{geometry}\n" + letters +
         (needs_ctex(body.text) ? "\\ifdefined\\Umathcode\n\\usepackage[scheme=plain]{ctex}\n\\fi\n"
                                : "") +
         "\\setlength{\\parindent}{0pt}\n"
         "\\setlength{\\parskip}{1ex}\n"
         "\\begin{document}\n\n" +
         body.text + "\n\\end{document}\n";
}

}  // namespace attn
