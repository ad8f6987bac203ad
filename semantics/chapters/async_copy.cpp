// PTX ISA 8.7 § 9.7.9.25 except § 9.7.9.25.5: asynchronous copies.
#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

constexpr std::uint8_t bulk_alignment = 16;  // bytes: § 9.7.9.25.4.1

/// § 9.7.9.25.3.1: through the generic proxy, since § 9.7.9.25.2 names bulk copies only.
void copy(const Form&, const Operands& x, Effects& effects) {
  const std::uint64_t size = x["cp-size"].width() == 0 ? 16 : known(x["cp-size"]);
  const std::uint64_t count = x["src-size"].width() == 0 ? size : known(x["src-size"]);
  effects.use(use_of_operand(Misuse::source_larger_than_copy, Bits::boolean(count > size)));
  if (count > size) return;
  const AsyncPlace from{StateSpace::global, x["src"]}, to{StateSpace::shared_cta, x["dst"]};
  effects.start({.group = AsyncGroup::cp_async}, [=](Effects& strand) {
    copy_bytes(from, to, size, count, Proxy::generic, static_cast<std::uint8_t>(size), strand);
  });
}

/// § 9.7.9.25.4: the size is a multiple of 16. Returns whether it may be.
bool may_have_bulk_size(const Operands& x, Effects& effects) {
  const Bits is_misuse = ~is_zero(x["size"].extract(0, 4));
  effects.use(use_of_operand(Misuse::bulk_store_size, is_misuse));
  return !is_misuse.is_true();
}

/// The state spaces of a copy: in the spelling the destination comes before the source.
bool is_to_cluster(const Form& form) { return form.has(".shared::cluster"); }

/// Copies to the shared memory of a CTA, and completes transactions of its mbarrier.
void start_bulk_load(const AsyncPlace& from, const AsyncPlace& to, const AsyncPlace& mbarrier,
                     std::uint64_t size, Effects& effects) {
  effects.start({}, [=](Effects& strand) {
    copy_bytes(from, to, size, size, Proxy::async, bulk_alignment, strand);
    complete_transactions(mbarrier, Bits(32, size), strand);
  });
}

/// § 9.7.9.25.4.1: with `.multicast::cluster` data and signal go to the same offsets in each CTA of the mask.
void bulk_copy_to_shared(const Form& form, const Operands& x, Effects& effects) {
  const StateSpace space = is_to_cluster(form) ? StateSpace::shared_cluster : StateSpace::shared_cta;
  const AsyncPlace from{form.has(".global") ? StateSpace::global : StateSpace::shared_cta, x["srcMem"]};
  const AsyncPlace to{space, x["dstMem"]}, mbarrier{space, x["mbar"]};
  const std::uint64_t size = known(x["size"]);
  if (x["ctaMask"].width() == 0) return start_bulk_load(from, to, mbarrier, size, effects);
  const std::uint64_t mask = known(x["ctaMask"]);
  for (std::uint64_t rank = 0; rank < 16; ++rank)
    if ((mask >> rank & 1) != 0)
      start_bulk_load(from, {space, effects.address_in_cta(to.address, Bits(32, rank))},
                      {space, effects.address_in_cta(mbarrier.address, Bits(32, rank))}, size, effects);
}

constexpr std::uint64_t whole_chunk = 0xffff;  // a byteMask

/// § 9.7.9.25.4.1: of each 16 bytes those are copied whose bit in the byteMask is set.
void copy_masked_bytes(const AsyncPlace& from, const AsyncPlace& to, std::uint64_t size, std::uint64_t mask,
                       Effects& strand) {
  for (std::uint64_t at = 0; at < size; ++at) {
    if ((mask >> at % 16 & 1) == 0) continue;
    const Bits offset(64, at);
    copy_bytes({from.space, from.address + offset}, {to.space, to.address + offset}, 1, 1, Proxy::async, 1,
               strand);
  }
}

void bulk_copy_to_global(const Form& form, const Operands& x, Effects& effects) {
  const AsyncPlace from{StateSpace::shared_cta, x["srcMem"]}, to{StateSpace::global, x["dstMem"]};
  const std::uint64_t size = known(x["size"]);
  const std::uint64_t mask = form.has(".cp_mask") ? known(x["byteMask"]) : whole_chunk;
  effects.start({.group = AsyncGroup::bulk}, [=](Effects& strand) {
    if (mask == whole_chunk)
      copy_bytes(from, to, size, size, Proxy::async, bulk_alignment, strand);
    else
      copy_masked_bytes(from, to, size, mask, strand);
  });
}

/// § 9.7.9.25.4.2: weak reads of the source; each reduction is .relaxed.gpu.
void reduce_bytes(const Form& form, const AsyncPlace& from, const AsyncPlace& to, std::uint64_t size,
                  Effects& strand) {
  const unsigned width = form.width();
  Access read;
  read.proxy = Proxy::async;
  read.is_copy = true;
  read.space = from.space;
  Access update;
  update.proxy = Proxy::async;
  update.sem = Sem::relaxed;
  update.scope = Scope::gpu;
  update.space = to.space;
  update.is_reduction = true;
  for (std::uint64_t at = 0; at < size; at += width / 8) {
    read.alignment = update.alignment = at == 0 ? bulk_alignment : 0;
    Operands x;
    x.b = strand.read(read, from.address + Bits(64, at), width);
    const Bits place = to.address + Bits(64, at);
    strand.read_modify_write(update, place, width, [&](const Bits& old) {
      return form.is_float() ? float_update(form, to.space, place, x.b, old) : atomic_update(form, x, old);
    });
  }
}

