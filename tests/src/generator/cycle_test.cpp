#include "src/generator/cycle.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;
using namespace ptxmc::generator;

namespace {

std::string message_of(const std::string& text) {
  try {
    parse_cycle(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the name of an edge says what it does") {
  const Edge fence = edges_named("fence.sc.gpu.dWR").front();
  CHECK(fence.kind == Edge::Kind::fence);
  CHECK(fence.fence == "fence.sc.gpu");
  CHECK(fence.changes_location);
  CHECK(fence.from == Direction::write);
  CHECK(fence.to == Direction::read);
  const Edge from_read = edges_named("Fre").front();
  CHECK(from_read.is_external);
  CHECK(from_read.from == Direction::read);
  CHECK(from_read.to == Direction::write);
  CHECK_FALSE(edges_named("PosRR").front().changes_location);
}

TEST_CASE("a star in the name of an edge stands for a read and a write") {
  CHECK(edges_named("Pod**").size() == 4);
  CHECK(edges_named("DpAddrd*").size() == 2);
  CHECK(edges_named("DpDatad*").size() == 1);  // a load stores no value that could depend on a read
  CHECK(edges_named("fence.acq_rel.cta.s*R").size() == 2);
}

TEST_CASE("the name of an edge is read back") {
  for (const char* const name :
       {"Rfe", "Rfi", "Fre", "Fri", "Coe", "Coi", "Rmw", "PodWR", "PosRR", "DpAddrdW", "DpDatasW", "DpCtrldR",
        "fence.sc.gpu.dWR", "fence.proxy.alias.sWR", "membar.gl.dRW", "barrier.cta.sync.dWW"}) {
    CAPTURE(name);
    REQUIRE(edges_named(name).size() == 1);
    CHECK(name_of(edges_named(name).front()) == name);
  }
}

TEST_CASE("a cycle with words of its accesses is read back") {
  for (const char* const text :
       {"PodWW release.gpu Rfe acquire.gpu PodRR Fre", "surface b8 PodWR Fre PodWR Fre",
        "relaxed.sys Coe acq_rel.gpu Rmw acq_rel.gpu PodWR Fre PodWW"}) {
    CAPTURE(text);
    if (message_of(text).empty()) CHECK(name_of(parse_cycle(text)) == text);
  }
  CHECK(name_of(parse_cycle("PodWR weak Fre PodWR Fre")) == "PodWR Fre PodWR Fre");
}

TEST_CASE("one word suffices for the two accesses of a read-modify-write") {
  const Cycle cycle = parse_cycle("PodWW Rfe acq_rel.gpu Rmw Rfe PodRR Fre");
  CHECK(cycle[2].access.order == "acq_rel.gpu");
  CHECK(cycle[3].access.order == "acq_rel.gpu");
}

TEST_CASE("the words of an access behind the last edge belong to the first edge") {
  CHECK(parse_cycle("PodWR Fre PodWR Fre relaxed.gpu").front().access.order == "relaxed.gpu");
}

TEST_CASE("what is wrong with a cycle is said") {
  CHECK(message_of("PodXX Fre") != "");
  CHECK(message_of("PodWW Rfe").find("Rfe ends at a read, and PodWW starts at a write") != std::string::npos);
  CHECK(message_of("PodWR Fri PosWW").find("one edge between locations") != std::string::npos);
  CHECK(message_of("PosWR Fre").find("one edge between threads") != std::string::npos);
  CHECK(message_of("PodWW acquire.gpu Rfe PodRR Fre").find("a write is no acquire") != std::string::npos);
  CHECK(message_of("PodWW Rfe release.gpu PodRR Fre").find("a read is no release") != std::string::npos);
  CHECK(message_of("PodWW texture Rfe PodRR Fre").find("loads") != std::string::npos);
  CHECK(message_of("Pod** Rfe PodRR Fre").find("R or W in place of *") != std::string::npos);
  CHECK(message_of("weak relaxed.gpu PodWR Fre PodWR Fre").find("at most one order") != std::string::npos);
  CHECK(message_of("Rfe Fre").find("the read takes the value of the write that it precedes") !=
        std::string::npos);
  for (const char* const text : {"Rfe Fre Coe", "Rfi Fre Coe", "Rfe Fri Coe", "Coe Rfe Fre"}) {
    CAPTURE(text);
    CHECK(message_of(text).find("or of one that follows this write") != std::string::npos);
  }
  CHECK(message_of("PodWW PodWW").find("program order alone has no cycle") != std::string::npos);
  CHECK(message_of("").find("edges with blanks") != std::string::npos);
}
