// What the cat language accepts, and what it says of what it does not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "model/cat/cat_model.hpp"
#include "model/cat/embedded_models.hpp"

using namespace ptxmc;
using Op = cat::Operator;

namespace {

cat::Model parse(std::string text, const std::map<std::string, std::string>& files = {}) {
  return cat::parse({"m.cat", std::move(text)},
                    [&](const std::string& name, const std::string&) -> std::optional<cat::Source> {
                      const auto found = files.find(name);
                      if (found == files.end()) return std::nullopt;
                      return cat::Source{name, found->second};
                    });
}

/// The node of a name as a fully parenthesised expression.
std::string text(const cat::Model& model, cat::NodeId id) {
  const cat::Node& node = model.nodes.at(static_cast<std::size_t>(id));
  const auto operand = [&](std::size_t i) { return text(model, node.operands.at(i)); };
  const auto infix = [&](const char* sign) {
    return fmt::format("({} {} {})", operand(0), sign, operand(1));
  };
  switch (node.op) {
    case Op::universe:
      return "_";
    case Op::empty:
      return node.kind == cat::Kind::set ? "{}" : "0";
    case Op::base:
      return node.name;
    case Op::unite:
      return infix("|");
    case Op::intersect:
      return infix("&");
    case Op::subtract:
      return infix("\\");
    case Op::complement:
      return "(~" + operand(0) + ")";
    case Op::product:
      return infix("*");
    case Op::identity:
      return "[" + operand(0) + "]";
    case Op::compose:
      return infix(";");
    case Op::inverse:
      return operand(0) + "^-1";
    case Op::optional:
      return operand(0) + "?";
    case Op::closure:
      return operand(0) + "+";
    case Op::domain:
      return "domain(" + operand(0) + ")";
    case Op::range:
      return "range(" + operand(0) + ")";
    case Op::from_reads:
      return "from_reads(" + operand(0) + ")";
    case Op::orientations:
      return node.name + "<-" + operand(0);
    case Op::total_coherence:
      return "total";
    case Op::partial_coherence:
      return "partial";
    case Op::variable:
      return node.name;
    case Op::fixpoint:
      return fmt::format("rec {}.{}", node.name,
                         text(model, model.recursions.at(static_cast<std::size_t>(node.recursion))
                                         .bodies.at(static_cast<std::size_t>(node.index))));
  }
  return "?";
}

std::string text(const cat::Model& model, const std::string& name) {
  const cat::Definition* definition = model.find(name);
  return definition ? text(model, definition->node) : "no " + name;
}

/// What `let r = …` becomes.
std::string tree(const std::string& expression) { return text(parse("let r = " + expression), "r"); }

/// `file:line:column: message` of the error that a model gives; `unsupported line:column: message`.
std::string diagnosis(const std::string& source, const std::map<std::string, std::string>& files = {}) {
  try {
    parse(source, files);
  } catch (const InputError& error) {
    return fmt::format("{}:{}:{}: {}", error.file, error.where.line, error.where.column, error.what());
  } catch (const Unsupported& error) {
    return fmt::format("unsupported {}:{}: {}", error.where.line, error.where.column, error.what());
  }
  return "accepted";
}

}  // namespace

TEST_CASE("infix operators bind as in herd: | ; \\ & * from the loosest") {
  CHECK(tree("po | rf; co") == "(po | (rf ; total))");
  CHECK(tree("po; rf | co") == "((po ; rf) | total)");
  CHECK(tree("po; rf \\ co") == "(po ; (rf \\ total))");
  CHECK(tree("po \\ rf & co") == "(po \\ (rf & total))");
  CHECK(tree("po & W * R") == "(po & (W * R))");
  CHECK(tree("po & rf \\ co & ext; int") == "(((po & rf) \\ (total & ext)) ; int)");
  CHECK(tree("po \\ rf \\ co") == "((po \\ rf) \\ total)");
  CHECK(tree("po \\ (rf \\ co)") == "(po \\ (rf \\ total))");
  CHECK(tree("[W]; po; [R]") == "(([W] ; po) ; [R])");
}

