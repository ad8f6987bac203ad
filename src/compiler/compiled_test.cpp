#include "src/compiler/compiled_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "src/compiler/cpp_operation.hpp"
#include "src/litmus/c_instructions.hpp"

namespace ptxmc {
namespace {

/// An operation of the table of C++ by its spelling: `rmw.acq_rel.gpu.add.s32`.
struct WrittenOperation {
  std::string opcode;  ///< "rmw"
  std::string rest;    ///< ".add.s32"
  Strength strength;   ///< `none`: plain, volatile
  bool is_volatile = false;

  OperationKind kind() const {
    return opcode == "load"    ? OperationKind::load
           : opcode == "store" ? OperationKind::store
           : opcode == "rmw"   ? OperationKind::rmw
                               : OperationKind::cas;
  }
};

WrittenOperation operation_in(std::string_view spelling) {
  WrittenOperation result;
  std::size_t dot = spelling.find('.');
  result.opcode = spelling.substr(0, dot);
  while (dot < spelling.size()) {
    const std::size_t next = std::min(spelling.find('.', dot + 1), spelling.size());
    const std::string_view modifier = spelling.substr(dot, next - dot);
    if (const Ordering order = ordering_named(modifier); order != Ordering::none)
      result.strength.ordering = order;
    else if (const Scope scope = scope_named(modifier); scope != Scope::none)
      result.strength.scope = scope;
    else if (modifier == ".volatile")
      result.is_volatile = true;
    else if (modifier != ".weak")
      result.rest += modifier;
    dot = next;
  }
  return result;
}

/// The order of a compare-and-swap that is at least as strong as that of its failure.
Ordering promoted(Ordering success, std::string_view opcode) {
  if (opcode == "cas_fails_sc") return Ordering::sc;
  if (opcode != "cas_fails_acquire" || success == Ordering::sc) return success;
  return success == Ordering::release || success == Ordering::acq_rel ? Ordering::acq_rel : Ordering::acquire;
}

class ThreadCompiler {
 public:
  ThreadCompiler(const LitmusTest& test, const Mapping& mapping, Thread& thread)
      : test_(test), mapping_(mapping), thread_(thread) {}

  void compile() {
    std::vector<Target> moved;
    for (const Instruction& instruction : thread_.code) {
      moved.push_back(static_cast<Target>(code_.size()));
      add(instruction);
    }
    moved.push_back(static_cast<Target>(code_.size()));
    for (Instruction& instruction : code_)
      for (Operand& operand : instruction.operands)
        if (auto* label = std::get_if<Operand::Label>(&operand.is)) label->target = moved.at(label->target);
    thread_.code = std::move(code_);
  }

 private:
  void add(const Instruction& instruction) {
    if (is_weak_failure(instruction)) return;  // atom.cas has none: the predicate stays false
    if (instruction.form->spelling.starts_with("barrier_"))
      throw Unsupported("a cuda::barrier compiled by a mapping", instruction.where);
    if (instruction.form->definition->section == "C++") return add_access(instruction);
    const auto operation = cpp_operation(instruction);
    if (!operation) return code_.push_back(instruction);
    for (const MappedInstruction& made : rule(instruction, OperationKind::fence, operation->strength).code)
      add_fence(instruction, made);
  }

  const MappingRule& rule(const Instruction& instruction, OperationKind kind, Strength strength) const {
    const MappingRule* const found = mapping_.rule(kind, strength.ordering, strength.scope);
    if (found != nullptr) return *found;
    throw InputError(
        test_.file, instruction.where,
        fmt::format("found `{}`, but {} has no rule for `{} {} {}`", instruction.text, mapping_.file,
                    name_of(kind), cpp_name_of(strength.ordering), cpp_name_of(strength.scope)));
  }

  void add_fence(const Instruction& source, const MappedInstruction& made) {
    auto fence = fence_spelled(made.text, source.where);
    if (!fence) throw std::logic_error("a mapping has " + made.text);
    fence->text = text_of(made.text, source);
    code_.push_back(std::move(*fence));
  }

