// Tensor memory: PTX ISA 8.7 § 9.7.16.1, § 9.7.16.6.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "semantics/language/address_windows.hpp"
#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

int warp_in_cluster(const Thread& thread) {
  const auto warps = (thread.cta->threads.size() + lanes_per_warp - 1) / lanes_per_warp;
  return static_cast<int>(thread.cta->rank * warps + thread.number / lanes_per_warp);
}

void Machine::end_if_misused(Misuse misuse, bool is_misused) {
  end_if_misused(UsePair::one_thread, use_of_operand(misuse, Bits::boolean(is_misused)), nullptr);
}

/// The tensor memory of the CTA with the rank in the address. The column must be allocated for the CTA of the
/// thread: columns of a pair are allocated in both CTAs.
AddressSpace& Machine::tensor_memory(std::uint64_t address, bool writes) {
  Cluster& cluster = *thread_->cta->cluster;
  const std::uint64_t rank = address >> cta_rank_shift, place = address % shared_memory_of_cta;
  TensorMemory& memory = rank < cluster.ctas.size() ? cluster.ctas[rank]->tensor : thread_->cta->tensor;
  const unsigned column = static_cast<unsigned>(place / tensor_cell_bytes % tensor_columns);
  const auto& allocations = thread_->cta->tensor.allocations;
  const bool is_allocated = std::ranges::any_of(allocations, [&](const auto& allocation) {
    return allocation.first <= column && column < allocation.first + allocation.second;
  });
  end_if_misused(Misuse::tensor_memory_not_allocated, !is_allocated);
  end_if_tensor_access_is_unordered(address, writes);
  return memory.cells;
}

namespace {

const char* name_of(AsyncGroup group) {
  if (group == AsyncGroup::tensor_load) return "tcgen05.ld";
  return group == AsyncGroup::tensor_store ? "tcgen05.st" : "tcgen05.mma or tcgen05.cp";
}

bool is_on_tensor_memory(AsyncGroup group) { return group >= AsyncGroup::tensor_load; }

}  // namespace

void Machine::end_if_tensor_access_is_unordered(std::uint64_t address, bool writes) {
  Cluster& cluster = *thread_->cta->cluster;
  const TensorAccesses::Operation& own =
      asynchronous_.performed != nullptr ? asynchronous_.performed->on_tensor_memory : asynchronous_.load;
  const auto earlier = cluster.tensor_accesses.access(address / tensor_cell_bytes, own, writes);
  if (!earlier) return;
  const std::uint64_t cell = address % shared_memory_of_cta / tensor_cell_bytes;
  end_launch("race",
             fmt::format("a {} of lane {}, column {} of tensor memory in no order with the {} of warp {} of "
                         "the cluster: between them must be a wait or commit, "
                         "tcgen05.fence::before_thread_sync (which a commit "
                         "implies) and tcgen05.fence::after_thread_sync (PTX ISA 8.7 § 9.7.16.5)",
                         writes ? "write" : "read", cell / tensor_columns, cell % tensor_columns,
                         name_of(earlier->group), earlier->warp));
}

/// The operation that is started, unless it is not on tensor memory.
void Machine::note_tensor_operation(StartedOperation& operation) {
  TensorAccesses& accesses = thread_->cta->cluster->tensor_accesses;
  if (is_on_tensor_memory(operation.group))
    operation.on_tensor_memory = accesses.start(warp_in_cluster(*thread_), operation.group);
  else if (operation.follows == AsyncGroup::tensor_operation)
    operation.on_tensor_memory.number = accesses.committed_by(warp_in_cluster(*thread_));
}

/// A load is performed at one of the moments at which it may be performed.
Results Machine::start_with_results(const AsyncOperation& operation,
                                    const std::function<Results(Effects&)>& perform) {
  asynchronous_.load =
      thread_->cta->cluster->tensor_accesses.start(warp_in_cluster(*thread_), operation.group);
  return perform(*this);
}

void Machine::fence_tensor_operations(bool is_before) {
  thread_->cta->cluster->tensor_accesses.fence(warp_in_cluster(*thread_), is_before, schedule_.steps);
}

namespace {

/// The first columns that are free in all of the CTAs, if there are as many beside each other.
std::optional<unsigned> free_columns(std::span<Cta* const> ctas, unsigned columns) {
  for (unsigned first = 0; first + columns <= tensor_columns; first += tensor_allocation_unit) {
    const auto overlaps = [&](const std::pair<const unsigned, unsigned>& other) {
      return other.first < first + columns && first < other.first + other.second;
    };
    if (std::ranges::none_of(
            ctas, [&](const Cta* cta) { return std::ranges::any_of(cta->tensor.allocations, overlaps); }))
      return first;
  }
  return std::nullopt;
}

}  // namespace

