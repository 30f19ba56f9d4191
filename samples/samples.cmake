# The samples are part of the program, so that `attn explain` works with no file at hand.

# attn_embed_samples(OUTPUT): writes the C++ file that implements attn/samples.hpp, if it would
# change. The samples stand in ${ATTN_SAMPLES}; editing one makes the build configure again.
function(attn_embed_samples OUTPUT)
  set(names  # in teaching order; the first is shown when no file is named
    01-one-head
    02-why-scale
    03-multi-head
    04-causal
    05-padding
    06-translation
    07-per-head-weights
    08-mlm-columns
    09-batch
    10-chinese
    11-decode-step
    12-grouped-heads
    13-embedding-table)

  set(entries "")
  foreach(name IN LISTS names)
    set(file "${ATTN_SAMPLES}/${name}.json")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND entries "    {\"${name}\", R\"attn(${text})attn\"},\n")
  endforeach()

  file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
// Made from samples/*.json by samples/samples.cmake; edit those.
#include "attn/samples.hpp"

namespace attn {
namespace {

constexpr Sample kSamples[] = {
@entries@};

}  // namespace

std::span<const Sample> samples() { return kSamples; }

}  // namespace attn
]])
endfunction()
