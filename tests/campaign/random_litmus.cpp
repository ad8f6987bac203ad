#include "tests/campaign/random_litmus.hpp"

#include <fmt/format.h>

#include <vector>

#include "src/litmus/litmus_columns.hpp"
#include "tests/random_choices.hpp"

namespace ptxmc {

namespace {

using Code = std::vector<std::string>;

class Generator {
 public:
  Generator(std::uint64_t seed, bool with_barriers) : seed_(seed), random_(seed) {
    threads_ = 2 + random_.below(seed % 3 == 0 ? 3 : 2);
    variables_ = 1 + random_.below(3);
    has_barriers_ = random_.chance(4) || with_barriers;
    has_proxies_ = random_.chance(6);
    has_sizes_ = random_.chance(8);
    has_addresses_ = !has_sizes_ && random_.chance(6);
    is_one_gpu_ = !random_.chance(4);
    has_narrow_scopes_ = random_.chance(3);
    alike_in_each_cta_ = seed % 4 == 0 ? 1 : seed % 4 == 1 ? 2 : 4;
  }

  std::string text() {
    std::vector<Code> codes;
    // The fewer threads, the more each may do: the number of executions stays small.
    for (unsigned thread = 0; thread < threads_; ++thread) {
      codes.push_back(code_of(thread, 1 + random_.below(threads_ == 2 ? 4 : 3)));
    }
    return header() + body(codes) + question();
  }

  /// Threads that arrive often at one barrier with a count, so that it can have its phases in many ways.
  std::string text_of_arrivals() {
    threads_ = 2 + random_.below(2);
    has_proxies_ = has_sizes_ = has_addresses_ = false;
    is_one_gpu_ = are_alike_ = true;
    alike_in_each_cta_ = threads_;
    const unsigned count = threads_ == 2 ? 2 : 2 + random_.below(2);
    std::vector<Code> codes;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      code_of(thread, 0);
      unsigned accesses = 0;
      for (unsigned barriers = 1 + random_.below(3); barriers > 0; --barriers) {
        emit(fmt::format("barrier.{} 0, {}", random_.any({"sync", "arrive"}), count));
        if (accesses == 2 || random_.chance(2)) continue;
        ++accesses;
        access();
      }
      codes.push_back(code_);
    }
    return header() + body(codes) + question();
  }

  /// Threads that arrive at one or two mbarriers of CTA 0 and wait for their phases. Those of other CTAs of
  /// the cluster only arrive.
  std::string text_of_phases() {
    threads_ = 2 + random_.below(2);
    variables_ = 1 + random_.below(2);
    objects_ = 1 + random_.below(2);
    has_proxies_ = has_sizes_ = has_addresses_ = false;
    is_one_gpu_ = are_alike_ = true;
    alike_in_each_cta_ = random_.chance(3) ? 1 : threads_;
    count_ = 1 + random_.below(threads_);
    is_initialised_by_thread_ = random_.chance(6);
    std::vector<Code> codes;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      code_of(thread, 0);
      has_token_ = false;
      if (is_initialised_by_thread_) initialise_objects();
      for (unsigned steps = 1 + random_.below(threads_ == 2 ? 3 : 2); steps > 0; --steps) step_of_phase();
      codes.push_back(code_);
    }
    return header() + body(codes) + question();
  }

  /// Threads that run the code of the first, but for the last one, which may run its own.
  std::string text_of_alike_threads(bool are_told_apart) {
    threads_ = 2 + random_.below(3);
    has_proxies_ = has_sizes_ = false;
    is_one_gpu_ = true;
    are_alike_ = true;
    const bool has_other = threads_ > 2 && random_.chance(2);
    const Code alike = random_.chance(2) ? code_in_pairs()
                                         : code_of(0, 1 + random_.below(threads_ == 2   ? 4
                                                                        : threads_ == 3 ? 3
                                                                                        : 2));
    const std::vector<std::string> read = std::move(shown_);
    shown_.clear();
    std::vector<Code> codes(threads_, alike);
    if (has_other) codes.back() = code_of(threads_ - 1, 1 + random_.below(2));
    for (unsigned thread = 0; are_told_apart && thread + (has_other ? 1 : 0) < threads_; ++thread)
      for (const std::string& name : read)
        shown_.push_back(fmt::format("P{}{}", thread, name.substr(name.find(':'))));
    return header() + body(codes) + fmt::format("locations [{}{}]\nexists (x == 0)\n", memory(), all_shown());
  }

