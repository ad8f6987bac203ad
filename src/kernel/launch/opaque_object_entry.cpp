#include "src/kernel/launch/opaque_object_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "src/kernel/launch/element_values.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::uint32_t most_elements = 1U << 28, faces = 6;

/// Reads one entry.
class ObjectReader {
 public:
  ObjectReader(const TomlValues& values, const toml::table& table, std::span<const Parameter> earlier,
               Parameter& parameter)
      : values_(values), table_(table), earlier_(earlier), parameter_(parameter) {}

  void read() {
    LaunchedObject& launched = parameter_.object.emplace();
    if (const toml::node* name = table_.get("bind")) launched.bound = values_.string(*name);
    if (const toml::node* sampler = table_.get("sampler")) return read_sampler(*sampler);
    const bool is_texture = table_.contains("texture");
    if (is_texture)
      values_.check_keys(table_, {"name", "bind", "texture", "layers", "cube", "address", "filter",
                                  "normalized", "compare", "read", "init", "bits", "memory"});
    else
      values_.check_keys(table_, {"name", "bind", "surface", "layers", "cube", "init", "bits", "memory"});
    object().kind = is_texture ? OpaqueObject::Kind::texture : OpaqueObject::Kind::surface;
    read_format(values_.required(table_, is_texture ? "texture" : "surface"));
    read_layers();
    if (is_texture) read_attributes(table_, object().dimensions);
    if (is_texture) read_conversion();
    read_memory();
  }

 private:
  OpaqueObject& object() { return parameter_.object->object; }

  void read_sampler(const toml::node& node) {
    values_.check_keys(table_, {"name", "bind", "sampler"});
    if (!node.is_table()) values_.fail(node, "found another value, expected sampler = { filter = …, … }");
    values_.check_keys(*node.as_table(), {"address", "filter", "normalized", "compare"});
    object().kind = OpaqueObject::Kind::sampler;
    read_attributes(*node.as_table(), most_image_dimensions);
    parameter_.is = BytesParameter{std::vector<std::uint8_t>(8)};
  }

  /// `address`, `filter`, `normalized`, `compare`.
  void read_attributes(const toml::table& table, unsigned dimensions) {
    // In the orders of AddressMode and DepthComparison.
    static constexpr std::string_view modes[] = {"clamp", "border", "wrap", "mirror"};
    static constexpr std::string_view filters[] = {"nearest", "linear"};
    static constexpr std::string_view comparisons[] = {"never",   "less",      "equal",         "less-equal",
                                                       "greater", "not-equal", "greater-equal", "always"};
    Sampler& sampler = object().sampler;
    if (const toml::node* list = table.get("address")) {
      const toml::array& given = values_.array(*list);
      if (given.size() > dimensions)
        values_.fail(*list,
                     fmt::format("found {} address modes, expected at most {}", given.size(), dimensions));
      for (std::size_t i = 0; i < given.size(); ++i) {
        const auto* mode = std::ranges::find(modes, values_.string(given[i]));
        if (mode == std::end(modes))
          values_.fail(given[i], fmt::format("found \"{}\", expected one of {}", values_.string(given[i]),
                                             fmt::join(modes, ", ")));
        sampler.address[i] = static_cast<AddressMode>(mode - std::begin(modes));
      }
    }
    sampler.is_linear = values_.choice(table, "filter", filters) == 1;
    if (const toml::node* flag = table.get("normalized")) sampler.is_normalized = values_.boolean(*flag);
    if (table.contains("compare"))
      sampler.comparison = static_cast<DepthComparison>(values_.choice(table, "compare", comparisons));
  }

