#include "tests/kernel_campaign/asynchronous_code.hpp"

#include <fmt/format.h>

#include "tests/asynchronous_spellings.hpp"

namespace ptxmc {

bool Mistakes::here(const char* what, bool always_matters) {
  if (!wrong_.contains(places_++)) return false;
  made_.emplace_back(what);
  always_matter_ = always_matter_ || always_matters;
  return true;
}

std::string AsynchronousCode::new_label() { return fmt::format("L{}", labels_++); }

void AsynchronousCode::role(unsigned number, const std::function<void()>& body) {
  if (threads_ == 1) return body();
  const std::string end = new_label();
  emit(fmt::format("setp.ne.u32 %p, %role, {};", number));
  emit(fmt::format("@%p bra {};", end));
  body();
  place(end);
}

void AsynchronousCode::initialize(const std::string& object, unsigned count, bool count_matters) {
  if (mistakes.here("a count is too large", count_matters)) ++count;
  const std::string line = fmt::format("mbarrier.init.shared.b64 [{}], {};", object, count);
  emit(line);
  if (mistakes.here("an object is initialised twice", true)) emit(line);
}

void AsynchronousCode::meet(bool always_matters) {
  if (threads_ == 1) return;
  if (mistakes.here("a barrier is missing", always_matters)) return;
  if (!has_cluster_) return emit("bar.sync 0;");
  emit(fmt::format("barrier.cluster.arrive{};", random.any({"", ".release", ".release.aligned"})));
  emit(fmt::format("barrier.cluster.wait{};", random.any({"", ".acquire", ".acquire.aligned"})));
}

void AsynchronousCode::meet_after_initialization(bool has_stores) {
  if (!has_cluster_ || has_stores || random.chance(2)) return meet(true);
  if (!mistakes.here("a fence is missing", true)) emit("fence.mbarrier_init.release.cluster;");
  emit("barrier.cluster.arrive.relaxed;");
  emit("barrier.cluster.wait;");
}

void AsynchronousCode::read(const std::string& address, const std::string& space) {
  emit(fmt::format("ld.{}.u32 %value, [{}];", space, address));
  emit("mad.lo.u32 %sum, %sum, 3, %value;");
}

void AsynchronousCode::store_vector(const std::string& address, unsigned value) {
  emit(fmt::format("st.shared.v4.u32 [{}], {{{}, {}, {}, {}}};", address, value, value + 1, value + 2,
                   value + 3));
}

void AsynchronousCode::proxy_fence(bool always_matters) {
  if (mistakes.here("a proxy fence is missing", always_matters)) return;
  if (mistakes.here("a proxy fence is for global memory", always_matters))
    return emit("fence.proxy.async.global;");
  emit(random.any({"fence.proxy.async;", "fence.proxy.async.shared::cta;"}));
}

std::string AsynchronousCode::release_order(bool publishes) {
  const char* scope = has_cluster_ ? "cluster" : random.any({"cta", "cluster"});
  if (mistakes.here("an arrival is relaxed", publishes)) return fmt::format(".relaxed.{}", scope);
  if (has_cluster_ && mistakes.here("an arrival has the scope of a CTA", publishes)) return "";
  if (random.chance(4)) {
    emit(fmt::format("fence.{}.{};", random.any({"acq_rel", "sc"}), scope));
    return fmt::format(".relaxed.{}", scope);
  }
  return !has_cluster_ && random.chance(2) ? "" : fmt::format(".release.{}", scope);
}

void AsynchronousCode::arrive(const std::string& object, const RandomArrival& arrival) {
  if (mistakes.here("an arrival is missing", arrival.is_awaited)) return;
  const std::string order = release_order(arrival.publishes);
  const bool is_remote = object[0] == '%';
  emit(fmt::format("mbarrier.arrive{}{}{}.b64 {}, [{}]{};", arrival.drops ? "_drop" : "", order,
                   is_remote ? ".shared::cluster" : ".shared", arrival.token, object,
                   mistakes.here("an arrival counts twice", false) ? ", 2" : ""));
}

AsynchronousCode::WaitOrder AsynchronousCode::acquire_order(bool always_matters) {
  const std::string scope = has_cluster_ ? "cluster" : random.any({"cta", "cluster"});
  if (mistakes.here("a wait is relaxed", always_matters)) return {".relaxed." + scope, ""};
  if (has_cluster_ && mistakes.here("a wait has the scope of a CTA", always_matters)) return {};
  if (random.chance(4))
    return {".relaxed." + scope, fmt::format("fence.{}.{};", random.any({"acq_rel", "sc"}), scope)};
  return {!has_cluster_ && random.chance(2) ? "" : ".acquire." + scope, ""};
}

void AsynchronousCode::loop(const std::string& test, const std::string& fence) {
  const std::string head = new_label();
  place(head);
  emit(test);
  emit(fmt::format("@!%q bra {};", head));
  if (!fence.empty()) emit(fence);
}

std::string AsynchronousCode::wrong_parity(const std::string& parity) {
  if (parity[0] != '%') return parity == "0" ? "1" : "0";
  emit(fmt::format("xor.b32 %other, {}, 1;", parity));
  return "%other";
}

void AsynchronousCode::wait(const std::string& object, const std::string& parity, bool always_matters) {
  if (mistakes.here("a wait is missing", always_matters)) return;
  const WaitOrder order = acquire_order(always_matters);
  const bool is_wrong = mistakes.here("a parity is wrong", always_matters);
  loop(test_of_parity(random.any({"try_wait", "try_wait", "test_wait"}), order.order, "%q", object,
                      is_wrong ? wrong_parity(parity) : parity),
       order.fence);
}

void AsynchronousCode::wait_by_token(const std::string& object, bool always_matters) {
  if (mistakes.here("a wait is missing", always_matters)) return;
  const WaitOrder order = acquire_order(always_matters);
  loop(fmt::format("mbarrier.{}{}.shared.b64 %q, [{}], %token;", random.any({"try_wait", "test_wait"}),
                   order.order, object),
       order.fence);
}

}  // namespace ptxmc