/// Performs the allocations that wait, in their order, as far as columns are free in the CTA, or in both CTAs
/// of its pair, of which it is the even one.
void Machine::allocate_columns(Cta& first, unsigned ctas) {
  std::vector<Cta*> all;
  for (unsigned i = 0; i < ctas; ++i) all.push_back(first.cluster->ctas[first.rank + i]);
  std::vector<TensorRequest>& requests = first.tensor.requests;
  while (!requests.empty() && requests.front().waiting.size() == ctas) {
    const auto columns = free_columns(all, requests.front().columns);
    if (!columns) return;
    const TensorRequest request = std::move(requests.front());
    requests.erase(requests.begin());
    for (Cta* cta : all) cta->tensor.allocations.emplace(*columns, request.columns);
    for (const TensorRequest::Waiting& waiting : request.waiting)
      go_on(*waiting.thread, [&] { return waiting.after(Bits(32, *columns)); });
  }
}

/// With `ctas` of 2, the n-th allocations of the two CTAs are one operation (PTX ISA 8.7 § 9.7.16.4).
Results Machine::allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                        std::function<Results(const Bits&)> after) {
  Cta& own = *thread_->cta;
  TensorMemory& memory = own.tensor;
  const unsigned count = static_cast<unsigned>(columns.to_u64()), warp = thread_->number / lanes_per_warp;
  end_if_misused(Misuse::tensor_columns,
                 !std::has_single_bit(count) || count < tensor_allocation_unit || count > tensor_columns);
  end_if_misused(Misuse::allocation_after_relinquish, memory.is_relinquished);
  end_if_misused(Misuse::more_tensor_columns, count > memory.last_columns);
  end_if_misused(Misuse::second_allocating_warp, memory.allocating_warp.value_or(warp) != warp);
  memory.last_columns = count;
  memory.allocating_warp = warp;
  if (memory.cells.all().empty())
    memory.cells.allocate_at("tensor memory", own.rank * shared_memory_of_cta, tensor_memory_size);
  note_change();
  thread_->state = Thread::State::waiting;
  Cta& first = *own.cluster->ctas[own.rank & ~(ctas - 1)];
  std::vector<TensorRequest>& requests = first.tensor.requests;
  const auto of_peer = std::ranges::find_if(requests, [&](const TensorRequest& request) {
    return request.waiting.size() < ctas && request.waiting.front().thread->cta != &own;
  });
  if (of_peer == requests.end()) {
    requests.push_back({{{thread_, std::move(after)}}, count});
  } else {
    end_if_misused(Misuse::different_tensor_operands, of_peer->columns != count);
    of_peer->waiting.push_back({thread_, std::move(after)});
  }
  allocate_columns(first, ctas);
  return Results::pending();
}

/// Each CTA of a pair frees the columns for its own threads; they are free when both CTAs have done so.
void Machine::free_tensor_memory(const Bits& address, const Bits& columns, unsigned ctas) {
  Cta& own = *thread_->cta;
  TensorMemory& memory = own.tensor;
  const auto found = memory.allocations.find(static_cast<unsigned>(address.to_u64()));
  end_if_misused(Misuse::no_tensor_allocation,
                 found == memory.allocations.end() || found->second != columns.to_u64());
  const auto [first, count] = *found;
  memory.allocations.erase(found);
  Allocation& cells = *memory.cells.find(own.rank * shared_memory_of_cta, tensor_memory_size);
  for (unsigned lane = 0; lane < tensor_lanes; ++lane) {
    const std::uint64_t begin = cells.base + (lane * tensor_columns + first) * tensor_cell_bytes;
    for (unsigned column = 0; column < count; ++column)
      end_if_misused(Misuse::tensor_memory_in_use,
                     own.cluster->tensor_accesses.is_in_use(begin / tensor_cell_bytes + column));
    forget_bytes(cells, begin, std::uint64_t{count} * tensor_cell_bytes);
  }
  note_change();
  allocate_columns(*own.cluster->ctas[own.rank & ~(ctas - 1)], ctas);
}

/// A CTA that ends must have freed its tensor memory.
void Machine::end_if_tensor_memory_is_left(const Cta& cta) {
  if (cta.tensor.allocations.empty()) return;
  end_if_misused(Misuse::tensor_memory_not_freed, std::ranges::all_of(cta.threads, [](const auto& thread) {
                   return thread->state == Thread::State::ended;
                 }));
}

}  // namespace ptxmc::kernel
