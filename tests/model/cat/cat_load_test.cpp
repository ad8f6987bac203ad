// Models in files and embedded ones, and what they include.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "model/cat/cat_model.hpp"
#include "model/cat/embedded_models.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

namespace {

/// A folder that is there as long as the test.
class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("ptxmc-cat-{}", static_cast<const void*>(this));
};

std::string load_error(const std::string& name) {
  try {
    cat::load(name);
  } catch (const InputError& error) {
    return fmt::format("{}:{}:{}: {}", error.file, error.where.line, error.where.column, error.what());
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a model in a file, with includes beside it, embedded and predefined ones") {
  const Folder folder;
  folder.write("parts/more.cat", "let more = po");
  folder.write("parts/below.cat", "include \"more.cat\"");
  const std::string file = folder.write("own-1.2.cat",
                                        "\"own\" include \"parts/below.cat\" include \"stdlib.cat\" include "
                                        "\"sc.cat\" include \"cos.cat\" let r = more");
  const cat::Model model = cat::load(file);
  CHECK(model.name == "own-1.2");
  CHECK(model.title == "own");
  CHECK(model.find("r"));
  CHECK(model.axioms.size() == 2);
  CHECK(model.files.at(0) == file);
}

TEST_CASE("cos.cat makes coherence total in any model") {
  const Folder folder;
  const cat::Model model = cat::load(folder.write("m.cat", "PTX include \"cos.cat\" acyclic fr"));
  CHECK(model.nodes.at(static_cast<std::size_t>(model.find("co")->node)).op ==
        cat::Operator::total_coherence);
}

TEST_CASE("the first line decides what predefined coherence is") {
  const Folder folder;
  const auto coherence = [&](const std::string& text) {
    const cat::Model model = cat::load(folder.write("m.cat", text));
    return model.nodes.at(static_cast<std::size_t>(model.find("co")->node)).op;
  };
  CHECK(coherence("PTX\nlet a = co") == cat::Operator::partial_coherence);
  CHECK(coherence("\"PTX\"\nlet a = co") == cat::Operator::total_coherence);
}

TEST_CASE("errors of an included file name it") {
  const Folder folder;
  const std::string bad = folder.write("bad.cat", "let a =\n  bad");
  CHECK(load_error(folder.write("m.cat", "include \"bad.cat\"")) ==
        bad + ":2:3: unknown name 'bad'; did you mean 'BAR'?");
}

TEST_CASE("no model") {
  const Folder folder;
  CHECK(load_error("ptx-8.6").find(
            "ptx-8.6:0:0: found no such file, expected a file or one of the models ") == 0);
  CHECK(load_error("ptx-8.6").find("; did you mean 'ptx-") != std::string::npos);
  CHECK(load_error(folder.path()) == folder.path() + ":0:0: found a folder, expected a cat model");
  CHECK(load_error(folder.path() + "/none.cat") ==
        folder.path() + "/none.cat:0:0: found no such file, expected a cat model");
  CHECK(load_error(folder.write("empty.cat", "")).find("the model is empty") != std::string::npos);
}

TEST_CASE("what follows from the axioms of PTX holds in models that have them") {
  const Folder folder;
  const auto has_axioms = [&](const std::string& text) {
    return cat::has_axioms_of_ptx(cat::load(folder.write("mine.cat", text)));
  };
  CHECK(has_axioms("PTX\ninclude \"ptx-8.7.cat\""));
  CHECK(has_axioms("PTX\ninclude \"ptx-8.7.cat\"\nacyclic po | rf as mine"));
  CHECK(has_axioms("PTX\nlet mine = po | rf\ninclude \"ptx-6.4.cat\"\nacyclic mine"));
  CHECK_FALSE(has_axioms("PTX\ninclude \"ptx-8.7.cat\"\nlet data_race = 0"));
  CHECK_FALSE(has_axioms("PTX\ninclude \"ptx-8.7.cat\"\nlet co = 0"));
  CHECK_FALSE(has_axioms("PTX\nacyclic po | rf"));
  CHECK_FALSE(cat::has_axioms_of_ptx(cat::load("mixed-size")));
  CHECK_FALSE(cat::has_axioms_of_ptx(cat::load("sc")));
  for (const char* name : {"ptx-6.4", "ptx-7.5", "ptx-8.7"}) {
    const cat::Model whole = cat::load(name);
    CHECK(cat::has_axioms_of_ptx(whole));
    for (std::size_t i = 0; i < whole.axioms.size(); ++i) {
      cat::Model weaker = whole;
      weaker.axioms.erase(weaker.axioms.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK_FALSE(cat::has_axioms_of_ptx(weaker));
    }
  }
}

TEST_CASE("which models are those of PTX that come along") {
  CHECK(cat::is_embedded_ptx(cat::load("ptx-8.7")));
  CHECK(cat::is_embedded_ptx(cat::load("ptx-6.4")));
  CHECK_FALSE(cat::is_embedded_ptx(cat::load("sc")));
  CHECK_FALSE(cat::is_embedded_ptx(cat::load("cpp-scoped")));
  CHECK(cat::is_embedded_cpp(cat::load("cpp-scoped")));
  CHECK(cat::is_embedded_cpp(cat::load("cpp-scoped-17")));
  CHECK_FALSE(cat::is_embedded_cpp(cat::load("sc")));
  CHECK_FALSE(cat::is_embedded_cpp(cat::load("ptx-8.7")));
  cat::Model weaker = cat::load("ptx-8.7");
  weaker.axioms.pop_back();
  CHECK_FALSE(cat::is_embedded_ptx(weaker));
  const Folder folder;
  CHECK_FALSE(cat::is_embedded_ptx(cat::load(folder.write("ptx-8.7.cat", "PTX\nacyclic po"))));
  std::ifstream text(PTXMC_SOURCE_DIR "/model/ptx-8.7.cat");
  const std::string copied{std::istreambuf_iterator<char>(text), {}};
  CHECK(cat::is_embedded_ptx(cat::load(folder.write("copy.cat", copied))));
  CHECK(cat::is_embedded_ptx(cat::load(folder.write("commented.cat", copied + "\n(* mine *)\n"))));
  CHECK_FALSE(cat::is_embedded_ptx(cat::load(folder.write("stronger.cat", copied + "\nacyclic po | rf\n"))));
  // Chapter 8 does not apply to programs with mixed-size data races.
  CHECK_FALSE(cat::is_embedded_ptx(cat::load("mixed-size")));
}
