// Guesses at what a misspelt word meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Up to three words of `known` that `wrong` may have meant, nearest first: Damerau–Levenshtein
/// distance at most 2 and at most a third of the length of `wrong`, rounded. Capitals and the
/// dashes before an option do not count. If `wrong` is another name for one of them, "sliding" for
/// "window", that one alone.
std::vector<std::string> suggestions(std::string_view wrong, const std::vector<std::string>& known);

/// The end of a sentence: "; did you mean \"causal\"?", "; did you mean \"a\", \"b\" or \"c\"?";
/// empty without suggestions.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

/// The same, with these words as suggestions.
std::string did_you_mean(const std::vector<std::string>& words);

}  // namespace attn
