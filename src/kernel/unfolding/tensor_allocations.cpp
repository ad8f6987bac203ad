#include "src/kernel/unfolding/tensor_allocations.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc::kernel {

bool TensorAllocations::Cta::is_freed_by_other(const TensorColumns& columns, int thread) const {
  const auto is_other = [&](const auto& freed_by) { return freed_by.first != thread; };
  const auto found = freeing.find(columns);
  if (found != freeing.end() && std::ranges::any_of(found->second, is_other)) return true;
  return std::ranges::any_of(freeing_somewhere, [&](const auto& somewhere) {
    return is_other(somewhere) && somewhere.second == columns.second;
  });
}

bool TensorAllocations::allocates_nothing() const {
  return !is_first_round_ &&
         std::ranges::all_of(known_, [](const auto& cta) { return cta.second.allocating.empty(); });
}

void TensorAllocations::note_address(const CtaPlace& cta, std::uint64_t location, std::uint64_t address) {
  std::set<std::uint64_t>& addresses = addresses_now_[location];
  addresses.insert(address);
  if (addresses.size() > 1) note_use_again(cta);
}

void TensorAllocations::note_write(const Event& event) {
  for (const auto& [location, values] : addresses_)
    if (event.may_touch(location, tensor_cell_bytes)) other_writes_now_.insert(location);
}

std::optional<TensorAllocations::Address> TensorAllocations::address_at(std::uint64_t location) const {
  const auto found = addresses_.find(location);
  if (found == addresses_.end() || found->second.size() != 1) return std::nullopt;
  return Address{.value = *found->second.begin(), .is_only = !other_writes_.contains(location)};
}

void TensorAllocations::note_open(const Bits& address, const SourcePosition& where) {
  open_ = where;
  if (address.is_constant()) return;
  for (const VariableId variable : variables_of(address))
    if (const auto read = reads_.find(variable); read != reads_.end())
      address_reads_now_.insert(read->second);
}

void TensorAllocations::note_product(int cluster, int thread, const TensorAccumulator& accumulator,
                                     const std::set<std::uint64_t>& units, const SourcePosition& where) {
  Product& product = products_[cluster][accumulator][thread];
  product.units.insert(units.begin(), units.end());
  product.where = where;
}

/// The model takes products of different threads that access the same cells as performed in the order of
/// their fences, which holds for the same accumulator and shape (PTX ISA 8.7 § 9.7.16.5.2).
void TensorAllocations::check_products() const {
  const auto share_units = [](const Product& a, const Product& b) {
    return std::ranges::any_of(a.units, [&](std::uint64_t unit) { return b.units.contains(unit); });
  };
  for (const auto& [cluster, products] : products_)
    for (auto first = products.begin(); first != products.end(); ++first)
      for (auto second = std::next(first); second != products.end(); ++second)
        for (const auto& [thread, product] : first->second)
          for (const auto& [other, its] : second->second)
            if (thread != other && share_units(product, its))
              throw Unsupported(
                  "products of different accumulators or shapes on the same tensor memory by several threads",
                  its.where);
}

void TensorAllocations::check_known() const {
  if (open_) throw Unsupported("an address of tensor memory that is not known", *open_);
  for (const auto& [place, cta] : known_)
    if (cta.is_conditional)
      throw Unsupported("tcgen05.alloc under a condition that is not known", where_.at(place));
  check_products();
}

void TensorAllocations::begin_round() {
  open_.reset();
  now_.clear();
  again_now_ = again_;
  reads_.clear();
  address_reads_now_ = address_reads_;
  addresses_now_.clear();
  other_writes_now_.clear();
  products_.clear();
}

bool TensorAllocations::end_round() {
  const bool is_same = !(is_first_round_ && open_) && known_ == now_ && addresses_ == addresses_now_ &&
                       other_writes_ == other_writes_now_ && again_ == again_now_ &&
                       address_reads_ == address_reads_now_;
  is_first_round_ = false;
  known_ = now_;
  again_ = again_now_;
  address_reads_ = address_reads_now_;
  addresses_ = addresses_now_;
  other_writes_ = other_writes_now_;
  return !is_same;
}

}  // namespace ptxmc::kernel
