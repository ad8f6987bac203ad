#include "src/kernel/launch/launch_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "semantics/language/text_file.hpp"
#include "src/kernel/launch/content_file.hpp"
#include "src/kernel/launch/element_values.hpp"
#include "src/kernel/launch/opaque_object_entry.hpp"
#include "src/kernel/launch/structure_fields.hpp"
#include "src/kernel/launch/tensor_map_entry.hpp"
#include "src/kernel/launch/toml_nesting.hpp"
#include "src/kernel/module/entry_names.hpp"
#include "src/kernel/module/memory.hpp"
#include "src/kernel/module/module_file.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::string_view known_verdicts[] = {"safe",          "assertion",  "race",      "uninitialized",
                                               "out-of-bounds", "divergence", "undefined", "deadlock"};

constexpr std::uint64_t most_addresses = std::uint64_t{1} << 20;  // of other buffers, in one buffer

template <class Range>
bool is_one_of(const Range& range, std::string_view name) {
  return std::ranges::find(range, name) != std::end(range);
}

/// Reads one file; every error names its line.
class LaunchFileReader : private TomlValues {
 public:
  LaunchFileReader(std::filesystem::path file, PlaceOf place_of, std::optional<std::string> module_text)
      : TomlValues(std::move(place_of)) {
    launch_.file = std::move(file);
    launch_.module_text = std::move(module_text);
  }

  Launch read() { return parse(text_of_input(launch_.file, "a launch file")); }

  Launch parse(const std::string& text) {
    check_toml_nesting(SourceText(launch_.file.string(), text));
    toml::table table;
    try {
      table = toml::parse(text, launch_.file.string());
    } catch (const toml::parse_error& error) {
      fail(error.source(), std::string(error.description()));
    }
    check_keys(table, {"module", "entry", "grid", "block", "cluster", "launch", "dynamic_shared",
                       "cooperative", "dependent", "extern", "param", "variable", "buffer", "assume",
                       "observe", "final", "ignore", "expect", "certain"});
    launch_.module = launch_.file.parent_path() / string(table, "module");
    launch_.module_where = place(table.get("module")->source());
    const toml::node* const sequence = table.get("launch");
    if (sequence != nullptr) {
      read_sequence(table, *sequence);
    } else {
      read_entries(table);
      static_cast<GridSize&>(launch_) = size(table);
    }
    if (const toml::node* flag = table.get("cooperative")) launch_.is_cooperative = boolean(*flag);
    if (const toml::node* flag = table.get("dependent")) read_dependence(*flag);
    if (const toml::node* word = table.get("extern")) {
      if (string(*word) != "any") fail(*word, fmt::format("found '{}', expected \"any\"", string(*word)));
      launch_.externs_return_anything = true;
    }
    if (const toml::node* flag = table.get("certain")) launch_.is_certain = boolean(*flag);
    if (const toml::node* text = table.get("assume")) {
      launch_.assumption = string(*text);
      launch_.assumption_where = place(text->source());
    }
    if (const toml::node* text = table.get("observe")) {
      launch_.observed = string(*text);
      launch_.observed_where = place(text->source());
    }
    if (const toml::node* parameters = table.get("param")) read_parameters(*parameters);
    std::ranges::move(fields_, std::back_inserter(launch_.parameters));
    if (const toml::node* variables = table.get("variable"))
      read_unpassed(*variables, Parameter::Role::variable, "variable");
    if (const toml::node* buffers = table.get("buffer"))
      read_unpassed(*buffers, Parameter::Role::buffer, "buffer");
    if (sequence != nullptr) pass_arguments(*sequence);
    read_final(table);
    read_ignored(table);
    read_expected(table);
    return std::move(launch_);
  }

