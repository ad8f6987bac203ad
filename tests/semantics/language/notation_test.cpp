#include "semantics/language/notation.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "semantics/language/notation_scanner.hpp"

using namespace ptxmc;

TEST_CASE("a role and its choices") {
  const Notation notation =
      parse_notation("mul.mode.type d, a, b; .mode = { .hi, .lo }; .type = { .u16, .s64 };");
  REQUIRE(notation.lines.size() == 1);
  const SyntaxLine& line = notation.lines[0];
  CHECK(line.opcode == "mul");
  REQUIRE(line.modifiers.size() == 2);
  CHECK(line.modifiers[0].role == ".mode");
  CHECK_FALSE(line.modifiers[0].optional);
  CHECK(line.modifiers[0].choices == std::vector<ModifierSequence>{{".hi"}, {".lo"}});
  CHECK(line.modifiers[1].choices == std::vector<ModifierSequence>{{".u16"}, {".s64"}});
  REQUIRE(line.operands.size() == 3);
  CHECK(line.operands[0].is_destination);
  CHECK_FALSE(line.operands[1].is_destination);
  CHECK(line.operands[1].type.role == ".type");
}

TEST_CASE("literals, optional groups and alternatives in a group") {
  const Notation notation =
      parse_notation("min{.ftz}{.xorsign.abs}.f32 d, a, b; mad{.hi, .lo}.cc.u32 d, a, b, c;");
  REQUIRE(notation.lines.size() == 2);
  const auto& min = notation.lines[0].modifiers;
  REQUIRE(min.size() == 3);
  CHECK(min[0].optional);
  CHECK(min[1].choices == std::vector<ModifierSequence>{{".xorsign", ".abs"}});
  CHECK_FALSE(min[2].optional);
  const auto& mad = notation.lines[1].modifiers;
  CHECK(mad[0].choices == std::vector<ModifierSequence>{{".hi"}, {".lo"}});
  CHECK(notation.lines[1].operands[3].type.fixed == type_of(".u32"));
}

TEST_CASE("sub-qualifiers in braces are modifiers of their own") {
  const Notation notation =
      parse_notation("ld{.ss}.b32 d, [a]; .ss = { .global, .param{::entry, ::func}, .shared{::cta} };");
  CHECK(notation.lines[0].modifiers[0].choices ==
        std::vector<ModifierSequence>{
            {".global"}, {".param"}, {".param::entry"}, {".param::func"}, {".shared"}, {".shared::cta"}});
}

TEST_CASE("roles with `::`, suffixes after an operand and operands that may be left out") {
  const Notation notation = parse_notation(
      "ld{.level::cache_hint}.b32 d, [a]{.unified}{, cache-policy}; .level::cache_hint = { .L2::cache_hint "
      "};");
  const SyntaxLine& line = notation.lines[0];
  CHECK(line.modifiers[0].choices == std::vector<ModifierSequence>{{".L2::cache_hint"}});
  CHECK(line.modifiers[2].choices == std::vector<ModifierSequence>{{".unified"}});
  CHECK(line.modifiers[2].optional);
  REQUIRE(line.operands.size() == 3);
  CHECK(line.operands[1].kind == OperandPattern::Kind::address);
  CHECK(line.operands[2].optional);
  CHECK(line.operands[2].type.fixed == type_of(".b64"));
}

TEST_CASE("pairs, negatable predicates, vectors, compound addresses") {
  const Notation notation = parse_notation(R"(
    setp.CmpOp.u32 p[|q], a, b, {!}c;  // a comment; with a semicolon
    .CmpOp = { eq, ne };
    elect.sync d|p, membermask;
    cvt.rs.e4m3x4.f32 d, {a, b, e, f}, rbits;
    tex.1d.v4.f32.f32 d, [a, c];)");
  REQUIRE(notation.lines.size() == 4);
  const auto& setp = notation.lines[0].operands;
  CHECK(notation.lines[0].modifiers[0].choices[0] == ModifierSequence{".eq"});
  CHECK(setp[1].name == "q");
  CHECK(setp[1].link == OperandPattern::Link::pipe);
  CHECK(setp[1].optional);
  CHECK(setp[1].is_destination);
  CHECK(setp[0].type.fixed == type_of(".pred"));
  CHECK(setp[4].negatable);
  CHECK_FALSE(notation.lines[1].operands[1].optional);
  CHECK(notation.lines[1].operands[1].is_destination);
  CHECK(notation.lines[2].operands[1].elements == 4);
  CHECK(notation.lines[3].operands[1].kind == OperandPattern::Kind::address);
  CHECK(notation.lines[3].operands[2].link == OperandPattern::Link::bracket);
}

TEST_CASE("types of operands: named, widened, of a role's own name, fixed") {
  const Notation notation = parse_notation(R"(
    mul.wide.type d, a, b;  cvt.dtype.atype d, a;  shl.b64 d, a, b;
    .type = { .u16 };  .dtype = .atype = { .u8, .f32 };
    d : 2 * .type;  b : .u32;)");
  CHECK(notation.lines[0].operands[0].type.widened);
  CHECK(notation.lines[1].operands[0].type.role == ".dtype");
  CHECK(notation.lines[1].operands[1].type.role == ".atype");
  CHECK(notation.lines[2].operands[1].type.fixed == type_of(".b64"));
  CHECK(notation.lines[2].operands[2].type.fixed == type_of(".u32"));
}

