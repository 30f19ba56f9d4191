// What the modules of each family of models make.
#pragma once

#include <optional>
#include <string>

#include "teach/check/name_rows.hpp"

namespace attn {

/// What the module of a model of that kind makes, with * for the number of its layer: by the kind's
/// own names of modules and by those of all programs; the longest pattern counts. An unknown kind
/// has no names of its own. nullopt: there is no such module.
std::optional<NameRow> row_of_module(const std::string& kind, const std::string& general_name);

/// Whether some kind has such a module.
bool is_module(const std::string& general_name);

}  // namespace attn
