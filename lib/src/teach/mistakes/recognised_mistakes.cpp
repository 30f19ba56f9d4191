// What can only be recognised: slips of one or a few cells, and other routes to a right result.
#include <array>

#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

constexpr std::array kSlips = {
    MistakeRow{
        {"slip.sign", "wrong sign", "The sign is wrong.", "Is the number positive or negative?"}},
    MistakeRow{{"slip.decimal_point", "misplaced decimal point",
                "The decimal point is in the wrong place.",
                "How large should the number be, roughly?"}},
    MistakeRow{{"slip.neighbour", "numbers swapped", "Two cells, rows or columns are swapped.",
                "Is every number in the right row and column?"}},
    MistakeRow{{"slip.rounded_early", "rounded too early",
                "The number is nearly right: an earlier one was rounded too much.",
                "How many decimals did you keep on the way?"}},
    MistakeRow{{"slip.digit", "wrong digit",
                "A single digit is wrong, or two neighbouring digits are swapped.",
                "Did you copy every digit?"}},
};

constexpr std::array kEquivalents = {
    MistakeRow{{"layout.columns", "tokens as columns",
                "Tokens are columns here: every matrix is the transpose of the usual one.", "",
                "shapes"}},
    MistakeRow{{"layout.heads", "heads on another axis",
                "The heads are on another axis here, which changes no number.", "", "shapes"}},
    MistakeRow{{"layout.from_one", "counted from 1",
                "Rows and columns of this table are counted from 1; attn counts from 0.", "",
                "json"}},
    MistakeRow{{"equivalent.repeated_kv", "keys and values repeated",
                "Keys and values are repeated for each query head that shares them, which changes "
                "no number.",
                "", "shapes"}},
    MistakeRow{{"equivalent.scores", "a later matrix called scores",
                "The scores are scaled, or scaled and masked, already.", "", "steps"}},
    MistakeRow{{"equivalent.fill", "a different fill",
                "A very negative number hides a score just as −∞ does.", "", "masks"}},
    MistakeRow{
        {"equivalent.scale_in_q", "scaled earlier",
         "Queries (or queries and keys) are scaled instead of the scores; the product is the same.",
         "", "why"}},
    MistakeRow{{"equivalent.b_k", "b_k left out",
                "Without b_k each row of scores is shifted by a constant, which softmax ignores.",
                "", "shapes"}},
    MistakeRow{{"equivalent.shift", "row maximum subtracted",
                "The row maximum is subtracted before softmax, which changes no weight.", "",
                "steps"}},
    MistakeRow{
        {"equivalent.no_shift", "row maximum not subtracted",
         "The row maximum is not subtracted, which changes no weight as long as e^x does not "
         "overflow.",
         "", "steps"}},
    MistakeRow{{"equivalent.padded_rows", "rows of padding set to 0",
                "The rows of queries that are padding are 0, which changes no other row.", "",
                "masks"}},
    MistakeRow{{"equivalent.columns_permuted", "columns in the other order",
                "The columns of queries and keys are in the order of the other convention, but the "
                "scores are the same.",
                "", "shapes"}},
    MistakeRow{{"equivalent.heads_permuted", "heads in a different order",
                "The heads are in a different order, but the output is the same.", "", "shapes"}},
    MistakeRow{{"equivalent.near_tie", "a near tie of experts",
                "The scores of two experts differ by less than rounding does, and this run chose "
                "the other one.",
                "", "models"}},
    MistakeRow{{"equivalent.rope_start", "positions counted from a different number",
                "Positions start at a different number; scores depend only on differences.", ""}},
};

}  // namespace

std::span<const MistakeRow> slips() { return kSlips; }

std::span<const MistakeRow> equivalents() { return kEquivalents; }

}  // namespace attn
