// Texts that are const char* are shown where a check fails; doctest would show their address.
#pragma once

#include <doctest/doctest.h>

template <>
struct doctest::StringMaker<const char*> {
  static String convert(const char* text) { return text == nullptr ? "nullptr" : text; }
};
