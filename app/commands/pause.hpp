// One page at a time, for attn explain --pause.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "command.hpp"

namespace attn::app {

/// The document in pieces: one for each step, the first with the opening.
std::vector<Document> steps_apart(Document document);

/// Prints the pages and waits for a key after each: b goes back, q ends, any other continues.
void show_pages(const std::vector<std::string>& pages, const Streams& streams);

}  // namespace attn::app
