// A mistake of the table as a finding in a matrix.
#include "teach/check/finding.hpp"

namespace attn {

Finding finding_of(const Mistake& words, Index matched, Index of, Confidence confidence,
                   Basis basis) {
  return {.code = words.code,
          .confidence = confidence,
          .basis = basis,
          .matched = matched,
          .of = of,
          .message = words.explanation,
          .hint = words.hint,
          .see = words.see};
}

}  // namespace attn
