// The versions of attn and of what it was built with.
#pragma once

#include <string>
#include <vector>

namespace attn {

/// The version of attn: "major.minor.patch".
std::string version();

/// Something that attn was built with.
struct Component {
  std::string name;     ///< "Eigen"
  std::string version;  ///< "3.4.0"
};

/// The libraries inside this one, the Unicode tables and the compiler. They can change results only
/// in the last digits.
std::vector<Component> components();

}  // namespace attn
