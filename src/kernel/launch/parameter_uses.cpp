#include "src/kernel/launch/parameter_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "semantics/language/form.hpp"
#include "src/ptx/counted_operands.hpp"
#include "src/ptx/function_signature.hpp"
#include "src/ptx/type_agreement.hpp"

namespace ptxmc::kernel {

namespace {

using syntax::SymbolId;
using Kind = UsedPart::Kind;

/// Types that tell what a number is, the most telling first.
constexpr std::array<std::string_view, 14> telling_types = {
    "f64", "f32", "f16x2", "bf16x2", "f16", "bf16", "s64", "s32", "s16", "s8", "u64", "u32", "u16", "u8"};

/// A set of them, a bit for each.
using Types = std::uint32_t;

Types set_of(std::string_view type) {
  const auto* found = std::ranges::find(telling_types, type);
  return found == telling_types.end() ? 0 : Types{1} << (found - telling_types.begin());
}

Type type_named(std::string_view name) { return type_of(*Modifier::find(fmt::format(".{}", name))); }

/// The most telling type of this width; empty if there is none.
std::string most_telling(Types types, unsigned width) {
  for (const std::string_view name : telling_types)
    if ((types & set_of(name)) != 0 && type_named(name).width == width) return std::string(name);
  return "";
}

/// Instructions whose results depend on whether integers are signed. Compilers write `add.s32` for both.
bool tells_sign(const Form& form) {
  static constexpr std::string_view opcodes[] = {"setp", "set", "min", "max", "div",  "rem",
                                                 "shr",  "cvt", "abs", "neg", "slct", "sad"};
  const std::string& opcode = form.line->opcode;
  const bool is_product = opcode == "mul" || opcode == "mad";
  return std::ranges::find(opcodes, opcode) != std::end(opcodes) ||
         (is_product && (form.has(".wide") || form.has(".hi")));
}

bool is_in_parameters(const Form& form) {
  return form.has(".param") || form.has(".param::entry") || form.has(".param::func");
}

/// Whether an access is certainly not to global memory.
bool is_elsewhere(const Form& form) {
  return !form.has(".global") &&
         (form.has(".shared") || form.has(".shared::cta") || form.has(".shared::cluster") ||
          form.has(".local") || form.has(".const") || is_in_parameters(form));
}

/// A register, or the bytes from an offset of a variable in .param.
struct Place {
  SymbolId symbol = 0;
  std::uint64_t index = 0;
  auto operator<=>(const Place&) const = default;
};

/// Bytes of a parameter of the kernel from an offset: their value, or their address.
struct Part {
  std::size_t parameter = 0;
  std::uint64_t offset = 0;
  bool is_its_address = false;
  auto operator<=>(const Part&) const = default;
};

struct Node {
  std::set<Part> parts;  ///< from which the value is computed
  Types used = 0;        ///< the types that instructions read it as
  Types made = 0;        ///< the types that instructions write it as
};

/// A value that comes from another one.
struct Flow {
  enum class Kind : std::uint8_t {
    copy,
    derived,  ///< by address arithmetic
    loaded,   ///< from the parameter of the kernel whose address the other is
  };
  std::size_t from = 0, to = 0;
  Kind kind = Kind::copy;
  std::optional<std::int64_t> distance = {};  ///< of a derived address, if it is constant
  std::uint32_t bytes = 0;                    ///< loaded
};

/// An access to memory, a texture, a surface or a tensor map.
struct Access {
  std::size_t base = 0;
  UsedPart use = {};
  bool is_typed = false;                   ///< its type is that of elements
  std::optional<std::size_t> number = {};  ///< for `.b32`: the register that is loaded or stored
};

/// Finds the flows and accesses of functions, and what they say about parameters.
class Uses {
 public:
  Uses(const syntax::Module& module, const syntax::Function& entry) : module_(module) {
    for (const syntax::Declaration& declaration : entry.parameters)
      for (const syntax::Declarator& declarator : declaration.declarators) {
        const Part whole{parameters_.size(), 0, false};
        numbers_[declarator.name.symbol] = parameters_.size();
        parameters_.push_back(declarator.name.symbol);
        if (declaration.pointer) certain_.insert(whole);
      }
    for (const syntax::ModuleStatement& statement : module.statements) {
      const auto* function = std::get_if<syntax::Function>(&statement.is);
      if (function != nullptr && function->body && (!function->is_entry || function == &entry))
        add(*function->body);
    }
  }