  /// `"f32x1[8, 4]"`: the type of a channel, the number of channels, and the size.
  void read_format(const toml::node& node) {
    const std::string text = values_.string(node);
    const std::size_t open = text.find('['), times = text.rfind('x', open);
    const bool has_parts =
        open != std::string::npos && times != std::string::npos && times + 2 == open && text.ends_with(']');
    const unsigned channels = has_parts ? static_cast<unsigned>(text[times + 1] - '0') : 0;
    if (channels != 1 && channels != 2 && channels != 4)
      values_.fail(node, fmt::format("found '{}', expected a type, 1, 2 or 4 channels and a size such as "
                                     "\"f32x1[8, 4]\"",
                                     text));
    read_channel(node, text.substr(0, times));
    object().channels = channels;
    read_size(node, std::string_view(text).substr(open + 1, text.size() - open - 2));
  }

  void read_channel(const toml::node& node, const std::string& name) {
    const bool is_unsigned = name.starts_with("unorm"),
               is_normalized = is_unsigned || name.starts_with("snorm");
    const std::string bits = is_normalized ? name.substr(5) : "";
    if (is_normalized && bits != "8" && bits != "16")
      values_.fail(node, fmt::format("found type '{}', expected {}8 or {}16", name, name.substr(0, 5),
                                     name.substr(0, 5)));
    element_ = element_type(values_, node, is_normalized ? (is_unsigned ? "u" : "s") + bits : name);
    const bool has_channel = element_.type.is_integer() || element_.type.is_float();
    if (!has_channel || (element_.type.is_float() && element_.type.format == FloatFormat::f64))
      values_.fail(node,
                   fmt::format("found type '{}', expected an integer, f16, f32, unorm8 or similar", name));
    element_.name = name;
    element_.is_normalized = is_normalized;
    object().channel = element_.type;
    object().is_normalized_number = is_normalized;
  }

  void read_size(const toml::node& node, std::string_view text) {
    std::uint64_t count = object().channels;
    unsigned dimension = 0;
    for (bool more = true; more; ++dimension) {
      const std::size_t end = std::min(text.find(','), text.size());
      std::string_view part = text.substr(0, end);
      more = end < text.size();
      text.remove_prefix(more ? end + 1 : end);
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      std::uint32_t size = 0;
      const auto [last, error] = std::from_chars(part.data(), part.data() + part.size(), size);
      if (part.empty() || error != std::errc() || last != part.data() + part.size() || size == 0 ||
          size > most_elements || dimension >= most_image_dimensions)
        values_.fail(node, fmt::format("found the size '{}', expected one to three numbers from 1 to {}",
                                       part, most_elements));
      object().size[dimension] = size;
      count *= size;
      if (count > most_elements) break;
    }
    object().dimensions = dimension;
    check_elements(node, count);
  }

  void check_elements(const toml::node& node, std::uint64_t count) const {
    if (count * element_.bytes() > most_buffer_bytes)
      values_.fail(node, fmt::format("found {} bytes or more, expected at most {}", count * element_.bytes(),
                                     most_buffer_bytes));
  }

  /// `layers` and `cube`.
  void read_layers() {
    OpaqueObject& made = object();
    if (const toml::node* flag = table_.get("cube")) {
      made.is_cube = values_.boolean(*flag);
      if (made.is_cube && (made.dimensions != 2 || made.size[0] != made.size[1]))
        values_.fail(*flag, "found a cube, expected it with two equal sizes");
      if (made.is_cube) made.layers = faces;
    }
    const toml::node* layers = table_.get("layers");
    if (layers == nullptr) return;
    made.layers = static_cast<std::uint32_t>(values_.integer(*layers, 1, 1 << 16));
    if (made.dimensions == 3) values_.fail(*layers, "found layers of three dimensions, expected one or two");
    if (made.is_cube && *made.layers % faces != 0)
      values_.fail(*layers, fmt::format("found {} layers of a cube, expected a multiple of 6", *made.layers));
    check_elements(*layers, made.elements() * made.channels);
  }

  /// `read`.
  void read_conversion() {
    static constexpr std::string_view reads[] = {"element", "normalized-float"};
    if (values_.choice(table_, "read", reads) == 0) return;
    if (!element_.type.is_integer() || element_.type.width > 16)
      values_.fail(*table_.get("read"),
                   "found \"normalized-float\", expected it with integers of 8 or 16 bits");
    object().is_normalized_number = true;
  }

