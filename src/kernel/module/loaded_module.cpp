#include "src/kernel/module/loaded_module.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "semantics/language/instruction_set.hpp"
#include "semantics/values/float_arithmetic.hpp"
#include "src/kernel/module/fragment_uses.hpp"

namespace ptxmc::kernel {

namespace {

using syntax::Declaration;
using syntax::Space;
using syntax::SymbolId;

constexpr std::uint64_t first_global = 0x7000'0000'0000;
constexpr std::uint64_t gap = 64;                   // between variables
constexpr std::uint64_t most_bytes_of_open = 4096;  // the maximum that is passed to an array without a size
constexpr std::uint64_t locals_of_depth = 0x1F'0000;
static_assert(first_local_address + LoadedModule::most_calls * locals_of_depth <= first_stack_address);

std::uint64_t aligned(std::uint64_t address, std::uint64_t alignment) {
  alignment = std::max<std::uint64_t>(alignment, 1);
  return (address + alignment - 1) / alignment * alignment;
}

constexpr std::uint64_t first_shared = 256;

/// The distance between the shared variables of a module. A matrix descriptor has only 18 bits of an address
/// (PTX ISA 8.7 § 9.7.15.5.1, § 9.7.16.3.1). Throws Unsupported.
std::uint64_t spacing_of_shared_in(const syntax::Module& module, std::uint64_t dynamic_shared) {
  constexpr std::uint64_t smallest = 1024,
                          end_of_descriptors = 1U << 18;  // bytes; swizzled tiles begin at 1024
  const auto has_descriptors = [](const syntax::Mnemonic& mnemonic) {
    return mnemonic.spelling.starts_with("wgmma") || mnemonic.spelling.starts_with("tcgen05");
  };
  if (std::ranges::none_of(module.mnemonics, has_descriptors)) return spacing_of_shared;
  for (std::uint64_t spacing = spacing_of_shared; spacing >= smallest; spacing /= 2) {
    std::uint64_t end = first_shared;
    const auto place = [&](std::uint64_t size, std::uint64_t alignment) {
      end = aligned(end + gap, std::max(alignment, spacing)) + size;
    };
    for (const syntax::Symbol& symbol : module.symbols)
      if (symbol.kind == syntax::Symbol::Kind::variable && symbol.space == Space::shared && symbol.size != 0)
        place(symbol.size, symbol.alignment);
    place(dynamic_shared, spacing);
    if (end <= end_of_descriptors) return spacing;
  }
  throw Unsupported("shared variables of a module with matrix descriptors that need more than 256 KB", {});
}

bool is_clock(const syntax::LoweredRegister& r) {
  return r.special != nullptr &&
         (r.special->name.starts_with("%clock") || r.special->name.starts_with("%globaltimer"));
}

Treatment treatment_of(const Form& form) {
  const std::string& opcode = form.line->opcode;
  if (opcode == "call") return Treatment::call;
  if (opcode == "alloca" || opcode == "stacksave" || opcode == "stackrestore") return Treatment::stack;
  const bool divides = (opcode == "div" || opcode == "rem") && form.type().is_integer();
  return divides ? Treatment::integer_division : Treatment::rule;
}

/// The treatment of tcgen05 instructions whose `.cta_group` is not that of the first one: PTX ISA 8.7 §
/// 9.7.16.4.
void mark_other_cta_groups(LoadedFunction& loaded) {
  std::optional<bool> is_pair;
  for (std::size_t i = 0; i < loaded.treatments.size(); ++i) {
    const Form& form = *loaded.lowered.code[i].form;
    if (form.line->opcode != "tcgen05" || (!form.has(".cta_group::1") && !form.has(".cta_group::2")))
      continue;
    if (!is_pair) is_pair = form.has(".cta_group::2");
    if (*is_pair != form.has(".cta_group::2")) loaded.treatments[i] = Treatment::other_cta_group;
  }
}

/// The bits of a constant in a variable of this type.
Bits initial_bits(const syntax::Constant& constant, const Type& type) {
  if (!type.is_float() || constant.is_integer()) return Bits(type.width, constant.bits);
  const FloatFormat from = constant.kind == syntax::Constant::Kind::f32 ? FloatFormat::f32 : FloatFormat::f64;
  return Bits(type.width,
              from == *type.format
                  ? constant.bits
                  : float_arithmetic::convert(*type.format, from, Rounding::nearest_even, constant.bits));
}

/// The members of a sampler or texture that the module gives: § 5.3.2. The others are those of the launch.
void set_members(OpaqueObject& object, const syntax::Initializer& initializer) {
  const auto mode_of = [](std::string_view name) {
    if (name == "wrap") return AddressMode::wrap;
    if (name == "mirror") return AddressMode::mirror;
    return name == "clamp_to_border" ? AddressMode::border : AddressMode::clamp;
  };
  const auto* members = std::get_if<syntax::InitializerList>(&initializer.is);
  if (members == nullptr) return;
  for (const syntax::Initializer& element : members->elements) {
    const auto& [member, value] = std::get<syntax::MemberValue>(element.is);
    const auto* name = std::get_if<std::string_view>(&value);
    const auto* number = std::get_if<syntax::Constant>(&value);
    if (member.starts_with("addr_mode_") && name != nullptr)
      object.sampler.address.at(static_cast<std::size_t>(member.back() - '0')) = mode_of(*name);
    if (member == "filter_mode" && name != nullptr) object.sampler.is_linear = *name == "linear";
    if (member == "normalized_coords" && number != nullptr) object.sampler.is_normalized = number->bits != 0;
    if (member == "force_unnormalized_coords" && number != nullptr)
      object.sampler.is_normalized = number->bits == 0;
  }
}

}  // namespace

LoadedModule::LoadedModule(const syntax::Module& module, std::uint32_t dynamic_shared)
    : global(first_global, gap),
      constant(256, gap),
      shared(first_shared, gap),
      module_(module),
      dynamic_shared_(dynamic_shared),
      spacing_of_shared_(spacing_of_shared_in(module, dynamic_shared)) {
  std::uint64_t functions = function_window;
  for (SymbolId id = 0; id < module_.symbols.size(); ++id) {
    const auto kind = module_.symbols[id].kind;
    if (kind == syntax::Symbol::Kind::function || kind == syntax::Symbol::Kind::entry)
      addresses_[id] = functions += 16;
    declare_object(id);
  }
  for (const syntax::ModuleStatement& statement : module_.statements) {
    if (const auto* declaration = std::get_if<Declaration>(&statement.is)) declare(*declaration);
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function != nullptr && function->body) declare_shared_of(*function->body);
    if (const auto* alias = std::get_if<syntax::Alias>(&statement.is))
      aliases_[alias->alias.symbol] = alias->aliasee.symbol;
  }
  Allocation& dynamic = shared.allocate("dynamic shared memory", dynamic_shared_, spacing_of_shared_);
  for (const SymbolId id : dynamic_) addresses_[id] = dynamic.base;
  if (dynamic.end() > shared_memory_of_cta) throw Unsupported("shared memory of more than 16 MB", {});
  // Initial values may be addresses of later declarations, so addresses are assigned first.
  for (const syntax::ModuleStatement& statement : module_.statements)
    if (const auto* declaration = std::get_if<Declaration>(&statement.is))
      for (const syntax::Declarator& declarator : declaration->declarators)
        initialize(declarator, *declaration);
}