  std::vector<ParameterUse> result() {
    connect_calls();
    solve();
    for (const std::size_t node : converted_)
      if (nodes_[node].parts.size() == 1) certain_.insert(*nodes_[node].parts.begin());
    std::vector<ParameterUse> uses;
    for (const SymbolId parameter : parameters_) uses.push_back({parameter, {}});
    for (const auto& [part, registers] : loads_) {
      Types types = 0;
      for (const auto& [node, bytes] : registers) types |= nodes_[node].used;
      const std::uint32_t bytes = size_of(part);
      uses[part.parameter].parts.push_back(
          {.offset = part.offset, .bytes = bytes, .type = most_telling(types, bytes * 8)});
    }
    for (const Access& access : accesses_) apply(access, uses);
    for (ParameterUse& use : uses)
      for (UsedPart& part : use.parts)
        if (part.kind == Kind::address && part.type.empty()) part.type = "u8";
    return uses;
  }

 private:
  // ---- registers and variables ----

  std::size_t node_at(const Place& place) {
    const auto [found, is_new] = known_.try_emplace(place, nodes_.size());
    if (is_new) nodes_.emplace_back();
    return found->second;
  }

  const syntax::Symbol& symbol(SymbolId id) const { return module_.symbols[id]; }

  std::optional<std::size_t> register_of(const syntax::Name& name) {
    if (name.symbol == syntax::no_symbol || symbol(name.symbol).space != syntax::Space::reg ||
        symbol(name.symbol).kind != syntax::Symbol::Kind::variable)
      return std::nullopt;
    return node_at({name.symbol, name.index});
  }

  /// The registers of an operand that is a register or a vector of them.
  std::vector<std::size_t> registers_of(const syntax::Operand& operand) {
    std::vector<std::size_t> result;
    if (const auto* named = std::get_if<syntax::NameOperand>(&operand.is))
      if (const auto own = register_of(named->name)) result.push_back(*own);
    if (const auto* vector = std::get_if<syntax::Vector>(&operand.is))
      for (const syntax::Operand& element : vector->elements)
        for (const std::size_t own : registers_of(element)) result.push_back(own);
    return result;
  }

  std::uint64_t size_of_parameter(std::size_t number) const { return symbol(parameters_[number]).size; }

  std::uint32_t size_of(const Part& part) const {
    std::uint32_t bytes = 0;
    for (const auto& [node, own] : loads_.at(part)) bytes = std::max(bytes, own);
    return bytes;
  }

  // ---- instructions ----

  void add(const syntax::Block& block) {
    for (const syntax::Statement& statement : block.statements) {
      if (const auto* inner = std::get_if<syntax::Block>(&statement.is)) add(*inner);
      const auto* instruction = std::get_if<syntax::Instruction>(&statement.is);
      if (instruction == nullptr || instruction->form == nullptr) continue;
      operands_.clear();
      syntax::count_operands(*instruction, operands_);
      form_ = instruction->form;
      if (form_->line->opcode == "call")
        add_call(*instruction);
      else
        add_instruction();
    }
  }

  void add_instruction() {
    const std::string& opcode = form_->line->opcode;
    note_types();
    if (opcode == "mov" || opcode == "cvta" || (opcode == "cvt" && keeps_width()))
      for (std::size_t i = 1; i < operands_.size(); ++i) flow_from(i, Flow::Kind::copy);
    if (opcode == "cvta") convert();
    if (opcode == "selp" || opcode == "slct")
      for (std::size_t i = 1; i <= 2; ++i) flow_from(i, Flow::Kind::copy);
    if (opcode == "add" || opcode == "sub" || opcode == "and" || opcode == "or") add_sum(opcode);
    if (opcode == "mad") flow_from(3, Flow::Kind::derived);
    if (opcode == "ld" || opcode == "st") add_move(opcode == "ld");
    for (std::size_t i = 0; i < operands_.size(); ++i) add_access(i);
  }