  /// `init`, `bits` or `memory`.
  void read_memory() {
    const toml::node *init = table_.get("init"), *bits = table_.get("bits"), *memory = table_.get("memory");
    if ((init != nullptr) + (bits != nullptr) + (memory != nullptr) > 1)
      values_.fail(table_, "found more than one of init, bits and memory, expected one");
    BufferParameter buffer;
    buffer.element = element_;
    buffer.count = object().elements() * object().channels;
    if (memory != nullptr) return share_memory(*memory, buffer);
    const toml::node* content = init != nullptr ? init : bits;
    if (content != nullptr && content->is_string() && values_.string(*content) == "any") {
      buffer.content = AnyValue{};
    } else if (content != nullptr) {
      const ElementType pattern = {"bits", {Type::Kind::bits, element_.type.width}};
      const auto value = [&](const toml::node& node) {
        return init == nullptr ? number_bits(values_, node, pattern) : number(node);
      };
      buffer.content = read_numbers(*content, buffer.count, value);
    }
    parameter_.is = std::move(buffer);
  }

  /// A list of numbers, or one number for all.
  template <class Value>
  std::vector<std::uint64_t> read_numbers(const toml::node& node, std::uint64_t count,
                                          const Value& value) const {
    if (!node.is_array()) return std::vector<std::uint64_t>(count, value(node));
    const toml::array& list = values_.array(node);
    if (list.size() != count)
      values_.fail(node, fmt::format("found {} numbers, expected {}", list.size(), count));
    std::vector<std::uint64_t> numbers;
    for (const toml::node& each : list) numbers.push_back(value(each));
    return numbers;
  }

  std::uint64_t number(const toml::node& node) const {
    if (!element_.is_normalized) return number_bits(values_, node, element_);
    const auto given = node.value<double>();
    const double lowest = element_.type.is_signed() ? -1 : 0;
    if (!given || !node.is_number() || *given < lowest || *given > 1)
      values_.fail(
          node, fmt::format("found {}, expected a number from {} to 1", TomlValues::kind_of(node), lowest));
    const int width = element_.type.width - (element_.type.is_signed() ? 1 : 0);
    const auto integer = static_cast<std::int64_t>(std::nearbyint(*given * (std::ldexp(1.0, width) - 1)));
    return static_cast<std::uint64_t>(integer) & ((std::uint64_t{1} << element_.type.width) - 1);
  }

  /// The memory of an earlier buffer, texture or surface, whose first bytes it is.
  void share_memory(const toml::node& node, const BufferParameter& wanted) {
    const std::string name = values_.string(node);
    const auto found = std::ranges::find(earlier_, name, &Parameter::name);
    const auto* buffer = found == earlier_.end() ? nullptr : std::get_if<BufferParameter>(&found->is);
    if (buffer == nullptr || (found->role == Parameter::Role::variable && !found->object))
      values_.fail(
          node, fmt::format("found '{}', expected the name of an earlier buffer, texture or surface", name));
    const std::uint64_t bytes = wanted.count * wanted.element.bytes();
    if (buffer->count * buffer->element.bytes() < bytes)
      values_.fail(node, fmt::format("found the {} bytes of '{}', expected at least {}",
                                     buffer->count * buffer->element.bytes(), name, bytes));
    parameter_.is = SameValue{static_cast<std::size_t>(found - earlier_.begin())};
  }

  const TomlValues& values_;
  const toml::table& table_;
  std::span<const Parameter> earlier_;
  Parameter& parameter_;
  ElementType element_;
};

}  // namespace

bool is_object_entry(const toml::table& table) {
  return table.contains("texture") || table.contains("surface") || table.contains("sampler");
}

void read_opaque_object(const TomlValues& values, const toml::table& table,
                        std::span<const Parameter> earlier, Parameter& parameter) {
  ObjectReader(values, table, earlier, parameter).read();
}

}  // namespace ptxmc::kernel