/// § 5.3: a variable or parameter of an opaque type has a handle in place of an address.
void LoadedModule::declare_object(SymbolId id) {
  using Kind = OpaqueObject::Kind;
  const syntax::Symbol& symbol = module_.symbols[id];
  if (symbol.kind != syntax::Symbol::Kind::variable || !symbol.type) return;
  if (type_of(*symbol.type).kind != Type::Kind::opaque) return;
  if (symbol.is_array) return;  // its elements have no handles yet
  OpaqueObject& made = objects_[id];
  addresses_[id] = first_handle + (objects_.size() - 1) * spacing_of_handles;
  made.kind = *symbol.type == Modifier(".texref")       ? Kind::texture
              : *symbol.type == Modifier(".samplerref") ? Kind::sampler
                                                        : Kind::surface;
}

void LoadedModule::declare(const Declaration& declaration) {
  for (const syntax::Declarator& declarator : declaration.declarators)
    declare_variable(declarator.name.symbol, declaration);
}

void LoadedModule::declare_variable(SymbolId id, const Declaration& declaration) {
  const syntax::Symbol& symbol = module_.symbols[id];
  if (addresses_.contains(id)) return;  // declared before
  const std::uint64_t alignment = std::max<std::uint32_t>(symbol.alignment, 1);
  const std::string name(symbol.name);
  if (declaration.space == Space::shared) {
    if (symbol.size == 0) {
      dynamic_.push_back(id);
    } else {
      addresses_[id] = shared.allocate(name, symbol.size, std::max(alignment, spacing_of_shared_)).base;
    }
  } else if (declaration.space == Space::global) {
    Allocation& made = global.allocate(name, symbol.size, spacing_of_global);
    made.is_variable = true;
    addresses_[id] = made.base;
  } else if (declaration.space == Space::constant) {
    Allocation& made = constant.allocate(name, symbol.size, std::max(alignment, spacing_of_shared));
    made.is_constant = made.is_variable = true;
    addresses_[id] = made.base;
  }
}