TEST_CASE("postfix operators bind tighter than ~, and that tighter than infix operators") {
  CHECK(tree("~po^-1") == "(~po^-1)");
  CHECK(tree("(~po)^-1") == "(~po)^-1");
  CHECK(tree("~po+") == "(~po+)");
  CHECK(tree("~~po") == "(~(~po))");
  CHECK(tree("~W & R") == "((~W) & R)");
  CHECK(tree("rf^-1; co") == "(rf^-1 ; total)");
  CHECK(tree("po?; rf+") == "(po? ; rf+)");
  CHECK(tree("po^-1?") == "po^-1?");
  CHECK(tree("po^+ | rf^*") == "(po+ | rf+?)");
}

TEST_CASE("* is a product before an operand and else the reflexive closure") {
  CHECK(tree("W*R") == "(W * R)");
  CHECK(tree("W * (R | F)") == "(W * (R | F))");
  CHECK(tree("_ * _") == "(_ * _)");
  CHECK(tree("_*~W") == "(_ * (~W))");
  CHECK(tree("po*") == "po+?");
  CHECK(tree("po*; rf*") == "(po+? ; rf+?)");
  CHECK(tree("(po*)") == "po+?");
  CHECK(tree("po* & (W * R)") == "(po+? & (W * R))");
  const auto model = parse("let r = po*\n~empty r as some");
  CHECK(text(model, "r") == "po+?");
  CHECK(model.axioms.size() == 1);
}

TEST_CASE("sets, constants, brackets and built-in functions") {
  CHECK(tree("[W & R | ~F]") == "[((W & R) | (~F))]");
  CHECK(tree("po | 0") == "(po | 0)");
  CHECK(tree("W | 0") == "(W | {})");
  CHECK(tree("{} | W") == "({} | W)");
  CHECK(tree("domain(rf) | range(po; rf)") == "(domain(rf) | range((po ; rf)))");
  CHECK(tree("domain rf") == "domain(rf)");
  CHECK(tree("from_reads(co)") == "from_reads(total)");
  CHECK(tree("id") == "[_]");
  CHECK(tree("fencerel(F)") == "((po & (_ * F)) ; po)");
  CHECK(tree("toid W") == "[W]");
  CHECK(tree("po-loc") == "(po & loc)");
  CHECK(tree("fre") == "(from_reads(total) & ext)");
  CHECK(tree("WR(po)") == "(po & (W * R))");
}

TEST_CASE("functions, local definitions and shadowing") {
  CHECK(text(parse("let f(x, y) = x; y let r = f(po, rf)"), "r") == "(po ; rf)");
  CHECK(text(parse("let f x = x | x^-1 let r = f po"), "r") == "(po | po^-1)");
  CHECK(text(parse("let f() = po let r = f()"), "r") == "po");
  CHECK(text(parse("let a = po let f(x) = x; a let a = rf let r = f(a)"), "r") == "(rf ; po)");
  CHECK(text(parse("let twice(f, x) = f(f(x)) let s(x) = x; x let r = twice(s, po)"), "r") ==
        "((po ; po) ; (po ; po))");
  CHECK(tree("let a = po and b = rf in a; b") == "(po ; rf)");
  CHECK(tree("let rec a = po | a; rf in a; co") == "(rec a.(po | (a ; rf)) ; total)");
  CHECK(text(parse("let a = po let a = a; rf"), "a") == "(po ; rf)");
  CHECK(text(parse("let W = po"), "W") == "po");
  CHECK(text(parse("let po-loc.2_x' = po"), "po-loc.2_x'") == "po");
}

TEST_CASE("recursive definitions, of relations and of sets") {
  CHECK(text(parse("let rec a = po | b and b = a; rf"), "b") == "rec b.(a ; rf)");
  const auto sets = parse("let rec s = W | t and t = s & range([s]; po)");
  CHECK(sets.recursions.size() == 1);
  CHECK(sets.recursions[0].kinds == std::vector{cat::Kind::set, cat::Kind::set});
  CHECK(parse("let rec s = t and t = s | W").recursions.at(0).kinds ==
        std::vector{cat::Kind::set, cat::Kind::set});
  CHECK(parse("let rec a = a").recursions.at(0).kinds == std::vector{cat::Kind::relation});
  CHECK(text(parse("let rec a = po | ~(~a)"), "a") == "rec a.(po | (~(~a)))");
  CHECK(text(parse("let rec a = po \\ (rf \\ a)"), "a") == "rec a.(po \\ (rf \\ a))");
}

