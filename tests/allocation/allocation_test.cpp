// A rule whose operands are constants allocates nothing on the heap. A program of its own, because it
// replaces operator new.
#include <doctest/doctest.h>

#include <cstdlib>
#include <new>
#include <random>

#include "semantics/language/instruction.hpp"
#include "semantics/language/no_effects.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

using namespace ptxmc;

namespace {

/// An instruction of a form on registers, and what they hold.
struct Prepared {
  Instruction instruction;
  std::vector<Bits> registers;
};

Prepared prepare(const Form& form, std::mt19937_64& random) {
  Prepared prepared;
  prepared.instruction.form = &form;
  for (const FormOperand& operand : form.operands) {
    const unsigned width = operand.type.width == 0 ? 64 : operand.type.width;
    const Bits value(width, test::random_operand(random, width));
    if (!operand.is_hidden && operand.pattern->is_constant) {
      prepared.instruction.operands.push_back({Operand::Immediate{value}});
      continue;
    }
    prepared.instruction.operands.push_back(
        {Operand::Register{static_cast<RegisterId>(prepared.registers.size())}});
    prepared.registers.push_back(value);
  }
  return prepared;
}

std::size_t allocations_of(Prepared& prepared) {
  NoEffects effects;
  const std::size_t before = allocations;
  try {
    execute(prepared.instruction, prepared.registers, effects);
  } catch (const UnexpectedEffect&) {
    return 0;
  }
  return allocations - before;
}

}  // namespace

TEST_CASE("operator new is counted") {
  const std::size_t before = allocations;
  std::vector<int> numbers(1000);
  numbers[7] = 1;
  CHECK(allocations == before + 1);
}

TEST_CASE("no rule allocates when its operands are constants") {
  std::mt19937_64 random(3);
  std::size_t forms = 0;
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, 10, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        REQUIRE(match);
        if (!test::is_scalar_computation(*match.form, shapes)) return;
        ++forms;
        for (int i = 0; i < 4; ++i) {
          Prepared prepared = prepare(*match.form, random);
          INFO(spelling);
          CHECK(allocations_of(prepared) == 0);
        }
      });
  CHECK(forms > 1000);
}