  bool keeps_width() const {
    return form_->operands.size() == 2 && form_->operands[0].type.width == form_->operands[1].type.width &&
           !form_->operands[0].type.is_float() && !form_->operands[1].type.is_float();
  }

  void note_types() {
    const bool with_integers = tells_sign(*form_);
    for (std::size_t i = 0; i < operands_.size() && i < form_->operands.size(); ++i) {
      const FormOperand& place = form_->operands[i];
      const bool is_number = place.type.is_float() || place.type.kind == Type::Kind::packed ||
                             (with_integers && place.type.is_integer());
      const auto modifier = syntax::instruction_type(*form_, place).modifier;
      if (!is_number || !modifier) continue;
      const Types type = set_of(modifier->spelling().substr(1));
      for (const std::size_t node : registers_of(*operands_[i].operand))
        (place.is_destination ? nodes_[node].made : nodes_[node].used) |= type;
    }
  }

  void convert() {
    if (operands_.size() < 2) return;
    for (const std::size_t node : registers_of(*operands_[1].operand)) converted_.push_back(node);
  }

  /// The value of an operand, or the address of a parameter, goes to the first operand.
  void flow_from(std::size_t operand, Flow::Kind kind, std::optional<std::int64_t> distance = {}) {
    if (operand >= operands_.size()) return;
    const std::vector<std::size_t> to = registers_of(*operands_[0].operand);
    const syntax::Operand& source = *operands_[operand].operand;
    if (to.size() != 1) return;
    if (const std::vector<std::size_t> from = registers_of(source); from.size() == 1)
      flows_.push_back({from[0], to[0], kind, distance});
    const auto* named = std::get_if<syntax::NameOperand>(&source.is);
    const auto* address = std::get_if<syntax::Address>(&source.is);
    const SymbolId base = named != nullptr                      ? named->name.symbol
                          : address != nullptr && address->base ? address->base->symbol
                                                                : syntax::no_symbol;
    const auto number = numbers_.find(base);
    if (number == numbers_.end()) return;
    const std::uint64_t offset = address != nullptr && address->offset ? address->offset->bits : 0;
    nodes_[to[0]].parts.insert({number->second, offset, true});
  }

  /// `add`, `sub`, and the `and` and `or` that align an address.
  void add_sum(const std::string& opcode) {
    if (operands_.size() != 3) return;
    const auto constant = [&](std::size_t i) {
      return std::get_if<syntax::Constant>(&operands_[i].operand->is);
    };
    const bool is_sum = opcode == "add" || opcode == "sub";
    if (!is_sum && constant(2) == nullptr) return;
    std::optional<std::int64_t> distance;
    if (is_sum && constant(2) != nullptr && constant(2)->is_integer())
      distance = opcode == "add" ? constant(2)->to_signed() : -constant(2)->to_signed();
    flow_from(1, Flow::Kind::derived, distance);
    if (opcode == "add") flow_from(2, Flow::Kind::derived);
  }

  /// Loads from parameters, and loads and stores of what calls pass.
  void add_move(bool is_load) {
    if (operands_.size() < 2) return;
    const syntax::Operand& place = *operands_[is_load ? 1 : 0].operand;
    const std::vector<std::size_t> registers = registers_of(*operands_[is_load ? 0 : 1].operand);
    const auto* address = std::get_if<syntax::Address>(&place.is);
    if (address == nullptr || !address->base) return;
    const std::uint32_t bytes = form_->type().width / 8U;
    std::uint64_t offset = address->offset ? address->offset->bits : 0;
    const auto base = register_of(*address->base);
    const SymbolId variable = address->base->symbol;
    if (!base && symbol(variable).space != syntax::Space::param) return;
    for (const std::size_t node : registers) {
      if (base && is_load)
        flows_.push_back({*base, node, Flow::Kind::loaded, static_cast<std::int64_t>(offset), bytes});
      else if (const auto number = numbers_.find(variable); number != numbers_.end())
        load({number->second, offset, false}, node, bytes);
      else if (!base && is_load)
        flows_.push_back({node_at({variable, offset}), node});
      else if (!base)
        flows_.push_back({node, node_at({variable, offset})});
      offset += bytes;
    }
  }

