// The style and the scripts of HTML pages.
#pragma once

#include <span>
#include <string_view>

namespace attn {

/// A file of lib/page, as it is.
struct PageFile {
  std::string_view name;  ///< "panel"
  std::string_view text;
};

std::span<const PageFile> page_styles();
/// In the order in which a page runs them.
std::span<const PageFile> page_scripts();

/// Those of a sheet to fill in.
std::span<const PageFile> page_forms();

/// Those of a page that neither explains its numbers nor is filled in.
std::span<const PageFile> page_plain();

}  // namespace attn
