#include "tests/kernel_campaign/random_asynchronous_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/asynchronous_spellings.hpp"
#include "tests/kernel_campaign/asynchronous_code.hpp"

namespace ptxmc {

namespace {

enum class Pattern { ring, groups, bulk_stores, cluster, multicast, meeting };

struct Shape {
  Pattern pattern = Pattern::ring;
  unsigned threads = 1;  ///< or CTAs of a cluster

  bool has_cluster() const { return pattern == Pattern::cluster || pattern == Pattern::multicast; }
};

/// Mostly two: the time of an answer grows fast with the threads.
unsigned few_threads(RandomChoices& random) { return random.chance(4) ? 3 : 2; }

Shape random_shape(std::uint64_t seed) {
  RandomChoices random(seed + (std::uint64_t{1} << 40));
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2:
      return {Pattern::ring, few_threads(random)};
    case 3:
      return {Pattern::groups, 1 + random.below(3)};
    case 4:
      return {Pattern::bulk_stores, 1 + random.below(2)};
    case 5:
    case 6:
      return {Pattern::cluster, 2};
    case 7:
      return {Pattern::meeting, few_threads(random)};
    default:
      return random.chance(3) ? Shape{Pattern::multicast, 2} : Shape{Pattern::meeting, few_threads(random)};
  }
}

/// Shared memory: `s` has 48 words, `full` and `empty` two mbarriers each. `g` has eight words 1 to 8.
class Generator {
 public:
  Generator(std::uint64_t seed, const Shape& shape, std::set<unsigned> mistakes)
      : shape_(shape), code_(seed, std::move(mistakes), shape.has_cluster(), shape.threads) {}

  const Mistakes& mistakes() const { return code_.mistakes; }

  void generate() {
    switch (shape_.pattern) {
      case Pattern::ring:
        return ring();
      case Pattern::groups:
        return groups();
      case Pattern::bulk_stores:
        return bulk_stores();
      case Pattern::cluster:
        return cluster();
      case Pattern::multicast:
        return multicast();
      case Pattern::meeting:
        return meeting();
    }
  }

  std::string module() const {
    return fmt::format(
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 g, .param .u64 out)\n"
        "{{\n  .reg .u32 %role, %sum, %value, %parity, %other, %slot, %full, %empty, %round;\n"
        "  .reg .u16 %mask;\n  .reg .u64 %g, %out, %a, %token;\n  .reg .pred %p, %q;\n"
        "  .shared .align 16 .b32 s[48];\n  .shared .align 8 .b64 full[2];\n"
        "  .shared .align 8 .b64 empty[2];\n  ld.param.u64 %g, [g];\n  ld.param.u64 %out, [out];\n"
        "  mov.u32 %sum, 0;\n  mov.u32 %role, {};\n{}"
        "  mul.wide.u32 %a, %role, 4;\n  add.u64 %a, %a, %out;\n  st.global.u32 [%a], %sum;\n  ret;\n}}\n",
        shape_.has_cluster() ? "%cluster_ctarank" : "%tid.x", code_.text());
  }

  std::string launch(std::uint64_t seed, const std::string& module_name) const {
    const std::string size = shape_.has_cluster() ? "grid = [2]\nblock = [1]\ncluster = [2]\n"
                                                  : fmt::format("grid = [1]\nblock = [{}]\n", shape_.threads);
    return fmt::format(
        "# seed {}: {}\nmodule = \"{}\"\nentry = \"k\"\n{}"
        "[[param]]\nname = \"g\"\nbuffer = \"u32[8]\"\ninit = [1, 2, 3, 4, 5, 6, 7, 8]\n"
        "[[param]]\nname = \"out\"\nbuffer = \"u32[{}]\"\ninit = 0\n",
        seed,
        mistakes().made().empty() ? "no mistake" : fmt::format("{}", fmt::join(mistakes().made(), ", ")),
        module_name, size, shape_.threads);
  }

