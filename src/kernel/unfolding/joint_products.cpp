#include "src/kernel/unfolding/joint_products.hpp"

#include <algorithm>
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

/// Whether all threads of the group start the operation of an instruction together: matrix products (PTX ISA
/// 8.7 § 9.7.15), loads and stores of tensor memory (§ 9.7.16.4).
bool is_of_group(const Instruction& instruction, ThreadGroup group) {
  if (group == ThreadGroup::warpgroup) return is_matrix_product(instruction);
  const std::string& spelling = instruction.form->spelling;
  return spelling.starts_with("tcgen05.ld.") || spelling.starts_with("tcgen05.st.");
}

/// The operations of a group that each thread may start.
Products products_of(const EventStructure& structure, int threads, ThreadGroup group) {
  Products products(static_cast<std::size_t>(threads));
  for (const Event& event : structure.events) {
    if (event.strand == 0 || event.instruction == nullptr || !is_of_group(*event.instruction, group))
      continue;
    auto& own = products[static_cast<std::size_t>(event.thread)];
    if (own.empty() || own.back().strand != event.strand) own.push_back({event.strand, event.instruction});
  }
  return products;
}

/// The instruction of the operation with this number of a group; null if no thread starts as many.
const Instruction* instruction_of(const Products& products, const std::vector<int>& group,
                                  std::size_t number) {
  for (const int thread : group) {
    if (thread == ThreadGroups::no_thread) continue;
    const auto& own = products[static_cast<std::size_t>(thread)];
    if (number < own.size()) return own[number].instruction;
  }
  return nullptr;
}

using Together = std::shared_ptr<const std::map<int, unsigned>>;

/// Whether the thread ends the launch unless it waits for ever: it never completes.
bool ends_launch_for_certain(const EventStructure& structure, int thread) {
  const auto& endings = structure.endings[static_cast<std::size_t>(thread)];
  const auto completes = [](const Ending& ending) {
    return ending.kind == Ending::Kind::completed && !ending.condition.is_false();
  };
  const auto ends = [](const Ending& ending) {
    return ends_launch(ending.kind) && !ending.condition.is_false();
  };
  return std::ranges::any_of(endings, ends) && std::ranges::none_of(endings, completes);
}

/// The strands of one product, if all threads of the group start it that do not end the launch before.
Together strands_together(const EventStructure& structure, const Products& products,
                          const std::vector<int>& group, std::size_t number, const Instruction* instruction) {
  auto together = std::make_shared<std::map<int, unsigned>>();
  for (const int thread : group) {
    if (thread == ThreadGroups::no_thread) return nullptr;
    const auto& own = products[static_cast<std::size_t>(thread)];
    if (number >= own.size() && ends_launch_for_certain(structure, thread)) continue;
    if (number >= own.size() || own[number].instruction != instruction) return nullptr;
    together->emplace(thread, own[number].strand);
  }
  return together;
}

}  // namespace

namespace {

using Joint = std::map<std::pair<int, unsigned>, Together>;  // by thread and strand

void add_joint(Joint& joint, const EventStructure& structure, const ThreadGroups& groups, ThreadGroup kind) {
  const Products products = products_of(structure, groups.size(), kind);
  const char* const refusal = kind == ThreadGroup::warp
                                  ? "an access to tensor memory that not all threads of the warp start"
                                  : "a matrix product that not all threads of the warpgroup start";
  for (int thread = 0; thread < groups.size(); ++thread) {
    if (groups.rank_of(kind, thread) != 0) continue;
    const std::vector<int>& group = groups.group_of(kind, thread);
    for (std::size_t number = 0;; ++number) {
      const Instruction* instruction = instruction_of(products, group, number);
      if (instruction == nullptr) break;
      const Together all = strands_together(structure, products, group, number, instruction);
      if (all == nullptr) throw Unsupported(refusal, instruction->where);
      for (const auto& [other, strand] : *all) joint[{other, strand}] = all;
    }
  }
}

}  // namespace

void join_products(EventStructure& structure, const ThreadGroups& groups) {
  Joint joint;
  add_joint(joint, structure, groups, ThreadGroup::warpgroup);
  add_joint(joint, structure, groups, ThreadGroup::warp);
  if (joint.empty()) return;
  for (Event& event : structure.events)
    for (Completion& completion : event.completes)
      if (const auto found = joint.find({event.thread, completion.strand}); found != joint.end())
        completion.together = found->second;
}

}  // namespace ptxmc::kernel
