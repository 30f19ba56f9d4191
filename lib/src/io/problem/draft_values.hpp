// How the values of a draft that are neither numbers nor words are read and written.
#pragma once

#include <string_view>
#include <vector>

#include "attn/problem.hpp"
#include "io/json/value.hpp"
#include "io/json/writer.hpp"

namespace attn {

using IdLists = std::vector<std::vector<Index>>;
using LabelLists = std::vector<std::vector<LabelDraft>>;

/// What to do with a matrix in place of the name of a mask.
inline constexpr const char* kMatrixOfMask =
    "A matrix of 0 and 1 belongs under the key \"allowed\"; there, 1 means \"may attend\".";

/// All throw Error; places name pointers only.
void read_into(const json::Value& value, EmbeddingTable& table);
void read_into(const json::Value& value, std::vector<MaskSpec>& masks);
void read_into(const json::Value& value, IdLists& ids);
void read_into(const json::Value& value, LabelLists& labels);
void read_into(const json::Value& value, std::vector<LayerSettings>& layers);

/// Nothing for an empty value.
void write_member(json::Writer& out, std::string_view key, const EmbeddingTable& table);
void write_member(json::Writer& out, std::string_view key, const std::vector<MaskSpec>& masks);
void write_member(json::Writer& out, std::string_view key, const TokenLists& tokens);
void write_member(json::Writer& out, std::string_view key, const IdLists& ids);
void write_member(json::Writer& out, std::string_view key, const LabelLists& labels);
void write_member(json::Writer& out, std::string_view key,
                  const std::vector<LayerSettings>& layers);

/// The members of an object; throws "wrong-type" with `expected` and `fix` for anything else.
const json::Members& members_of(const json::Value& value, const char* expected, const char* fix);

json::Value child(const json::Value& object, const json::Member& member);

/// The lists in "464,3797" or, for a batch, "1,2;3,4". Throws Error (id "option-value").
IdLists ids_in(const std::string& text);

}  // namespace attn
