#pragma once

#include <vector>

#include "model/program/event.hpp"
#include "solver/compiled_model/compiled_model.hpp"

namespace ptxmc {

/// Pairs of read-modify-writes that cannot both read from the same write. In most models these are all pairs
/// that are morally strong. The model is asked once for each pair.
class RivalUpdates {
 public:
  /// The arguments must outlive it.
  RivalUpdates(const EventStructure&, const cat::Model&);

  /// Whether updates with these read events exclude each other. False if addresses are open.
  bool exclude_each_other(EventId a, EventId b, EventId write);

 private:
  bool ask(std::size_t a, std::size_t b, std::size_t write);
  bool can_orient(std::size_t choice, std::size_t from, std::size_t to);

  enum class Answer : std::uint8_t { not_asked, no, yes };

  const EventStructure& structure_;
  CompiledModel model_;
  std::vector<std::size_t> number_;  // by read event: its index among the updates
  std::size_t updates_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace ptxmc
