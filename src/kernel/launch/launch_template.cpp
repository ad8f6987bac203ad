#include "src/kernel/launch/launch_template.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "src/kernel/launch/parameter_uses.hpp"
#include "src/kernel/module/entry_names.hpp"
#include "src/kernel/module/launch_shape.hpp"
#include "src/kernel/module/memory.hpp"

namespace ptxmc::kernel {

namespace {

using Kind = UsedPart::Kind;

constexpr std::uint64_t fewest_elements = 64;  // of a buffer
constexpr Dimensions usual_block = {32, 1, 1};

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// `[32]`, `[8, 4]`
std::string size_text(Dimensions size) {
  const std::size_t count = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
  return fmt::format("[{}]",
                     fmt::join(size.begin(), size.begin() + static_cast<std::ptrdiff_t>(count), ", "));
}

bool is_opaque(const syntax::Symbol& symbol) {
  return symbol.type && type_of(*symbol.type).kind == Type::Kind::opaque;
}

/// The type of a scalar parameter or of the elements of a variable, of the size that PTX declares.
std::string declared_type(const syntax::Symbol& symbol) {
  const Type type = type_of(*symbol.type);
  return type.kind == Type::Kind::packed ? fmt::format("u{}", type.width) : number_type(*symbol.type);
}

bool is_scalar(const syntax::Symbol& symbol) {
  return !symbol.is_array && symbol.elements == 1 && symbol.size <= 8;
}

/// Writes the parts of the file one after the other.
class Writer {
 public:
  Writer(const syntax::Module& module, const syntax::Function& entry)
      : module_(module), entry_(entry), uses_(parameter_uses(module, entry)) {
    for (const ParameterUse& use : uses_) names_.push_back(name_of(use.parameter));
  }

  std::string text(const std::string& module) {
    write(
        "# A launch of {}, to start from: `ptxmc launch` has guessed it from what the code does with the\n"
        "# parameters. Write the sizes, lengths and values of your program.\n\n",
        cpp_name(entry_));
    write("module = {}\nentry = {}\n", quoted(module), quoted(std::string(entry_.name.text)));
    write_shape();
    write_dynamic_shared();
    write_assumption();
    for (std::size_t i = 0; i < uses_.size(); ++i) write_parameter(names_[i], uses_[i]);
    write_pointed_at();
    for (const syntax::ModuleStatement& statement : module_.statements)
      if (const auto* declaration = std::get_if<syntax::Declaration>(&statement.is))
        write_variables(*declaration);
    return std::move(text_);
  }

 private:
  template <class... Parts>
  void write(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...);
  }

  const syntax::Symbol& symbol(syntax::SymbolId id) const { return module_.symbols[id]; }

  /// The name of a parameter without that of the entry, `param_0`, as conditions can have it.
  std::string name_of(syntax::SymbolId parameter) {
    std::string name(symbol(parameter).name);
    const auto fit = [](std::string text) {
      for (char& c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      return text;
    };
    const std::string prefix = std::string(entry_.name.text) + "_";
    const std::string rest = name.starts_with(prefix) ? fit(name.substr(prefix.size())) : "";
    const bool is_name = !rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) == 0;
    if (is_name && !std::ranges::count(names_, rest)) return rest;
    return fit(std::move(name));
  }

  // ---- the shape ----

  Dimensions block() const {
    if (const auto required = extents_of(entry_, ".reqntid")) return *required;
    const auto most = extents_of(entry_, ".maxntid");
    return most && volume(*most) <= 1024 ? *most : usual_block;
  }

  void write_shape() {
    const auto cluster = extents_of(entry_, ".reqnctapercluster");
    const Dimensions grid = cluster.value_or(Dimensions{1, 1, 1});
    write("grid = {}  # CTAs in each dimension, or \"any\"\n", size_text(grid));
    const bool is_required = entry_.has(".reqntid");
    const bool is_limited = entry_.has(".maxntid");
    write("block = {}  # threads of a CTA in each dimension{}\n", size_text(block()),
          is_required  ? ": .reqntid"
          : is_limited ? ": the most that .maxntid allows"
                       : ", or \"any\"");
    if (cluster)
      write("cluster = {}  # CTAs of a cluster: .reqnctapercluster\n", size_text(*cluster));
    else if (entry_.has(".explicitcluster"))
      write("cluster = [1]  # CTAs of a cluster\n");
  }

