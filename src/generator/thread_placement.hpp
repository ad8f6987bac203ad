#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptxmc::generator {

/// The scopes that tests name, from the smallest.
constexpr std::array<std::string_view, 4> scope_names = {"cta", "cluster", "gpu", "sys"};

/// Where a thread is. Equal numbers: the same CTA, cluster or GPU.
struct ThreadPlace {
  unsigned cta = 0, cluster = 0, gpu = 0;

  friend auto operator<=>(const ThreadPlace&, const ThreadPlace&) = default;
};

/// The places of the threads of a test, by thread.
using ThreadPlaces = std::vector<ThreadPlace>;

/// The places of threads of which each two are as far from each other as a scope reaches: "cta" (one CTA),
/// "cluster" (CTAs of one cluster), "gpu" (CTAs of one GPU), "sys" (different GPUs). Throws InputError for
/// another word.
ThreadPlaces places_apart(std::string_view scope, unsigned threads);

/// Every way to place threads in CTAs, clusters and GPUs, up to numbers.
std::vector<ThreadPlaces> all_places(unsigned threads);

/// The same places with numbers in the order in which they appear first.
ThreadPlaces in_order_of_appearance(ThreadPlaces);

/// The placement of a thread as a litmus test writes it: "cta 0,gpu 0". It names the cluster if CTAs share
/// one.
std::string text_of(const ThreadPlace&, std::span<const ThreadPlace> all);

/// The scope of `places_apart`, or for other places the numbers of each thread.
std::string name_of(const ThreadPlaces&);

}  // namespace ptxmc::generator
