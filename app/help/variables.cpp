// The table of environment variables.
#include "help/help.hpp"

#include <array>

namespace attn::app {
namespace {

constexpr std::array kVariables{
    Variable{"NO_COLOR", "no colours, unless it is empty"},
    Variable{"FORCE_COLOR", "colours in pipes too; 1, 2 or 3: 16, 256 or all colours; 0: none"},
    Variable{"CLICOLOR_FORCE", "colours in pipes too, unless it is 0"},
    Variable{"TERM", "dumb: no colours; with 256color in it: 256 colours"},
    Variable{"COLORTERM", "truecolor or 24bit: all colours"},
    Variable{"TERM_PROGRAM", "Apple_Terminal: 256 colours"},
    Variable{"WT_SESSION", "set by Windows Terminal: all colours"},
    Variable{"ATTN_THEME", "the palette on a terminal, as --palette"},
    Variable{"ATTN_LAYOUT", "the layout on a terminal, as --layout"},
    Variable{"ATTN_LANG", "the language on a terminal, as --lang"},
    Variable{"COLUMNS", "the width, where the terminal does not report it"},
    Variable{"LC_ALL",
             "the first of LC_ALL, LC_CTYPE and LANG that is set decides: without UTF-8 in it, "
             "a terminal gets 7-bit characters"},
    Variable{"LC_CTYPE", "see LC_ALL"},
    Variable{"LANG", "see LC_ALL"}};

}  // namespace

std::span<const Variable> variables() { return kVariables; }

}  // namespace attn::app