  void write_dynamic_shared() {
    for (const syntax::Symbol& one : module_.symbols)
      if (one.kind == syntax::Symbol::Kind::variable && one.space == syntax::Space::shared && one.is_array &&
          one.size == 0)
        return write(
            "# dynamic_shared = 1024  # the bytes of `{}`, or an expression: \"4 * block.x\"; without it 0\n",
            source_name(std::string(one.name)));
  }

  void write_assumption() {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const syntax::Symbol& parameter = symbol(uses_[i].parameter);
      const bool is_number = !uses_[i].parts.empty() && uses_[i].parts[0].kind == Kind::number;
      if (!is_scalar(parameter) || is_opaque(parameter) || !is_number) continue;
      return write(
          "# assume = \"{0} > 0 && {0} <= 64\"  # limits the values of scalars and elements that are "
          "\"any\"\n",
          names_[i]);
    }
  }

  // ---- parameters ----

  void write_parameter(const std::string& name, const ParameterUse& use) {
    const syntax::Symbol& parameter = symbol(use.parameter);
    write("\n[[param]]\nname = {}\n", quoted(name));
    if (is_opaque(parameter)) {
      write_object(use.parts.empty() ? object_of(parameter) : use.parts[0]);
    } else if (!is_scalar(parameter)) {
      write_structure(name, parameter, use);
    } else {
      const UsedPart part = use.parts.empty() ? UsedPart() : use.parts[0];
      if (part.kind == Kind::address || part.kind == Kind::tensor_map)
        write_buffer(part);
      else if (part.kind != Kind::number)
        write_object(part);
      else
        write_scalar(parameter, use);
    }
  }

  void write_buffer(const UsedPart& part) {
    if (part.kind == Kind::tensor_map) {
      write("buffer = \"u8[128]\"  # a tensor map: `tensormap` says which one\ninit = 0\n");
      return;
    }
    write("buffer = \"{}[{}]\"  # the type and number of elements\n", part.type,
          std::max(fewest_elements, volume(block())));
    write("init = \"any\"  # or numbers: one for all elements, or a list\n");
  }

  void write_scalar(const syntax::Symbol& parameter, const ParameterUse& use) {
    const bool is_whole = !use.parts.empty() && use.parts[0].bytes == parameter.size;
    const std::string& used = is_whole ? use.parts[0].type : std::string();
    write("type = \"{}\"{}\n", used.empty() ? declared_type(parameter) : used,
          use.parts.empty() ? "  # the kernel does not load it" : "");
    write("value = \"any\"  # or a number; `assume` can limit the values\n");
  }

  void write_structure(const std::string& name, const syntax::Symbol& parameter, const ParameterUse& use) {
    write("bytes = {}  # a structure; what is not in a field is 0\nfields = [\n", parameter.size);
    for (const UsedPart& part : use.parts) {
      const bool is_inside = part.offset + part.bytes <= parameter.size;
      if (part.kind == Kind::address && part.bytes == 8 && part.offset % 8 == 0 && is_inside) {
        const std::string buffer = fmt::format("{}_{}", name, part.offset);
        write("  {{ offset = {}, address_of = {} }},\n", part.offset, quoted(buffer));
        pointed_at_.emplace_back(buffer, part);
      } else if (part.kind == Kind::number && !part.type.empty() && is_inside) {
        write("  {{ offset = {}, name = {}, type = \"{}\", value = \"any\" }},\n", part.offset,
              quoted(fmt::format("{}_{}", name, part.offset)), part.type);
      } else {
        write("  # at offset {}: {}\n", part.offset, described(part));
      }
    }
    write("]\n");
  }

  /// The buffers whose addresses structures hold.
  void write_pointed_at() {
    for (const auto& [name, part] : pointed_at_)
      write(
          "\n[[buffer]]\nname = {}\ntype = \"{}[{}]\"  # the type and number of elements\n"
          "init = \"any\"  # or numbers: one for all elements, or a list\n",
          quoted(name), part.type, std::max(fewest_elements, volume(block())));
  }

  static std::string bytes_text(std::uint64_t count) {
    return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
  }

