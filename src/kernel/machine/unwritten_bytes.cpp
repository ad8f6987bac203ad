#include "src/kernel/machine/unwritten_bytes.hpp"

namespace ptxmc::kernel {

namespace {

constexpr unsigned bits_per_byte = 8;

}  // namespace

Bits UnwrittenBytes::read(const Bits& value, std::span<const bool> is_written, const void* reader,
                          const void* thread, const std::function<Finding()>& finding) {
  Bits result;
  for (unsigned i = 0; i < is_written.size(); ++i) {
    Bits byte = value.extract(i * bits_per_byte, bits_per_byte);
    if (!is_written[i]) {
      Bits& unknown = known_[{{reader, thread}, byte.to_u64()}];
      if (unknown.width() == 0) {
        unknown = graph_.variable(bits_per_byte, "unwritten");
        origins_.push_back({byte, finding()});
      }
      byte = unknown;
    }
    result = i == 0 ? byte : concat(byte, result);
  }
  return result;
}

bool UnwrittenBytes::is_copy(const Bits& value) {
  if (value.is_constant()) return true;
  if (value.width() % bits_per_byte != 0) return false;
  for (unsigned low = 0; low < value.width(); low += bits_per_byte) {
    const Bits byte = value.extract(low, bits_per_byte);
    if (!byte.is_constant() && byte.term()->op != Operator::variable) return false;
  }
  return true;
}

Bits UnwrittenBytes::concrete(const Bits& value) const {
  if (value.is_constant()) return value;
  Substitution contents;
  for (const VariableId unknown : variables_of(value)) contents.set(unknown, origins_[unknown].content);
  return contents.apply(value);
}

void UnwrittenBytes::for_each_finding(const Bits& value,
                                      const std::function<void(const Finding&)>& report) const {
  if (value.is_constant()) return;
  for (const VariableId unknown : variables_of(value)) report(origins_[unknown].finding);
}

}  // namespace ptxmc::kernel
