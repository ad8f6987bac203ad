#include "solver/launch/part_description.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/program/copied_bytes.hpp"
#include "semantics/values/number_map.hpp"

namespace ptxmc {

namespace {

/// Something that the text does not describe.
struct NotDescribed {};

/// New names for numbers, in the order in which they are asked for.
class NewNames {
 public:
  std::size_t operator[](std::uint64_t number) {
    return names_.try_emplace(number, names_.size()).first->second;
  }

 private:
  std::map<std::uint64_t, std::size_t> names_;
};

/// New names for pieces of memory. Two pieces are equal or do not overlap.
class NamesOfPieces {
 public:
  struct Name {
    std::size_t number = 0;
    bool is_new = false;
  };

  Name operator()(std::uint64_t first, unsigned size) {
    const auto behind = pieces_.lower_bound(first);
    if (behind != pieces_.end() && behind->first == first) {
      if (behind->second.size != size) throw NotDescribed();
      return {behind->second.name, false};
    }
    if (behind != pieces_.end() && behind->first - first < size) throw NotDescribed();
    if (behind != pieces_.begin())
      if (const auto& [before, piece] = *std::prev(behind); first - before < piece.size) throw NotDescribed();
    const std::size_t name = pieces_.size();
    pieces_.emplace(first, Piece{size, name});
    return {name, true};
  }

 private:
  struct Piece {
    unsigned size;
    std::size_t name;
  };
  std::map<std::uint64_t, Piece> pieces_;
};

/// Writes the text. Every number ends with a blank, every list begins with its length, and what is described
/// decides what follows: different parts have different texts.
class PartText {
 public:
  PartText(const SettledCandidates& part, std::span<const int> threads)
      : part_(part), program_(*part.structure.program), threads_(threads) {}

  std::string with(const MemoryClaim& claim) {
    add(program_.arrivals);
    for (const int thread : threads_) add_thread(thread);
    add(part_.structure.events.size());
    for (const Event& event : part_.structure.events) add_event(event);
    for (const int thread : threads_) {
      const auto& endings = part_.structure.endings[index(thread)];
      add(endings.size());
      for (const Ending& ending : endings) add_ending(ending);
    }
    add(part_.structure.violations.size());
    for (const Violation& violation : part_.structure.violations) add_violation(violation);
    add_phases();
    add_claim(claim);
    add(part_.assumption);
    return std::move(text_);
  }

 private:
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) void add(Number number) {
    text_ += std::to_string(static_cast<std::int64_t>(number));
    text_ += ' ';
  }

  void add(const std::string& text) {
    add(text.size());
    text_ += text;
  }

  void add(const SourcePosition& where) {
    add(where.line);
    add(where.column);
  }

  void add(const std::vector<EventId>& events) {
    add(events.size());
    for (const EventId event : events) add(event);
  }

  void add(u128 value) {
    add(static_cast<std::uint64_t>(value));
    add(static_cast<std::uint64_t>(value >> 64));
  }

  /// A term is described where it first occurs, behind its operands.
  void add(const Bits& value) {
    add(value.width());
    if (value.width() == 0) return;
    if (value.is_constant()) {
      text_ += 'c';
      return add(value.value());
    }
    std::vector<const Term*> open = {value.term()};
    while (!open.empty()) {
      const Term* term = open.back();
      std::size_t missing = 0;
      if (terms_.find(term->number) == nullptr)
        for (unsigned i = term->arity(); i-- > 0;)
          if (terms_.find(term->operands[i]->number) == nullptr) {
            open.push_back(term->operands[i]);
            ++missing;
          }
      if (missing != 0) continue;
      open.pop_back();
      if (terms_.find(term->number) == nullptr) add_term(*term);
    }
    text_ += 't';
    add(*terms_.find(value.term()->number));
  }

  void add_term(const Term& term) {
    text_ += 'n';
    add(term.op);
    add(term.format);
    add(term.from);
    add(term.rounding);
    add(term.width);
    add(term.low);
    add(term.value);
    for (unsigned i = 0; i < term.arity(); ++i) add(*terms_.find(term.operands[i]->number));
    const auto name = static_cast<std::uint32_t>(terms_.size());
    terms_[term.number] = name;
  }

  void add_thread(int thread) {
    const Placement& placement = program_.threads[index(thread)].placement;
    add(ctas_[index(placement.cta)]);
    add(clusters_[index(placement.cluster)]);
    add(gpus_[index(placement.gpu)]);
    add(warps_[index(placement.warp)]);
    add(grids_[index(placement.grid)]);
    if (placement.prerequisite != -1) throw NotDescribed();
  }

  /// The position of a thread among those of the part; -1 for initial writes.
  void add_name_of_thread(int thread) {
    add(thread == Event::no_thread ? -1 : std::ranges::find(threads_, thread) - threads_.begin());
  }

  /// A piece of memory, and where it first occurs, what is known of its variable.
  void add_location(std::uint64_t first, unsigned size) {
    const auto [name, is_new] = locations_(first, size);
    add(name);
    if (!is_new) return;
    const auto variable = std::ranges::find_if(
        program_.memory, [&](const Variable& each) { return first - each.location < each.size(); });
    if (variable == program_.memory.end() || variable->is_mbarrier) throw NotDescribed();
    add(variables_[static_cast<std::size_t>(variable - program_.memory.begin())]);
    add(variable->space);
    add(variable->proxy);
    add(variable->initial[(first - variable->location) / variable->element_size].width() == 0);
    add(variable->cta >= 0);
    if (variable->cta < 0) return;
    const auto owner = std::ranges::find_if(
        program_.threads, [&](const Thread& thread) { return thread.placement.cta == variable->cta; });
    if (owner == program_.threads.end()) throw NotDescribed();
    add(ctas_[index(owner->placement.cta)]);
    add(clusters_[index(owner->placement.cluster)]);
    add(gpus_[index(owner->placement.gpu)]);
  }

