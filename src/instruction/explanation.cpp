#include "src/instruction/explanation.hpp"

#include <fmt/format.h>

#include <cctype>

#include "semantics/language/diagnostic.hpp"
#include "semantics/values/approximation.hpp"
#include "src/instruction/evaluation.hpp"

namespace ptxmc {

namespace {

const char* name_of(Sem sem) {
  static constexpr const char* names[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  return names[static_cast<std::size_t>(sem)];
}

const char* name_of(Scope scope) {
  static constexpr const char* names[] = {"", " cta", " cluster", " gpu", " sys"};
  return names[static_cast<std::size_t>(scope)];
}

const char* name_of(Proxy proxy) {
  static constexpr const char* names[] = {"generic", "constant",  "texture", "surface",
                                          "async",   "tensormap", "alias"};
  return names[static_cast<std::size_t>(proxy)];
}

const char* name_of(StateSpace space) {
  static constexpr const char* names[] = {"generic", "global", "shared::cta", "shared::cluster",
                                          "local",   "param",  "const",       "tensor"};
  return names[static_cast<std::size_t>(space)];
}

const char* name_of(AsyncGroup group) {
  static constexpr const char* names[] = {"",
                                          "cp.async",
                                          "cp.async.bulk",
                                          "wgmma.mma_async",
                                          "tcgen05.ld",
                                          "tcgen05.st",
                                          "tcgen05.mma, cp and shift"};
  return names[static_cast<std::size_t>(group)];
}

std::string text_of(const Access& access) {
  std::string text = std::string(name_of(access.sem)) + name_of(access.scope);
  if (access.is_volatile) text += ", volatile";
  if (access.is_mmio) text += ", mmio";
  if (access.is_reduction) text += ", a reduction";
  if (access.is_indeterminate) text += ", another value for each read";
  if (access.proxy != Proxy::generic) text += std::string(", ") + name_of(access.proxy) + " proxy";
  return text + ", " + name_of(access.space) + " memory";
}

/// Records the effects of a rule as text; values that it reads are unknowns.
class WrittenEffects final : public Effects {
 public:
  /// `has_fragments`: of an instruction on matrices, of which each lane holds other elements.
  WrittenEffects(TermGraph& graph, bool has_fragments) : graph_(graph), has_fragments_(has_fragments) {}

  const std::vector<std::string>& lines() const { return lines_; }

  Bits read(const Access& access, const Bits& address, unsigned width) override {
    const Bits value = unknown(width);
    add("{} = read {} bits at {} ({})", to_string(value), width, to_string(address), text_of(access));
    return value;
  }
  void write(const Access& access, const Bits& address, const Bits& value) override {
    add("write {} bits at {}: {} ({})", value.width(), to_string(address), to_string(value), text_of(access));
  }
  Bits read_modify_write(const Access& access, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    const Bits old = unknown(width);
    const Update next = update(old);
    const std::string condition = next.happens.is_true() ? "" : " if " + to_string(next.happens);
    add("{} = read {} bits at {}, and at once write {}{} ({})", to_string(old), width, to_string(address),
        to_string(next.value), condition, text_of(access));
    return old;
  }
  void fence(const Fence& fence) override {
    if (fence.is_proxy_fence) {
      add("a proxy fence between {} and {}{}", name_of(fence.from), name_of(fence.to), name_of(fence.scope));
    } else {
      add("a memory fence: {}{}", name_of(fence.sem), name_of(fence.scope));
    }
  }
  void wait(const Wait& wait) override {
    add("if {}, the wait succeeds: {}{}", to_string(wait.succeeds), name_of(wait.sem), name_of(wait.scope));
  }
  void start(const AsyncOperation& operation, std::function<void(Effects&)> perform) override {
    add("start an asynchronous operation{}{}, which will at some later time",
        operation.group == AsyncGroup::none ? "" : ", part of the next group of ",
        operation.group == AsyncGroup::none ? "" : name_of(operation.group));
    indentation_ += 2;
    if (operation.follows != AsyncGroup::none)
      add("wait for the {} of {} that the thread has started before",
          operation.follows == AsyncGroup::cp_async ? "copies" : "operations", name_of(operation.follows));
    try {
      perform(*this);
    } catch (const UnhandledEffect&) {
      add("read, multiply or copy, and write what its descriptors say");
    }
    indentation_ -= 2;
  }
  Results start_on_registers(const AsyncOperation& operation,
                             std::function<Results(Effects&, std::span<const Bits>)>) override {
    start(operation, [&](Effects&) {
      add("read A, unless it is in registers, and B in shared memory by the async proxy");
      add("d = A * B + d, or A * B without scale-d; no other instruction may access d and a before");
    });
    return Results::pending();
  }
  void fence_tensor_operations(bool is_before) override {
    if (is_before) {
      add("later operations of other threads on tensor memory may follow the earlier ones");
    } else {
      add("later operations on tensor memory follow what the thread has observed");
    }
  }
  Results allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                 std::function<Results(const Bits&)> after) override {
    const Bits address = unknown(32);
    add("{} = the address of {} columns of tensor memory in {}, which are allocated now", to_string(address),
        to_string(columns), ctas == 1 ? "the CTA" : "both CTAs of the pair");
    return after(address);
  }
  void free_tensor_memory(const Bits& address, const Bits& columns, unsigned) override {
    add("free {} columns of tensor memory at {}", to_string(columns), to_string(address));
  }
  void end_tensor_allocations() override { add("the CTA allocates no more tensor memory"); }
  std::uint32_t thread_number() override { return 0; }
  void fence_registers() override {
    add("the registers that the thread has accessed may be operands of a later wgmma.mma_async");
  }
  void commit_group(AsyncGroup group) override {
    add("make a group of the operations of {} that are in no group yet", name_of(group));
  }
  void wait_group(AsyncGroup group, std::uint64_t most, bool only_reads) override {
    add("wait until all groups of {} except the latest {} {}", name_of(group), most,
        only_reads ? "have read their sources" : "are complete");
  }
  Bits address_in_cta(const Bits& address, const Bits& rank) override {
    const Bits other = unknown(address.width());
    add("{} = the address of {} in the CTA with rank {}", to_string(other), to_string(address),
        to_string(rank));
    return other;
  }
  CancelledCluster cancel_cluster() override {
    add("request that a cluster which has not started never starts");
    CancelledCluster cancelled{.succeeds = graph_.variable(1, "cancelled")};
    for (Bits& index : cancelled.ctaid) index = unknown(32);
    return cancelled;
  }
  void launch_dependents() override { add("allow the dependent grids to start"); }
  Bits barrier(const Barrier& barrier) override {
    if (barrier.group == Barrier::Group::prerequisite) {
      add("wait until the prerequisite grid has completed");
      return {};
    }
    static constexpr const char* kinds[] = {"arrive and wait",        "arrive",
                                            "arrive, wait and count", "arrive, wait, all",
                                            "arrive, wait, any",      "wait"};
    static constexpr const char* groups[] = {"warp", "CTA", "cluster"};
    const bool has_id = barrier.id.width() != 0;
    add("a barrier of the {}{}: {}{}", groups[static_cast<std::size_t>(barrier.group)],
        has_id ? " with number " + to_string(barrier.id) : "", kinds[static_cast<std::size_t>(barrier.kind)],
        barrier.count ? ", for " + to_string(*barrier.count) + " threads" : "");
    switch (barrier.kind) {
      case Barrier::Kind::reduce_popc:
        return unknown(32);
      case Barrier::Kind::reduce_and:
      case Barrier::Kind::reduce_or:
        return unknown(1);
      default:
        return {};
    }
  }
  void jump(Target) override { add("jump to the label"); }
  void jump_indexed(const Bits& index, std::span<const Target>) override {
    add("jump to the label with number {}", to_string(index));
  }
  void call() override { add("call the function; arguments and results are passed as chapter 7 says"); }
  ExchangedValues exchange(const Exchange& exchange) override {
    if (exchange.group != ThreadGroup::warp) return exchange_in_group(exchange);
    const std::string members =
        exchange.members ? "the lanes of " + to_string(*exchange.members) : std::string("the active threads");
    std::string given;
    for (const Bits& value : exchange.values) given += (given.empty() ? "" : ", ") + to_string(value);
    add("give {} to {} of the warp, and wait for theirs", given, members);
    ExchangedValues lanes(lanes_per_warp, exchange.values.size());
    lanes.own = has_fragments_ ? Bits(32, 0) : graph_.variable(32, "lane");
    for (unsigned i = 0; i < lanes_per_warp; ++i) {
      std::vector<Bits> values;
      for (const Bits& value : exchange.values)
        values.push_back(graph_.variable(
            value.width(), fmt::format("v{}{}", i, values.empty() ? "" : fmt::format("_{}", values.size()))));
      lanes.add(i, values, graph_.variable(1, "p" + std::to_string(i)));
    }
    if (has_fragments_) add("what follows is for lane 0: every lane holds other elements");
    add("lane = the own lane; v0 to v31 = the values of the lanes; p0 to p31 = whether they take part");
    return lanes;
  }
  Bits stack_pointer() override {
    add("sp = the stack pointer");
    return graph_.variable(64, "sp");
  }
  void set_stack_pointer(const Bits& pointer) override { add("stack pointer = {}", to_string(pointer)); }
  Bits allocate_on_stack(const Bits& size, const Bits& alignment) override {
    const Bits address = unknown(64);
    add("{} = the address of {} bytes of local memory, aligned to {}", to_string(address), to_string(size),
        to_string(alignment));
    return address;
  }
  Bits cta_rank() override {
    const Bits rank = graph_.variable(32, "rank");
    add("rank = %cluster_ctarank");
    return rank;
  }
  Bits unspecified(unsigned width) override {
    const Bits value = unknown(width);
    add("{} = a value that the manual leaves open", to_string(value));
    return value;
  }
  void ret() override { add("return to the caller"); }
  void exit() override { add("end the thread"); }
  void trap() override { add("abort the launch"); }

 private:
  Bits unknown(unsigned width) { return graph_.variable(width, "m" + std::to_string(++reads_)); }

  /// Among the threads of a warpgroup, which all take part.
  ExchangedValues exchange_in_group(const Exchange& exchange) {
    std::string given;
    for (const Bits& value : exchange.values) given += (given.empty() ? "" : ", ") + to_string(value);
    if (given.empty()) {
      add("wait for all threads of the warpgroup");
    } else {
      add("give {} to the warpgroup, and wait for what its other threads give", given);
    }
    constexpr std::size_t threads = 128;
    ExchangedValues values(threads, exchange.values.size());
    values.own = Bits(32, 0);
    for (std::size_t rank = 0; rank < threads; ++rank) values.add(rank, exchange.values);
    return values;
  }

  template <class... Argument>
  void add(fmt::format_string<Argument...> format, Argument&&... arguments) {
    lines_.push_back(std::string(indentation_, ' ') +
                     fmt::format(format, std::forward<Argument>(arguments)...));
  }

  TermGraph& graph_;
  std::vector<std::string> lines_;
  unsigned reads_ = 0;
  bool has_fragments_;
  std::size_t indentation_ = 0;  ///< of the effects of an asynchronous operation
};

std::string versions_of(const Form& form) {
  std::string text = fmt::format("PTX {}.{}", form.introduced / 10, form.introduced % 10);
  for (const Architecture& target : form.targets) {
    text += fmt::format(", sm_{}{}", target.sm, target.exact ? "a" : "");
    if (target.since != 0) text += fmt::format(" since PTX {}.{}", target.since / 10, target.since % 10);
  }
  if (form.removed != 0) text += fmt::format("; removed in PTX {}.{}", form.removed / 10, form.removed % 10);
  return text;
}

std::vector<std::string> declarations_of(const TermGraph& graph) {
  std::vector<std::string> declarations;
  for (VariableId id = 0; id < graph.variable_count(); ++id)
    declarations.push_back(
        fmt::format("(declare-const {} (_ BitVec {}))", smtlib_symbol(graph, id), graph.variable_width(id)));
  return declarations;
}

void add_rule(InstructionExplanation& explanation, Evaluation& evaluation) {
  TermGraph graph;
  std::vector<Bits> unknowns;
  for (std::size_t i = 0; i < evaluation.source_widths().size(); ++i)
    unknowns.push_back(graph.variable(evaluation.source_widths()[i], evaluation.source_names()[i]));
  WrittenEffects effects(graph, explanation.section.starts_with("9.7.14"));
  const std::span<const Bits> results = evaluation.run(unknowns, effects);
  explanation.effects = effects.lines();
  explanation.declarations = declarations_of(graph);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& name = evaluation.results()[i].name;
    explanation.results.push_back({name, to_string(results[i]),
                                   fmt::format("(define-fun |{}'| () (_ BitVec {}) {})", name,
                                               results[i].width(), to_smtlib(results[i]))});
  }
}

/// Converts to lower case, except for cache levels: `.L2::cache_hint`.
std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::size_t level = text.find(".l"); level != std::string::npos; level = text.find(".l", level + 1))
    if (text.compare(level + 3, 2, "::") == 0) text[level + 1] = 'L';
  return text;
}

