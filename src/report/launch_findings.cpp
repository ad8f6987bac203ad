#include "src/report/launch_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>

#include "src/kernel/launch/condition.hpp"
#include "src/report/names.hpp"
#include "src/report/property_text.hpp"
#include "src/report/race_cure.hpp"

namespace ptxmc {

namespace {

const char* words_of(LaunchProperty property) {
  constexpr const char* words[] = {"assertion failed", "data race",          "uninitialized read",
                                   "out of bounds",    "barrier divergence", "undefined",
                                   "deadlock"};
  return words[static_cast<std::size_t>(property)];
}

/// The value of an input; a floating-point number with its bits, since NaNs and −0 are otherwise ambiguous.
std::string input_text(const Type& type, const Bits& value) {
  if (!type.is_float())
    return type.is_signed() ? std::to_string(value.to_s64()) : std::to_string(value.to_u64());
  const auto number =
      std::bit_cast<double>(kernel::number_of(kernel::ElementType{{}, type}, value).bits.to_u64());
  const std::string text =
      type.width == 64 ? fmt::format("{}", number) : fmt::format("{}", static_cast<float>(number));
  return fmt::format("{} ({:#0{}x})", text, value.to_u64(), type.width / 4U + 2);
}

/// Makes the text of a finding.
class Describer {
 public:
  Describer(const LaunchFinding& finding, const std::string& final_condition,
            const kernel::SourceLines& sources)
      : finding_(finding), final_condition_(final_condition), sources_(sources) {}

  FindingText text() const {
    FindingText result;
    result.property = finding_.property;
    const StuckThread* stuck = finding_.stuck.empty() ? nullptr : &finding_.stuck.front();
    static_cast<FindingPlace&>(result) = place_of(stuck != nullptr ? stuck->where : finding_.site.where);
    if (finding_.other && finding_.other->where.line != 0) result.other = place_of(finding_.other->where);
    result.threads = threads();
    result.is_of_same_value = finding_.property == LaunchProperty::race && writes_same_value();
    result.message = fmt::format("{}: {}", words_of(finding_.property), what());
    if (finding_.property == LaunchProperty::race) result.hint = hint_of_race();
    if (finding_.property == LaunchProperty::undefined) result.hint = hint_of_mbarrier();
    for (const Input& input : finding_.inputs)
      if (input.matters)
        result.inputs += fmt::format("{}{} = {}", result.inputs.empty() ? "" : ", ", input.name,
                                     input_text(input.type, input.value));
    return result;
  }

  /// What findings that are shown as one have in common; empty if a source line is unknown.
  std::string common_text() const {
    if (!finding_.stuck.empty() || finding_.site.thread == Event::no_thread) return {};
    std::vector<std::string> lines = {levels_text(finding_.site.where)};
    if (finding_.other) lines.push_back(levels_text(finding_.other->where));
    if (std::ranges::any_of(lines, &std::string::empty)) return {};
    std::ranges::sort(lines);
    return fmt::format("{} {} {} {}", property_name(finding_.property), fmt::join(lines, " "),
                       finding_.site.event >= 0 ? variable_of(event(finding_.site.event)) : "",
                       gist_of(finding_.message));
  }

 private:
  FindingPlace place_of(SourcePosition where) const {
    return {where.line, where.column, sources_.of(where.line)};
  }

  /// The source line of an instruction, and those of the functions that are inlined there.
  std::string levels_text(SourcePosition where) const {
    const auto source = sources_.of(where.line);
    if (!source) return {};
    std::string text = fmt::format("{}:{}", source->file, source->line);
    for (const kernel::SourcePlace& inner : source->inlined)
      text += fmt::format(" {}:{}", inner.file, inner.line);
    return text;
  }

  /// The name of the variable that an access touches, without index or offset.
  std::string variable_of(const Event& access) const {
    if (!access.is_memory_access()) return {};
    const std::string location = location_name(*execution().program, access.address.to_u64());
    return location.substr(0, location.find_first_of("[+"));
  }

  bool writes_same_value() const {
    if (!finding_.other || finding_.site.event < 0 || finding_.other->event < 0) return false;
    const Event &own = event(finding_.site.event), &other = event(finding_.other->event);
    return own.is_write() && other.is_write() && identical(own.location, other.location) &&
           own.size == other.size && own.value.width() != 0 && own.value.is_constant() &&
           identical(own.value, other.value) && !own.access.is_indeterminate &&
           !other.access.is_indeterminate;
  }

  const Execution& execution() const { return finding_.witness; }
  const Event& event(EventId id) const { return execution().events[static_cast<std::size_t>(id)]; }
  const std::string& thread_name(int thread) const {
    return execution().program->threads[static_cast<std::size_t>(thread)].name;
  }

