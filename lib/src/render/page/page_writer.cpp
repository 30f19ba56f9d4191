// Writes a document as one HTML page that needs nothing else.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "attn/core/version.hpp"
#include "attn/language.hpp"
#include "attn/page_files.hpp"
#include "attn/phrases.hpp"
#include "attn/render/formula.hpp"
#include "attn/writers.hpp"
#include "core/text/ascii.hpp"
#include "core/text/sha256.hpp"
#include "render/page/html_text.hpp"
#include "render/page/page_data.hpp"
#include "render/page/page_grid.hpp"
#include "render/terminal/width.hpp"
#include "render/writers/arithmetic.hpp"
#include "render/writers/lines_writer.hpp"
#include "render/writers/markup_grid.hpp"
#include "render/writers/markup_walk.hpp"

namespace attn {
namespace {

std::string style_attribute(const std::string& style) {
  return style.empty() ? "" : " class=\"" + style + "\"";
}

std::string wrapped_in(const std::string& element, const std::string& text,
                       const std::string& style = "") {
  return "<" + element + style_attribute(style) + ">" + html_text(text) + "</" + element + ">";
}

/// Text whose leading spaces show that it belongs to what is above it.
std::string indented(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  std::string spaces;
  for (std::size_t i = 0; i < begin; ++i) spaces += "&nbsp;";
  return spaces + html_prose(text.substr(begin), true);
}

/// An id in an address: bytes that have a meaning there become escapes, %2B.
std::string in_address(const std::string& id) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
    text += plain ? std::string(1, c) : std::string{'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

/// Where the page's script shows a cell: "#step=weights&row=1&col=0&batch=0&head=0".
std::string address_of(const std::string& step, const Cell& cell, const std::string& side) {
  return "#step=" + in_address(side_id(side, step)) + "&row=" + std::to_string(cell.row) +
         "&col=" + std::to_string(cell.col) + "&batch=" + std::to_string(cell.batch) +
         "&head=" + std::to_string(cell.head);
}

/// A cell of words; short ones, such as "2 of 25" and "9×32 → 9×16", stay on one line.
std::string text_cell(const std::string& text) {
  const std::string style = display_width(text) <= 14 ? "text short" : "text";
  return "<td class=\"" + style + "\">" + html_prose(text, true) + "</td>";
}

class PageWriter {
 public:
  explicit PageWriter(const Document& document)
      : precision_(document.precision),
        fills_(!document.form.empty()),
        on_paper_(document.written_on),
        picture_(document.picture.empty()
                     ? ""
                     : "<figure class=\"scroll\" role=\"group\" tabindex=\"0\" "
                       "aria-label=\"picture\">" +
                           document.picture + "</figure>\n") {
    for (const CellOrigins& step : document.cells) known_.insert(step.id);
  }

  void operator()(const Title& title) {
    const std::string level = !titled_ ? "h1" : title.level == 3 ? "h3" : "h2";
    if (titled_ && level == "h2")
      open_section("", on_paper_ && title.level == 1 ? " class=\"sheet\"" : "");
    titled_ = true;
    out_ += "<" + level + ">" + html_text(title.text) + "</" + level + ">\n";
    if (!title.formula.empty()) out_ += "<p>" + formula_mathml(title.formula) + "</p>\n";
    if (!title.facts.empty()) paragraph(separated(title.facts, " · "), "facts");
  }
  void operator()(const Paragraph& p) {
    constexpr std::array kStyles{"", "facts", "dim", "note", "dim", ""};  // in the order of Role
    if (p.role == Role::Footer) {
      end_header();
      close_section();
    }
    if (p.folded) return folded(p);
    paragraph(p.text, kStyles[static_cast<std::size_t>(p.role)],
              p.role == Role::Note ? translated("note") : p.label);
  }
  void operator()(const Code& block) {
    out_ += "<pre>";
    for (const std::string& each : block.lines) out_ += html_text(each) + "\n";
    out_ += "</pre>\n";
  }
  void operator()(const List& list) {
    out_ += "<ul>\n";
    for (const List::Item& item : list.items)
      out_ += "<li>" + (item.term.empty() ? "" : wrapped_in("strong", item.term) + " ") +
              html_prose(item.text) + "</li>\n";
    out_ += "</ul>\n";
  }
  void operator()(const StepHeading& h) {
    open_section(h.id);
    out_ += "<h2>";
    if (h.number != 0)
      out_ +=
          wrapped_in("span", std::to_string(h.number) + "/" + std::to_string(h.total), "number") +
          " ";
    out_ += formula_mathml(h.formula) + " " + wrapped_in("span", h.phrase, "phrase");
    if (!h.shape.empty()) out_ += " " + wrapped_in("span", h.shape, "shape");
    out_ += "</h2>\n";
  }

  void worked(const std::vector<const Worked*>& run) {
    end_header();
    for (const Worked* each : run) worked(*each);
  }
  void worked(const Worked& w) {
    const std::string depth = w.depth == 0 ? "" : " d" + std::to_string(std::min(w.depth, 6));
    std::string text = html_names(w.lead);
    for (const Stage& stage : worked_stages(w, precision_, false, page_short_number)) {
      text += (text.empty() ? "" : " ") + html_text(stage.sign) + (stage.sign.empty() ? "" : " ") +
              stage_html(stage, w.side);
    }
    if (!w.remark.empty()) text += " " + html_names("(" + w.remark + ")");
    out_ += "<p class=\"worked" + depth + "\">" + text + "</p>\n";
  }

  void operator()(const Table& table) {
    end_header();
    out_ +=
        "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"table\">"
        "<table class=\"plain" +
        std::string(table.alike ? " alike" : "") + "\">\n<thead><tr>";
    for (std::size_t j = 0; j < table.header.size(); ++j) {
      const std::string kind = table.is_left(j) ? " class=\"text\"" : "";
      out_ += table.header[j].empty()
                  ? "<td></td>"
                  : "<th scope=\"col\"" + kind + ">" + html_text(table.header[j]) + "</th>";
    }
    out_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      out_ += "<tr>";
      for (std::size_t j = 0; j < row.size(); ++j) {
        const std::string first = table.commands ? wrapped_in("code", row[j]) : indented(row[j]);
        if (j == 0) out_ += row[j].empty() ? "<td></td>" : "<th scope=\"row\">" + first + "</th>";
        if (j > 0) out_ += table.is_left(j) ? text_cell(row[j]) : wrapped_in("td", row[j]);
      }
      out_ += "</tr>\n";
    }
    out_ += "</tbody></table></div>\n";
  }

  void grids(const std::vector<const Grid*>& together) {
    end_header();
    out_ += page_grids(together, precision_, fills_);
    if (const std::string legend = page_legend(together); !legend.empty()) paragraph(legend, "dim");
  }

  std::string take() {
    end_header();
    close_section();
    return std::move(out_);
  }

 private:
  /// The first of several in a row has the label that is shown.
  void folded(const Paragraph& p) {
    constexpr std::string_view kEnd = "</details>\n";
    const bool more = out_.ends_with(kEnd);
    if (more) out_.erase(out_.size() - kEnd.size());
    if (!more) out_ += "<details><summary>" + wrapped_in("strong", p.label) + "</summary>\n";
    paragraph(p.text, "", more ? p.label : "");
    out_ += kEnd;
  }
  void paragraph(const std::string& text, const std::string& style, const std::string& label = "") {
    out_ += "<p" + style_attribute(style) + ">" +
            (label.empty() ? "" : wrapped_in("strong", label) + " ") + html_prose(text) + "</p>\n";
  }
  /// A stage whose names and numbers lead to their cells; words of one name are one link.
  std::string stage_html(const Stage& stage, const std::string& side) const {
    std::string text, open;
    const auto go_to = [&](const Inline& next) {
      const bool links = known_.contains(side_id(side, next.step));
      const std::string address = links ? address_of(next.step, next.cell, side) : "";
      if (address != open && !open.empty()) text += "</a>";
      return std::exchange(open, address) != address && links
                 ? "<a href=\"" + html_text(address) + "\">"
                 : "";
    };
    for (const Piece& piece : stage.pieces) {
      for (const Inline& part : piece) {
        const std::string tag = go_to(part);
        if (&part == &piece.front() && &piece != &stage.pieces.front()) text += " ";
        text += tag + html_names(part.text);
      }
    }
    go_to({});
    return text;
  }
  /// What is about the page as a whole comes before its main part.
  void end_header() {
    if (in_header_) out_ += "</header>\n<main>\n" + picture_;
    in_header_ = false;
  }
  /// A step that several sheets have is found on the first.
  void open_section(const std::string& id, const std::string& attributes = "") {
    end_header();
    close_section();
    const bool fresh = !id.empty() && opened_.insert(id).second;
    out_ += "<section" + (fresh ? " id=\"step-" + html_text(id) + "\"" : "") + attributes + ">\n";
    in_section_ = true;
  }
  void close_section() {
    if (in_section_) out_ += "</section>\n";
    in_section_ = false;
  }

  int precision_;
  std::set<std::string> known_;        ///< ids of steps whose cells the page explains
  std::set<std::string> opened_ = {};  ///< ids of steps that have a section
  bool fills_;                         ///< blanks can be filled in
  bool on_paper_;                      ///< blanks can be written in
  std::string picture_;
  bool titled_ = false, in_header_ = true, in_section_ = false;
  std::string out_ = "<header>\n";
};

std::string joined(std::span<const PageFile> files) {
  std::string all;
  for (const PageFile& file : files) all += std::string(file.text);
  return all;
}

std::string hash_of(const std::string& text) { return "'sha256-" + base64(sha256(text)) + "'"; }

std::string title_of(const Document& document) {
  const auto* title =
      document.blocks.empty() ? nullptr : std::get_if<Title>(&document.blocks.front());
  return title == nullptr ? "attn" : title->text + " · attn";
}

/// JSON that a script reads.
std::string data_block(const std::string& id, const std::string& json) {
  return "<script type=\"application/json\" id=\"" + id + "\">" + json + "</script>\n";
}

/// JSON that cannot end a script element: "<" occurs only inside its strings.
std::string harmless(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

/// What the scripts of lib/page say.
constexpr std::array kWords = {
    in_catalogue("save the answers as a file"),
    in_catalogue("First wrong step"),
    in_catalogue("The mistake"),
    in_catalogue("{n} of {all} blanks filled in"),
    in_catalogue("light or dark"),
    in_catalogue(
        "The matrices are computed without the mask; the text and the formulas still include it."),
    in_catalogue("Examples in the text keep {n} decimal."),
    in_catalogue("Examples in the text keep {n} decimals."),
    in_catalogue("decimals"),
    in_catalogue("mask"),
    in_catalogue("kv head {n}"),
    in_catalogue("head {n}"),
    in_catalogue("{cell} of {head}"),
    in_catalogue("{text}."),
    in_catalogue("products"),
    in_catalogue("running sum"),
    in_catalogue("How a number was made"),
    in_catalogue("batch {n}"),
    in_catalogue("row {n} ({name})"),
    in_catalogue("column {n} ({name})"),
    in_catalogue("Each link on this page shows how a number was made."),
    in_catalogue(
        "Point at a number, tap it, or move to it with Tab and the arrow keys: its arithmetic "
        "appears here, and what it was made from is outlined where the page shows it. Enter or a "
        "click keeps it; Escape lets it go. n and p go to the next and the previous step."),
    in_catalogue("Where does a number come from?"),
    in_catalogue("let go"),
    in_catalogue("matrix"),
    in_catalogue("place"),
    in_catalogue("value"),
    in_catalogue("This page does not show how this number was made: with all the numbers it comes "
                 "from, the page would be too large."),
    in_catalogue("It replaces"),
    in_catalogue("open a saved file"),
    in_catalogue("{name} is not a file of this sheet"),
    in_catalogue("Made from"),
};

/// As a string of JSON; a text of a catalogue has no control characters.
std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return quoted + "\"";
}

/// For the scripts: what they say in another language. Nothing in English.
std::string words_block() {
  if (language_code() == "en") return "";
  std::string json;
  for (const char* english : kWords)
    json +=
        (json.empty() ? "{" : ", ") + json_text(english) + ": " + json_text(translated(english));
  return data_block("words", harmless(json + "}"));
}

/// [["scale.missing", "the scores are not scaled"], …]
std::string mistakes_block(const Document& document) {
  std::string json;
  for (const auto& [code, title] : document.mistakes)
    json += (json.empty() ? "[[" : ", [") + json_text(code) + ", " + json_text(title) + "]";
  return data_block("mistakes", harmless(json + "]"));
}

/// Whether the page shows weights.
bool shows_weights(const Document& document) {
  return std::any_of(document.blocks.begin(), document.blocks.end(), [](const Block& block) {
    const auto* grid = std::get_if<Grid>(&block);
    return grid != nullptr && grid->shares;
  });
}

/// On A4 and Letter: blanks that a hand can write in, headings with their matrix.
constexpr const char* kPaper =
    "@page { size: portrait; margin: 15mm; }\n"
    "@media print {\n"
    "  h2 { break-after: avoid; }\n"
    "  .sheet { break-before: page; border: 0; }\n"
    "  td.blank { min-width: 15mm; height: 8mm; }\n"
    "  .wide td.blank { min-width: 8mm; }\n"
    "  td.blank input { border: 0; background: none; width: 100%; }\n"
    "}\n";

constexpr const char* kFooter = in_catalogue(
    "Weights show what each query reads. By themselves they do not explain why a model answers as "
    "it does.");

}  // namespace

std::string write_page(const Document& document, const TextStyle& look) {
  const bool asks = !document.cells.empty(), fills = !document.form.empty() && !asks;
  PageWriter writer(document);
  walk(document, writer);
  const std::string style = joined(page_styles()) + (document.written_on ? kPaper : "");
  const std::span<const PageFile> scripts = asks    ? page_scripts()
                                            : fills ? page_forms()
                                                    : page_plain();
  const std::string script = "\"use strict\";\n{\n" + joined(scripts) + "}\n";
  std::string out =
      "<!doctype html>\n<html lang=\"" + language_code() +
      "\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
      hash_of(style) + "; script-src " + hash_of(script) +
      "; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      html_text(title_of(document)) + "</title>\n<style>" + style + "</style>\n</head>\n<body" +
      (look.big ? " class=\"big\"" : "") + ">\n" + writer.take() + "</main>\n<footer>\n" +
      (shows_weights(document) ? wrapped_in("p", translated(kFooter)) : "") + "\n" +
      wrapped_in("p", translated("Made by attn {version}.", std::string(version()))) +
      "\n</footer>\n";
  if (asks) out += data_block("cells", page_data(document));
  if (fills) out += data_block("sheet", harmless(document.form));
  if (fills && !document.mistakes.empty()) out += mistakes_block(document);
  out += words_block();
  return out + "<script>" + script + "</script>\n</body>\n</html>\n";
}

}  // namespace attn
