#include "semantics/language/text_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes with it.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("ptxmc-text-file-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("every byte of a file, zeros and missing line ends included") {
  const Folder folder;
  const std::string bytes("a\0\r\nb", 5);
  std::ofstream(folder.path / "bytes", std::ios::binary) << bytes;
  std::ofstream(folder.path / "empty");
  CHECK(ptxmc::text_of_file(folder.path / "bytes") == bytes);
  CHECK(ptxmc::text_of_file(folder.path / "empty") == "");
}

TEST_CASE("a pipe is read to its end") {
  const Folder folder;
  const fs::path pipe = folder.path / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { std::ofstream(pipe) << "through a pipe"; });
  CHECK(ptxmc::text_of_file(pipe) == "through a pipe");
  writer.join();
}

TEST_CASE("what cannot be read is nothing, not an empty text") {
  const Folder folder;
  CHECK_FALSE(ptxmc::text_of_file(folder.path));
  CHECK_FALSE(ptxmc::text_of_file(folder.path / "missing"));
}
