#include "command.hpp"
#include "files.hpp"
#include "options.hpp"

namespace attn::app {

void add_common_options(Command& command, CommonOptions& common) {
  const std::vector<std::string> colors{"auto", "always", "never"};
  auto& add = command.options;
  add.push_back({"-o,--output",
                 "FILE",
                 "write to FILE; - is standard output",
                 {},
                 [&common](const std::string& v) {
                   require_path("-o", v);
                   common.output = v;
                 }});
  add.push_back({"--color", "WHEN", "auto (on a terminal), always or never", colors,
                 [&common](const std::string& v) {
                   common.color = v == "auto"     ? ColorChoice::Auto
                                  : v == "always" ? ColorChoice::Always
                                                  : ColorChoice::Never;
                 }});
  add.push_back({"--no-color", "", "the same as --color never", {}, [&common](const std::string&) {
                   common.color = ColorChoice::Never;
                 }});
  add.push_back({"--ascii", "", "7-bit characters only", {}, [&common](const std::string&) {
                   common.ascii = true;
                 }});
  add.push_back(
      {"--width", "N", "columns for headlines and prose", {}, [&common](const std::string& v) {
         common.width = whole_number("--width", v, 20, 100000);
       }});
  add.push_back(
      {"--quiet", "", "no notes on standard error, only errors", {}, [&common](const std::string&) {
         common.quiet = true;
       }});
}

}  // namespace attn::app
