#include "src/kernel/call_parts.hpp"

#include "semantics/diagnostic.hpp"

namespace ptxmc::kernel {

CallParts parts_of(const syntax::Instruction& call) {
  CallParts parts;
  std::size_t at = 0;
  parts.returns = std::get_if<syntax::Arguments>(&call.operands[at].is);
  if (parts.returns != nullptr) ++at;
  parts.callee = &call.operands[at++];
  if (at < call.operands.size()) parts.arguments = std::get_if<syntax::Arguments>(&call.operands[at].is);
  return parts;
}

std::optional<RegisterId> find_register(const LoadedFunction& function, const syntax::Name& name) {
  const auto& registers = function.lowered.registers;
  for (RegisterId id = 0; id < registers.size(); ++id)
    if (registers[id].symbol == name.symbol && registers[id].index == name.index) return id;
  return std::nullopt;
}

RegisterId register_named(const LoadedFunction& function, const syntax::Name& name,
                          const syntax::Module& module) {
  if (const auto id = find_register(function, name)) return *id;
  throw Unsupported("a register that only a call names", module.position(name.text));
}

std::size_t count_conversions(std::string_view format) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < format.size(); ++i)
    if (format[i] == '%') ++(i + 1 < format.size() && format[i + 1] == '%' ? i : count);
  return count;
}

}  // namespace ptxmc::kernel