  const Placement& placement(const Event& event) const {
    return execution().program->threads[static_cast<std::size_t>(event.thread)].placement;
  }

  std::vector<std::string> threads() const {
    std::vector<std::string> result;
    const auto add = [&](int thread) {
      if (thread != Event::no_thread && std::ranges::find(result, thread_name(thread)) == result.end())
        result.push_back(thread_name(thread));
    };
    add(finding_.site.thread);
    if (finding_.other) add(finding_.other->thread);
    for (const StuckThread& stuck : finding_.stuck) add(stuck.thread);
    return result;
  }

  std::string place(std::uint32_t line) const { return place_text(sources_, line); }

  /// `st.global.u32 [%rd1], %r2` by thread (0,0,0) of CTA (1,0,0), which writes out[0] = 5
  std::string access(const LaunchSite& site) const {
    if (site.event < 0) return fmt::format("by {}", thread_name(site.thread));
    const Event& access = event(site.event);
    const std::string location = location_name(*execution().program, access.address.to_u64());
    return fmt::format("`{}` by {}, which {} {} = {}", written(access), thread_name(site.thread),
                       access.is_read() ? "reads" : "writes", location,
                       value_text(access, *execution().program));
  }

  std::string what() const {
    switch (finding_.property) {
      case LaunchProperty::assertion:
        return assertion();
      case LaunchProperty::race:
        return race();
      case LaunchProperty::uninitialized:
        return uninitialized();
      case LaunchProperty::out_of_bounds:
        return out_of_bounds();
      case LaunchProperty::divergence:
        return divergence();
      case LaunchProperty::undefined:
        return undefined();
      case LaunchProperty::deadlock:
        return deadlock();
    }
    return {};
  }

  std::string out_of_bounds() const {
    if (finding_.site.event >= 0 && finding_.other) return access_after_end();
    return fmt::format(
        "{}, by {}",
        finding_.message.empty() ? "an address outside of all allocations, or misaligned" : finding_.message,
        thread_name(finding_.site.thread));
  }

  /// The name of a thread's CTA, for example `CTA (1, 0, 0)`.
  std::string cta_name(int thread) const {
    const std::string& name = thread_name(thread);
    const std::size_t cta = name.find("CTA");
    return cta == std::string::npos ? "the CTA of " + name : name.substr(cta);
  }

  /// PTX ISA 8.7 § 2.2.2.
  std::string access_after_end() const {
    const Event& own = event(finding_.site.event);
    const std::string cta = cta_name(finding_.other->thread);
    return fmt::format(
        "{} by {} accesses {} in the shared memory of {}, whose threads may all have ended before: none of "
        "them waits until {} (PTX ISA 8.7 § 2.2.2)",
        own.strand == 0 ? fmt::format("`{}`", written(own))
                        : fmt::format("the asynchronous operation `{}`", written(own)),
        thread_name(finding_.site.thread), location_name(*execution().program, own.address.to_u64()), cta,
        own.strand == 0 ? "this access is performed" : "the operation is complete");
  }

  std::string assertion() const {
    if (finding_.site.thread == Event::no_thread)
      return fmt::format("`{}` is false when all threads have ended{}", final_condition_, final_values());
    constexpr std::string_view said = "assertion failed: ";
    std::string message = finding_.message.empty() ? "trap" : finding_.message;
    if (message.starts_with(said)) message.erase(0, said.size());
    return fmt::format("{}, by {}", message, thread_name(finding_.site.thread));
  }

  std::string final_values() const {
    std::string text;
    const Program& program = *execution().program;
    for (std::size_t i = 0; i < execution().final_memory.size(); ++i)
      for (std::size_t k = 0; k < execution().final_memory[i].size(); ++k) {
        const Bits& value = execution().final_memory[i][k];
        if (value.width() == 0 || !value.is_constant()) continue;
        const FinalTerm term = {
            .kind = FinalTerm::Kind::memory, .variable = static_cast<int>(i), .element = static_cast<int>(k)};
        text += fmt::format("{}{} = {}", text.empty() ? ": " : ", ", name_of(term, program, Naming::litmus),
                            element_text(program.memory[i], value));
      }
    return text;
  }

  std::string race() const {
    if (!finding_.other) return finding_.message;
    const auto& other = *finding_.other;
    return fmt::format("{}, with that in {}: {}; {}not ordered by causality, not morally strong: {}",
                       access(finding_.site), place(other.where.line), access(other),
                       writes_same_value() ? "both write the same value; " : "",
                       why_not_morally_strong(execution(), event(finding_.site.event), event(other.event)));
  }

  std::string uninitialized() const {
    if (finding_.site.event < 0)
      return fmt::format("{}, by {}", finding_.message.empty() ? "uninitialized memory" : finding_.message,
                         thread_name(finding_.site.thread));
    const Event& read = event(finding_.site.event);
    return fmt::format("`{}` by {} reads {}, which {}", written(read), thread_name(finding_.site.thread),
                       location_name(*execution().program, read.address.to_u64()),
                       why_unknown(finding_.site.event));
  }