void bulk_reduction(const Form& form, const Operands& x, Effects& effects) {
  const bool is_to_shared = is_to_cluster(form);
  const AsyncPlace from{StateSpace::shared_cta, x["srcMem"]};
  const AsyncPlace to{is_to_shared ? StateSpace::shared_cluster : StateSpace::global, x["dstMem"]};
  const AsyncPlace mbarrier{StateSpace::shared_cluster, x["mbar"]};
  const std::uint64_t size = known(x["size"]);
  const AsyncGroup group = is_to_shared ? AsyncGroup::none : AsyncGroup::bulk;
  effects.start({.group = group}, [=, &form](Effects& strand) {
    reduce_bytes(form, from, to, size, strand);
    if (is_to_shared) complete_transactions(mbarrier, Bits(32, size), strand);
  });
}

constexpr Definition definitions_of_asynchronous_copies[] = {
    // The third operand is cp-size; .cg copies 16 bytes.
    {"9.7.9.25.3.1", R"(
       cp.async.ca.shared{::cta}.global{.level::cache_hint}{.level::prefetch_size}
           [dst], [src], cp-size{, src-size}{, cache-policy};
       cp.async.cg.shared{::cta}.global{.level::cache_hint}{.level::prefetch_size}
           [dst], [src], 16{, src-size}{, cache-policy};
       .level::cache_hint = { .L2::cache_hint };
       .level::prefetch_size = { .L2::64B, .L2::128B, .L2::256B };
       cp-size = { 4, 8, 16 };  src-size in { 0..16 };
       PTX 7.0, sm_80;  PTX 7.4, sm_80: .L2::cache_hint, .L2::64B, .L2::128B, .L2::256B;
       PTX 7.8, sm_80: .shared::cta;)",
     [](const Form& f, const Operands& x, Effects& effects) { copy(f, x, effects); }},

    {"9.7.9.25.3.2", R"(
       cp.async.commit_group;
       PTX 7.0, sm_80;)",
     [](const Form&, const Operands&, Effects& effects) { effects.commit_group(AsyncGroup::cp_async); }},

    {"9.7.9.25.3.3", R"(
       cp.async.wait_group  N;
       cp.async.wait_all;
       PTX 7.0, sm_80;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       // `wait_all` is `commit_group` and `wait_group 0` (§ 9.7.9.25.3.3).
       if (f.has(".wait_all")) effects.commit_group(AsyncGroup::cp_async);
       effects.wait_group(AsyncGroup::cp_async, f.has(".wait_all") ? 0 : known(x["N"]), false);
     }},

    {"9.7.9.25.4.1", R"(
       cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.level::cache_hint}
           [dstMem], [srcMem], size, [mbar]{, cache-policy};
       cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast}{.level::cache_hint}
           [dstMem], [srcMem], size, [mbar]{, ctaMask}{, cache-policy};
       cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes
           [dstMem], [srcMem], size, [mbar];
       cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask}
           [dstMem], [srcMem], size{, cache-policy}{, byteMask};
       .level::cache_hint = { .L2::cache_hint };
       .multicast = { .multicast::cluster };
       size : .u32;  size in { 0.. by 16 };  ctaMask, byteMask : .b16;
       PTX 8.0, sm_90;  PTX 8.6, sm_90: .shared::cta.global.mbarrier::complete_tx::bytes;
       PTX 8.6, sm_100: .cp_mask;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       if (!may_have_bulk_size(x, effects)) return;
       if (f.has(".bulk_group"))
         bulk_copy_to_global(f, x, effects);
       else
         bulk_copy_to_shared(f, x, effects);
     }},

    {"9.7.9.25.4.2", R"(
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.cluster_addtype
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.minop.cluster_mintype
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.incop.u32
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.bitop.b32
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.add.addtype
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.add.noftz.halftype
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.minop.mintype
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.incop.u32
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.bitop.btype
           [dstMem], [srcMem], size{, cache-policy};
       .minop = { .min, .max };  .incop = { .inc, .dec };  .bitop = { .and, .or, .xor };
       .cluster_addtype = { .u32, .s32, .u64 };  .cluster_mintype = { .u32, .s32 };
       .addtype = { .u32, .s32, .u64, .f32, .f64 };  .halftype = { .f16, .bf16 };
       .mintype = { .u32, .s32, .u64, .s64, .f16, .bf16 };  .btype = { .b32, .b64 };
       .level::cache_hint = { .L2::cache_hint };
       size : .u32;  size in { 0.. by 16 };
       PTX 8.0, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       if (may_have_bulk_size(x, effects)) bulk_reduction(f, x, effects);
     }},

    {"9.7.9.25.4.3", R"(
       cp.async.bulk.prefetch.L2.global{.level::cache_hint}  [srcMem], size{, cache-policy};
       .level::cache_hint = { .L2::cache_hint };
       size : .u32;  size in { 0.. by 16 };
       PTX 8.0, sm_90;)",
     [](const Form&, const Operands& x, Effects& effects) { may_have_bulk_size(x, effects); }},

    {"9.7.9.25.6.1", R"(
       cp.async.bulk.commit_group;
       PTX 8.0, sm_90;)",
     [](const Form&, const Operands&, Effects& effects) { effects.commit_group(AsyncGroup::bulk); }},

    {"9.7.9.25.6.2", R"(
       cp.async.bulk.wait_group{.read}  N;
       PTX 8.0, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       effects.wait_group(AsyncGroup::bulk, known(x["N"]), f.has(".read"));
     }},
};

}  // namespace

std::span<const Definition> asynchronous_copies() { return definitions_of_asynchronous_copies; }

}  // namespace ptxmc
