# Text files become part of the library, so that the program needs none of them beside it.

# attn_embed(OUTPUT HEADER TYPE FUNCTION FOLDER EXTENSION NAME…): writes the C++ file that implements
# `std::span<const TYPE> FUNCTION()` of HEADER, one TYPE{name, text} for each file
# FOLDER/NAME.EXTENSION; it is left alone if nothing in it would change. Editing one of the files
# makes the build configure again.
function(attn_embed OUTPUT HEADER TYPE FUNCTION FOLDER EXTENSION)
  set(entries "")
  foreach(name IN LISTS ARGN)
    set(file "${FOLDER}/${name}.${EXTENSION}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND entries "    {\"${name}\", R\"attn(${text})attn\"sv},\n")
  endforeach()

  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${FOLDER}")
  file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
// Made from @folder@/*.@EXTENSION@ by lib/embed.cmake; edit those.
#include "@HEADER@"

#include <string_view>

using std::string_view_literals::operator""sv;  // counted here: Clang gives up on long ones

#ifdef __clang__  // takes longer texts than the standard promises
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif

std::span<const attn::@TYPE@> attn::@FUNCTION@() {
  static constexpr @TYPE@ files[] = {
@entries@};
  return files;
}
]])
endfunction()