 private:
  void emit(const std::string& line) { code_.emit(line); }
  unsigned few_rounds() { return shape_.threads == 2 && chance(6) ? 3 : 1 + below(2); }
  bool chance(unsigned one_in) { return code_.random.chance(one_in); }
  unsigned below(unsigned limit) { return code_.random.below(limit); }
  bool mistake(const char* what, bool always_matters) { return code_.mistakes.here(what, always_matters); }
  static std::string number(unsigned value) { return fmt::format("{}", value); }
  static std::string slot(unsigned i) { return fmt::format("s+{}", 16 * i); }
  static std::string object(const char* name, unsigned i) { return fmt::format("{}+{}", name, 8 * i); }

  /// The bytes that an arrival expects.
  unsigned bytes(unsigned right) {
    if (!mistake("a number of bytes is wrong", true)) return right;
    return chance(2) ? right + 16 : right / 2;
  }

  void wait_group(const char* prefix, unsigned most, const char* read = "") {
    emit(fmt::format("{}.wait_group{} {};", prefix, read, most));
  }

  // ---- a ring of stages ----

  enum class Fill { store, copy, bulk };

  struct Ring {
    Fill fill = Fill::store;
    unsigned stages = 1, rounds = 1;

    unsigned stage(unsigned round) const { return round % stages; }
    unsigned use(unsigned round) const { return round / stages; }
    bool is_used_again(unsigned round) const { return round + stages < rounds; }
  };

  void ring() {
    Ring ring{static_cast<Fill>(below(3)), 1 + below(2), few_rounds()};
    const bool has_loop = chance(4);
    if (has_loop) ring = {ring.fill, 1, 2 + below(2)};
    code_.role(0, [&] {
      for (unsigned stage = 0; stage < ring.stages; ++stage) {
        code_.initialize(object("full", stage), 1, stage < ring.rounds);
        code_.initialize(object("empty", stage), shape_.threads - 1, ring.is_used_again(stage));
      }
      if (!chance(4)) return;
      prefill();
      if (ring.fill == Fill::bulk) code_.proxy_fence(true);
    });
    code_.meet_after_initialization();
    code_.role(0, [&] {
      if (has_loop) return loop(ring.rounds, [&] { produce_again(ring); });
      for (unsigned round = 0; round < ring.rounds; ++round) produce(ring, round);
    });
    for (unsigned consumer = 1; consumer < shape_.threads; ++consumer)
      code_.role(consumer, [&] {
        if (has_loop) return loop(ring.rounds, [&] { consume(ring, 0, "%parity", true); });
        for (unsigned round = 0; round < ring.rounds; ++round)
          consume(ring, ring.stage(round), number(ring.use(round) % 2), ring.is_used_again(round));
      });
    if (chance(4)) invalidate();
  }

  void prefill() { code_.store_vector("s", 0); }

  /// `%parity` is that of the phase which ends in this round.
  void loop(unsigned rounds, const std::function<void()>& body) {
    const std::string head = code_.new_label();
    emit("mov.u32 %round, 0;");
    emit("mov.u32 %parity, 0;");
    code_.place(head);
    body();
    emit("xor.b32 %parity, %parity, 1;");
    emit("add.u32 %round, %round, 1;");
    emit(fmt::format("setp.lt.u32 %p, %round, {};", rounds));
    emit(fmt::format("@%p bra {};", head));
  }

  /// The first wait, for parity 1, is over at once.
  void produce_again(const Ring& ring) {
    emit("xor.b32 %value, %parity, 1;");
    code_.wait("empty", "%value", true);
    fill(ring, 0, 1);
  }

  void produce(const Ring& ring, unsigned round) {
    const unsigned stage = ring.stage(round), use = ring.use(round);
    if (use > 0 || chance(2)) code_.wait(object("empty", stage), number((use + 1) % 2), use > 0);
    fill(ring, stage, round);
  }

  void fill(const Ring& ring, unsigned stage, unsigned round) {
    const std::string full = object("full", stage);
    const std::string from = fmt::format("%g+{}", 16 * (round % 2));
    switch (ring.fill) {
      case Fill::store:
        emit(fmt::format("st.shared.u32 [{}], {};", slot(stage), round + 1));
        return code_.arrive(full, {});
      case Fill::copy:
        emit(ptxmc::copy(slot(stage), from, 4U << below(3)));
        if (chance(2)) {
          if (!mistake("an arrival of copies is missing", true)) emit(arrival_of_copies(full, true));
          return;
        }
        if (!mistake("an arrival of copies is missing", true)) emit(arrival_of_copies(full, false));
        return code_.arrive(full, {.publishes = false});
      case Fill::bulk:
        return fill_in_bulk(slot(stage), from, full);
    }
  }

