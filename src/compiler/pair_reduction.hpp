#pragma once

#include <functional>
#include <string>

namespace ptxmc {

/// The texts of two litmus tests.
struct PairTexts {
  std::string source, target;

  friend bool operator==(const PairTexts&, const PairTexts&) = default;
};

/// Whether a smaller pair shows the same kind of difference, and nothing that is observed in it is missing on
/// one side only.
using StillDiffers = std::function<bool(const PairTexts&)>;

struct PairReduction {
  PairTexts pair;
  std::size_t tried = 0;  ///< pairs
};

/// A smaller pair of tests of which the target still differs from the source: without threads, statements,
/// instructions and locations that the difference does not need, and with weaker orders.
///
/// The source may always become weaker: it allows more then, so that a difference remains only if it does
/// not need what was taken away. The target must not become weaker, since the difference would then be of our
/// own making: its fences and orders are only removed or weakened where the remaining source has none that
/// needs them by the mapping of the ASPLOS 2019 paper (a source of PTX: by the identity). What is removed on
/// one side must leave the two tests the same but for orders. With `is_of_order`, StillDiffers says so.
/// Otherwise the given tests differ in more than orders, and every step must remove accesses of both.
PairReduction reduce_pair(PairTexts, const StillDiffers&, bool is_of_order);

}  // namespace ptxmc
