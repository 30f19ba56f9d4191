// NumPy's files; the first byte tells an .npz from an .npy.
#include "arrays.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  if (bytes.starts_with('P')) {
    fuzz::try_arrays(*array_file_type(".npz"), bytes,
                     [](const auto& all) { return write_npz(all); });
  } else {
    fuzz::try_arrays(*array_file_type(".npy"), bytes,
                     [](const auto& all) { return write_npy(all.front().array); });
  }
}
