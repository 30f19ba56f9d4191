#include <iostream>

#include "attn/attend.hpp"
#include "attn/problem_file.hpp"
#include "attn/samples.hpp"

int main() {
  const attn::ProblemFile file =
      attn::parse_problem(std::string(attn::samples()[0].text), "sample");
  const attn::Trace trace = attn::attend(attn::make_problem(file.draft));
  std::cout << "output is " << attn::shape_text(trace.value("output").shape().sizes()) << "\n";
}
