#pragma once

#include <array>
#include <span>

#include "semantics/language/form.hpp"
#include "semantics/language/instruction.hpp"

namespace ptxmc {

/// An instruction that is executed many times on registers of the same widths. Its operands are analysed
/// once.
class PreparedInstruction {
 public:
  /// The instruction must outlive this. `widths` are those of the registers.
  PreparedInstruction(const Instruction&, std::span<const unsigned> widths);

  /// The same as execute(instruction, registers, effects).
  void execute(std::vector<Bits>& registers, Effects&) const;

 private:
  /// A source operand: a register, an immediate or an address.
  struct Source {
    Bits Operands::*place = nullptr;
    RegisterId id = no_register;
    Bits constant;  ///< the value of an immediate, or the offset of an address
    bool is_address = false;
  };
  struct Destination {
    RegisterId id = no_register;  ///< none: `_`
    bool is_signed = false;
  };
  static constexpr RegisterId no_register = ~RegisterId{0};
  static constexpr std::size_t most_sources = 4, most_destinations = 2;

  bool add_source(const FormOperand&, const Operand&, std::span<const unsigned> widths);
  bool add_destination(const FormOperand&, const Operand&);

  const Instruction* instruction_;
  bool is_plain_ = true;  ///< sources and destinations describe the operands completely
  std::uint8_t source_count_ = 0, destination_count_ = 0;
  std::array<Source, most_sources> sources_;
  std::array<Destination, most_destinations> destinations_;
};

}  // namespace ptxmc
