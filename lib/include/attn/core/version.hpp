// The versions of attn and of what it was built with, and what it is in a few words.
#pragma once

#include <string>
#include <vector>

namespace attn {

/// The version of attn: "major.minor.patch".
std::string version();

/// What attn is for, in a few words that begin with a small letter.
std::string purpose();

/// What it reads, computes and prints, in a few sentences.
std::string description();

/// Something that attn was built with.
struct Component {
  std::string name;     ///< "Eigen"
  std::string version;  ///< "3.4.0"
};

/// The libraries inside this one, the Unicode tables and the compiler. They can change results only
/// in the last digits.
std::vector<Component> components();

}  // namespace attn