  void fill_in_bulk(const std::string& to, const std::string& from, const std::string& full) {
    const unsigned right = 16;
    switch (below(3)) {
      case 0:
        emit(fmt::format("mbarrier.expect_tx.relaxed.cta.shared.b64 [{}], {};", full, bytes(right)));
        emit(ptxmc::bulk_load(to, from, right, full));
        return code_.arrive(full, {.publishes = false});
      case 1:
        emit(ptxmc::bulk_load(to, from, right, full));
        return emit(arrival_expecting(full, bytes(right)));
      default:
        if (mistake("no bytes are expected", true)) {
          code_.arrive(full, {.publishes = false});
        } else {
          emit(arrival_expecting(full, bytes(right)));
        }
        return emit(ptxmc::bulk_load(to, from, right, full));
    }
  }

  void consume(const Ring& ring, unsigned stage, const std::string& parity, bool is_used_again) {
    code_.wait(object("full", stage), parity, true);
    code_.read(slot(stage));
    if (ring.fill == Fill::bulk && is_used_again) code_.proxy_fence(true);
    code_.arrive(object("empty", stage), {.is_awaited = is_used_again, .publishes = is_used_again});
  }

  /// The memory of an object is used for something else.
  void invalidate() {
    code_.meet(false);
    code_.role(0, [&] {
      if (!mistake("an object is not invalidated", true)) emit("mbarrier.inval.shared.b64 [full];");
      emit("st.shared.u64 [full], 0;");
    });
  }

  // ---- groups of cp.async ----

  void groups() {
    emit("mad.lo.u32 %slot, %role, 64, 0;");
    emit("mov.u32 %value, s;");
    emit("add.u32 %slot, %slot, %value;");
    const unsigned copies = 1 + below(3);
    const bool is_one_wait = chance(3);
    for (unsigned i = 0; i < copies; ++i) {
      emit(ptxmc::copy(own_slot(i), fmt::format("%g+{}", 4 * below(2) * 4), 4U << below(3)));
      if (!is_one_wait && mistake("a commit is missing", false)) continue;
      if (!is_one_wait || chance(2)) emit("cp.async.commit_group;");
    }
    if (is_one_wait && !mistake("a wait is missing", true)) emit("cp.async.wait_all;");
    for (unsigned i = 0; i < copies; ++i) {
      if (!is_one_wait && !mistake("a wait is missing", true))
        wait_group("cp.async", copies - 1 - i + (mistake("a wait leaves one group more", true) ? 1 : 0));
      code_.read(own_slot(i));
      if (chance(4)) emit(fmt::format("st.shared.u32 [{}], 9;", own_slot(i)));
    }
    if (shape_.threads == 1 || chance(3)) return;
    code_.meet(true);
    code_.role(1, [&] { code_.read("s"); });
  }

  static std::string own_slot(unsigned i) { return fmt::format("%slot+{}", 16 * i); }

  // ---- bulk stores ----

  void bulk_stores() {
    const bool issues_for_all = chance(3), is_reduction = chance(2);
    emit("mad.lo.u32 %slot, %role, 16, 0;");
    emit("mul.wide.u32 %a, %slot, 1;");
    emit(is_reduction ? "mov.u64 %a, %g;" : "add.u64 %a, %a, %g;");
    emit("mov.u32 %value, s;");
    emit("add.u32 %slot, %slot, %value;");
    code_.store_vector("%slot", 4);
    code_.proxy_fence(true);
    if (issues_for_all) {
      code_.meet(true);
      return code_.role(0, [&] {
        for (unsigned thread = 0; thread < shape_.threads; ++thread)
          bulk_store(fmt::format("%g+{}", 16 * thread), slot(thread), is_reduction);
        wait_for_bulk_stores("%g", "s", !is_reduction);
      });
    }
    bulk_store("%a", "%slot", is_reduction);
    wait_for_bulk_stores("%a", "%slot", !is_reduction || shape_.threads == 1);
  }

