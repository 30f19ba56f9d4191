// The names in error[…] and what they mean: docs/errors.md, in the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/document.hpp"

namespace attn::app {

/// The section about one name.
struct ErrorPage {
  std::string group = {};     ///< "The command line (exit code 2)"
  std::string id = {};        ///< "shape-mismatch"
  std::string sentence = {};  ///< what it means
  std::string fix = {};       ///< what to do in general
  std::string help = {};      ///< the command that says more, "attn help shapes"; may be empty
};

/// All of them, in the order of the page.
const std::vector<ErrorPage>& error_pages();

/// The page of a name. Reads that section alone: where memory is short, there is enough for it.
std::optional<ErrorPage> find_error_page(const std::string& id);

/// Each exit code and what it means.
std::vector<std::vector<std::string>> exit_codes();

/// What `attn help NAME` prints.
Document error_page(const ErrorPage& page);

}  // namespace attn::app
