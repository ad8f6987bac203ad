#include "semantics/chapters/asynchronous_operation.hpp"

#include <algorithm>

#include "semantics/language/memory_access.hpp"

namespace ptxmc {

namespace {

Bits offset_by(const Bits& address, std::uint64_t bytes) { return address + Bits(address.width(), bytes); }

/// Reads `bytes` bytes one by one.
Bits read_bytes(const Access& access, const Bits& address, std::uint64_t bytes, Effects& effects) {
  Bits value;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const Bits byte = effects.read(access, offset_by(address, i), 8);
    value = i == 0 ? byte : concat(byte, value);
  }
  return value;
}

}  // namespace

Access release_access(const Form& form) {
  Access access;
  access.sem = Sem::release;
  access.scope = scope_of(form);
  if (access.scope == Scope::none) access.scope = Scope::sys;
  access.is_mmio = form.has(".mmio");
  access.space = space_of(form);
  return access;
}

Bits is_in_cta(const Bits& address, const Bits& rank, Effects& effects) {
  return equal(effects.address_in_cta(address, rank), address);
}

std::uint64_t known(const Bits& operand) {
  if (!operand.is_constant()) throw UnhandledEffect();
  return operand.to_u64();
}

void copy_bytes(const AsyncPlace& from, const AsyncPlace& to, std::uint64_t size, std::uint64_t count,
                Proxy proxy, std::uint8_t alignment, Effects& effects) {
  const std::uint64_t unit = std::min<std::uint64_t>(size, 4);  // bytes
  for (std::uint64_t at = 0; at < size; at += unit) {
    Access read, write;
    read.proxy = write.proxy = proxy;
    read.is_copy = write.is_copy = true;
    read.space = from.space;
    write.space = to.space;
    if (at == 0) read.alignment = write.alignment = alignment;
    const std::uint64_t copied = std::min(unit, count - std::min(at, count));
    Bits value(8 * unit, 0);
    if (copied == unit) value = effects.read(read, offset_by(from.address, at), 8 * unit);
    if (copied != 0 && copied != unit)
      value = read_bytes(read, offset_by(from.address, at), copied, effects).zero_extend(8 * unit);
    effects.write(write, offset_by(to.address, at), value);
  }
}

Bits read_words(StateSpace space, const Bits& address, unsigned width, Effects& effects) {
  constexpr unsigned word = 32;
  Access access;
  access.proxy = Proxy::async;
  access.space = space;
  access.is_copy = true;
  Bits value;
  for (unsigned at = 0; at < width; at += word) {
    const Bits part = effects.read(access, offset_by(address, at / 8), std::min(word, width));
    value = at == 0 ? part : concat(part, value);
  }
  return value;
}

Bits update_mbarrier(const Access& access, const Bits& address, MbarrierUse use, Effects& effects) {
  return effects.read_modify_write(access, address, 64, [&](const Bits& word) {
    use.word = word;
    effects.use(use_of(use));
    return Update{.value = word_of(after(mbarrier_state(word), use.step))};
  });
}

void complete_transactions(const AsyncPlace& mbarrier, const Bits& bytes, Effects& effects) {
  Access access;
  access.sem = Sem::release;
  access.scope = Scope::cluster;
  access.space = mbarrier.space;
  access.is_reduction = true;
  access.mbarrier = MbarrierAccess::operation;
  update_mbarrier(access, mbarrier.address, {.step = {.completes = bytes, .may_complete = true}}, effects);
}

}  // namespace ptxmc