  void bulk_store(const std::string& to, const std::string& from, bool is_reduction) {
    emit(is_reduction ? fmt::format("cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [{}], [{}], 16;",
                                    code_.random.any({"add.u32", "max.s32", "add.u64"}), to, from)
                      : ptxmc::bulk_store(to, from, 16));
  }

  void wait_for_bulk_stores(const std::string& to, const std::string& from, bool reads_result) {
    if (!mistake("a commit is missing", false)) emit("cp.async.bulk.commit_group;");
    if (chance(2)) {
      if (!mistake("a wait is missing", true)) wait_group("cp.async.bulk", 0, ".read");
      code_.store_vector(from, 7);
    }
    if (!mistake("a wait is missing", reads_result))
      wait_group("cp.async.bulk", 0, mistake("a wait is for reads only", reads_result) ? ".read" : "");
    if (reads_result) code_.read(to, "global");
  }

  // ---- clusters ----

  enum class Transfer { store, reduction, copy, reduction_of_copy, arrival };

  /// CTA 1 writes memory of CTA 0, once or twice.
  void cluster() {
    const auto transfer = static_cast<Transfer>(below(5));
    const bool is_bulk = transfer == Transfer::copy || transfer == Transfer::reduction_of_copy;
    const bool adds = transfer == Transfer::reduction || transfer == Transfer::reduction_of_copy;
    const unsigned rounds = 1 + below(2), words = 1U << below(3);
    const bool is_prefilled = adds || chance(3);
    code_.role(0, [&] {
      code_.initialize("full", 1, true);
      if (!is_prefilled) return;
      prefill();
      if (is_bulk) code_.proxy_fence(false);  // that of the sender before its copy may do
    });
    code_.role(1, [&] { code_.initialize("empty", 1, rounds == 2); });
    code_.meet_after_initialization(is_prefilled);
    code_.role(1, [&] {
      emit("mapa.shared::cluster.u32 %slot, s, 0;");
      emit("mapa.shared::cluster.u32 %full, full, 0;");
      for (unsigned round = 0; round < rounds; ++round) {
        if (round > 0) code_.wait("empty", "0", true);
        send(transfer, words);
      }
    });
    code_.role(0, [&] {
      emit("mapa.shared::cluster.u32 %empty, empty, 1;");
      for (unsigned round = 0; round < rounds; ++round)
        receive(transfer, is_bulk ? 16 : 4 * words, round, round + 1 < rounds);
    });
    code_.meet(false);
  }

  void send(Transfer transfer, unsigned words) {
    constexpr const char* complete = "mbarrier::complete_tx::bytes";
    switch (transfer) {
      case Transfer::store:
        return emit(fmt::format("st.async.weak.shared::cluster.{}{}.u32 [%slot], {}, [%full];", complete,
                                words == 1   ? ""
                                : words == 2 ? ".v2"
                                             : ".v4",
                                words == 1   ? "5"
                                : words == 2 ? "{5, 6}"
                                             : "{5, 6, 7, 8}"));
      case Transfer::reduction:
        for (unsigned i = 0; i < words; ++i)
          emit(fmt::format("red.async.relaxed.cluster.shared::cluster.{}.{}.u32 [%slot], 5, [%full];",
                           complete, code_.random.any({"add", "max"})));
        return;
      case Transfer::copy:
      case Transfer::reduction_of_copy:
        code_.store_vector("s+32", 5);
        code_.proxy_fence(true);
        return emit(
            fmt::format("cp.{}async.bulk.shared::cluster.shared::cta.{}{} [%slot], [s+32], 16, [%full];",
                        transfer == Transfer::copy ? "" : "reduce.", complete,
                        transfer == Transfer::copy ? "" : ".add.u32"));
      case Transfer::arrival:
        emit("st.shared::cluster.u32 [%slot], 5;");
        return code_.arrive("%full", {});
    }
  }

  void receive(Transfer transfer, unsigned sent, unsigned round, bool is_used_again) {
    if (transfer != Transfer::arrival) emit(arrival_expecting("full", bytes(sent)));
    code_.wait("full", number(round), true);
    code_.read("s");
    const bool is_bulk = transfer == Transfer::copy || transfer == Transfer::reduction_of_copy;
    if (!is_used_again) return;
    if (is_bulk) code_.proxy_fence(false);  // that of the sender before its next copy may do
    code_.arrive("%empty", {});
  }