  bool load(const Part& part, std::size_t node, std::uint32_t bytes) {
    if (part.offset + bytes > size_of_parameter(part.parameter) || bytes == 0) return false;
    loads_[part].insert({node, bytes});
    return nodes_[node].parts.insert(part).second;
  }

  // ---- accesses ----

  void add_access(std::size_t i) {
    const syntax::Operand& operand = *operands_[i].operand;
    const FormOperand& place = form_->operands[i];
    const auto* address = std::get_if<syntax::Address>(&operand.is);
    const auto* named = std::get_if<syntax::NameOperand>(&operand.is);
    const bool is_object = place.type.kind == Type::Kind::opaque;
    const bool is_address =
        is_object || operands_[i].is_address || (address != nullptr && address->in_brackets);
    const syntax::Name* base = named != nullptr                      ? &named->name
                               : address != nullptr && address->base ? &*address->base
                                                                     : nullptr;
    if (!is_address || base == nullptr) return;
    if (is_object) return add_object(*base, place);
    const auto node = register_of(*base);
    if (!node) return add_tensor_map(*base, place);
    if (place.name() == "tensorMap")
      accesses_.push_back({*node, {.bytes = 128, .kind = Kind::tensor_map}});
    else if (!is_elsewhere(*form_))
      accesses_.push_back(memory_access(*node));
  }

  /// A tensor map that is named directly: `[map, {x, y}]`.
  void add_tensor_map(const syntax::Name& name, const FormOperand& place) {
    const auto number = numbers_.find(name.symbol);
    if (number == numbers_.end() || place.name() != "tensorMap") return;
    const std::size_t node = node_at({name.symbol, ~std::uint64_t{0}});
    nodes_[node].parts.insert({number->second, 0, true});
    accesses_.push_back({node, {.bytes = 128, .kind = Kind::tensor_map}});
  }

  Access memory_access(std::size_t base) {
    static constexpr std::string_view typed[] = {"ld", "ldu", "st", "atom", "red", "wmma", "multimem"};
    const std::string& opcode = form_->line->opcode;
    Access access{base, {.kind = Kind::address}};
    if (opcode == "mbarrier") {
      access.use.type = "u64";
      access.is_typed = true;
    }
    if (std::ranges::find(typed, opcode) == std::end(typed)) return access;
    auto type = (*form_)[".type"];
    for (const auto& [role, modifier] : form_->roles)
      if (!type && type_of(modifier).kind != Type::Kind::none) type = modifier;
    if (!type && form_->width() >= 64) type = Modifier(".b64");  // `.b128`, which is in no role
    if (!type) return access;
    access.is_typed = true;
    access.use.type = number_type(*type);
    if (type_of(*type).kind != Type::Kind::bits) return access;
    for (std::size_t i = 0; i < operands_.size() && !access.number; ++i)
      if (const auto data = registers_of(*operands_[i].operand); !data.empty() && data[0] != base)
        access.number = data[0];
    return access;
  }

  /// A texture, sampler or surface, by its handle or by the name of the parameter.
  void add_object(const syntax::Name& base, const FormOperand& place) {
    const auto modifier = syntax::instruction_type(*form_, place).modifier;
    UsedPart use{.bytes = 8,
                 .kind = modifier == Modifier(".texref")       ? Kind::texture
                         : modifier == Modifier(".samplerref") ? Kind::sampler
                                                               : Kind::surface};
    use.type = number_type(*Modifier::find(form_->type().width == 64 ? ".b64" : ".b32"));
    for (const auto& [role, type] : form_->roles)
      if (role == ".dtype" || (role == ".ctype" && use.kind == Kind::surface)) use.type = number_type(type);
    if (use.type == "f16x2") use.type = "f16";
    use.is_layered = form_->has(".a1d") || form_->has(".a2d") || form_->has(".a2dms") || form_->has(".acube");
    use.is_cube = form_->has(".cube") || form_->has(".acube");
    use.dimensions = form_->has(".1d") || form_->has(".a1d") ? 1 : form_->has(".3d") ? 3 : 2;
    if (use.kind == Kind::surface) use.channels = form_->has(".v4") ? 4 : form_->has(".v2") ? 2 : 1;
    if (const auto number = numbers_.find(base.symbol); number != numbers_.end()) {
      const Part part{number->second, 0, false};
      const std::size_t node = node_at({base.symbol, 0});
      loads_[part].insert({node, 8});
      nodes_[node].parts.insert(part);
      accesses_.push_back({node, use});
    } else if (const auto node = register_of(base)) {
      accesses_.push_back({*node, use});
    }
  }

