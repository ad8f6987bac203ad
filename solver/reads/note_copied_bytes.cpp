#include "solver/reads/note_copied_bytes.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "model/program/copied_bytes.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/subterms.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

bool has_unknown_content(const EventStructure& structure, const Event& initial) {
  const std::uint64_t place = initial.location.to_u64();
  for (const Variable& variable : structure.program->memory)
    if (place - variable.location < variable.size())
      return variable.initial[(place - variable.location) / variable.element_size].width() == 0;
  return false;
}

bool may_lack_values(const EventStructure& structure) {
  return !structure.violations.empty() || std::ranges::any_of(structure.events, [&](const Event& event) {
    return event.access.is_indeterminate ||
           (event.kind == EventKind::initial_write && has_unknown_content(structure, event));
  });
}

namespace {

constexpr unsigned bits_per_byte = 8;

/// A byte of an unknown.
struct CopiedByte {
  VariableId unknown = 0;
  unsigned byte = 0;
  Bits when = Bits::boolean(true);  ///< width 1: it is this one that is copied
};

/// What a byte is made of.
struct PartsOfByte {
  std::vector<CopiedByte> copied;  ///< the bytes of which it may be a copy
  std::vector<Bits> used;          ///< conditions that choose among them, and values that are no copies
  bool is_opaque = false;          ///< there are too many: all that occurs in it is used
};

/// `byte` has 8 bits.
PartsOfByte parts_of(const Bits& byte) {
  constexpr std::size_t most = 256;
  PartsOfByte result;
  std::vector<std::pair<Bits, Bits>> open = {{byte, Bits::boolean(true)}};  // with the condition
  for (std::size_t next = 0; next < open.size(); ++next) {
    if (next == most) return {{}, {byte}, true};
    const auto [part, when] = open[next];
    if (part.is_constant() || when.is_false()) continue;
    const Term& term = *part.term();
    const Term& inner = term.op == Operator::extract ? *term.operands[0] : term;
    const unsigned low = term.op == Operator::extract ? term.low : 0;
    if (inner.op == Operator::variable && low % bits_per_byte == 0) {
      result.copied.push_back({inner.variable, low / bits_per_byte, when});
    } else if (inner.op == Operator::ite) {
      const Bits condition(inner.operands[0]);
      result.used.push_back(condition);
      open.emplace_back(Bits(inner.operands[1]).extract(low, bits_per_byte), when & condition);
      open.emplace_back(Bits(inner.operands[2]).extract(low, bits_per_byte), when & ~condition);
    } else {
      result.used.push_back(part);
    }
  }
  return result;
}

/// Which bytes of unknowns occur in terms.
class Uses {
 public:
  bool is_used(const CopiedByte& copied) const {
    const std::uint16_t* used = used_.find(copied.unknown);
    return used != nullptr && (*used >> copied.byte & 1U) != 0;
  }

  void add(const Bits& value) {
    visit_subterms(value, is_seen_, [&](const Term& term) {
      const bool is_part = term.op == Operator::extract && term.operands[0]->op == Operator::variable;
      if (is_part) add(term.operands[0]->variable, term.low, term.width);
      if (term.op == Operator::variable) add(term.variable, 0, term.width);
      return !is_part;
    });
  }

 private:
  void add(VariableId unknown, unsigned low, unsigned width) {
    for (unsigned byte = low / bits_per_byte; byte <= (low + width - 1) / bits_per_byte; ++byte)
      used_[unknown] = static_cast<std::uint16_t>(used_[unknown] | 1U << byte);
  }

  NumberMap<bool> is_seen_;        // by number of the term
  NumberMap<std::uint16_t> used_;  // by unknown: bit b is set if byte b occurs
};

class CopyFinder {
 public:
  CopyFinder(EventStructure& structure, std::span<const Bits> used) : structure_(structure) {
    for (const Bits& value : used) uses_.add(value);
  }

