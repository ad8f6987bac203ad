#pragma once

#include <fmt/format.h>

#include <string>

namespace ptxmc {

// Instructions of random tests on asynchronous operations: § 9.7.9.25, § 9.7.13.15. Addresses are written as
// between brackets.

/// `cp.async` of so many bytes from global to shared memory.
inline std::string copy(const std::string& to, const std::string& from, unsigned bytes) {
  return fmt::format("cp.async.ca.shared.global [{}], [{}], {};", to, from, bytes);
}

/// The arrival at an mbarrier that follows the copies of the thread.
inline std::string arrival_of_copies(const std::string& object, bool is_counted_already) {
  return fmt::format("cp.async.mbarrier.arrive{}.shared.b64 [{}];", is_counted_already ? ".noinc" : "",
                     object);
}

/// A bulk copy from global to shared memory, which completes transactions of an mbarrier.
inline std::string bulk_load(const std::string& to, const std::string& from, unsigned bytes,
                             const std::string& object) {
  return fmt::format(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{}], [{}], {}, [{}];", to, from,
      bytes, object);
}

/// A bulk copy from shared to global memory, in a group.
inline std::string bulk_store(const std::string& to, const std::string& from, unsigned bytes) {
  return fmt::format("cp.async.bulk.global.shared::cta.bulk_group [{}], [{}], {};", to, from, bytes);
}

/// An arrival that also expects so many bytes.
inline std::string arrival_expecting(const std::string& object, unsigned bytes) {
  return fmt::format("mbarrier.arrive.expect_tx.shared.b64 _, [{}], {};", object, bytes);
}

/// A test for the end of a phase: `opcode` is `test_wait` or `try_wait`, `order` empty or like
/// `.acquire.cta`.
inline std::string test_of_parity(const std::string& opcode, const std::string& order,
                                  const std::string& predicate, const std::string& object,
                                  const std::string& parity) {
  return fmt::format("mbarrier.{}.parity{}.shared.b64 {}, [{}], {};", opcode, order, predicate, object,
                     parity);
}

}  // namespace ptxmc
