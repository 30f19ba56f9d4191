// What the sources of the project say: their literals, and the arguments of some calls.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace attn::testing {

/// Calls visit(path relative to the project, text) for every source below some folders: those of
/// C++, or with the extensions that are named.
void for_each_source(
    const std::vector<std::string>& folders,
    const std::function<void(const std::string& file, const std::string& text)>& visit,
    const std::set<std::string>& extensions = {".cpp", ".hpp", ".inc"});

/// Every text in quotation marks, without comments; several in a row are one.
std::vector<std::string> literals_in(const std::string& source);

/// The same, of the first argument of each call of `function`.
std::vector<std::string> first_arguments(const std::string& source, const std::string& function);

/// The same, of the second argument.
std::vector<std::string> second_arguments(const std::string& source, const std::string& function);

}  // namespace attn::testing
