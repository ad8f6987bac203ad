#include "src/kernel/module/entry_names.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/parsed_module.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// A module with a kernel of each name.
syntax::Module kernels(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += ".visible .entry " + name + "() { ret; }\n";
  return module_with(text);
}

/// The PTX name, or the message.
std::string found(const std::string& name, const syntax::Module& module) {
  try {
    return std::string(entry_named(name, module, {"--entry"}).name.text);
  } catch (const InputError& error) {
    CHECK(error.file == "--entry");
    return error.what();
  }
}

const std::vector<std::string> mangled = {
    "_Z6reduceIiEvPT_i", "_Z6reduceIfEvPT_i", "_Z6squarePfj", "_ZN5tools6squareEPd", "plain", "plain_too"};

}  // namespace

TEST_CASE("an entry has its name in PTX, its names in C++, and parts that no other has") {
  const syntax::Module module = kernels(mangled);
  CHECK(found("_Z6reduceIiEvPT_i", module) == "_Z6reduceIiEvPT_i");
  CHECK(found("void reduce<int>(int*, int)", module) == "_Z6reduceIiEvPT_i");
  CHECK(found("reduce<int>(int*, int)", module) == "_Z6reduceIiEvPT_i");
  CHECK(found("reduce<int>(int*,int)", module) == "_Z6reduceIiEvPT_i");
  CHECK(found("reduce<float>", module) == "_Z6reduceIfEvPT_i");
  CHECK(found("square", module) == "_Z6squarePfj");
  CHECK(found("tools::square", module) == "_ZN5tools6squareEPd");
  CHECK(found("square(float*, unsigned int)", module) == "_Z6squarePfj");
  CHECK(found("tools", module) == "_ZN5tools6squareEPd");
  CHECK(found("<fl", module) == "_Z6reduceIfEvPT_i");
  CHECK(found("plain", module) == "plain");
  CHECK(found("_too", module) == "plain_too");
}

TEST_CASE("parameters of a function type, and template arguments within template arguments") {
  const syntax::Module module =
      kernels({"_Z5applyPFiiEPi", "_Z3mapISt4pairIiiEEvPT_", "_ZN12_GLOBAL__N_14hereEi"});
  CHECK(found("apply", module) == "_Z5applyPFiiEPi");
  CHECK(found("map<std::pair<int, int> >", module) == "_Z3mapISt4pairIiiEEvPT_");
  CHECK(found("map", module) == "_Z3mapISt4pairIiiEEvPT_");
  CHECK(found("(anonymous namespace)::here", module) == "_ZN12_GLOBAL__N_14hereEi");
}

TEST_CASE("a name of no entry or of several is an error that names the entries") {
  const syntax::Module module = kernels(mangled);
  CHECK(found("reduc", module) ==
        "found 'reduc', which fits 2 entries of k.ptx, expected one of reduce<int>(int*, int), "
        "reduce<float>(float*, int)");
  CHECK(found("reduce", module).starts_with("found 'reduce', which fits 2 entries"));
  CHECK(found("cube", module) ==
        "found no entry 'cube' in k.ptx, expected one of reduce<int>(int*, int), "
        "reduce<float>(float*, int), square(float*, unsigned int), tools::square(double*), plain, plain_too");
  std::vector<std::string> many;
  for (char c = 'a'; c <= 'm'; ++c) many.emplace_back(3, c);
  CHECK(found("z", kernels(many)) ==
        "found no entry 'z' in k.ptx, expected one of aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii, jjj and 3 "
        "more");
  CHECK(found("z", kernels({"k"})) == "found no entry 'z' in k.ptx, expected k");
  CHECK(found("z", module_with(".func f() { ret; }")) ==
        "found no entry in k.ptx, expected a module with a kernel");
}

TEST_CASE("without a name it is the only entry of the module") {
  CHECK(found("", kernels({"only"})) == "only");
  CHECK(found("", kernels({"a", "b"})) == "found no name of an entry, expected one of the 2 in k.ptx: a, b");
}

TEST_CASE("names are joined by +, and each is found by itself") {
  CHECK(entries_in("a+b") == std::vector<std::string>{"a", "b"});
  CHECK(entries_in("") == std::vector<std::string>{""});
  Launch launch;
  launch.entries = entries_in("reduce<int>+plain");
  CHECK(with_ptx_names(launch, kernels(mangled)).entries ==
        std::vector<std::string>{"_Z6reduceIiEvPT_i", "plain"});
}
