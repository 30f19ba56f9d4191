#include <array>

#include "attn/text.hpp"
#include "topics.hpp"

namespace attn::app {
namespace {

/// Related words share a row. A row without words is a headline.
struct Row {
  const char* ids;
  const char* says;
};

// A test finds every word that the sources use.
constexpr std::array kRows{
    Row{"", "The command line (exit code 2)"},
    Row{"unknown-command unknown-topic", "no such command or page of help"},
    Row{"unknown-option wrong-option", "no such option, or not in this form"},
    Row{"missing-command missing-option", "no command, or no option, at all"},
    Row{"missing-value", "an option without what follows it"},
    Row{"option-value", "a value that the option does not take"},
    Row{"extra-argument", "a word too many"},
    Row{"empty-path same-file", "a file without a name; input as output"},
    Row{"unknown-format format-conflict", "no format of that name; two formats"},
    Row{"unknown-sample unknown-schema", "no built-in thing of that name"},
    Row{"no-such-step no-such-cell", "this problem has none of that name"},
    Row{"no-such-row no-such-column", "no token and no index like that"},
    Row{"no-such-query ambiguous-query", "no query called that, or several"},
    Row{"ambiguous-row ambiguous-column", "several called that: use the index"},
    Row{"one-matrix wide text-only", "one matrix of CSV; what only text has"},
    Row{"already-computed", "a trace cannot be computed anew"},
    Row{"layer-option", "--layer or --prefix without need"},
    Row{"random-size random-gave-up", "a size that attn new cannot make"},
    Row{"", "Files (exit code 4)"},
    Row{"cannot-read cannot-write", "and why, in the system's words"},
    Row{"file-exists", "attn new keeps it, unless --force"},
    Row{"", "Text and arrays (exit code 3)"},
    Row{"json-syntax json-empty json-depth", "where a text stops being JSON, and why"},
    Row{"json-nan json-range", "NaN, infinity, beyond 1.8e308"},
    Row{"json-encoding json-duplicate-key", "not UTF-8; a key given twice"},
    Row{"wrong-format format-version", "another kind of file; a newer attn's"},
    Row{"npy-format npz-format", "not a file as NumPy writes it"},
    Row{"safetensors-format dtype", "not such a file; not real numbers"},
    Row{"unknown-tensor", "no tensor of that name, or that helps"},
    Row{"prefix-needed no-such-layer", "which of the layers? not this one"},
    Row{"file-path", "a file outside the problem's folder"},
    Row{"", "What a problem says (exit code 3)"},
    Row{"unknown-key missing-key given-twice", "a key too many, too few, or said twice"},
    Row{"unknown-value wrong-type", "a word, or a thing, that is not meant"},
    Row{"out-of-range not-finite too-large", "a number or a size out of bounds"},
    Row{"ragged-rows rank", "rows of two lengths; a bracket too many"},
    Row{"shape-mismatch", "two sizes that should be equal"},
    Row{"head-count heads-divide", "heads that do not fit, or do not divide"},
    Row{"two-inputs batch-mismatch", "X and q as well; batches of two sizes"},
    Row{"token-count unknown-token", "tokens for other rows; not in the table"},
    Row{"missing-tokens missing-table", "a table needs tokens, --text a table"},
    Row{"mask-unknown mask-arguments", "no such mask, or not in that form"},
    Row{"mask-range mask-token mask-documents", "a mask that does not fit the tokens"},
    Row{"key-lengths positions", "lengths or positions that do not fit"},
    Row{"empty-row", "a query sees no key, and may not"},
    Row{"", "What a trace says (exit code 3)"},
    Row{"unknown-step missing-step", "a step of a newer attn; one left out"},
    Row{"input-count", "a step made from too much or too little"},
};

}  // namespace

std::string errors_page() {
  std::string text = R"page(attn help errors - what the words in error[…] mean

Below the first line: where it is, the rule behind it, and what to try.
)page";
  for (const Row& row : kRows) {
    const bool headline = *row.ids == '\0';
    text += headline ? "\n" + std::string(row.says) + "\n"
                     : "  " + pad_right(row.ids, 38) + row.says + "\n";
  }
  return text;
}

}  // namespace attn::app
