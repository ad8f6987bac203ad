#include "solver/launch/reads_without_value.hpp"

#include <map>
#include <set>
#include <span>
#include <utility>

#include "model/program/copied_bytes.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

class ReadsWithoutValue {
 public:
  ReadsWithoutValue(const EventStructure& structure, const std::vector<SourceOfRead>& sources,
                    const KnownTerms& known_terms)
      : structure_(structure), known_terms_(known_terms), sources_(structure.events.size()) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      gives_no_value_.push_back(event(id).is_write() && ptxmc::gives_no_value(structure, event(id)));
    // The other sources give values.
    for (const SourceOfRead& source : sources)
      if (!source.chosen.is_false() && (gives_no_value(source.write) || !copies_of(source.write).empty()))
        sources_[index(source.read)].push_back(&source);
    if (structure.copied == nullptr) return;
    of_unfolded_.resize(structure.copied->used.size(), -1);
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (const int unfolded = event(id).unfolded; unfolded >= 0) of_unfolded_[index(unfolded)] = id;
  }

  std::vector<Suspect> suspects() {
    std::vector<Suspect> result;
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
      TimeLimit::check();
      if (sources_[index(id)].empty()) continue;
      const Bits condition = is_wrong(id);
      if (!condition.is_false()) result.push_back({condition, site_of(structure_, id), {}, {}, {}});
    }
    return result;
  }

 private:
  const Event& event(EventId id) const { return structure_.events[index(id)]; }

  bool gives_no_value(EventId write) const { return gives_no_value_[index(write)]; }

  std::span<const CopiedBytes::Copy> copies_of(EventId write) const {
    const int unfolded = event(write).unfolded;
    if (structure_.copied == nullptr || unfolded < 0) return {};
    return structure_.copied->copies[index(unfolded)];
  }

  bool is_used(EventId read, unsigned byte) const {
    return structure_.copied == nullptr || structure_.copied->is_used(event(read).unfolded, byte);
  }

  Bits is_wrong(EventId read) {
    Bits used = Bits::boolean(false);
    for (unsigned byte = 0; byte < event(read).size; ++byte)
      if (is_used(read, byte)) used = used | lacks_value(read, byte);
    Bits is_nothing_written = takes_nothing_written(read);
    for (const EventId other : other_elements(read))
      if (!is_nothing_written.is_false())
        is_nothing_written = is_nothing_written & takes_nothing_written(other);
    return used | is_nothing_written;
  }

  /// The condition that a read takes all its bytes from writes that give no value themselves.
  Bits takes_nothing_written(EventId read) const {
    Bits result = Bits::boolean(true);
    for (unsigned byte = 0; byte < event(read).size && !result.is_false(); ++byte) {
      const Bits address = known_terms_.location(read) + Bits(64, byte);
      Bits is_unwritten = Bits::boolean(false);
      for (const SourceOfRead* source : sources_[index(read)])
        if (gives_no_value(source->write))
          is_unwritten = is_unwritten | (source->chosen & is_in(source->atom, address));
      result = result & is_unwritten;
    }
    return result;
  }

  static Bits is_in(const Atom& atom, const Bits& address) {
    return less_unsigned(address - Bits(64, atom.first), Bits(64, atom.count));
  }

  /// The other elements of a vector that the instruction reads. What an asynchronous copy reads is no vector.
  std::vector<EventId> other_elements(EventId read) const {
    std::vector<EventId> result;
    if (event(read).access.is_copy || event(read).strand != 0) return result;
    const auto is_of_instruction = [&](EventId other) {
      return other >= 0 && other < static_cast<EventId>(structure_.events.size()) &&
             event(other).thread == event(read).thread && event(other).step == event(read).step;
    };
    const auto add = [&](EventId other) {
      if (event(other).is_read() && event(other).strand == 0) result.push_back(other);
    };
    for (EventId other = read - 1; is_of_instruction(other); --other) add(other);
    for (EventId other = read + 1; is_of_instruction(other); ++other) add(other);
    return result;
  }

  /// The condition that a byte of a read has no value. Copies in a circle read values out of thin air, which
  /// no execution does, so a byte that is met again adds nothing.
  Bits lacks_value(EventId read, unsigned byte) {
    const ReadByte key(read, byte);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (!open_.insert(key).second) {
      is_circular_ = true;
      return Bits::boolean(false);
    }
    TimeLimit::check();
    const bool was_circular = std::exchange(is_circular_, false);
    const Bits address = known_terms_.location(read) + Bits(64, byte);
    Bits result = Bits::boolean(false);
    for (const SourceOfRead* source : sources_[index(read)])
      result = result | takes_no_value(*source, address);
    open_.erase(key);
    // In a circle the result depends on where the walk began.
    if (!is_circular_) known_.emplace(key, result);
    is_circular_ = is_circular_ || was_circular;
    return result;
  }

  /// The condition that a read takes the byte at an address from a source that leaves it without a value.
  Bits takes_no_value(const SourceOfRead& source, const Bits& address) {
    const Bits is_source = source.chosen & is_in(source.atom, address);
    if (is_source.is_false() || gives_no_value(source.write)) return is_source;
    Bits result = Bits::boolean(false);
    for (const CopiedBytes::Copy& copy : copies_of(source.write)) {
      const Bits is_here = is_source & known_terms_.value(copy.when) &
                           equal(known_terms_.location(source.write) + Bits(64, copy.byte), address);
      if (!is_here.is_false()) result = result | (is_here & lacks_value(copy));
    }
    return result;
  }

  Bits lacks_value(const CopiedBytes::Copy& copy) {
    if (copy.read == CopiedBytes::without_value) return Bits::boolean(true);
    const EventId read = of_unfolded_[index(copy.read)];
    return read < 0 ? Bits::boolean(false) : lacks_value(read, copy.from);
  }

  using ReadByte = std::pair<EventId, unsigned>;  // a byte of the value of a read

  const EventStructure& structure_;
  const KnownTerms& known_terms_;
  std::vector<bool> gives_no_value_;                       // by event
  std::vector<std::vector<const SourceOfRead*>> sources_;  // by read: those that may leave it without a value
  std::vector<EventId> of_unfolded_;                       // by Event::unfolded; -1: not in the structure
  std::map<ReadByte, Bits> known_;
  std::set<ReadByte> open_;  // those on the way
  bool is_circular_ = false;
};

}  // namespace

std::vector<Suspect> reads_without_value(const EventStructure& structure,
                                         const std::vector<SourceOfRead>& sources, const KnownTerms& known) {
  return ReadsWithoutValue(structure, sources, known).suspects();
}

}  // namespace ptxmc
