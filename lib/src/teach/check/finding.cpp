// Copies code, explanation, hint and page of help from the row of a mistake.
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
