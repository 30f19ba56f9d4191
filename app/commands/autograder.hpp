// The files of an autograder for Gradescope.
#pragma once

#include <string>
#include <vector>

#include "attn/io/zip_file.hpp"
#include "files/exercise_folder.hpp"

namespace attn::app {

struct AutograderOptions {
  std::string program;  ///< attn for the machine on which Gradescope runs it
  std::string roster;   ///< "" for none
};

/// setup.sh, run_autograder, attn, the key and the roster. Throws Error: usage, "missing-option"
/// without a program; input, "wrong-format" for one that does not run on its own on Linux.
std::vector<FileToZip> autograder_files(const ExerciseFolder& folder, const AutograderOptions& o,
                                        const Streams& streams);

}  // namespace attn::app
