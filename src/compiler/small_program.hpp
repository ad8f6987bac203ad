#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "model/program/proposition.hpp"
#include "src/compiler/mapping.hpp"
#include "src/compiler/program_shapes.hpp"

namespace ptxmc {

/// The order of an operation and the code that it becomes. For the place between two accesses, no fence has
/// the order `none` and no code.
struct OperationChoice {
  Ordering order = Ordering::none;
  MappedCode code;
};

/// The choices for a shape by slots: thread by thread its first access, then for each further one the place
/// before it and the access.
using ShapeChoices = std::vector<const OperationChoice*>;

/// The number of slots of a thread with so many accesses.
inline std::size_t slots_of(std::size_t accesses) { return accesses == 0 ? 0 : 2 * accesses - 1; }

/// The litmus test in scoped C++ for a shape with these orders, and the one in PTX that it becomes. Every
/// operation has this scope, and the threads are as far from each other as it reaches.
std::string source_text(const ProgramShape&, const ShapeChoices&, Scope);
std::string target_text(const ProgramShape&, const ShapeChoices&, Scope);

/// A program with the terms to observe: the results of the threads' reads, and the locations.
struct ObservedProgram {
  Program program;
  std::vector<FinalTerm> observed;
};

/// Reads small programs; the code of a thread is read once. May be used by several threads.
class SmallPrograms {
 public:
  explicit SmallPrograms(Scope scope) : scope_(scope) {}

  ObservedProgram source(const ProgramShape&, const ShapeChoices&);
  ObservedProgram target(const ProgramShape&, const ShapeChoices&);

 private:
  ObservedProgram program(const ProgramShape&, const ShapeChoices&, bool is_source);
  std::shared_ptr<const Program> read(const std::string& text);

  Scope scope_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Program>> read_;  ///< by text
};

}  // namespace ptxmc
