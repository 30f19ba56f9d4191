// GPT-2's letters for bytes, and tokens as they can be shown.
#pragma once

#include <string>
#include <string_view>

namespace attn {

/// GPT-2's vocabularies write each byte as one character: a visible one as itself, all others as
/// U+0100 and following, in order (bytes_to_unicode in its encoder.py). A space is Ġ.
std::string letters_of_bytes(std::string_view bytes);
/// The way back. A token with any other character stays as it is.
std::string bytes_of_letters(std::string_view token);

/// The text of a token as it can be shown: nothing in it is invisible, or moves what comes after
/// it. A space, and Llama's ▁, are ␣, a line end is \n, a byte that is not text <0xE2>.
std::string shown_token(std::string_view text);

}  // namespace attn
