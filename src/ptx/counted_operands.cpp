#include "src/ptx/counted_operands.hpp"

namespace ptxmc::syntax {

namespace {

using Link = OperandPattern::Link;

void count(const Operand& operand, Link link, std::vector<CountedOperand>& counted) {
  if (const auto* pair = std::get_if<Pair>(&operand.is)) {
    count(pair->both[0], link, counted);
    count(pair->both[1], Link::pipe, counted);
  } else if (const auto* composite = std::get_if<CompositeAddress>(&operand.is)) {
    for (const Operand& part : composite->parts) {
      const bool is_first = &part == &composite->parts.front();
      const std::size_t at = counted.size();
      count(part, is_first ? link : Link::bracket, counted);
      counted[at].is_address = is_first;
    }
  } else {
    counted.push_back({&operand, link, false});
  }
}

}  // namespace

void count_operands(const Instruction& instruction, std::vector<CountedOperand>& counted) {
  for (const Operand& operand : instruction.operands) count(operand, Link::comma, counted);
}

}  // namespace ptxmc::syntax