TEST_CASE("the beginning of a model") {
  const auto ptx = parse("PTX\n\"A title: (* no comment *)\"\nlet x = co");
  CHECK(ptx.is_ptx);
  CHECK(ptx.title == "A title: (* no comment *)");
  CHECK(ptx.name == "m");
  CHECK(text(ptx, "co") == "partial");
  CHECK_FALSE(parse("\"title\"").is_ptx);
  CHECK_FALSE(parse("X86 \"title\"").is_ptx);
  CHECK(text(parse("\"title\""), "co") == "total");
  CHECK(text(parse("\"title\""), "rf") == "rf");
  CHECK(text(parse("\"title\""), "fr") == "from_reads(total)");
  CHECK(text(parse("PTX let co = po & (W * W)"), "fr") == "from_reads((po & (W * W)))");
  CHECK(text(parse("PTX let co = 0"), "fr") == "from_reads(0)");
  CHECK(text(parse("let fr = po"), "fr") == "po");
}

TEST_CASE("comments") {
  CHECK(text(parse("(* a (* nested *) let *) let r = po // rest\n | rf # rest"), "r") == "(po | rf)");
}

TEST_CASE("tests, flags, show and unshow") {
  const auto model = parse(
      "acyclic po | rf as first\n"
      "~irreflexive  po;\n rf\n"
      "empty W as none\n"
      "flag ~empty po as raised\n"
      "flag acyclic rf\n"
      "show po;rf as both, rf\n"
      "unshow co, po");
  REQUIRE(model.axioms.size() == 3);
  CHECK(model.axioms[0].name == "first");
  CHECK(model.axioms[0].form == cat::Test::Form::acyclic);
  CHECK_FALSE(model.axioms[0].negated);
  CHECK(model.axioms[1].name == "~irreflexive po; rf");
  CHECK(model.axioms[1].negated);
  CHECK(model.axioms[1].place.where.line == 2);
  CHECK(model.axioms[2].form == cat::Test::Form::empty);
  REQUIRE(model.flags.size() == 2);
  CHECK(model.flags[0].name == "raised");
  CHECK(model.flags[0].negated);
  CHECK(model.flags[1].name == "flag acyclic rf");
  REQUIRE(model.shown.size() == 2);
  CHECK(model.shown[0].name == "both");
  CHECK(model.shown[1].name == "rf");
  CHECK(model.unshown == std::vector<std::string>{"co", "po"});
}

TEST_CASE("undefined_unless raises its flag when the test fails") {
  const auto model = parse("undefined_unless empty po as DRF undefined_unless ~acyclic rf");
  REQUIRE(model.flags.size() == 2);
  CHECK(model.flags[0].name == "DRF");
  CHECK(model.flags[0].negated);
  CHECK_FALSE(model.flags[1].negated);
  CHECK(model.axioms.empty());
}

TEST_CASE("a model in the style of the field") {
  const auto model = parse(R"("TSO" include "cos.cat"
#ppo
let ppo = WW(po) | RM(po)
let implied = po & (W * RMW | RMW * R)
let ghb = implied | fencerel(F) | ppo | rfe | fr | co
show implied, ghb
acyclic po-loc | com as uniproc
empty rmw & (fre;coe) as atomic
acyclic ghb as tso)",
                           {{"cos.cat", "let co = total_coherence"}});
  CHECK(model.axioms.size() == 3);
  CHECK(text(model, model.axioms[1].node) == "(rmw & ((from_reads(total) & ext) ; (total & ext)))");
}

