#include "src/kernel/unfolding/tensor_allocations.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc::kernel {

void TensorAllocations::note_write(const Event& event) {
  for (const auto& [location, values] : addresses_)
    if (event.may_touch(location, tensor_cell_bytes)) other_writes_now_.insert(location);
}

std::optional<std::uint64_t> TensorAllocations::address_at(std::uint64_t location) const {
  const auto found = addresses_.find(location);
  const bool is_only =
      found != addresses_.end() && found->second.size() == 1 && !other_writes_.contains(location);
  return is_only ? std::optional(*found->second.begin()) : std::nullopt;
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
  for (const auto& [place, cta] : known_) {
    const std::set<int>& allocating = cta.allocating;
    const bool is_freed_elsewhere =
        std::ranges::any_of(cta.freeing, [&](const auto& freeing) { return freeing.second != allocating; });
    if (cta.is_conditional)
      throw Unsupported("tcgen05.alloc under a condition that is not known", where_.at(place));
    if (cta.is_repeated && is_freed_elsewhere)
      throw Unsupported("tensor memory that is allocated again and freed by another thread",
                        where_.at(place));
  }
  check_products();
}

void TensorAllocations::begin_round() {
  open_.reset();
  now_.clear();
  addresses_now_.clear();
  other_writes_now_.clear();
  products_.clear();
}

bool TensorAllocations::end_round() {
  const bool is_same = known_ == now_ && addresses_ == addresses_now_ && other_writes_ == other_writes_now_;
  is_first_round_ = false;
  known_ = now_;
  addresses_ = addresses_now_;
  other_writes_ = other_writes_now_;
  return !is_same;
}

}  // namespace ptxmc::kernel
