// PTX ISA 8.7 § 9.7.12: control flow instructions. Guards belong to every instruction and braces to the
// language, not to this table.
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

Target target_of(const Operand& operand) { return std::get<Operand::Label>(operand.is).target; }

constexpr Definition definitions_of_control_flow_instructions[] = {
    {"9.7.12.3", R"(
       bra{.uni}  tgt;
       PTX 1.0;)",
     [](const Form&, const Operands& x, Effects& effects) { effects.jump(target_of(x.written[0])); },
     Flow::jump},

    // `tlist` is the label of a .branchtargets directive: here the vector of its targets.
    {"9.7.12.4", R"(
       brx.idx{.uni}  index, tlist;
       index : .u32;
       PTX 6.0, sm_30;)",
     [](const Form&, const Operands& x, Effects& effects) {
       std::vector<Target> targets;
       for (const Operand& label : std::get<Operand::Vector>(x.written[1].is).elements)
         targets.push_back(target_of(label));
       effects.jump_indexed(x["index"], targets);
     },
     Flow::jump},

    // A direct call names a function. An indirect one has its address in a register, and the label of
    // .calltargets or .callprototype, or a table of functions, as its last operand.
    {"9.7.12.5", R"(
       call{.uni}  (ret-param), func, (param-list);
       call{.uni}  func, (param-list);
       call{.uni}  func;
       call{.uni}  (ret-param), fptr, (param-list), flist;
       call{.uni}  fptr, (param-list), flist;
       call{.uni}  fptr, flist;
       PTX 1.0;)",
     [](const Form&, const Operands&, Effects& effects) { effects.call(); }},

    {"9.7.12.6", R"(
       ret{.uni};
       PTX 1.0;)",
     [](const Form&, const Operands&, Effects& effects) { effects.ret(); }, Flow::end},

    {"9.7.12.7", R"(
       exit;
       PTX 1.0;)",
     [](const Form&, const Operands&, Effects& effects) { effects.exit(); }, Flow::end},
};

}  // namespace

std::span<const Definition> control_flow_instructions() { return definitions_of_control_flow_instructions; }

}  // namespace ptxmc