  // ---- calls ----

  void add_call(const syntax::Instruction& call) {
    const syntax::Function* callee = nullptr;
    for (const syntax::Operand& operand : call.operands)
      if (const auto* named = std::get_if<syntax::NameOperand>(&operand.is);
          named != nullptr && named->name.symbol != syntax::no_symbol &&
          symbol(named->name.symbol).kind == syntax::Symbol::Kind::function)
        callee = &syntax::function_of(module_, symbol(named->name.symbol));
    if (callee == nullptr) return;
    bool is_behind_name = false;
    for (const syntax::Operand& operand : call.operands) {
      const auto* list = std::get_if<syntax::Arguments>(&operand.is);
      if (list == nullptr) is_behind_name = true;
      if (list != nullptr)
        connect(list->list, is_behind_name ? callee->parameters : callee->returns, is_behind_name);
    }
  }

  void connect(const std::vector<syntax::Operand>& actuals, const std::vector<syntax::Declaration>& formals,
               bool is_argument) {
    for (std::size_t i = 0; i < std::min(actuals.size(), formals.size()); ++i) {
      const auto* actual = std::get_if<syntax::NameOperand>(&actuals[i].is);
      if (actual == nullptr || formals[i].declarators.empty()) continue;
      const SymbolId own = actual->name.symbol, formal = formals[i].declarators[0].name.symbol;
      if (const auto node = register_of(actual->name)) {
        const std::size_t other = node_at({formal, 0});
        flows_.push_back(is_argument ? Flow{*node, other} : Flow{other, *node});
      } else {
        passed_.emplace_back(is_argument ? own : formal, is_argument ? formal : own);
      }
    }
  }

  /// Variables in .param that are passed have the same value at each offset.
  void connect_calls() {
    for (const auto& [from, to] : passed_) {
      std::set<std::uint64_t> offsets;
      for (const SymbolId variable : {from, to})
        for (auto own = known_.lower_bound({variable, 0});
             own != known_.end() && own->first.symbol == variable; ++own)
          offsets.insert(own->first.index);
      for (const std::uint64_t offset : offsets)
        flows_.push_back({node_at({from, offset}), node_at({to, offset})});
    }
  }

  // ---- solution ----

  /// Follows each flow again as long as something new is known at one of its ends.
  void solve() {
    std::vector<std::vector<std::size_t>> flows_at(nodes_.size());
    std::deque<std::size_t> waiting;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      flows_at[flows_[i].from].push_back(i);
      flows_at[flows_[i].to].push_back(i);
      waiting.push_back(i);
    }
    std::vector<bool> is_waiting(flows_.size(), true);
    while (!waiting.empty()) {
      const std::size_t next = waiting.front();
      waiting.pop_front();
      is_waiting[next] = false;
      if (!follow(flows_[next])) continue;
      for (const std::size_t node : {flows_[next].from, flows_[next].to})
        for (const std::size_t other : flows_at[node])
          if (!is_waiting[other]) {
            is_waiting[other] = true;
            waiting.push_back(other);
          }
    }
  }

