#pragma once

#include <vector>

#include "model/event.hpp"
#include "solver/compiled_model.hpp"

namespace ptxmc {

/// Pairs of read-modify-writes that cannot both have read one write, whatever else happens: most models say
/// so of all that are morally strong. Asks the model once for each.
class RivalUpdates {
 public:
  /// The arguments outlive it.
  RivalUpdates(const EventStructure&, const cat::Model&);

  /// By the events of the reads. False when addresses are open: then it depends.
  bool exclude_each_other(EventId a, EventId b, EventId write);

 private:
  bool ask(std::size_t a, std::size_t b, std::size_t write);
  bool can_orient(std::size_t choice, std::size_t from, std::size_t to);

  enum class Answer : std::uint8_t { not_asked, no, yes };

  const EventStructure& structure_;
  CompiledModel model_;
  std::vector<std::size_t> number_;  // by event: of the read among the updates
  std::size_t updates_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace ptxmc
