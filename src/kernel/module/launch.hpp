#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/instruction.hpp"
#include "semantics/language/opaque_object.hpp"
#include "semantics/language/tensor_map.hpp"
#include "semantics/language/type.hpp"

namespace ptxmc::kernel {

using Dimensions = std::array<std::uint32_t, 3>;
/// The dimensions in which a size is "any".
using OpenDimensions = std::array<bool, 3>;

/// The type of a number in a launch file, as `.u32` has it in PTX.
struct ElementType {
  std::string name;  ///< "s32"
  Type type;
  bool is_normalized = false;  ///< "unorm8": an integer that stands for a number in [0, 1] or [−1, 1]
  std::uint32_t bytes() const { return type.width / 8U; }
};

/// The source of a part of a launch: a position in a file, or a flag (`--param n=s32:5`), which has no
/// position.
struct LaunchPlace {
  std::string file;
  SourcePosition where = {};
};

/// "any": every value, every content.
struct AnyValue {};

/// A new global buffer, whose address is passed; or the content of a variable of the module, which is not
/// passed.
struct BufferParameter {
  ElementType element;
  std::uint64_t count = 0;
  /// The bits of each element; std::monostate: unknown content.
  std::variant<std::monostate, AnyValue, std::vector<std::uint64_t>> content;
  /// `f32[block.x * grid.x]`: the expression between the brackets, whose value is to be multiplied by
  /// `count`. The content then is unknown, any, or one number for all elements. Empty: `count` is the number
  /// of elements.
  std::string length = {};
};

struct ScalarParameter {
  ElementType element;
  std::variant<AnyValue, std::uint64_t> value;  ///< its bits
};

/// A structure by value.
struct BytesParameter {
  std::vector<std::uint8_t> bytes;
};

/// The value of an earlier parameter, given by its index: mostly the address of a buffer.
struct SameValue {
  std::size_t parameter = 0;
  std::uint64_t bytes = 8;  ///< its size
};

/// A multimem address of these buffers, which have one size: PTX ISA 8.7 § 9.7.9.14.
struct MultimemParameter {
  std::vector<std::string> buffers;
};

/// A texture, a sampler or a surface. Its memory is the buffer of its parameter.
struct LaunchedObject {
  OpaqueObject object;  ///< without its address
  std::string bound;    ///< the variable of the module that it is; empty: it has a handle only
};

/// A tensor map at an offset in bytes in a parameter or variable. Its global address is that of a buffer.
struct PlacedTensorMap {
  std::uint64_t offset = 0;
  std::string buffer;  ///< the name of a buffer or of a variable of the module
  TensorMap map;       ///< global address 0
};

/// By offset in bytes, a multiple of 8: the name of a buffer or variable of the module whose address is
/// there.
using Addresses = std::map<std::uint64_t, std::string>;

struct Parameter {
  std::string name;
  std::variant<BufferParameter, ScalarParameter, BytesParameter, SameValue, MultimemParameter> is;
  LaunchPlace where = {};
  /// A variable of the module in .global or .const, a buffer that only tensor maps and other buffers point
  /// to, and a scalar in a structure are not passed to the kernel.
  enum class Role : std::uint8_t { passed, variable, buffer, field };
  Role role = Role::passed;
  std::vector<PlacedTensorMap> tensor_maps = {};
  Addresses addresses = {};                          ///< in the buffer or in the structure
  std::map<std::uint64_t, std::string> fields = {};  ///< in the structure, by offset: the name of a scalar
  std::optional<LaunchedObject> object = {};         ///< the value of the parameter is its handle
};

/// The size in bytes of the value that is passed.
inline std::uint64_t size_of(const Parameter& parameter) {
  if (const auto* scalar = std::get_if<ScalarParameter>(&parameter.is)) return scalar->element.bytes();
  if (const auto* structure = std::get_if<BytesParameter>(&parameter.is)) return structure->bytes.size();
  if (const auto* same = std::get_if<SameValue>(&parameter.is)) return same->bytes;
  return 8;  // an address
}

struct IgnoredFinding {
  std::string property;
  std::optional<std::uint32_t> line;
};

/// The size of a grid, of its CTAs and of its clusters, and the dynamic shared memory of each CTA.
struct GridSize {
  Dimensions grid = {1, 1, 1}, block = {1, 1, 1};
  OpenDimensions open_grid = {}, open_block = {};  ///< there the number in `grid` or `block` is 1
  std::optional<Dimensions> cluster;
  std::uint32_t dynamic_shared = 0;        ///< bytes
  std::string dynamic_shared_length = {};  ///< an expression for it, `4 * block.x`; empty: the number counts
  LaunchPlace grid_where = {}, block_where = {}, cluster_where = {}, dynamic_shared_where = {};
};

/// A kernel launch as a launch file describes it. All its grids have the size that it inherits, unless it is
/// a sequence.
struct Launch : GridSize {
  std::filesystem::path file;
  std::filesystem::path module;
  LaunchPlace module_where = {};
  std::optional<std::string> module_text;  ///< in place of the content of the file
  /// Names of kernels; more than one: grids that run at the same time. As written, until the module is read
  /// (entry_names.hpp); then the names in PTX.
  std::vector<std::string> entries;
  /// Each grid is a programmatic dependent of the one before (PTX ISA 8.7 § 9.7.13.13).
  bool is_dependent = false;
  std::size_t unstarted = 0;  ///< the number of dependent grids at the end that do not start
  LaunchPlace entry_where = {};
  /// Of a sequence of kernels, each of which starts when the one before has ended: the size of each grid.
  std::vector<GridSize> sequence = {};
  bool is_cooperative = false;
  /// A function without a body returns any value, and has no other effect.
  bool externs_return_anything = false;
  std::vector<Parameter> parameters;  ///< of the kernels, in order; then the others
  std::string assumption;             ///< empty: none
  std::string final_condition;        ///< empty: none
  LaunchPlace assumption_where = {}, final_where = {};
  std::string observed;  ///< names for elements, `1:r0=out[3];x=x[0]`, for comparisons; empty: none
  LaunchPlace observed_where = {};
  std::vector<IgnoredFinding> ignored;
  std::set<std::uint32_t> racing_lines;  ///< of the module: races between two of them are accepted
  std::vector<std::string> expected;
  bool is_certain = true;
};

/// The number of the parameter with this name; there is one.
inline std::size_t number_of_parameter(const Launch& launch, const std::string& name) {
  std::size_t number = 0;
  while (launch.parameters.at(number).name != name) ++number;
  return number;
}

inline std::size_t started_grids(const Launch& launch) { return launch.entries.size() - launch.unstarted; }

/// The size of the grid with this number.
inline const GridSize& size_of_grid(const Launch& launch, std::size_t number) {
  return launch.sequence.empty() ? launch : launch.sequence.at(number);
}

/// The dynamic shared memory that suffices for each grid, in bytes.
inline std::uint32_t largest_dynamic_shared(const Launch& launch) {
  std::uint32_t bytes = launch.dynamic_shared;
  for (const GridSize& size : launch.sequence) bytes = std::max(bytes, size.dynamic_shared);
  return bytes;
}

constexpr std::uint64_t volume(const Dimensions& d) { return std::uint64_t{d[0]} * d[1] * d[2]; }

/// The number of threads, and of CTAs, of all grids.
inline std::uint64_t threads_of(const Launch& launch) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < launch.entries.size(); ++i)
    result += volume(size_of_grid(launch, i).grid) * volume(size_of_grid(launch, i).block);
  return result;
}
inline std::uint64_t ctas_of(const Launch& launch) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < launch.entries.size(); ++i) result += volume(size_of_grid(launch, i).grid);
  return result;
}

}  // namespace ptxmc::kernel
