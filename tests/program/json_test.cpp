// With --json every input gives an object, wrong and unsupported ones too.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run.hpp"
#include "test_folder.hpp"

namespace {

using Json = nlohmann::json;

/// The objects on standard output.
std::vector<Json> objects(const std::string& arguments, const std::string& input = "/dev/null") {
  const Run result = shell("\"$PTXMC\" " + arguments + " 2> /dev/null < " + input);
  CAPTURE(result.output);
  std::vector<Json> lines;
  for (std::size_t begin = 0; begin < result.output.size();) {
    const std::size_t end = result.output.find('\n', begin);
    REQUIRE(end != std::string::npos);
    lines.push_back(Json::parse(result.output.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

Json only_object(const std::string& arguments, const std::string& input = "/dev/null") {
  const auto lines = objects(arguments, input);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

constexpr const char* unsupported_kernel =
    ".version 8.7\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %r<2>;\n"
    "  mov.u32 %r1, %clock;\n  tcgen05.shift.cta_group::1.down [%r1];\n  ret;\n}\n";
constexpr const char* one_thread = "entry = \"k\"\ngrid = [1]\nblock = [1]\n";

}  // namespace

TEST_CASE("a litmus test that is wrong, one that is not there, and one that is unsupported") {
  const TestFolder folder;
  const std::string wrong =
      folder.add("w.litmus", "PTX w\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n st.week x, 1 ;\nexists (x == 1)\n");
  const Json object = only_object("litmus --json " + wrong);
  CHECK(object["file"] == wrong);
  CHECK(object["verdict"] == "error");
  CHECK(object["error"] == "wrong input");
  CHECK(object["line"] == 4);
  CHECK(object["column"].is_number());
  CHECK(contains(object["message"], ".week"));
  const Json missing = only_object("litmus --json no/such/file");
  CHECK(missing["file"] == "no/such/file");
  CHECK(missing["line"].is_null());
  CHECK(only_object("litmus --json --model no-such-model " + wrong)["error"] == "wrong input");
}

TEST_CASE("launches and modules that are wrong or unsupported") {
  const TestFolder folder;
  folder.add("k.ptx", unsupported_kernel);
  const std::string launch = folder.add("k.toml", std::string("module = \"k.ptx\"\n") + one_thread);
  const std::string wrong = folder.add("w.toml", "module = \"k.ptx\"\nentry = 7\n");
  for (const std::string verb : {"check", "run"}) {
    CAPTURE(verb);
    const Json unsupported = only_object(verb + " --json " + launch);
    CHECK(unsupported["verdict"] == "unknown");
    CHECK(unsupported["error"] == "unsupported");
    CHECK(unsupported["file"] == (folder.path / "k.ptx").string());
    CHECK(unsupported["line"] == 8);
    const auto lines = objects(verb + " --json " + wrong + " no/such/file");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0]["verdict"] == "error");
    CHECK(lines[0]["file"] == wrong);
    CHECK(lines[0]["line"] == 2);
    CHECK(lines[1]["message"] == "found no such file, expected a launch file");
  }
  CHECK(only_object("parse --json no/such/file")["verdict"] == "error");
}

TEST_CASE("run --json has what was printed, found and left in memory") {
  const Json object = only_object("run --json " PTXMC_SOURCE_DIR "/tests/kernels/edges_bug_inside.toml");
  CHECK(object["entry"] == "edges");
  REQUIRE(object["findings"].size() == 1);
  CHECK(object["findings"][0]["kind"] == "divergence");
  CHECK(object["findings"][0]["calls"][0]["line"] == 51);
  CHECK(object["findings"][0]["calls"][0]["source_line"] == 19);
  CHECK_FALSE(object["buffers"].empty());
  CHECK(object["instructions"] > 0);
  CHECK(object["contradicted"].empty());
}

TEST_CASE("eval --json has an object for each line") {
  const TestFolder folder;
  const std::string lines = folder.add(
      "lines",
      "add.u32;1,2;3\n# comment\nadd.u32;1,2;4\nadd.u33;1\ntrap;\nsetp.lt.s32|p;1,2\nsin.approx.f32;0\n");
  const auto objects_of = objects("eval --json --intervals " + lines);
  REQUIRE(objects_of.size() == 6);
  CHECK(objects_of[0]["file"] == lines);
  CHECK(objects_of[0]["line"] == 1);
  CHECK(objects_of[0]["instruction"] == "add.u32");
  CHECK(objects_of[0]["inputs"] == "1,2");
  CHECK(objects_of[0]["result"] == "00000003");
  CHECK(objects_of[0]["agrees"] == true);
  CHECK(objects_of[1]["agrees"] == false);
  CHECK(objects_of[1]["expected"] == "4");
  CHECK(objects_of[2]["verdict"] == "error");
  CHECK(objects_of[2]["line"] == 4);
  CHECK(objects_of[3]["verdict"] == "unknown");
  CHECK(objects_of[5]["interval"].is_string());
  CHECK(objects_of[5]["agrees"].is_null());
}

TEST_CASE("JSON is UTF-8, and escapes what a terminal would not show") {
  const TestFolder folder;
  const std::string file =
      folder.add("e\xff\u202e.litmus", "PTX a\u202e\n{}\n P0@cta 0,gpu 0 ;\n st.week x, 1 ;\n");
  const Run result = shell("\"$PTXMC\" litmus --json '" + file + "' 2> /dev/null");
  CHECK(contains(result.output, "e\xef\xbf\xbd\\u202e.litmus"));
  CHECK_FALSE(contains(result.output, "\u202e"));
}

TEST_CASE("a folder where a file is wanted is an error") {
  const TestFolder folder;
  const std::string name = folder.path.string();
  for (const char* verb : {"parse", "check", "run", "eval"}) {
    CAPTURE(std::string(verb));
    const Run result = run(std::string(verb) + " " + name);
    CHECK(result.status == 2);
    CHECK(contains(result.output, name + ": error: found a folder, expected "));
  }
  CHECK(contains(run("litmus " + name).output, "found no .litmus or .test file in this folder"));
  CHECK(contains(run("check x.toml --model " + name + "/").output, "found a folder, expected a cat model"));
  const std::string launch = folder.add("l.toml", std::string("module = \".\"\n") + one_thread);
  CHECK(contains(run("run " + launch).output, "l.toml:1:10: error: found a folder "));
}