TEST_CASE("choices") {
  const auto model = parse("PTX with sc from orientations(po | rf) acyclic sc");
  CHECK(text(model, "sc") == "sc<-(po | rf)");
  const auto linear = parse("with S from linearisations(W, po)");
  CHECK(text(linear, "S") == "S<-(W * W)");
  REQUIRE(linear.axioms.size() == 2);
  CHECK(linear.axioms[0].form == cat::Test::Form::acyclic);
  CHECK(text(linear, linear.axioms[0].node) == "S<-(W * W)");
  CHECK(text(linear, linear.axioms[1].node) == "((po & (W * W)) \\ S<-(W * W))");
  const auto fences = parse("let a = sync_fence; po let b = sync_fence");
  CHECK(fences.axioms.size() == 1);
  CHECK(text(fences, "b") == "sync_fence<-(sr & ((SC & MEMORY_FENCE) * (SC & MEMORY_FENCE)))");
}

TEST_CASE("try, and match on tags") {
  CHECK(tree("try nothing with po") == "po");
  CHECK(tree("try rf with po") == "rf");
  CHECK(tree("(try rf; nothing with po) | co") == "(po | total)");
  const std::string tags =
      "enum s = 'a || 'b || 'c let f(t) = match t with || 'a -> po || 'b -> rf || _ -> co end ";
  CHECK(text(parse(tags + "let r = f('a)"), "r") == "po");
  CHECK(text(parse(tags + "let r = f 'b"), "r") == "rf");
  CHECK(text(parse(tags + "let r = f('c)"), "r") == "total");
}

TEST_CASE("includes") {
  const auto model =
      parse("include \"a.cat\" let r = a; b",
            {{"a.cat", "\"other title\" include \"b.cat\" let a = po"}, {"b.cat", "let b = rf"}});
  CHECK(text(model, "r") == "(po ; rf)");
  CHECK(model.title.empty());
  REQUIRE(model.files.size() >= 3);
  CHECK(model.files[0] == "m.cat");
  CHECK(model.files[1] == "a.cat");
  CHECK(model.files[2] == "b.cat");
  CHECK(parse("include \"b.cat\" include \"b.cat\" let r = b", {{"b.cat", "let b = rf"}}).find("r"));
}

TEST_CASE("the embedded models are accepted") {
  CHECK_FALSE(embedded_models().empty());
  for (const EmbeddedModel& model : embedded_models()) {
    CAPTURE(model.file_name);
    CHECK_NOTHROW(cat::load(std::string(model.file_name)));
  }
  CHECK(cat::load("sc").name == "sc");
  CHECK(cat::load("sc").axioms.at(0).name == "sequential_consistency");
}

TEST_CASE("errors of syntax") {
  const std::string statement = "let, acyclic, irreflexive, empty, flag, with, show, unshow or include";
  CHECK(diagnosis("let a = [W\nlet b = po") == "m.cat:2:1: found 'let', expected ']'");
  CHECK(diagnosis("let a = (po | rf\n\nacyclic a") == "m.cat:3:1: found 'acyclic', expected ')'");
  CHECK(diagnosis("let a = {po}") == "unsupported 1:10: a set written by its elements in the model m.cat");
  CHECK(diagnosis("let a = po)") == "m.cat:1:11: found ')', expected " + statement);
  CHECK(diagnosis("let = po") == "m.cat:1:5: found '=', expected a name");
  CHECK(diagnosis("let a po") == "m.cat:1:9: found end of file, expected '='");
  CHECK(diagnosis("let a =") == "m.cat:1:8: found end of file, expected a set or a relation");
  CHECK(diagnosis("let a = po |\n  (* nothing *)\n") ==
        "m.cat:3:1: found end of file, expected a set or a relation");
  CHECK(diagnosis("let a = po | | rf") == "m.cat:1:14: found '|', expected a set or a relation");
  CHECK(diagnosis("let a = ~") == "m.cat:1:10: found end of file, expected a set or a relation");
  CHECK(diagnosis("let a = f(po,)") == "m.cat:1:13: found ',', expected ')'");
  CHECK(diagnosis("let a = match po with end") == "m.cat:1:23: found 'end', expected a tag or _");
  CHECK(diagnosis("let a = try po") == "m.cat:1:15: found end of file, expected 'with'");
  CHECK(diagnosis("let a = let b = po b") == "m.cat:1:21: found end of file, expected 'in'");
  CHECK(diagnosis("let a = po in a") == "m.cat:1:12: found 'in', expected " + statement);
  CHECK(diagnosis("let and = po") == "m.cat:1:5: found 'and', expected a name");
  CHECK(diagnosis("acyclic") == "m.cat:1:8: found end of file, expected a set or a relation");
  CHECK(diagnosis("acyclic po as") == "m.cat:1:14: found end of file, expected a name");
  CHECK(diagnosis("flag po") == "m.cat:1:6: found 'po', expected acyclic, irreflexive or empty");
  CHECK(diagnosis("~po") == "m.cat:1:2: found 'po', expected acyclic, irreflexive or empty");
  CHECK(diagnosis("include stdlib") == "m.cat:1:9: found 'stdlib', expected a string");
  CHECK(diagnosis("with a = po") == "m.cat:1:8: found '=', expected 'from'");
  CHECK(diagnosis("acylic po | rf as x") == "m.cat:1:8: found 'po', expected " + statement);
  CHECK(diagnosis("let a = _x") == "m.cat:1:9: found '_x', expected a set or a relation");
  CHECK(diagnosis("let a = 1") == "m.cat:1:9: found '1', expected a set or a relation");
  CHECK(diagnosis("let a = po / rf") == "m.cat:1:12: found '/', expected " + statement);
  CHECK(diagnosis("let \xc3\xa4 = po") == "m.cat:1:5: found byte 0xc3, expected a name");
}

