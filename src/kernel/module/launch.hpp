#pragma once

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
  /// For elements that hold an address: the name of the buffer or variable of the module.
  std::map<std::uint64_t, std::string> pointers = {};
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

/// The address of an earlier buffer, given by its index among the parameters.
struct SameBuffer {
  std::size_t parameter = 0;
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

struct Parameter {
  std::string name;
  std::variant<BufferParameter, ScalarParameter, BytesParameter, SameBuffer, MultimemParameter> is;
  LaunchPlace where = {};
  /// A variable of the module in .global or .const, and a buffer that only tensor maps and other buffers
  /// point to, are not passed to the kernel.
  enum class Role : std::uint8_t { passed, variable, buffer };
  Role role = Role::passed;
  std::vector<PlacedTensorMap> tensor_maps = {};
  std::optional<LaunchedObject> object = {};  ///< the value of the parameter is its handle
};

struct IgnoredFinding {
  std::string property;
  std::optional<std::uint32_t> line;
};

/// A kernel launch as a launch file describes it.
struct Launch {
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
  Dimensions grid = {1, 1, 1}, block = {1, 1, 1};
  OpenDimensions open_grid = {}, open_block = {};  ///< there the number in `grid` or `block` is 1
  std::optional<Dimensions> cluster;
  LaunchPlace grid_where = {}, block_where = {}, cluster_where = {};
  std::uint32_t dynamic_shared = 0;
  std::string dynamic_shared_length = {};  ///< an expression for it, `4 * block.x`; empty: the number counts
  LaunchPlace dynamic_shared_where = {};
  bool is_cooperative = false;
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

inline std::size_t started_grids(const Launch& launch) { return launch.entries.size() - launch.unstarted; }

constexpr std::uint64_t volume(const Dimensions& d) { return std::uint64_t{d[0]} * d[1] * d[2]; }

}  // namespace ptxmc::kernel