  static std::string described(const UsedPart& part) {
    switch (part.kind) {
      case Kind::number:
        return part.type.empty() ? bytes_text(part.bytes) : fmt::format("a number, {}", part.type);
      case Kind::address:
        return fmt::format("the address of elements of type {}", part.type);
      case Kind::texture:
        return "the handle of a texture";
      case Kind::surface:
        return "the handle of a surface";
      case Kind::sampler:
        return "the handle of a sampler";
      case Kind::tensor_map:
        return "a tensor map, such as tensormap = { buffer = \"in\", element = \"f16\", dims = [64, 8], "
               "strides = [128], box = [32, 4] }";
    }
    return "";
  }

  static UsedPart object_of(const syntax::Symbol& object) {
    UsedPart part{.bytes = 8, .type = "f32", .dimensions = 2};
    part.kind = *object.type == Modifier(".texref")       ? Kind::texture
                : *object.type == Modifier(".samplerref") ? Kind::sampler
                                                          : Kind::surface;
    if (part.kind == Kind::surface) part.type = "u32";
    return part;
  }

  void write_object(const UsedPart& part) {
    if (part.kind == Kind::sampler) {
      write("sampler = {{ filter = \"nearest\", address = [\"clamp\"], normalized = false }}\n");
      return;
    }
    write("{} = \"{}x{}[{}]\"  # the type and number of channels; width, height, depth\n",
          part.kind == Kind::texture ? "texture" : "surface", part.type, part.channels,
          part.dimensions == 1   ? "8"
          : part.dimensions == 3 ? "8, 8, 8"
                                 : "8, 8");
    if (part.is_layered) write("layers = {}\n", part.is_cube ? 6 : 2);
    if (part.is_cube) write("cube = true\n");
    if (part.kind == Kind::texture)
      write("filter = \"nearest\"  # or \"linear\"; `address` and `normalized` say more\n");
    write("init = 0  # or a list of all numbers, or \"any\"\n");
  }

  // ---- variables of the module ----

  void write_variables(const syntax::Declaration& declaration) {
    if (declaration.space != syntax::Space::global && declaration.space != syntax::Space::constant) return;
    for (const syntax::Declarator& declarator : declaration.declarators) {
      const syntax::Symbol& variable = symbol(declarator.name.symbol);
      if (declarator.initializer || variable.is_array != !declarator.dimensions.empty()) continue;
      const std::string name = source_name(std::string(variable.name));
      if (is_opaque(variable)) {
        if (variable.is_array) continue;
        write("\n[[param]]  # a variable of the module, which is not passed\nbind = {}\n", quoted(name));
        write_object(object_of(variable));
      } else if (written_.insert(name).second) {
        write_variable(variable, name);
      }
    }
  }

  void write_variable(const syntax::Symbol& variable, const std::string& name) {
    const unsigned width = std::max<unsigned>(type_of(*variable.type).width, 8);
    const std::string type = declared_type(variable);
    const std::uint64_t bytes =
        std::max<std::uint64_t>(type_of(*Modifier::find("." + type)).width, width) / 8;
    const bool is_one = is_scalar(variable) && variable.size == bytes;
    write("\n# The host may fill this variable of .{} before the kernel starts; otherwise it is {}.\n",
          variable.space == syntax::Space::constant ? "const" : "global",
          variable.linkage == syntax::Linkage::external ? "unknown" : "0");
    write("# [[variable]]\n# name = {}\n# type = \"{}{}\"\n# init = \"any\"\n", quoted(name), type,
          is_one ? "" : fmt::format("[{}]", variable.size == 0 ? fewest_elements : variable.size / bytes));
  }

  const syntax::Module& module_;
  const syntax::Function& entry_;
  const std::vector<ParameterUse> uses_;
  std::vector<std::string> names_;                            ///< of the parameters
  std::set<std::string> written_;                             ///< variables
  std::vector<std::pair<std::string, UsedPart>> pointed_at_;  ///< with the names of the buffers
  std::string text_;
};

}  // namespace

std::string launch_template(const syntax::Module& module, const syntax::Function& entry,
                            const std::string& path) {
  return Writer(module, entry).text(path);
}

}  // namespace ptxmc::kernel