TEST_CASE("files that are no models") {
  const std::string statement = "let, acyclic, irreflexive, empty, flag, with, show, unshow or include";
  CHECK(diagnosis("") == "m.cat:1:1: the model is empty, expected " + statement);
  CHECK(diagnosis(" \n (* only this *) \n") == "m.cat:1:1: the model is empty, expected " + statement);
  CHECK(diagnosis(std::string("let a = \0po", 11)) == "m.cat:1:9: found byte 0x00, expected text");
  CHECK(diagnosis("\x7f"
                  "ELF\x02\x01") == "m.cat:1:1: found byte 0x7f, expected text");
  CHECK(diagnosis("let a = po (* open (* and *)\nlet b") == "m.cat:1:12: comment without end, expected '*)'");
  CHECK(diagnosis("let a = po\ninclude \"x") == "m.cat:2:9: string without end, expected '\"'");
  CHECK(diagnosis(std::string(10'000'000, ' ')) == "m.cat:1:1: the model is empty, expected " + statement);
  CHECK(diagnosis(std::string(10'000'000, '\n') + "let a = b") == "m.cat:10000001:9: unknown name 'b'");
}

TEST_CASE("texts that nest too deeply") {
  CHECK(diagnosis("let a = " + std::string(1'000'000, '(')) == "m.cat:1:265: nested deeper than 256 levels");
  CHECK(diagnosis("let a = " + std::string(1'000'000, '~') + "po") ==
        "m.cat:1:265: nested deeper than 256 levels");
  CHECK(diagnosis("let a = po" + std::string(1'000'000, '?')).find("nested deeper than 256 levels") !=
        std::string::npos);
  std::string functions = "let f0(x) = x\n";
  for (int i = 1; i <= 5000; ++i) functions += fmt::format("let f{}(x) = f{}(x)\n", i, i - 1);
  CHECK(diagnosis(functions + "let a = f5000(po)").find("nested deeper than 1000 levels") !=
        std::string::npos);
  std::string doubling = "let f0(x) = x\n";
  for (int i = 1; i <= 100; ++i) doubling += fmt::format("let f{}(x) = f{}(x) | f{}(x)\n", i, i - 1, i - 1);
  CHECK(diagnosis(doubling + "let a = f100(po)").find("more than 100000 applications") != std::string::npos);
  const auto wide = [](int parts) {
    std::string text = "let a = po";
    for (int i = 0; i < parts; ++i) text += " | rf; po";
    return diagnosis(text);
  };
  CHECK(wide(900) == "accepted");
  CHECK(wide(20'000) == "m.cat:1:9: nested deeper than 1000 levels, through names");
  std::string names = "let a = po\n";
  for (int i = 0; i < 5000; ++i) names += "let a = a | rf\nlet a = a; rf\n";
  CHECK(diagnosis(names).find("nested deeper than 1000 levels, through names") != std::string::npos);
  std::string calls;  // each ends before the next begins
  for (int i = 0; i < 1000; ++i) calls += " | f()";
  CHECK(diagnosis("let f() = po\nlet a = 0" + calls) ==
        "m.cat:2:9: nested deeper than 1000 levels, through names");
}

TEST_CASE("a model of too many definitions") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "let a = po\n";
  CHECK(diagnosis(text) == "m.cat:10001:5: more than 10000 definitions");
}

TEST_CASE("names without meaning") {
  CHECK(diagnosis("let causality = po\nacyclic  causalty | rf") ==
        "m.cat:2:10: unknown name 'causalty'; did you mean 'causality'?");
  CHECK(diagnosis("let a = RLXX") == "m.cat:1:9: unknown name 'RLXX'; did you mean 'RLX'?");
  CHECK(diagnosis("let a = Po") == "m.cat:1:9: unknown name 'Po'; did you mean 'po'?");
  CHECK(diagnosis("let a = fencrel(F)") == "m.cat:1:9: unknown name 'fencrel'; did you mean 'fencerel'?");
  CHECK(diagnosis("let a = completely_different") == "m.cat:1:9: unknown name 'completely_different'");
  CHECK(diagnosis("let a = a") == "m.cat:1:9: unknown name 'a'");
  CHECK(diagnosis("let a = po and b = a") == "m.cat:1:20: unknown name 'a'");
  CHECK(diagnosis("unshow nothing") == "m.cat:1:8: unknown name 'nothing'");
  CHECK(diagnosis("let f(x) = y let a = f(po)") == "m.cat:1:12: unknown name 'y'");
  CHECK(diagnosis("let f(x) = y") == "m.cat:1:12: unknown name 'y'");
  CHECK(diagnosis("let a = 'tag") == "m.cat:1:9: unknown tag 'tag', expected one of an enum");
  CHECK(diagnosis("include \"no.cat\"") == "m.cat:1:1: no file 'no.cat' to include");
  CHECK(diagnosis("include \"a.cat\"", {{"a.cat", "\nlet a = pa"}}) ==
        "a.cat:2:9: unknown name 'pa'; did you mean 'po'?");
  CHECK(diagnosis("include \"a.cat\"", {{"a.cat", "include \"a.cat\""}}) ==
        "a.cat:1:1: 'a.cat' includes itself");
  CHECK(diagnosis("include \"m.cat\"", {{"m.cat", ""}}) == "m.cat:1:1: 'm.cat' includes itself");
}

TEST_CASE("wrong kinds") {
  CHECK(diagnosis("let a = [po]") == "m.cat:1:10: found 'po', a relation, expected a set");
  CHECK(diagnosis("let a = po; W") == "m.cat:1:13: found 'W', a set, expected a relation");
  CHECK(diagnosis("let a = W | po") == "m.cat:1:13: found 'po', a relation, expected a set");
  CHECK(diagnosis("let a = po & (W | R)") == "m.cat:1:15: found a set, expected a relation");
  CHECK(diagnosis("let a = W+") == "m.cat:1:9: found 'W', a set, expected a relation");
  CHECK(diagnosis("let a = po * W") == "m.cat:1:9: found 'po', a relation, expected a set");
  CHECK(diagnosis("let a = W * R * F") == "m.cat:1:17: found the third factor of a product, expected two");
  CHECK(diagnosis("acyclic W") == "m.cat:1:9: found 'W', a set, expected a relation");
  CHECK(diagnosis("let a = domain(W)") == "m.cat:1:16: found 'W', a set, expected a relation");
  CHECK(diagnosis("let a = domain(po, rf)") == "m.cat:1:9: found 2 arguments of 'domain', expected 1");
  CHECK(diagnosis("let f(x, y) = x let a = f(po)") == "m.cat:1:25: found 1 argument of 'f', expected 2");
  CHECK(diagnosis("let a = po rf") ==
        "m.cat:1:9: found an argument of 'po', but 'po' is a relation, expected a function");
  CHECK(diagnosis("let a = fencerel | po") ==
        "m.cat:1:9: found 'fencerel', a function, expected a set or a relation");
  CHECK(diagnosis("empty fencerel") ==
        "m.cat:1:7: found 'fencerel', a function, expected a set or a relation");
  CHECK(diagnosis("let co = W") == "m.cat:1:5: 'co' is defined as a set, expected a relation");
  CHECK(diagnosis("let rf(x) = x") == "m.cat:1:5: 'rf' is defined as a function, expected a relation");
  CHECK(diagnosis("let rec a = W | (a; po)") == "m.cat:1:18: found a relation, expected a set");
  CHECK(diagnosis("enum t = 'a let r = 'a | po") == "m.cat:1:21: found a tag, expected a set or a relation");
}

TEST_CASE("recursion that is not monotone") {
  const auto says = [](int column, const char* name) {
    return fmt::format(
        "m.cat:1:{}: found '{}' negated (by ~ or on the right of \\) in its own let rec, expected a "
        "monotone definition",
        column, name);
  };
  CHECK(diagnosis("let rec a = po \\ a") == says(18, "a"));
  CHECK(diagnosis("let rec a = po | ~a; rf") == says(19, "a"));
  CHECK(diagnosis("let rec a = po | b and b = rf \\ a") == says(33, "a"));
  CHECK(diagnosis("let f(x) = ~x let rec a = po | f(a)") == says(34, "a"));
  CHECK(diagnosis("let rec a = let b = a in po \\ b") == says(21, "a"));
  CHECK(diagnosis("let rec a = po \\ (rf \\ (co \\ a))") == says(30, "a"));
  CHECK(diagnosis("let rec a = po | (let rec b = rf | (b; (po \\ a)) in b)") == says(46, "a"));
  CHECK(diagnosis("let rec S = W & ~range([S]; po)") == says(25, "S"));
}

TEST_CASE("choices and definitions that contradict each other") {
  CHECK(diagnosis("with a from orientations(po) with a from orientations(rf)") ==
        "m.cat:1:35: 'a' is chosen twice");
  CHECK(diagnosis("let a = po and a = rf") == "m.cat:1:16: 'a' is defined twice by one let");
  CHECK(diagnosis("PTX let a = fr let co = po & (W * W)") ==
        "m.cat:1:20: 'co' is defined after the use of 'fr', expected before: 'fr' is made of it");
  CHECK(
      diagnosis("let a = orientations(po)") ==
      "m.cat:1:9: found 'orientations' in an expression, expected it only in 'with … from orientations(…)'");
  CHECK(diagnosis("with a from linearisations(W)") ==
        "m.cat:1:13: found 1 argument of 'linearisations', expected 2");
}

TEST_CASE("what cat has and ptxmc does not handle") {
  CHECK(diagnosis("procedure p() = end") == "unsupported 1:1: 'procedure' in the model m.cat");
  CHECK(diagnosis("let a = po ++ rf") == "unsupported 1:12: the operator ++ in the model m.cat");
  CHECK(diagnosis("let a = (po, rf)") == "unsupported 1:12: a tuple in the model m.cat");
  CHECK(diagnosis("let f = fun x -> x") == "unsupported 1:9: 'fun' in the model m.cat");
  CHECK(diagnosis("let a = if po then rf else co") == "unsupported 1:9: 'if' in the model m.cat");
  CHECK(diagnosis("let rec f(x) = f(x)") == "unsupported 1:9: the recursive function 'f' in the model m.cat");
  CHECK(diagnosis("let a = match W with || {} -> po end") ==
        "unsupported 1:25: 'match' on a set in the model m.cat");
  CHECK(diagnosis("let a = match W with || _ -> po end") ==
        "unsupported 1:15: 'match' on a set in the model m.cat");
  CHECK(diagnosis("with a from cross(po)") ==
        "unsupported 1:13: 'with … from' anything but orientations(r) or linearisations(S, r) in the model "
        "m.cat");
  CHECK(diagnosis("forall x in W do end") == "unsupported 1:1: 'forall' in the model m.cat");
  CHECK(diagnosis("\"t\" withoutco") == "unsupported 1:5: 'withoutco' in the model m.cat");
}