TEST_CASE("choices of opcodes and of immediates") {
  const Notation notation = parse_notation(
      "vop.u32 d, a, cp-size; vop = { vadd, vsub }; cp-size = { 4, 8, 16 }; cp.async.cg [dst], 16;");
  REQUIRE(notation.lines.size() == 3);
  CHECK(notation.lines[1].opcode == "vsub");
  CHECK(notation.lines[1].text == "vsub.u32 d, a, cp-size");
  CHECK(notation.lines[0].operands[2].immediates.listed == std::vector<int>{4, 8, 16});
  CHECK(notation.lines[2].operands[1].immediates.listed == std::vector<int>{16});
}

TEST_CASE("ranges of immediates") {
  const Notation notation = parse_notation(
      "bar.sync a{, b}; a in { 0..15 }; b in { 0.. by 32 }; f.u32 d, immA; immA in { -1..1 };");
  const Immediates a = notation.lines[0].operands[0].immediates;
  CHECK(a.accepts(std::int64_t{15}));
  CHECK_FALSE(a.accepts(std::int64_t{16}));
  CHECK_FALSE(a.accepts(std::int64_t{-1}));
  CHECK(to_string(a) == "0 to 15");
  CHECK_FALSE(notation.lines[0].operands[0].is_constant);
  const Immediates b = notation.lines[0].operands[1].immediates;
  CHECK(b.accepts(std::int64_t{2048}));
  CHECK_FALSE(b.accepts(std::int64_t{33}));
  CHECK(to_string(b) == "0 or more in steps of 32");
  CHECK(notation.lines[1].operands[1].is_constant);
  CHECK(notation.lines[1].operands[1].immediates.accepts(std::int64_t{-1}));
}

TEST_CASE("fractions, and destinations that may be left out") {
  const Notation notation = parse_notation("f.b64 d|p, fraction; fraction in (0, 1]; d : .b64; d or _;");
  const auto& operands = notation.lines[0].operands;
  CHECK(operands[0].may_be_sink);
  CHECK_FALSE(operands[1].may_be_sink);
  const Immediates& fraction = operands[2].immediates;
  CHECK(fraction.accepts(1.0));
  CHECK(fraction.accepts(0.25));
  CHECK_FALSE(fraction.accepts(0.0));
  CHECK_FALSE(fraction.accepts(1.5));
  CHECK(to_string(fraction) == "a number above 0 and at most 1");
}

TEST_CASE("selectors and minus signs") {
  const Notation notation =
      parse_notation("vmad.u32 d.dsel, {-}a{.asel}, b; .dsel = { .b0, .h1 }; .asel = { .hxy };");
  const auto& operands = notation.lines[0].operands;
  CHECK_FALSE(operands[0].selector.optional);
  CHECK(operands[0].selector.accepts("h1"));
  CHECK_FALSE(operands[0].selector.accepts("h0"));
  CHECK(operands[1].may_have_minus);
  CHECK(operands[1].selector.optional);
  CHECK(operands[1].selector.accepts("h31"));
  CHECK_FALSE(operands[1].selector.accepts("h41"));
  CHECK_FALSE(operands[1].selector.accepts("h3"));
}

TEST_CASE("versions and exceptions") {
  const Notation notation = parse_notation(R"(
    bar.v2.u32 a;
    PTX 1.0;  PTX 7.8, sm_90: .cluster, barrier.red;  PTX 8.6, sm_100a, sm_101a;
    removed PTX 6.4, sm_70;
    PTX 7.8, sm_90, sm_89 since PTX 8.1: .e4m3;
    except .v2.b128;)");
  REQUIRE(notation.versions.size() == 5);
  CHECK(notation.versions[4].targets[0].since == 0);
  CHECK(notation.versions[4].targets[1].since == 81);
  CHECK(notation.versions[0].ptx == 10);
  CHECK(notation.versions[1].targets[0].sm == 90);
  REQUIRE(notation.versions[1].forms.size() == 2);
  CHECK(notation.versions[1].forms[1].opcode == "barrier");
  CHECK(notation.versions[1].forms[1].modifiers == ModifierSequence{".red"});
  CHECK(notation.versions[2].targets[1].exact);
  CHECK(notation.versions[3].removed);
  CHECK(notation.exceptions[0].modifiers == ModifierSequence{".v2", ".b128"});
}

TEST_CASE("a declaration that breaks the notation is refused") {
  for (const std::string text : {"add.type d, a", "add.nonsense d;", "add d a;", "add.u32 d, [a;", "add d, ;",
                                 ".type = { .u32;", "PTX x;", "PTX 1.0, 90;", "cp = 4;", "d : .u32 .u32;"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_notation(text), std::logic_error);
  }
}