  /// Whether something new is known.
  bool follow(const Flow& flow) {
    bool is_new = false;
    const std::set<Part> parts = nodes_[flow.from].parts;
    for (Part part : parts) {
      if (flow.kind == Flow::Kind::loaded) {
        part.offset += static_cast<std::uint64_t>(*flow.distance);
        if (!std::exchange(part.is_its_address, false)) continue;
        is_new = load(part, flow.to, flow.bytes) || is_new;
        continue;
      }
      if (part.is_its_address && flow.kind == Flow::Kind::derived) {
        if (!flow.distance) continue;
        part.offset += static_cast<std::uint64_t>(*flow.distance);
        if (part.offset >= size_of_parameter(part.parameter)) continue;
      }
      is_new = nodes_[flow.to].parts.insert(part).second || is_new;
    }
    if (flow.kind != Flow::Kind::copy) return is_new;
    const auto add_types = [&](Types& types, Types more) {
      is_new = is_new || (more & ~types) != 0;
      types |= more;
    };
    add_types(nodes_[flow.from].used, nodes_[flow.to].used);
    add_types(nodes_[flow.to].made, nodes_[flow.from].made);
    return is_new;
  }

  /// Enters an access at the parts of parameters from which its address is computed: those that certainly are
  /// addresses, if there are any.
  void apply(const Access& access, std::vector<ParameterUse>& uses) {
    UsedPart use = access.use;
    if (access.number) {
      const Node& number = nodes_[*access.number];
      const std::string telling = most_telling(number.used | number.made, type_named(use.type).width);
      if (!telling.empty()) use.type = telling;
    }
    const std::set<Part>& parts = nodes_[access.base].parts;
    const bool is_some_certain =
        std::ranges::any_of(parts, [&](const Part& part) { return certain_.contains(part); });
    for (const Part& part : parts) {
      if (part.is_its_address) {
        if (use.kind == Kind::tensor_map) add_map(part, uses[part.parameter]);
        continue;
      }
      if (size_of(part) != 8 || (is_some_certain && !certain_.contains(part))) continue;
      auto& own = uses[part.parameter].parts;
      const auto found = std::ranges::find(own, part.offset, &UsedPart::offset);
      if (found != own.end()) enter(access, use, *found);
    }
  }

  static void add_map(const Part& part, ParameterUse& use) {
    std::erase_if(use.parts, [&](const UsedPart& one) { return one.offset == part.offset; });
    use.parts.push_back({.offset = part.offset, .bytes = 128, .kind = Kind::tensor_map});
    std::ranges::sort(use.parts, {}, &UsedPart::offset);
  }

  /// Of several types of elements the most telling one remains, and of these the narrowest.
  static void enter(const Access& access, UsedPart use, UsedPart& part) {
    const bool is_object = use.kind != Kind::address && use.kind != Kind::tensor_map;
    use.offset = part.offset;
    use.bytes = part.bytes;
    if (is_object) {
      part = use;
      return;
    }
    if (part.kind == Kind::number) part = {.offset = part.offset, .bytes = part.bytes, .kind = Kind::address};
    if (part.kind != Kind::address || !access.is_typed) return;
    const auto rank = [](const std::string& type) {
      const Type own = type_named(type);
      return std::pair(own.is_integer(), own.width);
    };
    if (part.type.empty() || rank(use.type) < rank(part.type)) part.type = use.type;
  }

  const syntax::Module& module_;
  std::vector<SymbolId> parameters_;
  std::map<SymbolId, std::size_t> numbers_;  // of the parameters
  std::map<Place, std::size_t> known_;
  std::vector<Node> nodes_;
  std::vector<Flow> flows_;
  std::vector<Access> accesses_;
  std::vector<std::size_t> converted_;                 // registers that cvta reads
  std::vector<std::pair<SymbolId, SymbolId>> passed_;  // variables in .param, from one to the other
  std::set<Part> certain_;                             // addresses
  std::map<Part, std::set<std::pair<std::size_t, std::uint32_t>>> loads_;  // into registers, with sizes
  const Form* form_ = nullptr;                                             // of the instruction
  std::vector<syntax::CountedOperand> operands_;
};

}  // namespace

std::vector<ParameterUse> parameter_uses(const syntax::Module& module, const syntax::Function& entry) {
  return Uses(module, entry).result();
}

std::string number_type(Modifier type) {
  const std::string_view name = type.spelling().substr(1);
  if (set_of(name) != 0) return std::string(name);
  const unsigned width = type_of(type).width;
  return width >= 64 ? "u64" : width >= 32 ? "u32" : width >= 16 ? "u16" : "u8";
}

}  // namespace ptxmc::kernel
