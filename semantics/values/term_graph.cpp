#include <algorithm>
#include <array>
#include <unordered_map>

#include "semantics/values/bits.hpp"
#include "semantics/values/subterms.hpp"

namespace ptxmc {

unsigned Term::arity() const {
  unsigned count = 0;
  while (count < std::size(operands) && operands[count] != nullptr) ++count;
  return count;
}

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

std::uint32_t hash_of(const Term& t) {
  std::uint64_t hash =
      static_cast<std::uint64_t>(t.op) << 32 | static_cast<std::uint64_t>(t.width) << 16 | t.low;
  hash = mix(hash, static_cast<std::uint64_t>(t.format) << 16 | static_cast<std::uint64_t>(t.from) << 8 |
                       static_cast<std::uint64_t>(t.rounding));
  hash = mix(hash, t.variable);
  hash = mix(hash, static_cast<std::uint64_t>(t.value));
  hash = mix(hash, static_cast<std::uint64_t>(t.value >> 64));
  for (const Term* operand : t.operands) hash = mix(hash, operand == nullptr ? 0 : operand->number + 1);
  return static_cast<std::uint32_t>(hash >> 32);
}

bool same_content(const Term& a, const Term& b) {
  return a.op == b.op && a.format == b.format && a.from == b.from && a.rounding == b.rounding &&
         a.width == b.width && a.low == b.low && a.variable == b.variable && a.value == b.value &&
         std::ranges::equal(a.operands, b.operands);
}

struct NamedVariable {
  std::string name;
  unsigned width;
};

}  // namespace

struct TermGraph::Store {
  static constexpr std::size_t block_size = 256;  // a small program has few terms: 20 KB
  static constexpr std::uint32_t empty = ~std::uint32_t{0};

  struct Slot {
    std::uint32_t number = empty;
    std::uint32_t hash = 0;
  };

  std::vector<std::unique_ptr<std::array<Term, block_size>>> blocks;  // terms never move
  std::size_t size = 0;
  std::vector<Slot> slots = std::vector<Slot>(1024);  // open addressing; a power of two, at most half used
  std::vector<NamedVariable> variables;
  std::unordered_map<std::string, VariableId> first_of_name;

  Term& term(std::uint32_t number) { return (*blocks[number / block_size])[number % block_size]; }

  // The slot of the term with this content, or the empty slot where it belongs.
  Slot& find(const Term& content, std::uint32_t hash) {
    const std::size_t mask = slots.size() - 1;
    std::size_t place = hash & mask;
    while (slots[place].number != empty &&
           (slots[place].hash != hash || !same_content(term(slots[place].number), content)))
      place = (place + 1) & mask;
    return slots[place];
  }

  void grow_slots() {
    std::vector<Slot> larger(2 * slots.size());
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots) {
      if (slot.number == empty) continue;
      std::size_t place = slot.hash & mask;
      while (larger[place].number != empty) place = (place + 1) & mask;
      larger[place] = slot;
    }
    slots = std::move(larger);
  }

  Term& append() {
    check(size < empty, "too many terms");
    if (size == blocks.size() * block_size)
      blocks.push_back(std::make_unique<std::array<Term, block_size>>());
    return term(static_cast<std::uint32_t>(size++));
  }
};

TermGraph::TermGraph() : store_(std::make_unique<Store>()) {}
TermGraph::~TermGraph() = default;

Bits TermGraph::variable(unsigned width, std::string name) {
  check(width - 1 < Bits::max_width, "a width is 1 to 128 bits");
  const auto id = static_cast<VariableId>(store_->variables.size());
  store_->first_of_name.try_emplace(name, id);
  store_->variables.push_back({std::move(name), width});
  return Bits(intern({.op = Operator::variable, .width = static_cast<std::uint16_t>(width), .variable = id}));
}

std::size_t TermGraph::variable_count() const { return store_->variables.size(); }
const std::string& TermGraph::variable_name(VariableId id) const { return store_->variables.at(id).name; }
unsigned TermGraph::variable_width(VariableId id) const { return store_->variables.at(id).width; }
std::size_t TermGraph::size() const { return store_->size; }

bool TermGraph::is_first_of_name(VariableId id) const {
  return store_->first_of_name.at(variable_name(id)) == id;
}

const Term* TermGraph::intern(const Term& content) {
  if (2 * (store_->size + 1) > store_->slots.size()) store_->grow_slots();
  const std::uint32_t hash = hash_of(content);
  Store::Slot& slot = store_->find(content, hash);
  if (slot.number != Store::empty) return &store_->term(slot.number);

  for (const Term* operand : content.operands)
    check(operand == nullptr || operand->graph == this, "a term of another graph");
  const auto number = static_cast<std::uint32_t>(store_->size);
  Term& made = store_->append();
  made = content;
  made.number = number;
  made.graph = this;
  slot = {number, hash};
  return &made;
}

std::vector<VariableId> variables_of(const Bits& x) {
  std::vector<VariableId> found;
  all_variables(x, [&](VariableId variable) {
    found.push_back(variable);
    return true;
  });
  std::ranges::sort(found);
  return found;
}

}  // namespace ptxmc
