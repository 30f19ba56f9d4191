// The options that look inside a whole model.
#include "options/shared_options.hpp"

namespace attn::app {

void add_inside_options(Command& command, InsideChoice& inside) {
  add_rows(command, Group::Problem,
           {flag("--lens", "what each layer of a model would predict", inside.lens)});
}

}  // namespace attn::app
