#include "src/compiler/cpp_points.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

const std::string text =
    "C mp\n{ x = 0; f = 0; }\n"
    "P0 (int* x, atomic_int* f) {\n"
    "  *x = 1; atomic_thread_fence(memory_order_seq_cst);\n"
    "  atomic_store(f, 1);\n"
    "}\n"
    "P1 (int* x, atomic_int* f) {\n"
    "  while (f->load(memory_order_relaxed) == 0) {}\n"
    "  int r1 = *x;\n"
    "}\n"
    "exists (1:r1=0)\n";

struct Points {
  LitmusTest test;
  std::vector<StrengthPoint> points;
};

Points points_in(const std::string& written, bool is_stronger) {
  Points result{parse_litmus(written, "t"), {}};
  result.points = cpp_points(result.test, written, {}, is_stronger);
  return result;
}

std::string line_of(const Points& found, const std::string& written, const Assignment& at, std::size_t line) {
  return lines_of(with_edits(written, cpp_edits(written, found.points, at))).at(line - 1);
}

}  // namespace

TEST_CASE("what may be weaker: system scope is not narrowed") {
  const Points found = points_in(text, false);
  REQUIRE(found.points.size() == 2);  // a relaxed load can be no weaker, and a plain access has no order
  CHECK(found.points[0].is_fence);
  CHECK(found.points[0].levels.size() == 5);
  CHECK(found.points[1].levels.size() == 3);
  CHECK(found.points[1].levels[0].name == "relaxed.system");
  const Assignment none_relaxed = {0, 0};
  CHECK(line_of(found, text, none_relaxed, 4) == "  *x = 1; ");
  CHECK(line_of(found, text, none_relaxed, 5) == "  atomic_store_explicit(f, 1, memory_order_relaxed);");
}

TEST_CASE("what may be stronger: no fence into a condition, none beside another fence") {
  const Points found = points_in(text, true);
  std::vector<std::string> written;
  for (const StrengthPoint& point : found.points)
    written.push_back((point.is_inserted ? "before " : "") + point.written);
  CHECK(written == std::vector<std::string>{"f->load(memory_order_relaxed)", "before *x"});
  const Assignment acquiring_fence = {0, 1};
  CHECK(line_of(found, text, acquiring_fence, 9) == "  atomic_thread_fence(memory_order_acquire);");
  CHECK(line_of(found, text, acquiring_fence, 10) == "  int r1 = *x;");
}

TEST_CASE("a fence goes in front of the statement in its line, and not behind an 'if'") {
  const std::string branch =
      "C t\n{ x = 0; y = 0; }\nP0 (atomic_int* x, atomic_int* y) {\n"
      "  int r0 = x->load(memory_order_relaxed); y->store(1, memory_order_relaxed);\n"
      "  if (r0 == 1)\n    x->store(2, memory_order_relaxed);\n}\nexists (0:r0=1)\n";
  const Points found = points_in(branch, true);
  std::size_t inserted = 0;
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    if (!found.points[i].is_inserted) continue;
    ++inserted;
    Assignment at(found.points.size(), 0);
    at[i] = 2;
    CHECK(line_of(found, branch, at, 4) ==
          "  int r0 = x->load(memory_order_relaxed); atomic_thread_fence(memory_order_release); "
          "y->store(1, memory_order_relaxed);");
  }
  CHECK(inserted == 1);
}
