#include <doctest/doctest.h>
#include <fmt/format.h>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/generator/all_cycles.hpp"
#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"
#include "src/generator/cycle_test.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;
using namespace ptxmc::generator;

namespace {

CycleTest test_of(const char* cycle, const char* scope = "gpu") {
  const Cycle begun = from_first_access(parse_cycle(cycle));
  return {begun, places_apart(scope, threads_of(begun))};
}

Verdict verdict(const char* cycle, const char* scope = "gpu") {
  const LitmusTest test = parse_litmus(text_of(test_of(cycle, scope), "test"), "test");
  return decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), {}).verdict;
}

}  // namespace

TEST_CASE("the text of a test has its cycle, placement, code and condition") {
  CHECK(text_of(test_of("PodWW release.gpu Rfe acquire.gpu PodRR Fre"), "MP") == R"(PTX MP
(* cycle PodWW release.gpu Rfe acquire.gpu PodRR Fre *)
{ x = 0; y = 0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.weak x, 1        | ld.acquire.gpu r0, y ;
 st.release.gpu y, 1 | ld.weak r1, x        ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
)");
}

TEST_CASE("dependencies, sizes, proxies and exchanges are written as the format has them") {
  const std::string text = text_of(
      test_of("DpAddrdW surface b8 Rfe DpDatadW Rfe acq_rel.gpu Rmw PodWR Fre PodWW Rfe", "cluster"), "all");
  CHECK(text.find("y : b64 = 0; ") != std::string::npos);
  CHECK(text.find("y_surface @ surface aliases y;") != std::string::npos);
  CHECK(text.find("sust.weak.b8 [r100], 1") != std::string::npos);
  CHECK(text.find("ld.weak.b64 r0, y") != std::string::npos);
  CHECK(text.find("atom.acq_rel.gpu.exch r0, z, 2") != std::string::npos);
  CHECK(text.find("cta 1,cluster 0,gpu 0") != std::string::npos);
  CHECK_NOTHROW(parse_litmus(text, "all"));
}

TEST_CASE("names are those of the literature, with what is stronger") {
  const auto name = [](const char* cycle, const char* scope = "gpu") {
    return name_of(test_of(cycle, scope));
  };
  CHECK(name("PodRR Fre PodWW Rfe") == "MP");
  CHECK(name("fence.sc.gpu.dWR Fre fence.sc.gpu.dWR Fre") == "SB+fence.sc.gpu+fence.sc.gpu");
  CHECK(name("DpAddrdW Rfe PodRW relaxed.gpu Rfe", "cta") == "LB+addr+relaxed.gpu@cta");
  CHECK(name("Rfe PodRR Fre Rfe PodRR Fre") == "IRIW");
  CHECK(name("PodWW Rfe PosRR PodRR Fre") == "WW+RRR");
}

TEST_CASE("the verdicts of classic tests follow from chapter 8") {
  CHECK(verdict("PodWW Rfe PodRR Fre") == Verdict::allowed);
  // 8.7 § 8.8: a release and an acquire of sufficient scope
  CHECK(verdict("PodWW release.gpu Rfe acquire.gpu PodRR Fre") == Verdict::forbidden);
  CHECK(verdict("PodWW release.gpu Rfe acquire.gpu PodRR Fre", "sys") == Verdict::allowed);
  CHECK(verdict("PodWW release.cta Rfe acquire.cta PodRR Fre", "cta") == Verdict::forbidden);
  CHECK(verdict("PodWW release.cluster Rfe acquire.cluster PodRR Fre", "cluster") == Verdict::forbidden);
  // § 8.10.2: Fence-SC
  CHECK(
      verdict("relaxed.gpu fence.sc.gpu.dWR relaxed.gpu Fre relaxed.gpu fence.sc.gpu.dWR relaxed.gpu Fre") ==
      Verdict::forbidden);
  CHECK(verdict(
            "relaxed.gpu fence.acq_rel.gpu.dWR relaxed.gpu Fre relaxed.gpu fence.acq_rel.gpu.dWR relaxed.gpu "
            "Fre") == Verdict::allowed);
  // § 8.10.4: No-Thin-Air
  CHECK(verdict("DpDatadW Rfe DpDatadW Rfe") == Verdict::forbidden);
  CHECK(verdict("DpCtrldW Rfe DpAddrdW Rfe") == Verdict::forbidden);
  CHECK(verdict("PodRW Rfe DpDatadW Rfe") == Verdict::allowed);
  // § 8.10.5: SC-per-location
  CHECK(verdict("relaxed.gpu Rfe relaxed.gpu PosRR relaxed.gpu Fre") == Verdict::forbidden);
  CHECK(verdict("PosWW Coi") == Verdict::forbidden);
  CHECK(verdict("PosWR Fri") == Verdict::forbidden);
  CHECK(verdict("PosRW Rfi") == Verdict::forbidden);
  // § 9.7.13.1: a barrier synchronizes the threads of the CTA
  CHECK(verdict("barrier.cta.sync.dWR Fre barrier.cta.sync.dWR Fre", "cta") == Verdict::forbidden);
}