void LoadedModule::declare_shared_of(const syntax::Block& block) {
  for (const syntax::Statement& statement : block.statements) {
    if (const auto* inner = std::get_if<syntax::Block>(&statement.is)) declare_shared_of(*inner);
    const auto* declaration = std::get_if<Declaration>(&statement.is);
    if (declaration == nullptr || declaration->space == Space::param) continue;
    declare(*declaration);
    for (const syntax::Declarator& declarator : declaration->declarators)
      initialize(declarator, *declaration);
  }
}

/// § 5.4.4: variables without initial value are 0 in global and constant memory. Variables that other modules
/// define (§ 11.6.1) are unknown.
void LoadedModule::initialize(const syntax::Declarator& declarator, const Declaration& declaration) {
  if (const auto object = objects_.find(declarator.name.symbol); object != objects_.end()) {
    if (declarator.initializer) set_members(object->second, *declarator.initializer);
    return;
  }
  if (declaration.space != Space::global && declaration.space != Space::constant) return;
  if (declaration.linkage == syntax::Linkage::external) return;
  AddressSpace& space = declaration.space == Space::global ? global : constant;
  const auto address = addresses_.find(declarator.name.symbol);
  Allocation* allocation = address == addresses_.end() ? nullptr : space.find(address->second, 1);
  if (allocation == nullptr) return;
  allocation->is_written.assign(allocation->bytes.size(), declarator.initializer ? 1 : zero_by_default);
  if (!declarator.initializer) return;
  std::uint64_t offset = 0;
  write_initial(*allocation, offset, *declarator.initializer, type_of(*declaration.type));
}

/// Inner lists fill equal parts of their outer list; missing elements are 0.
void LoadedModule::write_initial(Allocation& allocation, std::uint64_t& offset,
                                 const syntax::Initializer& initializer, const Type& type) {
  const auto write = [&](const Bits& value) {
    if (offset + type.width / 8 <= allocation.bytes.size())
      write_bytes(allocation, allocation.base + offset, value);
    offset += type.width / 8;
  };
  if (const auto* constant = std::get_if<syntax::Constant>(&initializer.is))
    write(initial_bits(*constant, type));
  if (const auto* list = std::get_if<syntax::ConstantList>(&initializer.is))
    for (const syntax::Constant& element : list->elements) write(initial_bits(element, type));
  if (const auto* list = std::get_if<syntax::InitializerList>(&initializer.is))
    for (const syntax::Initializer& element : list->elements)
      write_initial(allocation, offset, element, type);
  if (const auto* address = std::get_if<syntax::AddressValue>(&initializer.is)) {
    if (address->mask != 0) throw Unsupported("a byte of an address as initial value", {});
    const syntax::Symbol& symbol = module_.symbols[address->base.symbol];
    std::uint64_t value = address_of(address->base.symbol) + static_cast<std::uint64_t>(address->offset);
    if (address->is_generic && symbol.space == Space::constant) value += window_of(StateSpace::constant);
    write(Bits(64, value).resize_unsigned(type.width));
  }
}

std::uint64_t LoadedModule::address_of(SymbolId id) const {
  const auto found = addresses_.find(id);
  if (found == addresses_.end())
    throw Unsupported("the address of '" + std::string(module_.symbols[id].name) + "'", {});
  return found->second;
}

const syntax::Function& LoadedModule::declared(SymbolId id) const {
  if (const auto alias = aliases_.find(id); alias != aliases_.end()) id = alias->second;
  return std::get<syntax::Function>(module_.statements[module_.symbols[id].function].is);
}

const syntax::Function* LoadedModule::find_function(std::string_view name) const {
  for (const syntax::ModuleStatement& statement : module_.statements) {
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function != nullptr && function->body && function->name.text == name) return function;
  }
  return nullptr;
}

std::vector<std::pair<const syntax::Function*, std::uint64_t>> LoadedModule::functions() const {
  std::vector<std::pair<const syntax::Function*, std::uint64_t>> result;
  for (SymbolId id = 0; id < module_.symbols.size(); ++id)
    if (module_.symbols[id].kind == syntax::Symbol::Kind::function)
      result.emplace_back(&declared(id), addresses_.at(id));
  return result;
}

const syntax::Function* LoadedModule::function_at(std::uint64_t address) const {
  for (const auto& [function, own_address] : functions())
    if (own_address == address) return function;
  return nullptr;
}