  /// CTA 0 copies to both CTAs.
  void multicast() {
    code_.initialize("full", 1, true);
    code_.meet_after_initialization();
    emit(arrival_expecting("full", bytes(16)));
    code_.role(0, [&] {
      emit(fmt::format("mov.u16 %mask, {};", mistake("a CTA is not in the mask", true) ? 1 : 3));
      emit(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%g], "
          "16, [full], %mask;");
    });
    code_.wait("full", "0", true);
    code_.read("s+4");
    code_.meet(false);
  }

  // ---- threads that meet at an mbarrier ----

  void meeting() {
    const unsigned rounds = few_rounds(), arrivals = rounds == 1 ? 1 + below(2) : 1;
    const bool has_transactions = chance(3);
    const bool last_leaves = shape_.threads > 2 && rounds > 1 && chance(2);
    code_.role(0, [&] { code_.initialize("full", shape_.threads * arrivals, true); });
    code_.meet_after_initialization();
    for (unsigned thread = 0; thread < shape_.threads; ++thread)
      code_.role(thread, [&] {
        const bool leaves = last_leaves && thread + 1 == shape_.threads;
        for (unsigned round = 0; round < (leaves ? 1 : rounds); ++round)
          pass(thread, round, arrivals, leaves, has_transactions && thread == 0, last_leaves);
      });
    if (chance(4)) invalidate();
  }

  static std::string place_of(unsigned thread, unsigned round) {
    return fmt::format("s+{}", 16 * (round % 2) + 4 * thread);
  }

  void pass(unsigned thread, unsigned round, unsigned arrivals, bool leaves, bool has_transactions,
            bool last_leaves) {
    // The last thread would read what thread 0 writes in the first round.
    const bool is_read = !last_leaves || thread > 0 || round > 0;
    emit(fmt::format("st.shared.u32 [{}], {};", place_of(thread, round), 1 + thread + 4 * round));
    if (has_transactions) emit("mbarrier.expect_tx.relaxed.cta.shared.b64 [full], 8;");
    for (unsigned i = 1; i < arrivals; ++i) early_arrival(leaves);
    const bool has_token = chance(2);
    const RandomArrival arrival{.publishes = is_read && arrivals == 1,  // an earlier one publishes as well
                                .drops = leaves && !mistake("a thread only leaves", true),
                                .token = has_token ? "%token" : "_"};
    if (has_token) emit("mov.u64 %token, 0;");
    code_.arrive("full", arrival);
    if (has_transactions && !mistake("a transaction does not complete", true))
      emit("mbarrier.complete_tx.relaxed.cta.shared.b64 [full], 8;");
    if (leaves) return;
    if (has_token) {
      code_.wait_by_token("full", true);
    } else {
      code_.wait("full", number(round % 2), true);
    }
    const unsigned readers = shape_.threads - (last_leaves && round > 0 ? 1 : 0);
    code_.read(place_of((thread + 1) % readers, round));
  }

  /// One that does not complete the phase.
  void early_arrival(bool leaves) {
    const char* drop = leaves ? "_drop" : "";
    if (mistake("an arrival is missing", true)) return;
    emit(chance(2) ? fmt::format("mbarrier.arrive{}.noComplete.shared.b64 %token, [full], 1;", drop)
                   : fmt::format("mbarrier.arrive{}.shared.b64 _, [full];", drop));
  }

  Shape shape_;
  AsynchronousCode code_;
};

}  // namespace

RandomKernel random_asynchronous_kernel(std::uint64_t seed, const std::string& module_name) {
  const Shape shape = random_shape(seed);
  Generator right(seed, shape, {});
  right.generate();
  RandomChoices random(seed + (std::uint64_t{1} << 41));
  std::set<unsigned> mistakes;
  for (unsigned left = random.below(3); left > 0; --left)
    mistakes.insert(random.below(right.mistakes().places()));
  Generator generator(seed, shape, std::move(mistakes));
  generator.generate();
  const auto& made = generator.mistakes();
  RandomKernel kernel{generator.module(), generator.launch(seed, module_name)};
  if (made.made().empty()) kernel.is_safe = true;
  if (made.made().size() == 1 && made.always_matter()) kernel.is_safe = false;
  return kernel;
}

}  // namespace ptxmc
