// Any bytes are a model or refused, and a model judges an execution.
#include "model/judge/judge.hpp"
#include "reading.hpp"
#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

/// Message passing between two threads, with a fence in each.
Execution message_passing(ExecutionBuilder& builder) {
  const Access strong{.sem = Sem::relaxed, .scope = Scope::gpu};
  const int writer = builder.thread(), reader = builder.thread();
  const EventId x = builder.initial(0, 4), flag = builder.initial(8, 4);
  builder.write(writer, 0, 4, 1);
  builder.fence(writer, {});
  const EventId set = builder.write(writer, 8, 4, 1, strong);
  builder.read(reader, 8, 4, set, strong);
  builder.fence(reader, {});
  builder.read(reader, 0, 4, x);
  builder.read(reader, 8, 4, flag);
  return builder.execution();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const cat::IncludeResolver none = [](const std::string& name, const std::string&) {
    return name == "empty.cat" ? std::optional(cat::Source{name, ""}) : std::nullopt;
  };
  accepts([&] {
    const cat::Model model = cat::parse({"fuzz.cat", text_of(data, size)}, none);
    ExecutionBuilder builder;
    judge(model, message_passing(builder));
  });
  return 0;
}
