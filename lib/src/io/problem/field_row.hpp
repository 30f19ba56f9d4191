// How a value of each type is read, written and taken from an option.
// In a row: field<&ProblemDraft::heads>().
#pragma once

#include <type_traits>
#include <utility>

#include "attn/setting_names.hpp"
#include "io/problem/draft_values.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {

template <class Type>
Type read_as(const json::Value& v, const ProblemKey& key) {
  using std::is_same_v;
  if constexpr (requires(Type & read) { read_into(v, read); }) {
    Type read;
    read_into(v, read);
    return read;
  }
  if constexpr (is_same_v<Type, std::string>) return json::read_text(v);
  if constexpr (is_same_v<Type, bool>) return json::read_flag(v);
  if constexpr (is_same_v<Type, double>) return json::read_number(v);
  if constexpr (is_same_v<Type, Index>) return json::read_count(v, key.kind.least);
  if constexpr (is_same_v<Type, TokenLists>) return json::read_token_lists(v);
  if constexpr (is_same_v<Type, std::vector<std::string>>) return json::read_texts(v);
  if constexpr (is_same_v<Type, std::vector<Index>>) return json::read_counts(v, 0);
  if constexpr (is_same_v<Type, std::vector<double>>) return read_array(v, key.kind.form).data;
  if constexpr (is_same_v<Type, Array>) return json::read_array(v, key.kind.form);
  if constexpr (std::is_enum_v<Type>) return parse_word<Type>(json::read_text(v), v.pointer);
}

/// Nothing for an empty value or the default.
template <class Type>
void write_value(json::Writer& out, std::string_view key, const Type& value) {
  if constexpr (std::is_same_v<Type, std::optional<bool>>) {
    if (value) out.add(key, *value);  // false may not be the default
  } else if constexpr (requires { value.has_value(); }) {
    if (value) write_value(out, key, *value);
  } else if constexpr (requires { write_member(out, key, value); }) {
    write_member(out, key, value);
  } else if constexpr (std::is_same_v<Type, Array>) {
    if (!value.shape.empty()) out.key(key).array(value);
  } else if constexpr (std::is_enum_v<Type>) {
    if (value != Type{}) out.add(key, word_of(value));
  } else if constexpr (std::is_same_v<Type, bool> || requires { value.empty(); }) {
    out.some(key, value);
  } else {
    out.add(key, value);
  }
}

/// The whole text as a number. Throws Error (id "option-value") if it is not one, or not one that
/// the key takes.
double number_in(const std::string& text, const ProblemKey& key, bool whole);

template <class Type>
Type option_as(const std::string& text, const ProblemKey& key) {
  if constexpr (std::is_enum_v<Type>) return parse_word<Type>(text, key.pointer());
  if constexpr (!std::is_enum_v<Type>) {
    return static_cast<Type>(number_in(text, key, std::is_same_v<Type, Index>));
  }
}

/// The member of a member: &ProblemDraft::past, &ProblemDraft::Past::k; optional ones on the way
/// have a value.
template <auto first, auto... rest, class Owner>
auto& member_of(Owner& owner) {
  auto& member = owner.*first;
  if constexpr (sizeof...(rest) == 0) {
    return member;
  } else if constexpr (requires { member.has_value(); }) {
    return member_of<rest...>(*member);
  } else {
    return member_of<rest...>(member);
  }
}

/// Whether the optional object that holds the last member exists, and a way to create it.
template <auto first, auto... rest>
bool has_owner(const ProblemDraft& draft) {
  if constexpr (sizeof...(rest) > 0 && requires { (draft.*first).has_value(); })
    return (draft.*first).has_value();
  return true;
}
template <auto first, auto... rest>
void make_owner(ProblemDraft& draft) {
  if constexpr (sizeof...(rest) > 0 && requires { (draft.*first).has_value(); }) {
    if (!(draft.*first)) (draft.*first).emplace();
  }
}

/// Puts the array in place of the member, and returns the old one.
std::optional<Array> exchanged(std::optional<Array>& member, std::optional<Array> array);
std::optional<Array> exchanged(Array& member, std::optional<Array> array);
std::optional<Array> exchanged(std::vector<Index>& member, std::optional<Array> array);

/// Throws Error (id "out-of-range") unless all are whole numbers from 0 to kLargestCount.
void check_counts(const Array& array, const ProblemKey& key);

template <class Type>
struct Inside {
  using type = Type;
};
template <class Type>
struct Inside<std::optional<Type>> {
  using type = Type;
};

template <auto... path>
constexpr KeyField field() {
  using Whole = std::remove_cvref_t<decltype(member_of<path...>(std::declval<ProblemDraft&>()))>;
  using Type = typename Inside<Whole>::type;
  KeyField f{[](const json::Value& v, const ProblemKey& key, ProblemDraft& d) {
               member_of<path...>(d) = read_as<Type>(v, key);
             },
             [](json::Writer& out, std::string_view key, const ProblemDraft& d) {
               write_value(out, key, member_of<path...>(d));
             }};
  f.make_owner = make_owner<path...>;
  if constexpr (std::is_enum_v<Type>) f.words = words_of<Type>;
  if constexpr (std::is_enum_v<Type> || std::is_same_v<Type, double> ||
                std::is_same_v<Type, Index>) {
    f.apply = [](const std::string& text, const ProblemKey& key, ProblemDraft& d) {
      member_of<path...>(d) = option_as<Type>(text, key);
    };
  }
  if constexpr (std::is_same_v<Type, Array> || std::is_same_v<Type, std::vector<Index>>) {
    f.exchange = [](ProblemDraft& d, [[maybe_unused]] const ProblemKey& key,
                    std::optional<Array> array) -> std::optional<Array> {
      if constexpr (std::is_same_v<Type, std::vector<Index>>) {
        if (array) check_counts(*array, key);
      }
      if (!array && !has_owner<path...>(d)) return std::nullopt;
      make_owner<path...>(d);
      return exchanged(member_of<path...>(d), std::move(array));
    };
  }
  return f;
}

/// An optional object whose keys have rows of their own; `parent` is "past/", for example.
template <auto member, const auto& parent>
constexpr KeyField object_field() {
  return {[](const json::Value& v, const ProblemKey&, ProblemDraft& d) {
            (d.*member).emplace();
            read_keys(v, parent, d);
          },
          [](json::Writer& out, std::string_view key, const ProblemDraft& d) {
            if (!(d.*member)) return;
            out.some_object(key, json::Layout::Lines, [&] { write_keys(out, parent, d); });
          }};
}

}  // namespace attn