ResolvedInstruction resolve(InstructionText text, const std::string& file) {
  try {
    return resolve_instruction(text, std::nullopt, {}, file, {});
  } catch (const InputError&) {
    const std::string small = in_small_letters(text.spelling);
    if (small == text.spelling) throw;
    text.spelling = small;
    return resolve_instruction(text, std::nullopt, {}, file, {});
  }
}

}  // namespace

InstructionExplanation explanation_of(const std::string& instruction) {
  const std::string& file = instruction;
  const ResolvedInstruction resolved = resolve(read_instruction(instruction, file, {}), file);
  const Form& form = *resolved.form;
  InstructionExplanation explanation;
  explanation.spelling = form.spelling;
  explanation.section = form.definition->section;
  explanation.versions = versions_of(form);
  explanation.syntax = form.line->text;
  if (!form.definition->rule) {
    explanation.missing = "declared without a rule: it is read and checked, but not executed";
    return explanation;
  }
  try {
    Evaluation evaluation({resolved}, file);
    add_rule(explanation, evaluation);
  } catch (const Unsupported& unsupported) {
    explanation.missing = unsupported.what();
  }
  return explanation;
}

std::string explanation_text(const InstructionExplanation& explanation, bool is_full) {
  constexpr std::size_t longest = 400, shown = 120;
  std::string text =
      fmt::format("{}\n  section   {}\n  since     {}\n  syntax    {};\n\n", explanation.spelling,
                  explanation.section, explanation.versions, explanation.syntax);
  if (!explanation.missing.empty()) return text + "  " + explanation.missing + "\n";
  for (const std::string& effect : explanation.effects) text += "  " + effect + "\n";
  if (explanation.effects.empty()) text += "  no effects\n";
  bool is_cut = false;
  for (const InstructionExplanation::Result& result : explanation.results) {
    const bool cut = !is_full && result.term.size() > longest;
    is_cut |= cut;
    text += fmt::format("  {} = {}{}\n", result.name, result.term.substr(0, cut ? shown : std::string::npos),
                        cut ? " …" : "");
  }
  if (is_cut) return text + "\n  the whole term, and SMT-LIB 2: --full\n";
  if (explanation.results.empty()) return text;
  text += "\n";
  for (const std::string& declaration : explanation.declarations) text += declaration + "\n";
  for (const InstructionExplanation::Result& result : explanation.results) text += result.smtlib + "\n";
  return text;
}

}  // namespace ptxmc
