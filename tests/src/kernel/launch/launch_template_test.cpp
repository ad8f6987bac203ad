#include "src/kernel/launch/launch_template.hpp"

#include <filesystem>

#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/module/launched_grids.hpp"
#include "src/kernel/module/module_file.hpp"
#include "src/kernel/module/passed_parameters.hpp"
#include "tests/src/kernel/parsed_module.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;
namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Launch read_template(const std::string& text) {
  return parse_launch(text, "k.toml", [](SourcePosition where) { return LaunchPlace{"k.toml", where}; });
}

/// The text for the last entry of a module. Checks that the module can be launched with it.
std::string template_of(const syntax::Module& module, const syntax::Function& entry) {
  const std::string text = launch_template(module, entry, "k.ptx");
  INFO(text);
  const Launch launch = read_template(text);
  const LoadedModule loaded(module, 0);
  CHECK(launched_grids(launch, loaded).size() == 1);
  pass_parameters(launch, loaded);
  return text;
}

std::string template_of(const std::string& text, const std::string& target = "sm_90a") {
  const syntax::Module module = module_with(text, target);
  return template_of(module, entry_of(module));
}

}  // namespace

TEST_CASE("a parameter has an entry of the kind that the code shows") {
  const std::string text = template_of(
      ".visible .entry k(.param .u64 k_param_0, .param .u32 n, .param .align 8 .b8 s[16]) {\n"
      ".reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .pred %p;\n"
      "ld.param.u64 %rd1, [k_param_0]; ld.param.u32 %r1, [n]; setp.lt.s32 %p, %r1, 4;\n"
      "ld.param.u64 %rd2, [s]; ld.global.u8 %r2, [%rd2]; st.global.s32 [%rd1], %r2; ret; }\n");
  CHECK(contains(text, "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]  # "));
  CHECK(contains(text, "block = [32]  # "));
  CHECK(contains(text, "# assume = \"n > 0 && n <= 64\"  # "));
  CHECK(contains(text, "[[param]]\nname = \"param_0\"\nbuffer = \"s32[64]\"  # "));
  CHECK(contains(text, "[[param]]\nname = \"n\"\ntype = \"s32\"\nvalue = \"any\"  # "));
  CHECK(contains(text,
                 "bytes = 16  # a structure; what is not in a field is 0\n"
                 "fields = [\n  { offset = 0, address_of = \"s_0\" },\n]\n"));
  CHECK(contains(text, "[[buffer]]\nname = \"s_0\"\ntype = \"u8[64]\"  # "));
}

TEST_CASE("directives of the kernel decide its shape") {
  const auto with = [](const std::string& directives) {
    return template_of(".visible .entry k() " + directives + " { ret; }\n");
  };
  CHECK(contains(with(".reqntid 8, 4"), "block = [8, 4]  # "));
  CHECK(contains(with(".maxntid 128"), "block = [128]  # "));
  CHECK(contains(with(".reqnctapercluster 2"), "grid = [2]  # "));
  CHECK(contains(with(".reqnctapercluster 2"), "cluster = [2]  # "));
  CHECK(contains(with(".explicitcluster"), "cluster = [1]  # "));
}

TEST_CASE("variables that the host may fill, and memory whose size the launch gives, are comments") {
  const std::string text = template_of(
      ".global .f32 table[8];\n.const .u32 limit;\n.global .u32 one = 1;\n"
      ".extern .shared .align 16 .b8 _ZN1k4tileE[];\n.global .align 4 .b8 flags[3];\n"
      ".visible .entry k() { ret; }\n");
  CHECK(contains(text, "# dynamic_shared = 1024  # the bytes of `k::tile`"));
  CHECK(contains(text, "# [[variable]]\n# name = \"table\"\n# type = \"f32[8]\"\n# init = \"any\"\n"));
  CHECK(contains(text, "# [[variable]]\n# name = \"limit\"\n# type = \"u32\"\n# init = \"any\"\n"));
  CHECK(contains(text, "# type = \"u8[3]\"\n"));
  CHECK_FALSE(contains(text, "\"one\""));
}

TEST_CASE("textures, surfaces and samplers are objects") {
  const std::string text = template_of(
      ".global .texref bound;\n"
      ".visible .entry k(.param .texref t, .param .u64 s, .param .samplerref m) {\n"
      ".reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .f32 %f<9>;\n"
      "ld.param.u64 %rd1, [s]; suld.b.2d.v2.b32.trap {%r1, %r2}, [%rd1, {%r3, %r4}];\n"
      "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, m, {%f5, %f6, %f7, %f8}]; ret; }\n",
      "sm_90a, texmode_independent");
  CHECK(contains(text, "name = \"t\"\ntexture = \"f32x1[8, 8, 8]\"  # "));
  CHECK(contains(text, "name = \"s\"\nsurface = \"u32x2[8, 8]\"  # "));
  CHECK(contains(text, "name = \"m\"\nsampler = { "));
  CHECK(contains(text, "bind = \"bound\"\ntexture = "));
}

TEST_CASE("every kernel of the tests can be launched with what is written for it") {
  std::size_t count = 0;
  for (const char* folder : {"/tests/kernels", "/tests/any_size", "/docs/examples", "/../shared/kernels"}) {
    const fs::path path = PTXMC_SOURCE_DIR + std::string(folder);
    if (!fs::is_directory(path)) continue;
    for (const auto& file : fs::directory_iterator(path)) {
      if (file.path().extension() != ".ptx") continue;
      Launch launch;
      launch.module = file.path();
      syntax::Module module;
      try {
        module = read_module_of(launch);
      } catch (const InputError&) {
        continue;  // an example of a mistake
      }
      INFO(file.path().string());
      for (const syntax::ModuleStatement& statement : module.statements) {
        const auto* entry = std::get_if<syntax::Function>(&statement.is);
        if (entry == nullptr || !entry->is_entry || !entry->body) continue;
        CHECK_NOTHROW(template_of(module, *entry));
        ++count;
      }
    }
  }
  CHECK(count > 100);
}
