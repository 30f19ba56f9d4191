// The version of attn and of what it was built with.
#pragma once

#include <string>
#include <vector>

namespace attn {

/// "0.1.0"
std::string version();

/// Something that attn was built with.
struct Component {
  std::string name;     ///< "Eigen"
  std::string version;  ///< "3.4.0"
};

/// The libraries inside this library, the Unicode tables and the compiler. Results depend on them
/// in the last digits at most.
std::vector<Component> components();

}  // namespace attn
