// Finds the script element that waits for a sheet, and writes one into it with each < escaped.
#include "files/sheet_page.hpp"

#include "files/input.hpp"

namespace attn::app {
namespace {

/// Where the page looks for a sheet (app/web/page/page.html).
constexpr std::string_view kPlace = "<script type=\"application/json\" id=\"sheet\">";

}  // namespace

bool is_sheet_page(std::string_view html) { return html.find(kPlace) != html.npos; }

SheetPage::SheetPage(const std::string& path, const Streams& streams)
    : page_(std::make_shared<const std::string>(text_of(path, streams))),
      place_(page_->find(std::string(kPlace) + "</script>")) {
  if (place_ == std::string::npos && !page_->starts_with('<'))
    refuse_foreign(kind_of(*page_, path), path, "attn.html");
  if (place_ == std::string::npos)
    throw input_error({.id = "wrong-format",
                       .what = "\"" + path + "\" is not attn.html, or was made by another version",
                       .fix = "Make it with cmake --preset web && cmake --build --preset web, and "
                              "name build-web/attn.html."});
  place_ += kPlace.size();
}

WritePieces SheetPage::with(std::string sheet) const {
  return [page = page_, place = place_, sheet = std::move(sheet)](const Sink& sink) {
    const std::string_view all = *page;
    std::string harmless;  // it cannot end the element
    for (const char c : sheet) harmless += c == '<' ? std::string("\\u003c") : std::string(1, c);
    sink(all.substr(0, place));
    sink(harmless);
    sink(all.substr(place));
  };
}

}  // namespace attn::app