 private:
  Code code_of(unsigned thread, unsigned length) {
    thread_ = thread;
    registers_ = 0;
    labels_ = 0;
    code_.clear();
    for (unsigned i = 0; i < length; ++i) instruction();
    return code_;
  }

  /// Two of the threads fill a phase.
  Code code_in_pairs() {
    code_of(0, 0);
    threads_ = 4;
    if (!random_.chance(4)) access();
    for (unsigned phases = random_.chance(4) ? 2 : 1; phases > 0; --phases) {
      emit("bar.cta.sync 0, 1, 2");
      if (phases == 1 || random_.chance(2)) access();
    }
    return code_;
  }

  void access() {
    switch (random_.below(3)) {
      case 0:
        return load();
      case 1:
        return store();
      default:
        return atomic();
    }
  }

  std::string all_shown() const {
    std::string shown;
    for (const std::string& name : shown_) shown += name + "; ";
    return shown;
  }

  std::string memory() const {
    std::string shown;
    for (unsigned i = 0; i < variables_; ++i)
      shown += has_sizes_ ? fmt::format("{0}[0]; {0}[1]; ", static_cast<char>('x' + i))
                          : fmt::format("{}; ", static_cast<char>('x' + i));
    return shown;
  }

  std::string variable() { return fmt::format("{}", static_cast<char>('x' + random_.below(variables_))); }
  std::string scope() {
    return has_narrow_scopes_ ? random_.any({"cta", "gpu", "sys"}) : random_.any({"gpu", "gpu", "sys"});
  }
  std::string new_register() {
    const std::string name = fmt::format("r{}", registers_++);
    shown_.push_back(fmt::format("P{}:{}", thread_, name));
    return name;
  }
  bool has_read() const { return registers_ > 0; }
  std::string old_register() { return fmt::format("r{}", random_.below(registers_)); }
  void emit(const std::string& line) { code_.push_back(line); }

  /// A number, or something computed from what was read.
  std::string value() {
    if (!has_read() || !random_.chance(3)) return fmt::format("{}", 1 + random_.below(2));
    const std::string source = old_register();
    if (random_.chance(2)) return source;
    emit(fmt::format("{} r9, {}, {}", random_.any({"and", "mul", "xor", "add"}), source, random_.below(2)));
    return "r9";
  }

  std::string place() {
    if (has_sizes_) return fmt::format("[{}+{}]", variable(), 4 * random_.below(2));
    if (!has_addresses_ || !has_read() || random_.chance(2)) return variable();
    emit(fmt::format("{} r8, {}, {}", random_.any({"and", "mul"}), old_register(), random_.below(2)));
    emit("mul r8, r8, 4096");  // from one variable to the next
    emit("add r8, r8, r7");
    return "[r8]";
  }
  std::string size() {
    return has_sizes_ && random_.chance(2) ? ".u32" : has_sizes_ ? random_.any({".u32", ".u16"}) : "";
  }