  void add_event(const Event& event) {
    if (event.strand != 0 || event.may_outlive_cta || !event.completes.empty() || !event.started.empty() ||
        event.tensor_fence != TensorFence::none)
      throw NotDescribed();
    add(event.kind);
    add_name_of_thread(event.thread);
    add(event.step);
    add(event.condition);
    if (event.is_memory_access()) {
      if (!event.location.is_constant() || !event.address.is_constant()) throw NotDescribed();
      add(event.size);
      add_location(event.location.to_u64(), event.size);
      add(addresses_(event.address.to_u64(), event.size).number);
    }
    add_access(event.access);
    add(event.value);
    if (event.kind == EventKind::fence) add_fence(event.fence);
    if (event.kind == EventKind::barrier) add_barrier(event.barrier);
    add(event.goes_on);
    add(event.rmw);
    add(event.combines);
    for (const auto* reads :
         {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      add(*reads);
    if (part_.structure.copied != nullptr) add_copies(*part_.structure.copied, event);
    add(event.instruction != nullptr);
    if (event.instruction == nullptr) return;
    add(event.instruction->where);
    add(forms_[reinterpret_cast<std::uintptr_t>(event.instruction->form)]);
  }

  void add_copies(const CopiedBytes& copies, const Event& event) {
    if (event.is_read()) add(copies.used[index(event.unfolded)]);
    const auto& of_write = copies.copies[index(event.unfolded)];
    add(of_write.size());
    for (const CopiedBytes::Copy& copy : of_write) {
      add(copy.byte);
      add(copy.read < 0 ? copy.read : number_in_part(copy.read));
      add(copy.from);
      add(copy.when);
    }
  }

  /// The number of an event in the part; the size of the part if it is not in the part.
  int number_in_part(int unfolded) const {
    const auto& events = part_.structure.events;
    return static_cast<int>(std::ranges::find(events, unfolded, &Event::unfolded) - events.begin());
  }

  void add_access(const Access& access) {
    if (access.mbarrier != MbarrierAccess::none) throw NotDescribed();
    add(access.sem);
    add(access.scope);
    add(access.proxy);
    add(access.space);
    add(access.is_volatile);
    add(access.is_mmio);
    add(access.is_reduction);
    add(access.is_copy);
    add(access.is_indeterminate);
    add(access.alignment);
  }

  void add_fence(const Fence& fence) {
    if (fence.address.width() != 0) throw NotDescribed();
    add(fence.is_proxy_fence);
    add(fence.sem);
    add(fence.scope);
    add(fence.from);
    add(fence.to);
    add(fence.space);
    add(fence.restriction);
  }

  void add_barrier(const Barrier& barrier) {
    if (barrier.group == Barrier::Group::warp || barrier.group == Barrier::Group::prerequisite)
      throw NotDescribed();
    add(barrier.kind);
    add(barrier.group);
    add(barrier.aligned);
    add(barrier.is_relaxed);
    add(barrier.id);
    add(barrier.count.value_or(Bits()));
    add(barrier.predicate);
    add(barrier.textual);
    add(barrier.gathering);
  }

  void add_ending(const Ending& ending) {
    if (ending.use) throw NotDescribed();
    add(ending.kind);
    add(ending.condition);
    add(ending.first_step);
    add(ending.where);
    add(ending.message);
  }

  void add_violation(const Violation& violation) {
    add(violation.kind);
    add_name_of_thread(violation.thread);
    add(violation.condition);
    add(violation.step);
    add(violation.where);
    add(violation.message);
  }

  void add_phases() {
    const BarrierPhases& phases = part_.phases;
    if (!phases.exits.empty() || !phases.elsewhere.empty() || !phases.misused.empty() ||
        !phases.order.empty() || !phases.exchanges.empty())
      throw NotDescribed();
    add(phases.is_in_order);
    for (const auto* conditions : {&phases.complete, &phases.constraints, &phases.all_complete}) {
      add(conditions->size());
      for (const Bits& condition : *conditions) add(condition);
    }
    add(phases.meet.rows.size());
    for (const auto& row : phases.meet.rows) {
      add(row.size());
      for (const auto& [other, meets] : row) {
        add(other);
        add(meets);
      }
    }
  }

  void add_claim(const MemoryClaim& claim) {
    add(claim.holds);
    add(claim.pieces.size());
    for (const auto& [content, location, size] : claim.pieces) {
      add(content);
      add(size);
      add_location(location, size);
    }
  }

  const SettledCandidates& part_;
  const Program& program_;
  const std::span<const int> threads_;
  std::string text_;
  NumberMap<std::uint32_t> terms_;  // by number of a term
  NewNames ctas_, clusters_, gpus_, warps_, grids_, variables_, forms_;
  NamesOfPieces locations_, addresses_;
};

}  // namespace

std::optional<std::string> describe_part(const SettledCandidates& part, std::span<const int> threads,
                                         const MemoryClaim& claim) {
  try {
    return PartText(part, threads).with(claim);
  } catch (const NotDescribed&) {
    return std::nullopt;
  }
}

}  // namespace ptxmc
