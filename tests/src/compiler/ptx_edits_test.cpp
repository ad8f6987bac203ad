#include "src/compiler/ptx_edits.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

const std::string module_text =
    "\tld.global.u32 %r1, [%rd1];\nL: @%p1 membar.gl;\n\tmembar.gl;\n  L2: st.global.u32 [%rd1], 1; ret;\n";

Instruction written(const std::string& instruction) {
  Instruction result;
  result.text = instruction;
  return result;
}

/// A point with two levels at a place of the text: as written, and with another instruction (none: empty).
StrengthPoint point_at(SourcePosition where, const std::string& other, bool is_inserted = false) {
  StrengthPoint point;
  point.where = where;
  point.is_inserted = is_inserted;
  point.levels.resize(2);
  if (!other.empty()) point.levels[1].made = written(other);
  return point;
}

std::string edited(const std::vector<StrengthPoint>& points, const Assignment& assignment) {
  return with_edits(module_text, ptx_edits(module_text, points, assignment));
}

}  // namespace

TEST_CASE("opcodes are replaced, and instructions removed") {
  const std::vector<StrengthPoint> points = {
      point_at({1, 2}, "ld.acquire.gpu.global.u32 %r1, [%rd1];"), point_at({2, 4}, "@%p1 fence.release.gpu;"),
      point_at({3, 2}, ""), point_at({4, 7}, "st.release.gpu.global.u32 [%rd1], 1;")};
  CHECK(edited(points, {0, 0, 0, 0}) == module_text);
  CHECK(edited(points, {1, 1, 1, 1}) ==
        "\tld.acquire.gpu.global.u32 %r1, [%rd1];\nL: @%p1 fence.release.gpu;\n"
        "  L2: st.release.gpu.global.u32 [%rd1], 1; ret;\n");
}

TEST_CASE("fences stand before their instruction, behind its label") {
  const std::vector<StrengthPoint> points = {point_at({1, 2}, "fence.sc.gpu", true),
                                             point_at({4, 7}, "fence.acq_rel.gpu", true),
                                             point_at({4, 7}, "st.weak.global.u32 [%rd1], 1;")};
  CHECK(edited(points, {1, 1, 1}) ==
        "\tfence.sc.gpu;\n\tld.global.u32 %r1, [%rd1];\nL: @%p1 membar.gl;\n\tmembar.gl;\n"
        "  L2: fence.acq_rel.gpu; st.weak.global.u32 [%rd1], 1; ret;\n");
}