  void find() {
    std::vector<Event>& events = structure_.events;
    for (std::size_t id = 0; id < events.size(); ++id) {
      events[id].unfolded = static_cast<int>(id);
      if (events[id].is_read() && !events[id].value.is_constant() &&
          events[id].value.term()->op == Operator::variable)
        sources_.emplace(events[id].value.term()->variable, static_cast<int>(id));
    }
    for (const VariableId unknown : structure_.unwritten)
      sources_.emplace(unknown, CopiedBytes::without_value);
    auto copies = std::make_shared<CopiedBytes>();
    copies->copies.resize(events.size());
    copies->used.resize(events.size(), all_bytes);
    for (std::size_t id = 0; id < events.size(); ++id) add(events[id], copies->copies[id]);
    add_others();
    for (std::size_t id = 0; id < events.size(); ++id)
      if (events[id].is_read()) copies->used[id] = used_bytes(events[id].value);
    copies->has_conditions = std::ranges::any_of(copies->copies, [](const auto& of_write) {
      return !std::ranges::all_of(of_write,
                                  [](const CopiedBytes::Copy& copy) { return copy.when.is_constant(); });
    });
    structure_.copied = std::move(copies);
    leave_copies_out();
  }

 private:
  static constexpr std::uint16_t all_bytes = 0xffff;

  static Bits byte_of(const Bits& value, unsigned byte) {
    return value.extract(byte * bits_per_byte, bits_per_byte);
  }

  void add(const Event& event, std::vector<CopiedBytes::Copy>& copies) {
    TimeLimit::check();
    for (const Bits* term : {&event.condition, &event.address, &event.location, &event.fence.address,
                             &event.barrier.id, &event.barrier.predicate, &event.goes_on})
      uses_.add(*term);
    if (event.barrier.count) uses_.add(*event.barrier.count);
    for (const Completion& completion : event.completes) uses_.add(completion.condition);
    if (event.kind != EventKind::write || event.value.is_constant()) return;
    for (unsigned byte = 0; byte < event.size; ++byte) {
      const PartsOfByte parts = parts_of(byte_of(event.value, byte));
      for (const Bits& used : parts.used) uses_.add(used);
      for (const CopiedByte& copied : parts.copied)
        if (const auto source = sources_.find(copied.unknown); source != sources_.end())
          copies.push_back({byte, source->second, copied.byte, copied.when});
    }
  }

  void add_others() {
    for (const auto& endings : structure_.endings)
      for (const Ending& ending : endings) {
        uses_.add(ending.condition);
        if (ending.use)
          for (const Bits& value : values_in(*ending.use)) uses_.add(value);
      }
    for (const Violation& violation : structure_.violations) uses_.add(violation.condition);
  }

  bool is_used(const Bits& byte) const {
    const PartsOfByte parts = parts_of(byte);
    return parts.is_opaque ||
           std::ranges::any_of(parts.copied, [&](const CopiedByte& copied) { return uses_.is_used(copied); });
  }

  std::uint16_t used_bytes(const Bits& value) const {
    if (value.is_constant() || value.term()->op != Operator::variable) return all_bytes;
    std::uint16_t used = 0;
    for (unsigned byte = 0; byte < value.width() / bits_per_byte; ++byte)
      if (is_used(byte_of(value, byte))) used = static_cast<std::uint16_t>(used | 1U << byte);
    return used;
  }

  /// Restricts the violations to those that are no copies. Violations of one instruction stand together.
  void leave_copies_out() {
    auto& violations = structure_.violations;
    const auto is_together = [](const Violation& a, const Violation& b) {
      return a.kind == b.kind && a.thread == b.thread && a.step == b.step;
    };
    for (auto first = violations.begin(); first != violations.end();) {
      const auto last = std::find_if_not(first, violations.end(),
                                         [&](const Violation& v) { return is_together(v, *first); });
      if (first->kind == Violation::Kind::uninitialized) leave_copies_out({first, last});
      first = last;
    }
    std::erase_if(violations, [](const Violation& violation) { return violation.condition.is_false(); });
  }

  void leave_copies_out(std::span<Violation> of_instruction) {
    Bits has_value = Bits::boolean(false);
    for (const Violation& violation : of_instruction)
      for (const Bits& is_written : violation.is_written) has_value = has_value | is_written;
    for (Violation& violation : of_instruction) {
      Bits is_wrong = ~has_value;
      for (unsigned byte = 0; byte < violation.is_written.size(); ++byte)
        if (!violation.is_written[byte].is_true() && is_used(byte_of(violation.value, byte)))
          is_wrong = is_wrong | ~violation.is_written[byte];
      violation.condition = violation.condition & is_wrong;
      violation.value = {};
      violation.is_written.clear();
    }
  }

  EventStructure& structure_;
  std::map<VariableId, int> sources_;  // by unknown: the read that it is the value of, or `without_value`
  Uses uses_;
};

}  // namespace

void note_copied_bytes(EventStructure& structure, std::span<const Bits> used) {
  CopyFinder(structure, used).find();
}

}  // namespace ptxmc
