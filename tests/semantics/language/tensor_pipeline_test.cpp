#include "semantics/language/tensor_pipeline.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

Form form_of(const char* spelling, std::initializer_list<Modifier> modifiers = {}) {
  Form form;
  form.spelling = spelling;
  for (const Modifier modifier : modifiers) form.modifiers.add(modifier);
  return form;
}

}  // namespace

TEST_CASE("pairs of operations that are performed in order: PTX ISA 8.7 § 9.7.16.5.2") {
  const Form product = form_of("tcgen05.mma.cta_group::1.kind::f16"),
             sparse = form_of("tcgen05.mma.sp.cta_group::1.kind::f16"),
             copy = form_of("tcgen05.cp.cta_group::1.128x256b"),
             copy_of_four = form_of("tcgen05.cp.cta_group::1.4x256b", {Modifier(".4x256b")}),
             shift = form_of("tcgen05.shift.cta_group::1.down"),
             load = form_of("tcgen05.ld.sync.aligned.32x32b.x1.b32"),
             product_of_pair = form_of("tcgen05.mma.cta_group::2.kind::f16", {Modifier(".cta_group::2")});
  CHECK(are_pipelined(product, product));
  CHECK(are_pipelined(product, sparse));
  CHECK(are_pipelined(copy, product));
  CHECK(are_pipelined(shift, product));
  CHECK(are_pipelined(shift, copy_of_four));
  CHECK(are_pipelined(product, shift));
  CHECK_FALSE(are_pipelined(shift, copy));
  CHECK_FALSE(are_pipelined(product, copy));
  CHECK_FALSE(are_pipelined(copy, copy));
  CHECK_FALSE(are_pipelined(product, load));
  CHECK_FALSE(are_pipelined(load, product));
  CHECK_FALSE(are_pipelined(product, product_of_pair));
}

TEST_CASE("a commit waits for operations of its own kind of CTA group: PTX ISA 8.7 § 9.7.16.11.1") {
  const Form product = form_of("tcgen05.mma.cta_group::1.kind::f16"),
             commit = form_of("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64"),
             commit_of_pair = form_of("tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64",
                                      {Modifier(".cta_group::2")});
  CHECK(is_tracked(product, commit));
  CHECK_FALSE(is_tracked(product, commit_of_pair));
}
