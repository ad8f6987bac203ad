#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "src/litmus/litmus_syntax.hpp"

namespace ptxmc {

/// A CTA as named in the headers of its threads. CTA 0 of GPU 0 and CTA 0 of GPU 1 are different. A CTA
/// without a written cluster forms a cluster by itself (PTX ISA 8.7 § 2.2.2).
struct Cta {
  std::uint64_t gpu = 0;
  std::optional<std::uint64_t> cluster;
  std::uint64_t cta = 0;
  std::string name;  ///< "cta0"; where several have that number "gpu1:cta0", "gpu0:cluster1:cta0"
  int number = 0;    ///< see Placement::cta

  friend bool operator==(const Cta& a, const Cta& b) {
    return a.gpu == b.gpu && a.cluster == b.cluster && a.cta == b.cta;
  }
};

/// The placements of the threads of a test.
struct Placements {
  std::vector<Cta> ctas;                   ///< in order of appearance
  std::vector<std::size_t> cta_of_thread;  ///< index into `ctas`
  /// By thread, with numbers that are unique in the system: the written numbers if they are unique, otherwise
  /// numbers in order of appearance.
  std::vector<Placement> of_thread;
};

Placements place_threads(const std::vector<litmus_syntax::ThreadHeader>&);

}  // namespace ptxmc
