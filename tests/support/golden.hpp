// Outputs that are kept in tests/golden. ATTN_UPDATE_GOLDENS=1 writes them anew.
#pragma once

#include <string>

namespace attn::testing {

/// Whether what is shown is to be written anew, not compared.
bool updates_goldens();

/// Compares `found` with tests/golden/NAME. Where it is not `exact`, the last digits of numbers may
/// differ, as they do between vector units.
void check_golden(const std::string& name, const std::string& found, bool exact = true);

}  // namespace attn::testing
