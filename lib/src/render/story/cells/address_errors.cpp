// Says what is wrong with the address of a cell, and how one is written.
#include "render/story/cells/address_errors.hpp"

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/trace/axis_names.hpp"
#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

constexpr const char* kHowToName =
    "Write STEP:ROW,COL for one number, such as weights:1,0 or scores:cat,the, with several heads "
    "STEP:HEAD,ROW,COL; STEP:ROW for a row; ROW,COL for a query and a key.";

}  // namespace

Error bad_cell(const std::string& text, const std::string& what, const std::string& fix) {
  return {ErrorKind::Usage,
          {{.id = "no-such-cell",
            .what = "\"" + text + "\" does not name a cell: " + what,
            .fix = fix.empty() ? kHowToName : fix}}};
}

Error bad_brackets(const std::string& text, const std::string& step) {
  return bad_cell(
      text, "brackets hold head N or batch N, then ROW,COL",
      filled("Write {}[ROW,COL], or {}[head 1][ROW,COL] for one of several heads.", step, step));
}

std::string size_of(const Step& step) {
  const auto sized = [](Index count, const char* noun, const std::string& axis) {
    return counted(count, noun) + (axis.empty() || axis == "1" ? "" : " (" + axis + ")");
  };
  return step.id + " has " + sized(step.value.rows(), "row", step.info().row_axis) + " and " +
         sized(step.value.cols(), "column", col_axis_name(step));
}

Error bad_axis(const Step& step, const std::string& text, const std::string& head, bool of_batch) {
  const Index heads = step.value.heads(), batch = step.value.batch();
  Diagnostic wrong =
      (of_batch
           ? bad_cell(
                 text,
                 filled("{} has {} batch entries, and \"{}\" is none of them", step.id, batch,
                        head),
                 filled("Batch entries are counted from 0: write {}[batch {}][ROW,COL] for the "
                        "last one.",
                        step.id, batch - 1))
       : heads == 1
           ? bad_cell(text, step.id + " has no heads", filled("Write {}:ROW,COL.", step.id))
           : bad_cell(text,
                      filled("{} has {} heads, and \"{}\" is none of them", step.id, heads, head),
                      filled("Heads are counted from 0: write {}:{},ROW,COL for the last "
                             "one.",
                             step.id, heads - 1)))
          .diagnostics()
          .front();
  wrong.places = {{.remark = size_of(step)}};
  return {ErrorKind::Usage, {wrong}};
}

Error no_such_step(const Trace& trace, const std::string& text, const std::string& name) {
  const std::string what = name.empty() ? "it names no step, and this trace has no weights"
                                        : "this problem has no step \"" + name + "\"";
  Diagnostic diagnostic = bad_cell(text, what).diagnostics().front();
  if (!add_how_to_get(diagnostic, trace, name)) diagnostic.what += meant_step(trace, name);
  return {ErrorKind::Usage, {diagnostic}};
}

}  // namespace attn
