#include "src/generator/thread_placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc::generator {

namespace {

/// The n-th thread of threads that are as far from each other as the scope reaches.
ThreadPlace place_apart(std::size_t scope, unsigned n) {
  return {scope >= 1 ? n : 0, scope >= 2 ? n : 0, scope >= 3 ? n : 0};
}

bool share_a_cluster(const ThreadPlace& a, const ThreadPlace& b) {
  return a.cta != b.cta && a.cluster == b.cluster;
}

}  // namespace

ThreadPlaces places_apart(std::string_view scope, unsigned threads) {
  const auto found = std::ranges::find(scope_names, scope);
  if (found == scope_names.end())
    throw InputError("--scopes", {},
                     fmt::format("found '{}', expected cta, cluster, gpu, sys or all", scope));
  ThreadPlaces result;
  for (unsigned n = 0; n < threads; ++n)
    result.push_back(place_apart(static_cast<std::size_t>(found - scope_names.begin()), n));
  return result;
}

/// The next thread is in a CTA that there is, or in a new one of a cluster that there is, or of a new cluster
/// of a GPU that there is, or of a new GPU.
std::vector<ThreadPlaces> all_places(unsigned threads) {
  std::vector<ThreadPlaces> result = {{}};
  for (unsigned n = 0; n < threads; ++n) {
    std::vector<ThreadPlaces> longer;
    for (const ThreadPlaces& places : result) {
      std::vector<ThreadPlace> next;
      for (const ThreadPlace& place : places) {
        next.push_back(place);
        next.push_back({n, place.cluster, place.gpu});
        next.push_back({n, n, place.gpu});
      }
      next.push_back({n, n, n});
      std::ranges::sort(next);
      next.erase(std::unique(next.begin(), next.end()), next.end());
      for (const ThreadPlace& place : next) {
        longer.push_back(places);
        longer.back().push_back(place);
      }
    }
    result = std::move(longer);
  }
  for (ThreadPlaces& places : result) places = in_order_of_appearance(std::move(places));
  return result;
}

ThreadPlaces in_order_of_appearance(ThreadPlaces places) {
  for (unsigned ThreadPlace::*const part : {&ThreadPlace::cta, &ThreadPlace::cluster, &ThreadPlace::gpu}) {
    std::map<unsigned, unsigned> numbers;
    for (ThreadPlace& place : places)
      place.*part = numbers.try_emplace(place.*part, static_cast<unsigned>(numbers.size())).first->second;
  }
  return places;
}

std::string text_of(const ThreadPlace& place, std::span<const ThreadPlace> all) {
  const bool names_cluster = std::ranges::any_of(all, [&](const ThreadPlace& a) {
    return std::ranges::any_of(all, [&](const ThreadPlace& b) { return share_a_cluster(a, b); });
  });
  return names_cluster ? fmt::format("cta {},cluster {},gpu {}", place.cta, place.cluster, place.gpu)
                       : fmt::format("cta {},gpu {}", place.cta, place.gpu);
}

std::string name_of(const ThreadPlaces& places) {
  for (const std::string_view scope : scope_names)
    if (places == places_apart(scope, static_cast<unsigned>(places.size()))) return std::string(scope);
  std::string result;
  for (const ThreadPlace& place : places)
    result += fmt::format("{}{}.{}.{}", result.empty() ? "" : "_", place.cta, place.cluster, place.gpu);
  return result;
}

}  // namespace ptxmc::generator