  void add_access(const Instruction& source) {
    const WrittenOperation operation = operation_in(source.form->spelling);
    const bool is_update = operation.kind() == OperationKind::rmw || operation.kind() == OperationKind::cas;
    if (operation.strength.ordering == Ordering::none) {
      const Strength of_update{Ordering::relaxed, Scope::cta};
      return is_update ? add_made(source, operation, of_update, "atom.relaxed.cta")
                       : add_unordered(source, operation);
    }
    Strength strength = operation.strength;
    if (operation.kind() == OperationKind::cas)
      strength.ordering = promoted(strength.ordering, operation.opcode);
    for (const MappedInstruction& made : rule(source, operation.kind(), strength).code) {
      if (!made.is_access)
        add_fence(source, made);
      else if (made.annotation)
        add_made(source, operation, made.annotation->strength, made.text);
      else  // volatile: relaxed at the scope of the system, PTX ISA 8.7 § 8.4.1
        add_spelled(source, operation.opcode + ".volatile" + operation.rest, made.text, source.operands);
    }
  }

  void add_unordered(const Instruction& source, const WrittenOperation& operation) {
    Instruction same = source;
    const std::string made = fmt::format("{}.{}", operation.opcode == "load" ? "ld" : "st",
                                         operation.is_volatile ? "volatile" : "weak");
    same.text = text_of(made, source);
    code_.push_back(std::move(same));
  }

  /// The access of the table of C++ with a strength of PTX; `made` is its name in PTX.
  void add_made(const Instruction& source, const WrittenOperation& operation, Strength strength,
                const std::string& made) {
    const bool is_atomic = made.starts_with("atom");
    std::string opcode = operation.opcode, rest = operation.rest;
    std::vector<Operand> operands = source.operands;
    if (operation.kind() == OperationKind::cas) {
      const bool acquires = strength.ordering == Ordering::acquire || strength.ordering == Ordering::acq_rel;
      opcode = acquires ? "cas_fails_acquire" : "cas_fails_relaxed";
    } else if (is_atomic && operation.kind() == OperationKind::load) {
      opcode = "rmw";
      rest = ".or" + rest;
      operands.push_back(Operand{Operand::Immediate{Bits(64, 0)}});
    } else if (is_atomic && operation.kind() == OperationKind::store) {
      opcode = "rmw";
      rest = ".exch" + rest;
      operands.insert(operands.begin(), Operand{Operand::Register{unused_register()}});
    }
    const std::string order = strength.ordering == Ordering::none ? ".weak" : "." + ptxmc::text_of(strength);
    add_spelled(source, opcode + order + rest, made, std::move(operands));
  }

  void add_spelled(const Instruction& source, const std::string& spelling, const std::string& made,
                   std::vector<Operand> operands) {
    std::vector<OperandShape> shapes;
    for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
    const Match match = cpp_instructions().match(spelling, shapes);
    if (!match) throw std::logic_error(fmt::format("{}: {}", spelling, match.error));
    Instruction instruction = source;
    instruction.form = match.form;
    instruction.operands = std::move(operands);
    instruction.text = text_of(made, source);
    code_.push_back(std::move(instruction));
  }

  /// For the result of an exchange that stands for a store.
  RegisterId unused_register() {
    thread_.register_names.emplace_back("%unused");
    thread_.initial_registers.emplace_back(64, 0);
    return static_cast<RegisterId>(thread_.register_names.size() - 1);
  }

  static std::string text_of(const std::string& made, const Instruction& source) {
    return fmt::format("{} of {}", made, source.text);
  }

  const LitmusTest& test_;
  const Mapping& mapping_;
  Thread& thread_;
  std::vector<Instruction> code_;
};

}  // namespace

LitmusTest compiled_test(const LitmusTest& test, const Mapping& mapping) {
  if (test.language != Language::cpp)
    throw InputError(test.file, {}, "found a test of PTX, expected one of scoped C++ (header `C name`)");
  LitmusTest result = test;
  result.language = Language::ptx;
  for (Thread& thread : result.program.threads) ThreadCompiler(test, mapping, thread).compile();
  return result;
}

}  // namespace ptxmc
