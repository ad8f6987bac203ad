#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/diagnostic.hpp"

/// The cat language: memory models as texts (J. Alglave, P. Cousot, L. Maranget, Syntax and semantics of
/// the weak consistency model specification language cat, 2016; herd7's manual).
namespace ptxmc::cat {

enum class Kind : std::uint8_t { set, relation };

/// A position in one of the files of a model.
struct Place {
  std::uint32_t file = 0;  ///< index into Model::files
  SourcePosition where;
};

enum class Operator : std::uint8_t {
  universe,  ///< `_`: the set of all events
  empty,     ///< `0`, `{}`; of either kind
  base,      ///< a set or relation of model/relations/, by its name
  unite,
  intersect,
  subtract,
  complement,  ///< of either kind
  product,     ///< `S * T`
  identity,    ///< `[S]`
  compose,     ///< `r; s`
  inverse,     ///< `r^-1`
  optional,    ///< `r?`
  closure,     ///< `r+`
  domain,
  range,
  from_reads,       ///< `from_reads(co)`: PTX ISA 8.7 § 8.9.7, item 3, byte by byte; to writes only
  orientations,     ///< `with name from orientations(r)`: one of (a, b), (b, a) for each pair that r relates
  total_coherence,  ///< `co` if no model defines it: total for each location, as in herd
  partial_coherence,  ///< the same in a model whose first line is PTX: any strict partial order
  variable,           ///< a name of a `let rec`, inside it
  fixpoint,           ///< a name of a `let rec`, after it
};

using NodeId = int;
using RecursionId = int;

/// One operation of a checked model. Names, functions, includes and local definitions are resolved; equal
/// expressions are one node. In Model::nodes, operands precede the nodes that use them.
struct Node {
  Operator op = Operator::empty;
  Kind kind = Kind::relation;
  std::vector<NodeId> operands;
  std::string name;            ///< base, orientations, variable, fixpoint
  RecursionId recursion = -1;  ///< variable, fixpoint
  int index = 0;               ///< variable, fixpoint: which name of the recursion
  /// The innermost recursion on whose variables the value depends; -1: none.
  RecursionId owner = -1;
  Place place;  ///< where it occurs first
};

/// `let rec n0 = body0 and n1 = body1 …`. Its fixpoint nodes follow each other, by index.
struct Recursion {
  std::vector<NodeId> bodies;
  std::vector<NodeId> dependents;  ///< the nodes whose `owner` it is, in order
  std::vector<Kind> kinds;
};

/// A definition at the top level. A later definition of a name hides an earlier one.
struct Definition {
  std::string name;
  NodeId node = 0;
  Place place;
};

/// `acyclic r as name`, `~empty r as name`, and so on; also `flag …` and, negated, `undefined_unless …`.
struct Test {
  enum class Form : std::uint8_t { acyclic, irreflexive, empty };
  Form form = Form::empty;
  bool negated = false;
  NodeId node = 0;
  std::string name;  ///< without `as`: the text of the test
  Place place;
};

/// A comment that begins with numbers of sections: `(* 8.10.6 Causality *)`.
struct Heading {
  std::string section;
  std::string title;
  Place place;
};

/// A model: parsed, names resolved, kinds checked, every `let rec` monotone.
struct Model {
  std::string name;     ///< the file's name without folder and `.cat`: "ptx-6.4"
  std::string title;    ///< the string at its beginning
  bool is_ptx = false;  ///< its first line is `PTX`: coherence is not total unless the model says so
  std::vector<std::string> files;  ///< the files of the model, then the predefined names that it uses
  std::vector<Node> nodes;
  std::vector<Recursion> recursions;
  /// In order. `rf`, `co` and `fr` come last when the model does not define them.
  std::vector<Definition> definitions;
  std::vector<Test> axioms;
  std::vector<Test> flags;
  std::vector<Definition> shown;     ///< `show r as name`
  std::vector<std::string> unshown;  ///< `unshow name`
  std::vector<Heading> headings;     ///< of each file in order

  /// The last definition of a name, or null.
  const Definition* find(std::string_view name) const;
};

}  // namespace ptxmc::cat
