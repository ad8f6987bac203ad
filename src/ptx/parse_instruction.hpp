#pragma once

#include <string>
#include <unordered_map>

#include "src/ptx/syntax.hpp"
#include "src/ptx/token_stream.hpp"

namespace ptxmc::syntax {

/// Numbers the mnemonics of a module; equal ones get the same number.
class MnemonicTable {
 public:
  explicit MnemonicTable(std::vector<Mnemonic>& mnemonics) : mnemonics_(mnemonics) {}

  /// The pieces are an opcode and modifiers, in any number of tokens.
  MnemonicId intern(std::string_view first_piece, const std::vector<std::string_view>& more_pieces);

 private:
  std::vector<Mnemonic>& mnemonics_;
  std::unordered_map<std::string, MnemonicId> ids_;
};

/// `@!p`, if present: PTX ISA 8.7 § 9.3.
std::optional<Guard> parse_guard(TokenStream&);

/// Opcode, modifiers and operands, up to and including the `;`.
Instruction parse_instruction(TokenStream&, MnemonicTable&, std::optional<Guard>);

/// PTX ISA 8.7 § 6.4.
Operand parse_operand(TokenStream&);

}  // namespace ptxmc::syntax
