#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "semantics/values/bits.hpp"
#include "src/kernel/module/launch.hpp"

namespace ptxmc::kernel {

/// How far a thread is followed, in barriers of its CTA.
struct FollowedThread {
  unsigned barriers = 0;  ///< that it passes
  /// It goes on behind the last of these barriers, up to the next one; otherwise it stops there.
  bool goes_on = true;
  bool is_alone = false;  ///< no other thread is active with it at an `activemask`
};

/// The threads of a CTA, of which some have started.
struct CtaPart {
  Dimensions cta = {};
  unsigned barriers = 0;          ///< that all of its threads pass
  std::set<std::uint32_t> go_on;  ///< numbers of the threads that go on behind the last of these barriers
  bool are_alone = false;         ///< see FollowedThread

  /// Empty if the thread has not started.
  std::optional<FollowedThread> followed(std::uint32_t number) const {
    const bool goes_on = go_on.contains(number);
    if (barriers == 0 && !goes_on) return std::nullopt;
    return FollowedThread{barriers, goes_on, are_alone};
  }
};

/// A beginning of some executions of a launch of one kernel: the other CTAs have not started.
struct LaunchPart {
  std::vector<CtaPart> ctas;
  /// By location of a byte in a buffer of any content: its value at the beginning; others are left open.
  std::map<std::uint64_t, std::uint8_t> contents = {};
  std::vector<Bits> scalars =
      {};  ///< by parameter: the value of a scalar that the launch leaves open, or width 0
};

}  // namespace ptxmc::kernel