  std::string why_unknown(EventId read) const {
    bool is_initial = false;
    const Event* copy = nullptr;
    for (const ReadsFrom& source : execution().reads_from) {
      if (source.read != read) continue;
      const Event& write = event(source.write);
      if (write.access.is_indeterminate)
        return fmt::format("`{}` by {} has discarded", written(write), thread_name(write.thread));
      is_initial = is_initial || write.kind == EventKind::initial_write;
      if (write.kind == EventKind::write) copy = &write;
    }
    if (is_initial || copy == nullptr) return "may have its unknown initial content";
    return fmt::format("`{}` by {} has copied from memory without a value", written(*copy),
                       thread_name(copy->thread));
  }

  std::string divergence() const {
    const Event& barrier = event(finding_.site.event);
    const std::string own = fmt::format("`{}` by {}", written(barrier), thread_name(finding_.site.thread));
    if (!finding_.other) return own + ", which not all threads of its warp execute";
    const auto& other = *finding_.other;
    if (other.event < 0)
      return fmt::format("{}; {} of its warp takes a path without it", own, thread_name(other.thread));
    return fmt::format("{}; {} of its warp executes `{}` in {} instead", own, thread_name(other.thread),
                       written(event(other.event)), place(other.where.line));
  }

  std::string undefined() const {
    std::string text = fmt::format("{}, by {}", finding_.message, thread_name(finding_.site.thread));
    if (const Event* use = undefined_use())
      text += fmt::format(", at `{}`{}", written(*use), contents_of_mbarrier(*use));
    if (finding_.other)
      text += fmt::format(", and {} at `{}` in {}", thread_name(finding_.other->thread),
                          written(event(finding_.other->event)), place(finding_.other->where.line));
    return text;
  }

  /// The event of the undefined use: of a thread that ended with it, its last one, if that has the same
  /// place.
  const Event* undefined_use() const {
    if (finding_.site.event >= 0) return &event(finding_.site.event);
    const Event* last = nullptr;
    for (const Event& event : execution().events)
      if (event.thread == finding_.site.thread) last = &event;
    const bool is_use = last != nullptr && last->is_memory_access() && last->instruction != nullptr &&
                        last->instruction->where.line == finding_.site.where.line;
    return is_use ? last : nullptr;
  }

  /// `, which finds bar = phase 0, 2 pending`
  std::string contents_of_mbarrier(const Event& access) const {
    if (!access.is_read() || access.access.mbarrier != MbarrierAccess::operation) return {};
    return fmt::format(", which finds {} = {}", location_name(*execution().program, access.address.to_u64()),
                       value_text(access, *execution().program));
  }

  std::string deadlock() const {
    constexpr std::size_t most = 4;
    Termination termination;
    termination.witness = execution();
    termination.stuck = finding_.stuck;
    if (termination.stuck.size() > most) termination.stuck.resize(most);
    std::string text;
    for (const std::string& sentence :
         termination_sentences(termination, [&](std::uint32_t line) { return place(line); }))
      text += (text.empty() ? "" : "; ") + sentence;
    if (finding_.stuck.size() > most)
      text += fmt::format("; and {} more threads never end", finding_.stuck.size() - most);
    if (!finding_.message.empty()) text += "; " + finding_.message;
    return text;
  }

  std::string hint_of_race() const {
    if (!finding_.other || finding_.site.event < 0) return {};
    return cure_of_race(execution(), finding_.site.event, finding_.other->event,
                        [&](std::uint32_t line) { return place(line); });
  }

  /// What orders `mbarrier.init` and a use of the memory: § 9.7.13.15.3, § 9.7.13.15.9.
  std::string hint_of_mbarrier() const {
    if (finding_.site.event < 0) return {};
    const Event& use = event(finding_.site.event);
    if (use.access.mbarrier == MbarrierAccess::operation) {
      const Event* init = life_of(use, MbarrierAccess::init);
      if (init == nullptr) return "execute mbarrier.init on this memory before";
      return life_of(use, MbarrierAccess::inval) == nullptr ? init_text(*init, use) : std::string();
    }
    if (use.access.mbarrier != MbarrierAccess::init || !finding_.other) return {};
    const Event& other = event(finding_.other->event);
    if (other.instruction == nullptr) return {};
    if (other.access.mbarrier == MbarrierAccess::operation && other.thread != use.thread)
      return init_text(use, other);
    return fmt::format(
        "the object that {} uses still exists: execute mbarrier.inval when it is no longer used, and order "
        "that before {}",
        place(finding_.other->where.line), place(finding_.site.where.line));
  }

