// Decides message passing in the scope of a CTA and of the GPU, and shows an execution.
#include <iostream>
#include <ptxmc.hpp>

namespace {

ptxmc::LitmusTest message_passing(const std::string& scope) {
  return ptxmc::parse_litmus(
      "PTX MP\n{ data = 0; flag = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " st.weak data, 42 | ld.acquire." +
      scope +
      " r0, flag ;\n st.release.gpu flag, 1 | ld.weak r1, data ;\n"
      "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n");
}

}  // namespace

int main() {
  try {
    const ptxmc::LitmusAnswer answer = ptxmc::decide(message_passing("cta"));
    std::cout << answer.word << ", " << answer.states.size() << " states\n"
              << ptxmc::to_text(answer.execution.value());
    ptxmc::LitmusOptions options;
    options.engine = ptxmc::Engine::both;  // the solver too
    std::cout << ptxmc::decide(message_passing("gpu"), options).word << "\n";
    message_passing("planet");
  } catch (const ptxmc::Error& error) {
    std::cout << error.file << ":" << error.line << ":" << error.column << ": " << error.what() << "\n";
    return error.line == 4 ? 0 : 1;
  }
  return 1;
}
