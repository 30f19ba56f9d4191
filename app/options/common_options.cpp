// The options that every command takes.
#include "command.hpp"

#include "attn/language.hpp"

namespace attn::app {

void add_common_options(Command& command, CommonOptions& common) {
  add_rows(
      command, Group::Common,
      {file("-o,--output", command.makes_folder ? "DIR" : "FILE",
            command.makes_folder ? "make the folder DIR, unless it has files in it"
                                 : "write FILE, or replace it; - is standard output",
            command.makes_folder ? PathUse::OutputFolder : PathUse::Output, common.output),
       again(choice("--color", "WHEN", "auto (on a terminal), always or never (--no-color)",
                    {{"auto", ColorChoice::Auto},
                     {"always", ColorChoice::Always},
                     {"never", ColorChoice::Never}},
                    common.color),
             Again::Last),
       again(choice("--color-depth", "DEPTH", "16, 256 or truecolor", color_depth_names(),
                    [&common](const std::string& v) { common.depth = parse_color_depth(v); }),
             Again::Last),
       again(choice("--lang", "CODE", "language of what students read: en, de or zh",
                    language_codes(), [&common](const std::string& v) { common.language = v; }),
             Again::Last),
       flag("--ascii", "7-bit characters only", common.ascii),
       again(whole("--ambiguous-width", "width of Greek letters, … and → on your terminal: 1 or 2",
                   1, 2, common.ruler.ambiguous),
             Again::Last),
       again(whole("--width", "characters in a line: text is wrapped, wide matrices are split", 20,
                   100000, common.width),
             Again::Last),
       flag("--quiet", "no notes on standard error, only errors", common.quiet),
       again(choice("--error-format", "FORMAT", "errors as text, or as one line of json",
                    {{"text", false}, {"json", true}}, common.errors_as_json),
             Again::Last),
       flag("--help", "this page; -h: the most common options", [] {})});
  add_rows(command, Group::Same,
           {flag("--no-color", "the same as --color never", common.color, ColorChoice::Never),
            flag("-h", "a short page with the most common options", [] {})});
}

}  // namespace attn::app
