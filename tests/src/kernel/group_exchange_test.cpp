// Exchanges of several registers among the threads of a warp, a warpgroup and a CTA pair. An instruction of
// the test gives two registers and gets those of all other threads.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "semantics/language/operands.hpp"
#include "solver/unfolding/substitution.hpp"
#include "tests/src/kernel/kernel_run.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;

namespace {

/// d = the sum, over the other threads of the group that take part, of their first register and 100 times
/// their second one.
template <ThreadGroup group>
Results sum_of_others(const Form& form, const Operands& x, Effects& effects) {
  const Bits registers[] = {x.a, x.a * x.a};
  const Exchange exchange = {
      form.spelling,
      group == ThreadGroup::warp ? std::optional<Bits>(Bits(lanes_per_warp, 0xffffffff)) : std::nullopt,
      registers, group};
  return effects.await_exchange(exchange, [](const ExchangedValues& values) {
    Bits sum(32, 0);
    for (std::size_t rank = 0; rank < values.threads(); ++rank) {
      if (values.takes_part(rank).is_false()) continue;
      const Bits term = values.value(rank) + values.value(rank, 1) * Bits(32, 100);
      sum = sum + ite(values.takes_part(rank) & ~equal(values.own, Bits(32, rank)), term, Bits(32, 0));
    }
    return Results(sum);
  });
}

const Definition definitions[] = {
    {.section = "", .syntax = "", .rule = Rule(&sum_of_others<ThreadGroup::warp>)},
    {.section = "", .syntax = "", .rule = Rule(&sum_of_others<ThreadGroup::warpgroup>)},
    {.section = "", .syntax = "", .rule = Rule(&sum_of_others<ThreadGroup::cta_pair>)},
};

/// A kernel in which `not.b32` is such an exchange. Every thread gives `base` plus its number in the grid;
/// the threads with the numbers below `exiting` exit before.
struct ExchangeKernel {
  std::shared_ptr<const SourceText> source;
  syntax::Diagnostics diagnostics;
  Form form;
  syntax::Module module;
  kernel::Launch launch;

  ExchangeKernel(ThreadGroup group, std::uint32_t ctas, std::uint32_t threads, std::uint32_t exiting)
      : source(std::make_shared<const SourceText>("k.ptx", test::header + fmt::format(R"(
.visible .entry k(.param .u64 out, .param .u32 base) {{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
  ld.param.u64 %rd0, [out];
  ld.param.u32 %r0, [base];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.lt.u32 %p, %r4, {};
  @%p exit;
  mul.wide.u32 %rd1, %r4, 4;
  add.u64 %rd2, %rd0, %rd1;
  add.u32 %r5, %r4, %r0;
  not.b32 %r6, %r5;
  st.global.u32 [%rd2], %r6;
  ret;
}})",
                                                                                      exiting))),
        module(syntax::read_module(source, ptx(), diagnostics)) {
    REQUIRE(!diagnostics.has_errors());
    auto& function = std::get<syntax::Function>(module.statements.back().is);
    for (syntax::Statement& statement : function.body->statements) {
      auto* instruction = std::get_if<syntax::Instruction>(&statement.is);
      if (instruction == nullptr || !instruction->text.starts_with("not.b32")) continue;
      form = *instruction->form;
      form.definition = &definitions[static_cast<std::size_t>(group)];
      instruction->form = &form;
    }
    REQUIRE(form.definition != nullptr);
    launch.grid = {ctas, 1, 1};
    launch.block = {threads, 1, 1};
    launch.cluster = {2, 1, 1};
    launch.entries = {"k"};
  }

  void set_base(const kernel::ScalarParameter& base) {
    const std::vector<std::uint64_t> zeros(launch.grid[0] * launch.block[0]);
    launch.parameters = {test::u32_buffer("out", zeros), {"base", base}};
  }

  std::vector<std::uint64_t> run(std::uint64_t base) {
    set_base({{"u32", type_of(".u32")}, base});
    const auto result = kernel::run_launch(launch, module, {}, [](const auto&) {});
    CHECK(result.findings.empty());
    std::vector<std::uint64_t> values;
    for (const std::string& element : result.buffers.at(0).elements) values.push_back(std::stoull(element));
    return values;
  }

  /// The same for a base that is not known when the launch is unfolded.
  std::vector<std::uint64_t> unfold(std::uint64_t base) {
    set_base({{"u32", type_of(".u32")}, kernel::AnyValue()});
    kernel::LoadedModule loaded(module, 0);
    TermGraph graph;
    const auto unfolded = kernel::unfold_launch(loaded, launch, graph, {});
    Substitution known;
    known.set(unfolded->scalars.at(1).term()->variable, Bits(32, base));
    std::vector<std::uint64_t> values(launch.grid[0] * launch.block[0]);
    for (const Event& event : unfolded->structure.events)
      if (event.is_write() && event.thread != Event::no_thread)
        values[static_cast<std::size_t>(event.thread)] = known.apply(event.value).to_u64();
    return values;
  }
};

/// What the definition of the instruction says, by thread of the grid.
std::vector<std::uint64_t> expected(std::uint32_t group_size, std::uint32_t cta_size, std::uint32_t threads,
                                    std::uint32_t exiting, std::uint32_t base) {
  std::vector<std::uint64_t> result(threads);
  for (std::uint32_t own = exiting; own < threads; ++own) {
    std::uint32_t sum = 0;
    for (std::uint32_t other = exiting; other < threads; ++other) {
      const bool is_same_group = own / cta_size * cta_size + own % cta_size / group_size * group_size ==
                                 other / cta_size * cta_size + other % cta_size / group_size * group_size;
      if (other != own && is_same_group) sum += other + base + 100 * (other + base) * (other + base);
    }
    result[own] = sum;
  }
  return result;
}

}  // namespace

TEST_CASE("threads of a warp, a warpgroup and a CTA pair exchange registers, run and unfolded alike") {
  struct Case {
    ThreadGroup group;
    std::uint32_t ctas, threads, group_size, unit_size;
  };
  // The units are the CTAs, or for pairs the two CTAs together. The last warpgroup has one warp only.
  const Case cases[] = {{ThreadGroup::warp, 2, 40, 32, 40},
                        {ThreadGroup::warpgroup, 2, 160, 128, 160},
                        {ThreadGroup::cta_pair, 4, 3, 6, 6}};
  for (const Case& test : cases)
    for (const std::uint32_t exiting : {0u, 2u}) {
      ExchangeKernel kernel(test.group, test.ctas, test.threads, exiting);
      const auto values = expected(test.group_size, test.unit_size, test.ctas * test.threads, exiting, 7);
      CAPTURE(static_cast<int>(test.group));
      CHECK(kernel.run(7) == values);
      CHECK(kernel.unfold(7) == values);
    }
}
