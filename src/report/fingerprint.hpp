#pragma once

#include <cstdint>
#include <string_view>

namespace ptxmc {

/// A number that depends only on the bytes of a text, on every machine: FNV-1a, whose bits are then mixed by
/// the last step of MurmurHash3, since the lowest of them decide which shard a name belongs to.
constexpr std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char byte : text) value = (value ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccd;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53;
  return value ^ (value >> 33);
}

}  // namespace ptxmc