  /// An mbarrier.init, or inval, of the memory that an operation uses.
  const Event* life_of(const Event& use, MbarrierAccess kind) const {
    const auto found = std::ranges::find_if(execution().events, [&](const Event& other) {
      return other.instruction != nullptr && other.access.mbarrier == kind &&
             identical(other.location, use.location);
    });
    return found == execution().events.end() ? nullptr : &*found;
  }

  std::string init_text(const Event& init, const Event& use) const {
    return fmt::format(
        "`{}` in {} by {} need not come before: let the threads meet at a barrier{} after it and before {}",
        written(init), place(init.instruction->where.line), thread_name(init.thread),
        placement(init).cta == placement(use).cta ? "" : " of the cluster",
        place(use.instruction->where.line));
  }

  const LaunchFinding& finding_;
  const std::string& final_condition_;
  const kernel::SourceLines& sources_;
};

}  // namespace

namespace {

/// Adds the lines of a finding that is not shown, each pair once.
void add_repeated(FindingText& text, const LaunchFinding& finding) {
  const std::pair lines(finding.site.where.line, finding.other ? finding.other->where.line : 0);
  const auto is_same = [&](const std::pair<std::uint32_t, std::uint32_t>& other) {
    return std::minmax(lines.first, lines.second) == std::minmax(other.first, other.second);
  };
  if (!is_same({text.line, text.other ? text.other->line : 0}) &&
      std::ranges::none_of(text.repeated, is_same))
    text.repeated.push_back(lines);
}

}  // namespace

std::vector<FindingText> finding_texts(const LaunchAnswer& answer, const std::string& final_condition,
                                       const kernel::SourceLines& sources) {
  std::vector<FindingText> result;
  std::map<std::string, std::size_t> shown;  // by what the findings have in common: the text
  for (std::size_t i = 0; i < answer.findings.size(); ++i) {
    const LaunchFinding& finding = answer.findings[i];
    const Describer describer(finding, final_condition, sources);
    const std::string common = describer.common_text();
    const auto [same, is_new] = shown.try_emplace(common, result.size());
    if (is_new || common.empty()) {
      result.push_back(describer.text());
      result.back().number = i;
    } else {
      add_repeated(result[same->second], finding);
    }
  }
  return result;
}

std::string assumed_zero_note(const std::vector<std::string>& variables, const std::string& how) {
  if (variables.empty()) return {};
  const bool is_one = variables.size() == 1;
  return fmt::format(
      "{} {} no initial value in the module and {} read as 0 (PTX ISA 8.7 § 5.4.4); if the host or an "
      "earlier launch writes {}, say so with {}",
      fmt::join(variables, ", "), is_one ? "has" : "have", is_one ? "is" : "are", is_one ? "it" : "them",
      how);
}

std::string place_text(const kernel::SourceLines& sources, std::uint32_t line) {
  const auto source = sources.of(line);
  return source ? fmt::format("line {} ({})", line, kernel::short_source_text(*source)) : plain_line(line);
}

namespace {

/// `also in 2 more pairs of lines of the module from the same source: 82 and 99, 83 and 101`
std::string repeated_text(const FindingText& finding) {
  constexpr std::size_t most = 3;
  const auto& repeated = finding.repeated;
  if (repeated.empty()) return {};
  const bool are_pairs = repeated.front().second != 0;
  std::string lines;
  for (std::size_t i = 0; i < std::min(most, repeated.size()); ++i) {
    lines += fmt::format("{}{}", i == 0 ? "" : ", ", repeated[i].first);
    if (are_pairs) lines += fmt::format(" and {}", repeated[i].second);
  }
  if (repeated.size() > most) lines += ", …";
  const char* what = are_pairs              ? repeated.size() == 1 ? "pair of lines" : "pairs of lines"
                     : repeated.size() == 1 ? "line"
                                            : "lines";
  return fmt::format("    also in {} more {} of the module from the same source: {}\n", repeated.size(), what,
                     lines);
}

}  // namespace

std::string finding_text(const FindingText& finding, const std::string& module) {
  std::string text = module;
  if (finding.line != 0) text += fmt::format(":{}", finding.line);
  if (finding.line != 0 && finding.column != 0) text += fmt::format(":{}", finding.column);
  text += fmt::format(": error: {}\n", finding.message);
  if (finding.source) text += fmt::format("    from {}\n", kernel::source_text(*finding.source));
  text += repeated_text(finding);
  if (!finding.inputs.empty()) text += fmt::format("    with {}\n", finding.inputs);
  if (!finding.hint.empty()) text += fmt::format("    hint: {}\n", finding.hint);
  if (!finding.assumed_zero.empty())
    text += fmt::format("    note: {}\n", assumed_zero_note(finding.assumed_zero, how_to_say_content));
  return text;
}

}  // namespace ptxmc
