#include "solver/explorer/observed_flags.hpp"

#include <algorithm>
#include <utility>

#include "model/cat/cat_rewriting.hpp"
#include "solver/encoding/encoding.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

ObservedFlags::ObservedFlags(const cat::Model& model, const EventStructure& structure,
                             std::vector<std::string> sought)
    : structure_(structure),
      sought_(std::move(sought)),
      has_mixed_sizes_(may_overlap_partially(structure)),
      model_(cat::specialized(sought_.empty() ? with_voiding_flags(model, has_mixed_sizes_)
                                              : with_flags(model,
                                                           [this](const std::string& name) {
                                                             return std::ranges::find(sought_, name) !=
                                                                    sought_.end();
                                                           }),
                              structure.events)) {
  for (const cat::Test& flag : model_.flags)
    falls_.push_back(flag.negated ? shrinks_with_choices(model_, flag.node)
                                  : grows_with_choices(model_, flag.node));
}

bool ObservedFlags::contains(const std::string& name) const {
  return are_sought() ? std::ranges::find(sought_, name) != sought_.end() : name == mixed_size_race;
}

bool ObservedFlags::may_be_raised(PartialExecution& execution, const Raised& raised) const {
  for (std::size_t i = 0; i < model_.flags.size(); ++i)
    if (const std::string& name = model_.flags[i].name;
        contains(name) && !raised.contains(name) && (!falls_[i] || execution.model.is_raised(i)))
      return true;
  return false;
}

bool ObservedFlags::note(PartialExecution& execution, Raised& raised) const {
  for (std::size_t i = 0; i < model_.flags.size(); ++i)
    if (contains(model_.flags[i].name)) note_flag(execution, structure_, model_, i, raised);
  return raised.size() == sought_.size();
}

bool ObservedFlags::has_race(PartialExecution& execution) const {
  for (std::size_t i = 0; i < model_.flags.size(); ++i)
    if (model_.flags[i].name == mixed_size_race && execution.model.is_raised(i)) return true;
  return false;
}

}  // namespace ptxmc
