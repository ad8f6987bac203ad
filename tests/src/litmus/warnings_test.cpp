#include "src/litmus/warnings.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

namespace {

/// `line:column: message` of each.
std::vector<std::string> warnings_in(const std::string& text) {
  std::vector<std::string> result;
  for (const Warning& warning : parse_litmus("PTX t\n" + text, "t.litmus").warnings)
    result.push_back(fmt::format("{}:{}: {}", warning.where.line, warning.where.column, warning.message));
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a name that is only read, and that nothing declares, is probably misspelled") {
  CHECK(warnings_in("{ data=0; flag=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                    " st.weak data, 1 | ld.acquire.gpu r0, falg ;\n"
                    " st.release.gpu flag, 1 | ld.weak r1, data ;\nexists (1:r0=1 /\\ 1:r1=0)") ==
        Texts{"4:39: 'falg' is not declared and never written: it holds 0; did you mean 'flag'?"});
  CHECK(warnings_in("{}\n P0@cta 0,gpu 0 ;\n ld.weak.u32 %r0, [z]; ;\nexists (0:r0=1)") ==
        Texts{"4:20: 'z' is not declared and never written: it holds 0"});
  // Written by another thread: as many tests do it.
  CHECK(
      warnings_in("{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\nexists (1:r0=1)")
          .empty());
}

TEST_CASE("a name that is only written is one when it is nearly a declared one") {
  CHECK(warnings_in("{ flag=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                    " st.weak falg, 1 | ld.weak r0, flag ;\nexists (1:r0=1)") ==
        Texts{"4:10: 'falg' is not declared and never read; did you mean 'flag'?"});
  CHECK(
      warnings_in("{ x=0; }\n P0@cta 0,gpu 0 ;\n st.weak y, 1 ;\n ld.weak r0, x ;\nexists (0:r0=0)").empty());
}

TEST_CASE("a variable that nothing accesses, and a register that nothing writes") {
  CHECK(warnings_in("{ x=0; unused=1; }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=1)") ==
        Texts{"2:8: 'unused' is declared and never accessed"});
  CHECK(warnings_in(
            "{ x=0; p=x; 0:r1=y; y=0; z=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, p ;\n ld.weak r2, [r0] ;\n"
            " ld.weak r3, [r1] ;\nexists (z=0)")
            .empty());
  CHECK(warnings_in("{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r10, x ;\n st.weak x, r11 ;\n"
                    "exists (0:r11=1 /\\ x=1)") ==
        Texts{"6:11: P0 never writes 'r11': it holds 0; did you mean 'r10'?"});
  CHECK(warnings_in("{ x=0; 0:r1=1; }\n P0@cta 0,gpu 0 ;\n st.weak x, r1 ;\nexists (0:r1=1)").empty());
}

// PTX ISA 8.7 § 9.7.13.1: in a kernel the count is a multiple of the warp size.
TEST_CASE("the count of a barrier that was written for warps") {
  const std::string note =
      "the barrier waits for 64 threads, and there are 2 in the CTA: a litmus test counts "
      "its columns, not warps of 32 threads";
  CHECK(warnings_in("{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.sync 0, 64; | barrier.cta.arrive 0, 64; ;\n"
                    "exists (true)") == Texts{"4:2: " + note, "4:20: " + note});
  CHECK(warnings_in("{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.sync 0, 2; | bar.cta.sync 1, 0, 2 ;\n"
                    "exists (true)")
            .empty());
}

TEST_CASE("the bundled library gives no warnings") {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PTXMC_SOURCE_DIR) / "litmus")) {
    if (entry.path().extension() != ".litmus") continue;
    CAPTURE(entry.path().string());
    for (const Warning& warning : read_litmus(entry.path()).warnings) FAIL_CHECK(warning.message);
  }
}