void LoadedModule::place(const Declaration& declaration, FunctionVariable::Kind kind, LoadedFunction& loaded,
                         std::uint64_t& next) const {
  for (const syntax::Declarator& declarator : declaration.declarators) {
    const syntax::Symbol& symbol = module_.symbols[declarator.name.symbol];
    next = aligned(next, symbol.alignment);
    loaded.variables.push_back({declarator.name.symbol, kind, next});
    const bool is_open = symbol.is_array && symbol.size == 0;
    next += (is_open ? most_bytes_of_open : symbol.size) + gap;
  }
}

void LoadedModule::place_header(LoadedFunction& loaded, std::uint64_t& next) const {
  const syntax::Function& function = *loaded.function;
  std::uint64_t next_of_entry = gap;
  for (const auto* list : {&function.returns, &function.parameters})
    for (const Declaration& declaration : *list)
      if (declaration.space == Space::param && function.is_entry)
        place(declaration, FunctionVariable::Kind::entry_parameter, loaded, next_of_entry);
      else if (declaration.space == Space::param)
        place(declaration, FunctionVariable::Kind::parameter, loaded, next);
  check(next_of_entry <= first_local_address, "parameters of an entry that reach local memory");
}

void LoadedModule::place_variables(const syntax::Block& block, LoadedFunction& loaded,
                                   std::uint64_t& next) const {
  for (const syntax::Statement& statement : block.statements) {
    if (const auto* inner = std::get_if<syntax::Block>(&statement.is)) place_variables(*inner, loaded, next);
    const auto* declaration = std::get_if<Declaration>(&statement.is);
    if (declaration == nullptr) continue;
    if (declaration->space == Space::param) place(*declaration, FunctionVariable::Kind::passed, loaded, next);
    if (declaration->space == Space::local) place(*declaration, FunctionVariable::Kind::local, loaded, next);
  }
}

const Instruction& LoadedModule::end_of_kernel_before(const syntax::Function& entry) {
  const auto [place, is_new] = ends_before_.try_emplace(&entry);
  Instruction& wait = place->second;
  if (!is_new) return wait;
  wait.form = ptx().match("griddepcontrol.wait", {}).form;
  wait.where = module_.position(entry.name.text);
  wait.text = fmt::format("the end of the kernel before {}", source_name(std::string(entry.name.text)));
  return wait;
}

const LoadedFunction& LoadedModule::load(const syntax::Function& function, unsigned depth,
                                         std::uint32_t rank) {
  const auto [found, is_new] = loaded_.try_emplace({&function, depth, rank});
  LoadedFunction& loaded = found->second;
  if (!is_new) return loaded;
  loaded.function = &function;
  const std::uint64_t first = first_local_address + depth * locals_of_depth;
  std::uint64_t next = first;
  place_header(loaded, next);
  place_variables(*function.body, loaded, next);
  if (next - first > locals_of_depth)
    throw Unsupported(fmt::format("a function with more than {} bytes of local memory", locals_of_depth),
                      module_.position(function.name.text));
  std::unordered_map<SymbolId, std::uint64_t> own;
  for (const FunctionVariable& variable : loaded.variables)
    if (type_of(*module_.symbols[variable.symbol].type).kind != Type::Kind::opaque)
      own[variable.symbol] = variable.address;
  loaded.lowered = syntax::lower(module_, function, [&](SymbolId id) {
    const auto mine = own.find(id);
    if (mine != own.end()) return mine->second;
    const bool is_shared = module_.symbols[id].space == Space::shared;
    return address_of(id) + (is_shared ? rank * shared_memory_of_cta : 0);
  });
  std::vector<unsigned> widths;
  for (const syntax::LoweredRegister& r : loaded.lowered.registers) widths.push_back(r.width);
  for (const Instruction& instruction : loaded.lowered.code) {
    loaded.treatments.push_back(treatment_of(*instruction.form));
    loaded.prepared.emplace_back(instruction, widths);
  }
  const std::vector<bool> is_other = uses_of_other_fragments(loaded.lowered.code, widths.size());
  for (std::size_t i = 0; i < is_other.size(); ++i)
    if (is_other[i]) loaded.treatments[i] = Treatment::other_fragment;
  mark_other_cta_groups(loaded);
  for (const syntax::LoweredCall& call : loaded.lowered.calls) loaded.calls[call.at] = &call;
  for (RegisterId id = 0; id < loaded.lowered.registers.size(); ++id)
    if (is_clock(loaded.lowered.registers[id])) loaded.clocks.push_back(id);
  return loaded;
}

}  // namespace ptxmc::kernel
