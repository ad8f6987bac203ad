// What the predefined sets of cat say of events.
#include "model/relations/base_sets.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace ptxmc;

namespace {

bool is_in(const char* set, const Event& event) {
  const BaseSet* base = find_base_set(set);
  REQUIRE(base);
  return base->contains(event);
}

Event access(EventKind kind, Access how) {
  Event event;
  event.kind = kind;
  event.thread = 0;
  event.access = how;
  return event;
}

Event read(Access how = {}) { return access(EventKind::read, how); }
Event write(Access how = {}) { return access(EventKind::write, how); }

Event fence(Fence how) {
  Event event;
  event.kind = EventKind::fence;
  event.fence = how;
  return event;
}

/// The base sets that an event is in, without those of its kind.
std::string sets(const Event& event) {
  static const std::set<std::string_view> kinds = {"R", "W", "M", "F", "MEMORY_FENCE", "PROXY_FENCE", "GEN"};
  std::string result;
  for (const BaseSet& set : base_sets())
    if (!kinds.contains(set.name) && set.contains(event))
      result += (result.empty() ? "" : " ") + std::string(set.name);
  return result;
}

}  // namespace

TEST_CASE("orders: an access is weak or has one order; of a read-modify-write each half its own") {
  CHECK(sets(read()) == "WEAK");
  CHECK(sets(write()) == "WEAK");
  CHECK(sets(read({.sem = Sem::relaxed, .scope = Scope::gpu})) == "RLX GPU");
  CHECK(sets(read({.sem = Sem::acquire, .scope = Scope::cta})) == "ACQ CTA");
  CHECK(sets(write({.sem = Sem::release, .scope = Scope::cluster})) == "REL CLUSTER");
  for (const Sem sem : {Sem::relaxed, Sem::acquire, Sem::release, Sem::acq_rel}) {
    Event reads = read({.sem = sem, .scope = Scope::sys}), writes = write({.sem = sem, .scope = Scope::sys});
    reads.rmw = 1;
    writes.rmw = 0;
    const bool acquires = sem == Sem::acquire || sem == Sem::acq_rel;
    const bool releases = sem == Sem::release || sem == Sem::acq_rel;
    CHECK(sets(reads) == std::string("RMW ") + (acquires ? "ACQ" : "RLX") + " SYS");
    CHECK(sets(writes) == std::string("RMW ") + (releases ? "REL" : "RLX") + " SYS");
  }
}

TEST_CASE("volatile is relaxed at system scope, mmio is strong (PTX ISA 8.7 § 8.4.1, § 8.4.2)") {
  CHECK(sets(read({.is_volatile = true})) == "RLX VOLATILE SYS");
  CHECK(sets(write({.sem = Sem::relaxed, .scope = Scope::sys, .is_mmio = true})) == "RLX MMIO SYS");
}

TEST_CASE("reductions, failed compare-and-swaps, initial writes") {
  CHECK(sets(read({.sem = Sem::relaxed, .scope = Scope::gpu, .is_reduction = true})) == "RED RLX GPU");
  Event failed = read({.sem = Sem::acquire, .scope = Scope::gpu});
  failed.rmw = Event::not_written;
  CHECK(sets(failed) == "RMW ACQ GPU");
  Event initial = access(EventKind::initial_write, {});
  initial.thread = Event::no_thread;
  CHECK(sets(initial) == "IW WEAK");
  CHECK(is_in("W", initial));
  CHECK(is_in("M", initial));
  CHECK_FALSE(is_in("R", initial));
}

TEST_CASE("fences") {
  CHECK(sets(fence({.sem = Sem::sc, .scope = Scope::sys})) == "SC SYS");
  CHECK(sets(fence({.sem = Sem::acq_rel, .scope = Scope::cta})) == "ACQ_REL CTA");
  CHECK(sets(fence({.sem = Sem::acquire, .scope = Scope::cluster})) == "ACQ CLUSTER");
  CHECK(sets(fence({.sem = Sem::release, .scope = Scope::gpu})) == "REL GPU");
  const Event memory = fence({.sem = Sem::sc, .scope = Scope::sys});
  CHECK(is_in("F", memory));
  CHECK(is_in("MEMORY_FENCE", memory));
  CHECK_FALSE(is_in("PROXY_FENCE", memory));
  CHECK_FALSE(is_in("GEN", memory));
  const Event alias = fence({.is_proxy_fence = true, .sem = Sem::weak, .to = Proxy::alias});
  CHECK(sets(alias) == "ALIAS");
  CHECK(is_in("F", alias));
  CHECK(is_in("PROXY_FENCE", alias));
  CHECK_FALSE(is_in("MEMORY_FENCE", alias));
  CHECK(sets(fence({.is_proxy_fence = true, .sem = Sem::weak, .to = Proxy::texture})) == "TEX");
  CHECK(sets(fence({.is_proxy_fence = true, .sem = Sem::weak, .to = Proxy::surface})) == "SUR");
  CHECK(sets(fence({.is_proxy_fence = true, .sem = Sem::weak, .to = Proxy::constant})) == "CON");
  CHECK(sets(fence({.is_proxy_fence = true, .sem = Sem::weak, .to = Proxy::async})) == "ASYNC");
  CHECK(sets(fence(
            {.is_proxy_fence = true, .sem = Sem::acquire, .scope = Scope::cta, .to = Proxy::tensormap})) ==
        "ACQ CTA TENSORMAP ONE_WAY");
  CHECK(is_in("GEN", fence({.is_proxy_fence = true, .sem = Sem::weak})));
}

// PTX ISA 8.7 § 9.7.13.15.
TEST_CASE("operations on mbarriers") {
  const Access operation{.sem = Sem::relaxed, .scope = Scope::cta, .mbarrier = MbarrierAccess::operation};
  CHECK(sets(read(operation)) == "RLX CTA MBARRIER");
  CHECK(sets(write(operation)) == "RLX CTA MBARRIER");
  CHECK(sets(write({.mbarrier = MbarrierAccess::init})) == "WEAK MBARRIER_LIFE");
  CHECK(sets(write({.mbarrier = MbarrierAccess::inval})) == "WEAK MBARRIER_LIFE MBARRIER_INVAL");
  CHECK(sets(access(EventKind::initial_write, {.mbarrier = MbarrierAccess::init})) ==
        "IW WEAK MBARRIER_LIFE");
  const Event wait = access(EventKind::wait, {.sem = Sem::acquire, .scope = Scope::cluster});
  CHECK(sets(wait) == "ACQ CLUSTER WAIT");
  CHECK_FALSE(is_in("M", wait));
  CHECK_FALSE(is_in("R", wait));
  CHECK(sets(access(EventKind::wait, {.sem = Sem::relaxed, .scope = Scope::cta})) == "CTA WAIT");
  CHECK(is_in("RESTRICTED", fence({.sem = Sem::release,
                                   .scope = Scope::cluster,
                                   .restriction = Fence::Restriction::mbarrier_init})));
}

TEST_CASE("proxies of accesses") {
  CHECK(is_in("GEN", read()));
  CHECK_FALSE(is_in("GEN", read({.proxy = Proxy::texture})));
  CHECK(sets(read({.proxy = Proxy::texture})) == "WEAK TEX");
  CHECK(sets(write({.proxy = Proxy::surface})) == "WEAK SUR");
  CHECK(sets(read({.proxy = Proxy::constant})) == "WEAK CON");
}
