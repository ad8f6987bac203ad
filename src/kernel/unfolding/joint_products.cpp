#include "src/kernel/unfolding/joint_products.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/register_hazards.hpp"

namespace ptxmc::kernel {

namespace {

struct Product {
  unsigned strand = 0;
  const Instruction* instruction = nullptr;
};

using Products = std::vector<std::vector<Product>>;  // by thread, in program order

/// The products that each thread may start.
Products products_of(const EventStructure& structure, int threads) {
  Products products(static_cast<std::size_t>(threads));
  for (const Event& event : structure.events) {
    if (event.strand == 0 || event.instruction == nullptr || !is_matrix_product(*event.instruction)) continue;
    auto& own = products[static_cast<std::size_t>(event.thread)];
    if (own.empty() || own.back().strand != event.strand) own.push_back({event.strand, event.instruction});
  }
  return products;
}

using Together = std::shared_ptr<const std::map<int, unsigned>>;

/// The strands of one product, if all threads of the group start it.
Together strands_together(const Products& products, const std::vector<int>& group, std::size_t number,
                          const Instruction* instruction) {
  auto together = std::make_shared<std::map<int, unsigned>>();
  for (const int thread : group) {
    if (thread == ThreadGroups::no_thread) return nullptr;
    const auto& own = products[static_cast<std::size_t>(thread)];
    if (number >= own.size() || own[number].instruction != instruction) return nullptr;
    together->emplace(thread, own[number].strand);
  }
  return together;
}

}  // namespace

void join_products(EventStructure& structure, const ThreadGroups& groups) {
  const Products products = products_of(structure, groups.size());
  std::map<std::pair<int, unsigned>, Together> joint;  // by thread and strand
  for (int thread = 0; thread < groups.size(); ++thread) {
    if (groups.rank_of(ThreadGroup::warpgroup, thread) != 0) continue;
    const auto& own = products[static_cast<std::size_t>(thread)];
    const std::vector<int>& group = groups.group_of(ThreadGroup::warpgroup, thread);
    for (const int other : group) {
      if (other == ThreadGroups::no_thread) continue;
      const auto& its = products[static_cast<std::size_t>(other)];
      if (its.size() > own.size())
        throw Unsupported("a matrix product that not all threads of the warpgroup start",
                          its.back().instruction->where);
    }
    for (std::size_t number = 0; number < own.size(); ++number) {
      const Together all = strands_together(products, group, number, own[number].instruction);
      if (all == nullptr)
        throw Unsupported("a matrix product that not all threads of the warpgroup start",
                          own[number].instruction->where);
      for (const auto& [other, strand] : *all) joint[{other, strand}] = all;
    }
  }
  if (joint.empty()) return;
  for (Event& event : structure.events)
    for (Completion& completion : event.completes)
      if (const auto found = joint.find({event.thread, completion.strand}); found != joint.end())
        completion.together = found->second;
}

}  // namespace ptxmc::kernel
