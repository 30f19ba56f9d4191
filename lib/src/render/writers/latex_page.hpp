// What goes around the LaTeX of a document.
#pragma once

#include <cstddef>
#include <string>

namespace attn {

/// The LaTeX of a document's blocks, and how large its largest matrix is.
struct LatexBody {
  std::string text;
  std::size_t letters = 0, columns = 0, rows = 0;  ///< of the widest row; of the tallest matrix
  bool on_paper = false;  ///< to be written on: everything fits A4 and Letter, portrait
};

/// A part to paste: the body after a comment that says what it needs.
std::string latex_part(const LatexBody& body);

/// A whole document, on paper that is large enough. pdflatex shows letters that it does not have as
/// their codes.
std::string latex_page(const LatexBody& body);

}  // namespace attn
