// Who handed in, as Gradescope says it: /autograder/submission_metadata.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What may be the id of somebody who handed in, or be in their line of the roster, surest first:
/// the student number ("sid"), the email address, what comes before its @, the name. One list for
/// each member of a group. Throws Error (input, id "wrong-format") where there are no users.
std::vector<std::vector<std::string>> submitters_in(std::string_view bytes,
                                                    const std::string& name);

}  // namespace attn