  void instruction() {
    if (has_barriers_ && random_.chance(3)) return barrier();
    if (has_proxies_ && random_.chance(3)) return proxy();
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2:
        return load();
      case 3:
      case 4:
      case 5:
        return store();
      case 6:
        return fence();
      case 7:
        return atomic();
      case 8:
        return compare_and_swap();
      case 9:
        return reduction();
      case 10:
        return random_.chance(2) ? spin() : counted_loop();
      default:
        return branch();
    }
  }

  void load() {
    const std::string from = place();
    const std::string qualifiers =
        random_.chance(3) ? "weak" : fmt::format("{}.{}", random_.any({"relaxed", "acquire"}), scope());
    emit(fmt::format("ld.{}{} {}, {}", qualifiers, size(), new_register(), from));
  }

  void store() {
    const std::string written = value();
    const std::string to = place();
    const std::string qualifiers =
        random_.chance(3) ? "weak" : fmt::format("{}.{}", random_.any({"relaxed", "release"}), scope());
    emit(fmt::format("st.{}{} {}, {}", qualifiers, size(), to, written));
  }

  void fence() { emit(fmt::format("fence.{}.{}", random_.any({"sc", "sc", "acq_rel"}), scope())); }

  std::string order() { return random_.any({"relaxed", "acquire", "release", "acq_rel"}); }
  std::string atomic_place() { return has_sizes_ ? fmt::format("[{}]", variable()) : place(); }
  const char* atomic_type() const { return has_sizes_ ? ".u32" : ""; }

  void atomic() {
    const std::string written = value();
    const std::string at = atomic_place();
    const char* operation = random_.any({"add", "exch", "add"});
    const char* type = !has_sizes_ ? "" : operation[0] == 'e' ? ".b32" : ".u32";
    emit(fmt::format("atom.{}.{}.{}{} {}, {}, {}", order(), scope(), operation, type, new_register(), at,
                     written));
  }

  void compare_and_swap() {
    const std::string at = atomic_place();
    emit(fmt::format("atom.{}.{}.cas{} {}, {}, {}, {}", order(), scope(), has_sizes_ ? ".b32" : "",
                     new_register(), at, random_.below(2), 1 + random_.below(2)));
  }

  void reduction() {
    const std::string written = value();
    const std::string at = atomic_place();
    emit(fmt::format("red.{}.{}.add{} {}, {}", random_.any({"relaxed", "release"}), scope(), atomic_type(),
                     at, written));
  }

  void spin() {
    const std::string label = new_label();
    emit(fmt::format("{}: ld.{}.{} {}, {}", label, random_.any({"relaxed", "acquire"}), scope(),
                     new_register(), variable_or_element()));
    emit(fmt::format("{} r{}, {}, {}", random_.any({"beq", "bne"}), registers_ - 1, random_.below(2), label));
  }

  /// An iteration that writes: it is unrolled to the bound.
  void counted_loop() {
    const std::string label = new_label();
    emit(fmt::format("{}: atom.relaxed.{}.add{} {}, {}, 1", label, scope(), atomic_type(), new_register(),
                     variable_or_element()));
    emit(fmt::format("blt r{}, {}, {}", registers_ - 1, 1 + random_.below(2), label));
  }

  std::string variable_or_element() { return has_sizes_ ? fmt::format("[{}]", variable()) : variable(); }
  std::string new_label() { return fmt::format("L{}{}", thread_, labels_++); }

  void branch() {
    if (!has_read()) return load();
    const std::string label = new_label();
    emit(fmt::format("{} {}, {}, {}", random_.any({"beq", "bne", "blt"}), old_register(), random_.below(2),
                     label));
    if (random_.chance(2)) load();
    if (random_.chance(2)) store();
    if (has_barriers_ && random_.chance(2)) barrier();
    emit(label + ":");
  }

  void barrier() {
    const bool has_id = random_.chance(3);
    const std::string id =
        has_id && has_read() && random_.chance(2) ? old_register() : fmt::format("{}", random_.below(2));
    if (random_.chance(4)) return barrier_with_result(id);
    const char* kind = random_.chance(4) ? "arrive" : "sync";
    if (random_.chance(3)) return emit(fmt::format("bar.cta.{} 0, {}, {}", kind, id, 2 + random_.below(2)));
    emit(has_id ? fmt::format("bar.cta.{} 0, {}", kind, id) : fmt::format("bar.cta.{} 0", kind));
  }

  void barrier_with_result(const std::string& id) {
    emit(fmt::format("setp.eq.u32 p0, {}, {}", has_read() ? old_register() : "0", random_.below(2)));
    const std::string count = random_.chance(3) ? fmt::format(", {}", 2 + random_.below(2)) : "";
    emit(fmt::format("barrier.cta.red.popc.u32 {}, {}{}, p0", new_register(), id, count));
  }

  bool is_remote() const { return thread_ / alike_in_each_cta_ != 0; }
  const char* object_space() const { return is_remote() ? ".shared::cluster" : ""; }
  std::string object() {
    const unsigned number = random_.below(objects_);
    return is_remote() ? fmt::format("[r2{}]", number) : fmt::format("[b{}]", number);
  }

  void initialise_objects() {
    if (thread_ == 0)
      for (unsigned i = 0; i < objects_; ++i) emit(fmt::format("mbarrier.init.b64 [b{}], {}", i, count_));
    if (random_.chance(8)) return;
    if (alike_in_each_cta_ == threads_) return emit("bar.sync 0");
    const bool is_relaxed = random_.chance(2);
    if (is_relaxed && !random_.chance(4)) emit("fence.mbarrier_init.release.cluster");
    emit(fmt::format("barrier.cluster.arrive{}", is_relaxed ? ".relaxed" : ""));
    emit("barrier.cluster.wait");
  }

  void step_of_phase() {
    switch (random_.below(8)) {
      case 0:
      case 1:
        return is_remote() ? arrival() : wait_loop();
      case 2:
        return is_remote() ? arrival() : guarded_load();
      case 3:
        return transactions();
      case 4:
        return random_.chance(2) ? access() : fence();
      default:
        return arrival();
    }
  }

  std::string arrival_order() {
    return random_.any({"", "", ".release.cta", ".relaxed.cta", ".release.cluster", ".relaxed.cluster"});
  }

  void arrival() {
    if (random_.chance(2)) emit(fmt::format("st.weak {}, {}", variable(), 1 + random_.below(2)));
    if (random_.chance(6)) fence();
    const std::string opcode = random_.chance(6) ? "mbarrier.arrive_drop" : "mbarrier.arrive",
                      order = arrival_order();
    switch (random_.below(is_remote() ? 4 : 7)) {
      case 0:
        return emit(fmt::format("{}{}{}.b64 _, {}, 2", opcode, order, object_space(), object()));
      case 1:
        return emit(fmt::format("{}.expect_tx{}{}.b64 _, {}, 8", opcode, order, object_space(), object()));
      case 4:
        emit(fmt::format("{}.noComplete.b64 r19, {}, 1", opcode, object()));
        break;
      case 5:
        emit(fmt::format("{}{}.b64 r19, {}", opcode, order, object()));
        break;
      default:
        return emit(fmt::format("{}{}{}.b64 _, {}", opcode, order, object_space(), object()));
    }
    has_token_ = true;
    if (random_.chance(2)) emit(fmt::format("mbarrier.pending_count.b64 {}, r19", new_register()));
  }

  void transactions() {
    emit(fmt::format("mbarrier.{}{}.b64 {}, {}", random_.any({"expect_tx", "complete_tx", "complete_tx"}),
                     object_space(), object(), random_.chance(4) ? 4 : 8));
  }

  std::string wait_for_phase(const char* opcode) {
    const char* order = random_.any({"", "", ".acquire.cluster", ".relaxed.cta", ".relaxed.cluster"});
    if (has_token_ && random_.chance(2)) return fmt::format("{}{}.b64 p0, {}, r19", opcode, order, object());
    return fmt::format("{}.parity{}.b64 p0, {}, {}", opcode, order, object(), random_.below(3) / 2);
  }

  void wait_loop() {
    const std::string label = new_label();
    emit(fmt::format("{}: {}", label, wait_for_phase("mbarrier.try_wait")));
    emit(fmt::format("@!p0 bra {}", label));
    if (random_.chance(4)) fence();
    if (!random_.chance(3)) emit(fmt::format("ld.weak {}, {}", new_register(), variable()));
  }

  void guarded_load() {
    emit(wait_for_phase("mbarrier.test_wait"));
    emit(fmt::format("selp.b64 {}, 1, 0, p0", new_register()));
    emit(fmt::format("@p0 ld.weak {}, {}", new_register(), variable()));
  }

  std::string initial_objects() const {
    std::string text;
    for (unsigned i = 0; i < objects_; ++i) {
      text += is_initialised_by_thread_ ? fmt::format(".shared b{} : b64 = 0; ", i)
                                        : fmt::format(".shared b{} : mbarrier = {}; ", i, count_);
      for (unsigned thread = alike_in_each_cta_; thread < threads_; ++thread)
        text += fmt::format("P{}:r2{} = cta0:b{}; ", thread, i, i);
    }
    return text;
  }

  void proxy() {
    if (has_sizes_) return fence();
    switch (random_.below(4)) {
      case 0:
        return emit(fmt::format("suld.weak {}, s", new_register()));
      case 1:
        return emit(fmt::format("sust.weak s, {}", 1 + random_.below(2)));
      case 2:
        return emit(fmt::format("ld.weak {}, a", new_register()));
      default:
        return emit(fmt::format("fence.proxy.{}", random_.any({"surface", "alias", "generic"})));
    }
  }

  std::string header() {
    std::string initial;
    for (unsigned i = 0; i < variables_; ++i)
      initial += fmt::format("{}{} = 0; ", static_cast<char>('x' + i), has_sizes_ ? " : u32[2]" : "");
    if (has_sizes_) {
      initial.clear();
      for (unsigned i = 0; i < variables_; ++i)
        initial += fmt::format("{} : u32[2]; ", static_cast<char>('x' + i));
    }
    if (has_proxies_ && !has_sizes_) initial += "s @ surface aliases x; a @ generic aliases x; ";
    if (has_addresses_)
      for (unsigned thread = 0; thread < threads_; ++thread) initial += fmt::format("P{}:r7 = x; ", thread);
    return fmt::format("PTX random-{}\n{{ {}{}}}\n", seed_, initial, initial_objects());
  }

  std::string body(const std::vector<Code>& codes) {
    std::vector<LitmusColumn> columns;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      const unsigned cta = are_alike_      ? thread / alike_in_each_cta_
                           : has_barriers_ ? random_.below(5) / 4
                                           : random_.below(threads_);
      const unsigned gpu = is_one_gpu_ ? 0 : random_.below(2);
      columns.push_back(
          {fmt::format("cta {},{}gpu {}", cta, objects_ > 0 ? "cluster 0," : "", gpu), codes[thread]});
    }
    return litmus_columns(columns);
  }

  /// All registers that were read are shown, and sometimes memory.
  std::string question() {
    std::string shown = all_shown();
    if (random_.chance(2) || shown_.empty()) shown += memory();
    const std::string term = shown_.empty() ? (has_sizes_ ? "x[0]" : "x")
                                            : shown_[random_.below(static_cast<unsigned>(shown_.size()))];
    return fmt::format("locations [{}]\n{} ({} == {})\n", shown, random_.any({"exists", "~exists", "forall"}),
                       term, random_.below(3));
  }

  const std::uint64_t seed_;
  RandomChoices random_;
  unsigned threads_ = 0, variables_ = 0;
  bool has_barriers_ = false, has_proxies_ = false, has_sizes_ = false, has_addresses_ = false;
  bool is_one_gpu_ = true, has_narrow_scopes_ = false;
  bool are_alike_ = false;
  unsigned alike_in_each_cta_ = 1;
  unsigned objects_ = 0, count_ = 0;  // mbarriers, and the count of arrivals of each
  bool is_initialised_by_thread_ = false;
  bool has_token_ = false;

  unsigned thread_ = 0, registers_ = 0, labels_ = 0;
  Code code_;
  std::vector<std::string> shown_;
};

}  // namespace

std::string random_litmus(std::uint64_t seed, bool with_barriers) {
  return Generator(seed, with_barriers).text();
}

std::string random_arrivals(std::uint64_t seed) { return Generator(seed, false).text_of_arrivals(); }

std::string random_phases(std::uint64_t seed) { return Generator(seed, false).text_of_phases(); }

std::string random_alike_threads(std::uint64_t seed, bool are_told_apart) {
  return Generator(seed, true).text_of_alike_threads(are_told_apart);
}

}  // namespace ptxmc
