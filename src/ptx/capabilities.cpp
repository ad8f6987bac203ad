#include "src/ptx/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxmc::syntax {

namespace {

/// PTX ISA 8.7 § 11.1.2, release notes.
struct Known {
  std::string_view name;
  PtxVersion introduced;
};
constexpr std::array<Known, 43> known_targets = {
    {{"10", 10},   {"11", 10},   {"12", 12},   {"13", 12},   {"20", 20},   {"30", 30},   {"32", 40},
     {"35", 31},   {"37", 41},   {"50", 40},   {"52", 41},   {"53", 42},   {"60", 50},   {"61", 50},
     {"62", 50},   {"70", 60},   {"72", 61},   {"75", 63},   {"80", 70},   {"86", 71},   {"87", 74},
     {"89", 78},   {"90", 78},   {"90a", 80},  {"100", 86},  {"100a", 86}, {"101", 86},  {"101a", 86},
     {"120", 87},  {"120a", 87}, {"100f", 88}, {"101f", 88}, {"103", 88},  {"103a", 88}, {"103f", 88},
     {"120f", 88}, {"121", 88},  {"121a", 88}, {"121f", 88}, {"88", 90},   {"110", 90},  {"110a", 90},
     {"110f", 90}}};

/// The number of the architecture in 8.7.
std::uint16_t number_in_8_7(std::uint16_t sm) { return sm == 110 ? 101 : sm; }

}  // namespace

std::optional<NamedTarget> target_named(std::string_view name) {
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view rest = name.substr(prefix.size());
    NamedTarget target;
    const char* const end = rest.data() + rest.size();
    const auto [after, error] = std::from_chars(rest.data(), end, target.sm);
    const bool has_suffix = after != end && after + 1 == end && (*after == 'a' || *after == 'f');
    if (error != std::errc{} || (after != end && !has_suffix) || rest.starts_with('0')) return std::nullopt;
    if (has_suffix) target.suffix = *after;
    const auto known = std::find_if(known_targets.begin(), known_targets.end(),
                                    [&](const Known& k) { return k.name == rest; });
    if (known != known_targets.end()) target.introduced = known->introduced;
    return target;
  }
  return std::nullopt;
}

bool has_architecture(const Capabilities& module, std::span<const Architecture> any_of) {
  const auto suits = [&](const Architecture& needed) {
    if (module.version < needed.since) return false;
    if (!needed.exact) return module.sm >= needed.sm;
    const std::uint16_t sm = number_in_8_7(module.sm);
    if (module.suffix == 'a' && sm == needed.sm) return true;
    const PtxVersion introduced = target_named(architecture_text(module.sm, module.suffix))->introduced;
    const bool is_newer = module.suffix != '\0' && (introduced == 0 || introduced > 87);
    return is_newer && sm / 10 == needed.sm / 10 && sm >= needed.sm;
  };
  return any_of.empty() || std::any_of(any_of.begin(), any_of.end(), suits);
}

std::string lack_of(const Capabilities& module, std::string_view what, PtxVersion introduced,
                    std::span<const Architecture> any_of) {
  if (module.version < introduced)
    return fmt::format("{} needs PTX ISA {}, the module says {}", what, version_text(introduced),
                       version_text(module.version));
  if (has_architecture(module, any_of)) return "";
  std::string needed;
  for (const Architecture& architecture : any_of) {
    needed +=
        (needed.empty() ? "" : " or ") + architecture_text(architecture.sm, architecture.exact ? 'a' : '\0');
    if (architecture.since > introduced) needed += " with PTX ISA " + version_text(architecture.since);
  }
  return fmt::format("{} needs {}, the module says {}", what, needed,
                     architecture_text(module.sm, module.suffix));
}

std::string version_text(PtxVersion version) { return fmt::format("{}.{}", version / 10, version % 10); }

std::string architecture_text(std::uint16_t sm, char suffix) {
  return fmt::format("sm_{}{}", sm, suffix == '\0' ? "" : std::string(1, suffix));
}

}  // namespace ptxmc::syntax