 private:
  /// `[8, "any"]`, or `"any"` for `["any"]`.
  Dimensions dimensions(const toml::node& node, OpenDimensions& open) const {
    const auto is_any = [&](const toml::node& one) { return one.is_string() && string(one) == "any"; };
    if (is_any(node)) {
      open[0] = true;
      return {1, 1, 1};
    }
    const toml::array& numbers = array(node);
    if (numbers.empty() || numbers.size() > 3)
      fail(node, fmt::format("found {} numbers, expected one to three", numbers.size()));
    Dimensions result = {1, 1, 1};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      open[i] = is_any(numbers[i]);
      if (!open[i]) result[i] = static_cast<std::uint32_t>(integer(numbers[i], 1, 0x7fffffff));
    }
    return result;
  }

  /// `grid`, `block`, `cluster` and `dynamic_shared`.
  GridSize size(const toml::table& table) const {
    GridSize result;
    result.grid = dimensions(required(table, "grid"), result.open_grid);
    result.grid_where = place(table.get("grid")->source());
    result.block = dimensions(required(table, "block"), result.open_block);
    result.block_where = place(table.get("block")->source());
    if (volume(result.block) > 1024)
      fail(*table["block"].node(),
           fmt::format("found a block of {} threads, expected at most 1024", volume(result.block)));
    if (const toml::node* cluster = table.get("cluster")) {
      OpenDimensions open = {};
      result.cluster = dimensions(*cluster, open);
      if (open != OpenDimensions{}) fail(*cluster, "found \"any\", expected one to three numbers");
      result.cluster_where = place(cluster->source());
    }
    read_dynamic_shared(table, result);
    return result;
  }

  void read_dynamic_shared(const toml::table& table, GridSize& size) const {
    const toml::node* const bytes = table.get("dynamic_shared");
    if (bytes == nullptr) return;
    size.dynamic_shared_where = place(bytes->source());
    if (bytes->is_string())
      size.dynamic_shared_length = string(*bytes);
    else
      size.dynamic_shared = static_cast<std::uint32_t>(integer(*bytes, 0, most_dynamic_shared));
  }

  /// `[[launch]]`: kernels, each of which starts when the one before has ended.
  void read_sequence(const toml::table& table, const toml::node& sequence) {
    for (const char* key : {"entry", "grid", "block", "cluster", "cooperative", "dependent"})
      if (const toml::node* node = table.get(key))
        fail(*node, fmt::format("found '{}' with [[launch]], expected it in a [[launch]]", key));
    for (const toml::node& node : array(sequence)) {
      if (!node.is_table()) fail(node, "found another value, expected [[launch]]");
      const toml::table& one = *node.as_table();
      check_keys(one, {"entry", "grid", "block", "cluster", "dynamic_shared", "arguments"});
      launch_.entries.push_back(string(one, "entry"));
      launch_.sequence.push_back(size(one));
      if (!one.contains("dynamic_shared")) read_dynamic_shared(table, launch_.sequence.back());
      const GridSize& last = launch_.sequence.back();
      if (last.open_grid != OpenDimensions{} || last.open_block != OpenDimensions{})
        fail(node, "found \"any\", expected kernels of known sizes in a sequence");
      if (launch_.entries.size() == 1) launch_.entry_where = place(one.get("entry")->source());
    }
    if (launch_.sequence.empty()) fail(sequence, "found no [[launch]], expected at least one");
    static_cast<GridSize&>(launch_) = launch_.sequence.front();
  }

  /// The parameters of the kernels of a sequence, which `arguments` names: those of one kernel after those of
  /// the other. Without `arguments`, a kernel has all of them.
  void pass_arguments(const toml::node& sequence) {
    const std::vector<Parameter> given = std::exchange(launch_.parameters, {});
    if (std::ranges::any_of(given,
                            [](const Parameter& one) { return std::holds_alternative<SameValue>(one.is); }))
      fail(sequence,
           "found 'same_as' or 'memory' with [[launch]], expected a parameter in several 'arguments'");
    std::map<std::string, std::size_t> passed;  // by name: the first parameter with this value
    const auto pass = [&](const Parameter& parameter) {
      const auto [first, is_new] = passed.try_emplace(parameter.name, launch_.parameters.size());
      launch_.parameters.push_back(parameter);
      if (is_new) return;
      Parameter& again = launch_.parameters.back();
      again.is = SameValue{first->second, size_of(parameter)};
      again.tensor_maps.clear();
      again.addresses.clear();
      again.fields.clear();
    };
    for (const toml::node& node : array(sequence)) {
      const toml::node* const arguments = node.as_table()->get("arguments");
      if (arguments == nullptr) {
        for (const Parameter& parameter : given)
          if (parameter.role == Parameter::Role::passed) pass(parameter);
        continue;
      }
      for (const toml::node& argument : array(*arguments)) {
        const auto found = std::ranges::find(given, string(argument), &Parameter::name);
        if (found == given.end() || found->role != Parameter::Role::passed)
          fail(argument, fmt::format("found '{}', expected the name of a [[param]]", string(argument)));
        pass(*found);
      }
    }
    for (const Parameter& parameter : given) {
      if (passed.contains(parameter.name)) continue;
      launch_.parameters.push_back(parameter);
      if (parameter.role == Parameter::Role::passed)
        launch_.parameters.back().role = Parameter::Role::buffer;  // no kernel has it
    }
  }

  void read_entries(const toml::table& table) {
    const toml::node* node = table.get("entry");
    launch_.entries = entries_in(node == nullptr ? "" : string(*node));
    launch_.entry_where = place(node == nullptr ? table.source() : node->source());
  }

  void read_dependence(const toml::node& flag) {
    launch_.is_dependent = boolean(flag);
    if (launch_.is_dependent && launch_.entries.size() < 2)
      fail(flag, "found a dependent launch of one kernel, expected an 'entry' such as \"a+b\"");
  }

  // ---- parameters ----

  /// The type of a variable as the module declares it: "s32[4]".
  std::string declared_type(const toml::table& table, const std::string& name) const {
    const syntax::Module module = read_module_of(launch_);
    for (const syntax::Symbol& symbol : module.symbols) {
      const bool is_named = symbol.name == name || source_name(std::string(symbol.name)) == name;
      const bool is_filled_by_host =
          symbol.kind == syntax::Symbol::Kind::variable &&
          (symbol.space == syntax::Space::global || symbol.space == syntax::Space::constant);
      if (!is_named || !is_filled_by_host || !symbol.type || symbol.size == 0) continue;
      const std::string type(symbol.type->spelling().substr(1));
      return fmt::format("{}[{}]", type, symbol.size / (type_of(*symbol.type).width / 8));
    }
    fail(table,
         fmt::format("found no 'type' for '{}', which is no variable with a size in .global or .const of {}, "
                     "expected it",
                     name, launch_.module.string()));
  }

  /// `key = "s32[4]"`, and `init`.
  BufferParameter buffer(const toml::table& table, std::string_view key, Addresses& addresses) const {
    const toml::node& node = required(table, key);
    return buffer(table, node, string(node), key, addresses);
  }

  BufferParameter buffer(const toml::table& table, const toml::node& node, const std::string& text,
                         std::string_view key, Addresses& addresses) const {
    const std::size_t open = text.find('[');
    BufferParameter result;
    result.element = element_type(*this, node, text.substr(0, open));
    const bool is_one = key == "type" && open == std::string::npos;
    const std::string_view count = is_one ? "1"
                                   : open == std::string::npos
                                       ? ""
                                       : std::string_view(text).substr(open + 1, text.size() - open - 2);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool is_number = std::ranges::all_of(count, is_digit);
    const bool has_names =
        std::ranges::any_of(count, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
    if (count.empty() || (!is_one && !text.ends_with(']')) ||
        (is_number ? count.size() > 9 : key != "buffer" || !has_names))
      fail(node, fmt::format("found '{}', expected a type and a size such as \"s32[4]\"", text));
    result.count = is_number ? std::stoul(std::string(count)) : 1;
    if (!is_number) result.length = count;
    if (result.count * result.element.bytes() > most_buffer_bytes)
      fail(node, fmt::format("found a buffer of {} bytes, expected at most {}",
                             result.count * result.element.bytes(), most_buffer_bytes));
    unpack(result);
    if (const toml::node* content = table.get("init")) read_content(*content, result, addresses);
    if (const toml::node* fields = table.get("fields")) read_fields(*fields, result, addresses);
    return result;
  }

  /// Packed numbers are given one by one.
  static void unpack(BufferParameter& buffer) {
    const Type packed = buffer.element.type;
    if (packed.kind != Type::Kind::packed || !packed.format) return;
    buffer.element.name.resize(buffer.element.name.rfind('x'));
    buffer.element.type = type_of(*Modifier::find("." + buffer.element.name));
    buffer.count *= packed.elements;
  }

  void read_content(const toml::node& node, BufferParameter& buffer, Addresses& addresses) const {
    if (node.is_string() && string(node) == "any") {
      buffer.content = AnyValue{};
      return;
    }
    if (node.is_string() && is_content_file(string(node)) && buffer.length.empty()) {
      buffer.content =
          content_of_file(launch_.file.parent_path() / string(node), buffer.element, buffer.count);
      return;
    }
    if (!buffer.length.empty()) {
      if (!node.is_number())
        fail(node,
             "found another value for a buffer whose length is an expression, expected one number or "
             "\"any\"");
      buffer.content = std::vector<std::uint64_t>{number_bits(*this, node, buffer.element)};
      return;
    }
    const bool holds_addresses = buffer.element.type.width == 64 && !buffer.element.type.is_float();
    std::vector<std::uint64_t> numbers;
    if (node.is_string()) {
      if (!holds_addresses)
        fail(node, fmt::format("found \"{}\", expected numbers or \"any\"", string(node)));
      if (buffer.count > most_addresses)
        fail(node, fmt::format("found one address for {} elements, expected at most {} elements",
                               buffer.count, most_addresses));
      numbers.assign(buffer.count, 0);
      for (std::uint64_t i = 0; i < buffer.count; ++i) addresses[i * buffer.element.bytes()] = string(node);
    } else if (!node.is_array()) {
      numbers.assign(buffer.count, number_bits(*this, node, buffer.element));
    } else {
      if (array(node).size() != buffer.count)
        fail(node, fmt::format("found {} numbers, expected {}", array(node).size(), buffer.count));
      for (const toml::node& element : array(node)) {
        const bool is_address = element.is_string() && holds_addresses;
        if (is_address) addresses[numbers.size() * buffer.element.bytes()] = string(element);
        numbers.push_back(is_address ? 0 : number_bits(*this, element, buffer.element));
      }
    }
    buffer.content = std::move(numbers);
  }

  /// Parts of a buffer that holds structures.
  void read_fields(const toml::node& node, BufferParameter& buffer, Addresses& addresses) const {
    auto* const numbers = std::get_if<std::vector<std::uint64_t>>(&buffer.content);
    if (!buffer.length.empty() || std::holds_alternative<AnyValue>(buffer.content))
      fail(node, "found 'fields' with a content or length that is open, expected a content that is known");
    const std::uint64_t size = buffer.element.bytes();
    const auto named = read_structure_fields(
        *this, node, buffer.count * size, addresses, [&](std::uint64_t offset, std::uint8_t byte) {
          if (numbers == nullptr) fail(node, "found a number without 'init', expected it");
          std::uint64_t& element = (*numbers)[offset / size];
          const std::uint64_t shift = 8 * (offset % size);
          element = (element & ~(std::uint64_t{0xff} << shift)) | std::uint64_t{byte} << shift;
        });
    if (!named.empty()) fail(*named.front().where, "found a field with 'name', expected it in 'bytes' only");
  }

  /// A list of bytes, or the number of bytes, which then are 0; and `fields`, of which those with a name
  /// become parameters of their own.
  BytesParameter bytes(const toml::table& table, Parameter& parameter) {
    constexpr std::int64_t most = 32'764;  // bytes of all parameters (PTX ISA 8.7 § 5.1.6.1)
    const toml::node& node = *table.get("bytes");
    BytesParameter result;
    if (node.is_integer())
      result.bytes.resize(static_cast<std::size_t>(integer(node, 1, most)));
    else
      for (const toml::node& byte : array(node))
        result.bytes.push_back(static_cast<std::uint8_t>(integer(byte, 0, 255)));
    const toml::node* const fields = table.get("fields");
    if (fields == nullptr) return result;
    const auto set_byte = [&](std::uint64_t offset, std::uint8_t byte) { result.bytes[offset] = byte; };
    for (const NamedField& field :
         read_structure_fields(*this, *fields, result.bytes.size(), parameter.addresses, set_byte)) {
      Parameter scalar = named(*field.where->as_table(), "parameter or field");
      if (scalar.name == parameter.name)
        fail(*field.where,
             fmt::format("found a field '{}' in '{}', expected another name", scalar.name, parameter.name));
      scalar.is = field.scalar;
      scalar.role = Parameter::Role::field;
      parameter.fields[field.offset] = scalar.name;
      fields_.push_back(std::move(scalar));
    }
    return result;
  }

  MultimemParameter multimem(const toml::node& node) const {
    constexpr std::size_t most_replicas = 64;
    MultimemParameter result;
    for (const toml::node& name : array(node)) result.buffers.push_back(string(name));
    if (result.buffers.empty() || result.buffers.size() > most_replicas)
      fail(node, fmt::format("found {} buffers, expected 1 to {}", result.buffers.size(), most_replicas));
    return result;
  }

  SameValue same_buffer(const toml::node& node) const {
    const std::string name = string(node);
    const auto found = std::ranges::find(launch_.parameters, name, &Parameter::name);
    if (found == launch_.parameters.end() || !std::holds_alternative<BufferParameter>(found->is))
      fail(node, fmt::format("found '{}', expected the name of an earlier buffer", name));
    return {static_cast<std::size_t>(found - launch_.parameters.begin())};
  }

  /// A parameter has exactly one kind. `init` is only for buffers, and `value` only for scalars.
  void check_kind(const toml::table& table) const {
    std::string kind;
    for (const char* key : {"buffer", "type", "bytes", "same_as", "multimem"}) {
      const toml::node* node = table.get(key);
      if (node == nullptr) continue;
      if (!kind.empty()) fail(*node, fmt::format("found '{}', expected it without '{}'", key, kind));
      kind = key;
    }
    const bool is_tensor_map = kind.empty() && table.contains("tensormap");
    if (kind.empty() && !is_tensor_map)
      fail(table,
           "found a parameter of no kind, expected buffer, type, bytes, same_as, multimem, texture, surface, "
           "sampler or tensormap");
    if (const toml::node* node = table.get("tensormap");
        node != nullptr && kind != "" && kind != "buffer" && kind != "bytes")
      fail(*node,
           fmt::format("found 'tensormap' with '{}', expected it alone or with buffer or bytes", kind));
    const auto belongs = [&](const char* key, const char* owner) {
      if (const toml::node* node = table.get(key); node != nullptr && kind != owner)
        fail(*node, fmt::format("found '{}', expected it with '{}' only", key, owner));
    };
    belongs("init", "buffer");
    belongs("value", "type");
    if (const toml::node* node = table.get("fields"); node != nullptr && kind != "buffer" && kind != "bytes")
      fail(*node, "found 'fields', expected it with 'buffer' or 'bytes' only");
  }

  void read_parameters(const toml::node& node) {
    for (const toml::node& element : array(node)) {
      if (!element.is_table()) fail(element, "found another value, expected [[param]]");
      const toml::table& table = *element.as_table();
      if (is_object_entry(table)) {
        read_object(table, Parameter::Role::passed);
        continue;
      }
      check_keys(table, {"name", "buffer", "init", "type", "value", "bytes", "fields", "same_as", "multimem",
                         "tensormap"});
      Parameter parameter = named(table, "parameter");
      check_kind(table);
      if (table.contains("buffer")) {
        parameter.is = buffer(table, "buffer", parameter.addresses);
      } else if (table.contains("bytes")) {
        parameter.is = bytes(table, parameter);
      } else if (table.contains("same_as")) {
        parameter.is = same_buffer(*table.get("same_as"));
      } else if (table.contains("multimem")) {
        parameter.is = multimem(*table.get("multimem"));
      } else if (table.contains("type")) {
        parameter.is = read_scalar(*this, table);
      } else {
        parameter.is = BytesParameter{std::vector<std::uint8_t>(tensor_map_bytes)};
      }
      if (const toml::node* maps = table.get("tensormap"))
        parameter.tensor_maps = read_tensor_maps(*this, *maps, bytes_of(parameter));
      launch_.parameters.push_back(std::move(parameter));
    }
  }

  /// A texture, sampler or surface. One that the module declares is not passed.
  void read_object(const toml::table& table, Parameter::Role role) {
    const bool is_bound = table.contains("bind") && !table.contains("name");
    Parameter parameter = named(table, "parameter", is_bound ? "bind" : "name");
    parameter.role = table.contains("bind") ? Parameter::Role::variable : role;
    read_opaque_object(*this, table, launch_.parameters, parameter);
    launch_.parameters.push_back(std::move(parameter));
  }

  /// The bytes in which tensor maps may lie.
  static std::uint64_t bytes_of(const Parameter& parameter) {
    if (const auto* buffer = std::get_if<BufferParameter>(&parameter.is))
      return buffer->count * buffer->element.bytes();
    return std::get<BytesParameter>(parameter.is).bytes.size();
  }

  Parameter named(const toml::table& table, const char* kind, const char* key = "name") const {
    Parameter result;
    result.name = string(table, key);
    const auto is_taken = [&](const std::vector<Parameter>& others) {
      return std::ranges::find(others, result.name, &Parameter::name) != others.end();
    };
    if (is_taken(launch_.parameters) || is_taken(fields_))
      fail(table, fmt::format("found a second {} '{}', expected another name", kind, result.name));
    result.where = place(table.source());
    return result;
  }

  /// `[[variable]]` and `[[buffer]]`.
  void read_unpassed(const toml::node& node, Parameter::Role role, const char* key) {
    for (const toml::node& element : array(node)) {
      if (!element.is_table()) fail(element, fmt::format("found another value, expected [[{}]]", key));
      const toml::table& table = *element.as_table();
      if (role == Parameter::Role::buffer && is_object_entry(table)) {
        read_object(table, role);
        continue;
      }
      check_keys(table, {"name", "type", "init", "fields", "tensormap"});
      Parameter parameter = named(table, "parameter, variable or buffer");
      parameter.is =
          role == Parameter::Role::variable && !table.contains("type")
              ? buffer(table, table, declared_type(table, parameter.name), "type", parameter.addresses)
              : buffer(table, "type", parameter.addresses);
      parameter.role = role;
      if (const toml::node* maps = table.get("tensormap"))
        parameter.tensor_maps = read_tensor_maps(*this, *maps, bytes_of(parameter));
      launch_.parameters.push_back(std::move(parameter));
    }
  }

  // ---- expectations ----

  void read_final(const toml::table& table) {
    const toml::node* node = table.get("final");
    if (node == nullptr) return;
    if (!node->is_table()) fail(*node, "found another value, expected [final]");
    check_keys(*node->as_table(), {"assert"});
    launch_.final_condition = string(*node->as_table(), "assert");
    launch_.final_where = place(node->as_table()->get("assert")->source());
  }

  void read_ignored(const toml::table& table) {
    const toml::node* node = table.get("ignore");
    if (node == nullptr) return;
    for (const toml::node& element : array(*node)) {
      if (!element.is_table()) fail(element, "found another value, expected { property = \"…\", line = … }");
      check_keys(*element.as_table(), {"property", "line"});
      IgnoredFinding ignored = {string(*element.as_table(), "property"), {}};
      if (!is_one_of(known_verdicts, ignored.property) || ignored.property == "safe")
        fail(element, fmt::format("found property '{}', expected one of {}", ignored.property,
                                  fmt::join(std::span(known_verdicts).subspan(1), ", ")));
      if (const toml::node* line = element.as_table()->get("line"))
        ignored.line = static_cast<std::uint32_t>(integer(*line, 1, INT32_MAX));
      launch_.ignored.push_back(std::move(ignored));
    }
  }

  void read_expected(const toml::table& table) {
    const toml::node* node = table.get("expect");
    if (node == nullptr) return;
    for (const toml::node& element : array(*node)) {
      const std::string verdict = string(element);
      if (!is_one_of(known_verdicts, verdict))
        fail(element,
             fmt::format("found '{}', expected one of {}", verdict, fmt::join(known_verdicts, ", ")));
      launch_.expected.push_back(verdict);
    }
    if (launch_.expected.size() > 1 && is_one_of(launch_.expected, "safe"))
      fail(*node, "found 'safe' with other verdicts, expected it alone");
  }

  Launch launch_;
  std::vector<Parameter> fields_;  ///< of structures; behind what is passed
};

}  // namespace

Launch read_launch(const std::filesystem::path& file) {
  const std::string name = file.string();
  return LaunchFileReader(file, [name](SourcePosition where) { return LaunchPlace{name, where}; }, {}).read();
}

Launch parse_launch(const std::string& text, const std::filesystem::path& file, const PlaceOf& place_of,
                    std::optional<std::string> module_text) {
  return LaunchFileReader(file, place_of, std::move(module_text)).parse(text);
}

}  // namespace ptxmc::kernel
