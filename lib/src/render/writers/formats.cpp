// The formats for people: a row and a writer each.
#include <array>

#include "attn/core/format.hpp"
#include "attn/render/heatmap.hpp"
#include "attn/writers.hpp"

namespace attn {
namespace {

constexpr std::array kFormats{
    Format{.name = "text",
           .endings = {".txt", ".text", ".log", ".ans"},
           .summary = "for people, as on a terminal",
           .document = write_text,
           .pieces = each_text_piece,
           .picture = write_heatmap,
           .overview = write_overview,
           .bytes_of_number = 10},
    Format{.name = "markdown",
           .endings = {".md", ".markdown"},
           .summary = "tables for GitHub, pandoc and wikis",
           .document = write_markdown,
           .bytes_of_number = 30},
    Format{.name = "html",
           .endings = {".html", ".htm"},
           .summary = "one page for a browser, in which each number says where it comes from",
           .document = write_page,
           .bytes_of_number = 80,
           .asks_cells = true},
    Format{.name = "latex",
           .endings = {".tex"},
           .summary = "for papers and slides",
           .document = write_latex,
           .bytes_of_number = 30},
    Format{.name = "svg",
           .endings = {".svg"},
           .summary = "a picture of one step, for slides and papers",
           .picture = write_svg,
           .overview = write_svg_overview},
};

}  // namespace

std::span<const Format> document_formats() { return kFormats; }

}  // namespace attn
