#include "help/error_pages.hpp"

#include <algorithm>
#include <array>

#include "attn/tool/text.hpp"

namespace attn::app {
namespace {

// A test finds every word that the sources use.
constexpr std::array kWords{
    ErrorWord{"", "The command line (exit code 2)", "", ""},
    ErrorWord{"unknown-command", "There is no command of that name.",
              "Correct the spelling; attn --help lists the commands.", ""},
    ErrorWord{"unknown-topic", "There is no page of help of that name.",
              "Correct the spelling; see all pages with attn help.", ""},
    ErrorWord{"unknown-option", "The command has no option of that name.",
              "Correct the spelling, in full; attn COMMAND --help lists the options.", ""},
    ErrorWord{"wrong-option", "An option stands in a form that cannot be read.",
              "Write --option VALUE, or --option=VALUE.", ""},
    ErrorWord{"missing-command", "There is an option, but no command before it.",
              "Name the command first: attn explain --mask causal.", ""},
    ErrorWord{"missing-option", "The command needs one of several options, and none is given.",
              "Give one of those that the message names.", ""},
    ErrorWord{"missing-value", "An option stands without the value that belongs behind it.",
              "Write the value after it: --mask causal.", ""},
    ErrorWord{"option-value", "The value of an option is not one that it takes.",
              "Choose one of those that the message names.", ""},
    ErrorWord{
        "option-twice", "An option that has one value is given two.",
        "Keep one. --mask, --steps, --cell and --also add up; of --color, --width, --precision "
        "and others about looks the last counts.",
        ""},
    ErrorWord{"option-conflict", "Two options ask for things that exclude each other.",
              "Leave out one of them.", ""},
    ErrorWord{"extra-argument", "There is a word that nothing on the command line asks for.",
              "Leave it out, or put a text with spaces in quotation marks.", ""},
    ErrorWord{"empty-path", "The name of a file is empty.",
              "Name a file. Often a variable of the shell was not set.", ""},
    ErrorWord{"same-file", "An output is the input, which would be lost, or another output.",
              "Name another file.", ""},
    ErrorWord{"unknown-format", "No format is known by that name or by the ending of that file.",
              "Choose another ending, or name the format with --format.", ""},
    ErrorWord{"format-conflict", "--format says something else than the ending of the file.",
              "Leave out --format, or change the ending.", ""},
    ErrorWord{"unknown-sample", "There is no built-in sample of that name.",
              "attn new --list shows them all.", "new"},
    ErrorWord{"unknown-schema", "There is no schema of that name.",
              "Name one of those that the message lists.", "schema"},
    ErrorWord{"unknown-shell", "There are no completions for a shell of that name.",
              "Name one of those that the message lists.", "completions"},
    ErrorWord{"no-such-step", "This computation has no step of that id.",
              "Use an id that stands in the trace, such as scores or weights.", "steps"},
    ErrorWord{"no-such-cell", "What follows --cell does not name a cell.",
              "Write STEP:ROW,COL, such as --cell weights:1,0.", "steps"},
    ErrorWord{"no-such-row", "The step has no row of that token or index.",
              "Name a token as it is written, or an index from 0.", "steps"},
    ErrorWord{"no-such-column", "The step has no column of that token or index.",
              "Name a token as it is written, or an index from 0.", "steps"},
    ErrorWord{"no-such-query", "There is no query of that token or index.",
              "Name a token as it is written, or an index from 0.", "steps"},
    ErrorWord{"ambiguous-query", "Several queries are called that.",
              "Name the index instead of the token.", "steps"},
    ErrorWord{"ambiguous-row", "Several rows are called that.",
              "Name the index instead of the token.", "steps"},
    ErrorWord{"ambiguous-column", "Several columns are called that.",
              "Name the index instead of the token.", "steps"},
    ErrorWord{"one-matrix", "A labelled table has room for one matrix only.",
              "Choose one with --steps and --head, or leave out --wide.", "explain"},
    ErrorWord{"wide", "--wide is for one step as CSV.",
              "Write --format csv --steps weights --wide.", "explain"},
    ErrorWord{"one-step", "An .npy file, or a heat map, has room for one step only.",
              "Choose one with --steps, or write an .npz file.", "steps"},
    ErrorWord{"needs-cell", "--depth is given, but no --cell whose depth it could be.",
              "Add --cell weights:1,0, or leave --depth out.", ""},
    ErrorWord{"json-only", "--nonfinite is given, but no JSON is written.",
              "Add --json, or leave it out.", "explain"},
    ErrorWord{"text-only", "An option chooses what text shows, but the format holds whole steps.",
              "Leave the option out, and choose with --steps.", "explain"},
    ErrorWord{"range-conflict", "Two options say what the colours of a heat map stand for.",
              "Give one of --normalize, --unit, --diverging, or --min and --max.", "heatmap"},
    ErrorWord{"range-order", "The range of the colours is empty.",
              "Let --min be smaller than --max, and both be finite.", "heatmap"},
    ErrorWord{"picture-format", "A heat map is drawn as text only.",
              "Write the numbers with attn explain --format.", "heatmap"},
    ErrorWord{"already-computed", "A trace is a result, which options cannot compute anew.",
              "Give the problem that the trace was computed from.", "explain"},
    ErrorWord{"layer-option", "--layer or --prefix is given without need.",
              "Give one of the two, and only with a checkpoint.", "pytorch"},
    ErrorWord{"random-size", "attn new cannot make a problem of that size.",
              "Ask for a smaller one.", "new"},
    ErrorWord{"random-gave-up", "No random problem with round numbers was found.",
              "Ask for smaller sizes, or use another seed.", "new"},
    ErrorWord{"", "Files (exit code 4)", "", ""},
    ErrorWord{"cannot-read", "A file cannot be read; the message says why.",
              "Check the name and the folder: ls shows what is there.", ""},
    ErrorWord{"cannot-write", "The output cannot be written; the message says why.",
              "Check that the folder exists, may be written to, and has room.", ""},
    ErrorWord{"file-exists", "The file exists already, and attn new keeps it.",
              "Choose another name, or write over it with --force.", "new"},
    ErrorWord{"", "Text and arrays (exit code 3)", "", ""},
    ErrorWord{"json-syntax", "The text stops being JSON at the caret.",
              "Look at and before the caret: a comma, a bracket, a quotation mark?", "json"},
    ErrorWord{"json-empty", "The file is empty.",
              "Save the file again, or write a problem into it.", "json"},
    ErrorWord{"json-depth", "Brackets are nested too deep.",
              "A matrix needs two levels of brackets, a batch of matrices three.", "json"},
    ErrorWord{"json-nan", "JSON has no NaN and no infinity.",
              "Write a number; in a bias, \"-Infinity\" in quotation marks hides a key.", "json"},
    ErrorWord{"json-range", "A number is too large for float64.", "Write a smaller number.",
              "json"},
    ErrorWord{"json-encoding", "The file is not text in UTF-8.", "Save it as UTF-8.", "json"},
    ErrorWord{"json-duplicate-key", "An object has the same key twice.",
              "Keep one, or begin the other's name with _ to make it a comment.", "json"},
    ErrorWord{"wrong-format", "The file is of another kind than the one that is needed.",
              "Give a problem, or what the message names.", "json"},
    ErrorWord{"format-version", "The file was made for a newer attn.",
              "Use that attn, or write \"format_version\": \"1.0\".", "json"},
    ErrorWord{"npy-format", "The file is not an array as numpy.save writes it.",
              "Save it again with numpy.save.", "pytorch"},
    ErrorWord{"npz-format", "The file is not an archive as numpy.savez writes it.",
              "Save it again with numpy.savez, or with attn convert.", "pytorch"},
    ErrorWord{"safetensors-format", "The file is not a .safetensors file, or is cut off.",
              "Save it or copy it again; attn convert writes such files.", "pytorch"},
    ErrorWord{"dtype", "An array holds something else than real numbers.",
              "Convert it before saving: array.astype(np.float64).", "pytorch"},
    ErrorWord{"unknown-tensor", "A file has no tensor of that name, or none that helps.",
              "Name one of those that the message lists.", "pytorch"},
    ErrorWord{"prefix-needed", "A checkpoint holds several layers, and none is chosen.",
              "Choose one with --layer or --prefix.", "pytorch"},
    ErrorWord{"no-such-layer", "The checkpoint has no such layer.",
              "Choose one of those that the message lists.", "pytorch"},
    ErrorWord{"file-path", "A problem may only name files beside it or below.",
              "Put it into the problem's folder (standard input has none).", "json"},
    ErrorWord{"", "What a problem says (exit code 3)", "", ""},
    ErrorWord{"unknown-key", "An object has a key that nobody knows.",
              "Correct the key, or begin it with _ to make it a comment.", "json"},
    ErrorWord{"missing-key", "Something that is needed is not there.",
              "Add the key that the message names.", "json"},
    ErrorWord{"given-twice", "A weight is given twice, by two names.", "Keep one of the two.",
              "pytorch"},
    ErrorWord{"unknown-value",
              "A word is not one of those that can stand there. In an option, the exit code is 2.",
              "Choose one of those that the message names.", "json"},
    ErrorWord{"wrong-type", "Something else is expected there: a number, a list, a text …",
              "Write what the message expects.", "json"},
    ErrorWord{"out-of-range",
              "A number is too small, too large, or not whole. In an option, the exit code is 2.",
              "Write a number of the range that the message names.", "json"},
    ErrorWord{"not-finite", "NaN or infinity stands where attention needs a number.",
              "Write a number; to hide a key, use a mask.", "masks"},
    ErrorWord{"too-large", "The computation would need more memory than is sensible.",
              "Use fewer tokens, heads or batch entries.", ""},
    ErrorWord{"ragged-rows", "The rows of a matrix are not equally long.",
              "Give every row as many numbers as the first.", "shapes"},
    ErrorWord{"rank", "There is a level of brackets too many or too few.",
              "A matrix is a list of rows: [[1, 2], [3, 4]].", "shapes"},
    ErrorWord{"shape-mismatch", "Two sizes that should be equal are not.",
              "Compare the two sizes that the message names, and change one.", "shapes"},
    ErrorWord{"head-count", "The numbers of heads do not fit each other.",
              "Use the numbers that the message proposes.", "shapes"},
    ErrorWord{"heads-divide", "The columns cannot be shared out evenly to the heads.",
              "Use a number of heads that divides the columns.", "shapes"},
    ErrorWord{"two-inputs", "The problem says twice what it is computed from.",
              "Keep embeddings and weights, or q, k and v.", "json"},
    ErrorWord{"batch-mismatch", "Two inputs have different numbers of batch entries.",
              "Give both the same number, or give one of them without a batch.", "shapes"},
    ErrorWord{"token-count", "There are more or fewer tokens than rows.",
              "Name every row, or leave out the tokens.", "shapes"},
    ErrorWord{"unknown-token", "A token is not in the embedding table.",
              "Correct the spelling, or add the token to the table.", "json"},
    ErrorWord{"missing-tokens", "There is an embedding table, but no tokens to look up.",
              "Add \"tokens\", or pass --text.", "json"},
    ErrorWord{"missing-table", "--text needs an embedding table to look up words.",
              "Add \"embedding_table\", or leave out --text.", "json"},
    ErrorWord{"mask-unknown", "There is no mask of that name. In an option, the exit code is 2.",
              "Correct the spelling; attn help masks shows every kind.", "masks"},
    ErrorWord{"mask-arguments",
              "A mask is not in the form that it needs. In an option, the exit code is 2.",
              "Write it as the message shows, such as window:2.", "masks"},
    ErrorWord{"mask-range", "A mask names an index that there is not.",
              "Count from 0 to one less than there are tokens.", "masks"},
    ErrorWord{"mask-token", "A mask names a token that there is not.",
              "Name a token as it is written, or an index.", "masks"},
    ErrorWord{"mask-documents", "The lengths of the documents do not add up to the tokens.",
              "Give lengths whose sum is the number of tokens.", "masks"},
    ErrorWord{"key-lengths", "key_lengths do not fit the keys.",
              "Give one length per batch entry, from 0 to the number of keys.", "masks"},
    ErrorWord{"positions", "The positions do not fit the problem.",
              "Change what the message names; rope needs an even d_k.", "json"},
    ErrorWord{"empty-row", "A query sees no key, and the problem calls that an error.",
              "Let the masks leave a key to it, or choose another empty_row.", "masks"},
    ErrorWord{"", "What a trace says (exit code 3)", "", ""},
    ErrorWord{"unknown-step", "A trace has a step that this attn does not know.",
              "Use the attn that wrote it, or a newer one.", "steps"},
    ErrorWord{"missing-step", "A trace lacks a step from which another is made.",
              "Write the whole trace, without --steps.", "steps"},
    ErrorWord{"input-count", "A step of a trace is made from too many or too few others.",
              "Write the trace again with attn.", "steps"},
    ErrorWord{"", "attn itself (exit code 70)", "", ""},
    ErrorWord{"bug", "Something happened that should not, whatever the input is.",
              "Report it, with the command and its files.", ""},
};

std::string help_command_for(const ErrorWord& word) {
  return *word.page == '\0' ? "" : "attn help " + std::string(word.page);
}

/// `text` behind `lead`, in as many lines as it takes.
std::string in_lines(const std::string& lead, const std::string& text) {
  const auto room = static_cast<std::ptrdiff_t>(79 - lead.size());
  std::string lines;
  for (const std::string& line : wrapped(text, room, room)) {
    lines += (lines.empty() ? lead : std::string(lead.size(), ' ')) + line + "\n";
  }
  return lines;
}

}  // namespace

std::span<const ErrorWord> error_words() { return kWords; }

const ErrorWord* find_error_word(const std::string& id) {
  const auto at = std::find_if(kWords.begin(), kWords.end(),
                               [&](const ErrorWord& word) { return !id.empty() && id == word.id; });
  return at == kWords.end() ? nullptr : &*at;
}

std::string error_word_page(const ErrorWord& word) {
  const ErrorWord* group = &word;
  while (*group->id != '\0') --group;
  const std::string more = help_command_for(word);
  return "error[" + std::string(word.id) + "] - " + group->sentence + "\n\n" +
         in_lines("", word.sentence) + in_lines("  fix   ", word.fix) +
         (more.empty() ? "" : "  more  " + more + "\n") +
         "\nattn help errors lists all such words.\n";
}

std::string help_about(const std::string& id) {
  const ErrorWord* word = find_error_word(id);
  return word == nullptr ? "" : help_command_for(*word);
}

}  // namespace attn::app
