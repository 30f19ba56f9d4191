// Kinds of values that several keys of a problem file share.
#pragma once

#include "io/json/expectation.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {

using json::Expectation;

inline constexpr Expectation kText{"text", "Write text in quotation marks.", true};
inline constexpr Expectation kCell{"a number", "Write a number, without quotation marks."};
inline constexpr Expectation kMatrix{"a matrix",
                                     "Write one list for each row, such as [[1, 0], [0, 1]]."};
inline constexpr Expectation kObject{"an object", json::kInBraces};
inline constexpr Expectation kNumber{"a number",
                                     "Write a number such as 0.5, or leave out the key."};
inline constexpr Expectation kCount{"a whole number",
                                    "Write a number such as 2, or leave out the key."};
inline constexpr Expectation kWord{
    "a word", "Write the word in quotation marks, or leave out the key.", true};
inline constexpr Expectation kTexts{"a list of strings",
                                    "Write a list such as [\"the\", \"cat\"]."};

inline constexpr Expectation kNumbers{
    "numbers", "Write a list such as [1, 0.5]; a matrix is a list of such lists."};

inline constexpr Expectation kYesOrNo{"true or false",
                                      "Write true or false, without quotation marks."};

inline constexpr KeyKind kTextKind{kText, kText, R"("type": "string")"};
inline constexpr KeyKind kTokenLists{kTexts, kText, R"("$ref": "#/$defs/token_lists")"};
inline constexpr KeyKind kTokens{kTexts, kText, R"("$ref": "#/$defs/tokens")"};
inline constexpr KeyKind kTable{.whole = kObject,
                                .item = kCell,
                                .schema = R"("type": "object", "minProperties": 1,
      "additionalProperties": {"$ref": "#/$defs/vector"})",
                                .by_name = true};
inline constexpr KeyKind kInput{// (batch ×) T × d_model
                                kMatrix,
                                kCell,
                                R"("$ref": "#/$defs/input")",
                                {2, 3}};
inline constexpr KeyKind kProjected{// (batch × (head ×)) T × d
                                    kMatrix,
                                    kCell,
                                    R"("$ref": "#/$defs/projected")",
                                    {2, 4}};
inline constexpr KeyKind kPositive{.whole = kNumber,
                                   .item = kNumber,
                                   .schema = R"("type": "number", "exclusiveMinimum": 0)",
                                   .positive = true};
inline constexpr KeyKind kCellKind{kNumber, kNumber, R"("type": "number")"};
inline constexpr KeyKind kFlagKind{kYesOrNo, kYesOrNo, R"("type": "boolean", "default": false)"};
inline constexpr KeyKind kMasks{
    {"a mask", "Write a mask such as \"causal\", or leave out the key.", true},
    {"a mask", "Write a mask such as \"causal\", or leave out the key.", true},
    R"("anyOf": [{"$ref": "#/$defs/mask"}, {"type": "array", "items": {"$ref": "#/$defs/mask"}}])"};
inline constexpr KeyKind kHeadCount{kCount, kCount, R"("$ref": "#/$defs/count")"};
inline constexpr KeyKind kWordKind{kWord, kWord};
inline constexpr KeyKind kObjectKind{kObject, kObject};

}  // namespace attn
