#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/report/drawing.hpp"

extern char** environ;

namespace ptxmc {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& message) {
  throw InputError(path.string(), {}, "the drawing cannot be written: " + message);
}

File temporary_file(const std::filesystem::path& path) {
  File file(std::tmpfile());
  if (!file) fail(path, fmt::format("no temporary file ({})", std::strerror(errno)));
  return file;
}

/// The first line of the error output of `dot`.
std::string first_line(std::FILE* file) {
  std::rewind(file);
  char line[300] = "";
  if (std::fgets(line, sizeof line, file) == nullptr) return "no message";
  line[std::strcspn(line, "\n")] = '\0';
  return line;
}

/// A process in a separate process group, which is terminated if it is abandoned.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (!is_running_) return;
    kill(-id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for its end. Returns its exit status, or -errno. Throws OutOfTime if the limit of this thread is
  /// reached before.
  int wait() {
    constexpr std::chrono::milliseconds between_looks(2);
    int status = 0;
    for (;; std::this_thread::sleep_for(between_looks)) {
      const pid_t ended = waitpid(id_, &status, WNOHANG);
      if (ended < 0 && errno != EINTR) return -errno;
      if (ended > 0) break;
      TimeLimit::check();
    }
    is_running_ = false;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t id_;
  bool is_running_ = true;
};

/// Runs `dot -Tformat`; the three files become its standard streams. Its exit status, or -errno when it
/// could not be started.
int run_dot(const std::string& format, std::FILE* input, std::FILE* output, std::FILE* errors) {
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, fileno(output), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, fileno(errors), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP);  // terminating a script also terminates its children
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string program = "dot", option = "-T" + format, resolution = "-Gdpi=144";
  char* arguments[] = {program.data(), option.data(), format == "png" ? resolution.data() : nullptr, nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "dot", &streams, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  return error != 0 ? -error : Child(child).wait();
}

/// The picture in another format, by Graphviz. Errors are about `path`.
std::string rendered(const std::filesystem::path& path, const std::string& format, const std::string& dot) {
  const File input = temporary_file(path), output = temporary_file(path), errors = temporary_file(path);
  if (std::fwrite(dot.data(), 1, dot.size(), input.get()) != dot.size() || std::fflush(input.get()) != 0)
    fail(path, std::strerror(errno));
  std::rewind(input.get());
  const int status = run_dot(format, input.get(), output.get(), errors.get());
  if (status == -ENOENT)
    fail(path, "the program `dot` was not found; install Graphviz, or write a .dot or .txt file");
  if (status < 0) fail(path, fmt::format("`dot` cannot be started ({})", std::strerror(-status)));
  if (status > 0) fail(path, fmt::format("`dot` ended with status {}: {}", status, first_line(errors.get())));

  std::string picture;
  std::rewind(output.get());
  char buffer[1 << 14];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, output.get())) > 0;)
    picture.append(buffer, count);
  return picture;
}

}  // namespace

std::filesystem::path numbered(const std::filesystem::path& path, std::size_t number) {
  if (number <= 1) return path;
  std::filesystem::path file = path;
  return file.replace_filename(
      fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()));
}

std::string draw_svg_with_graphviz(const Execution& execution, const DrawingOptions& options) {
  return rendered("SVG", "svg", draw_dot(execution, options));
}

void write_witness(const Execution& execution, const std::filesystem::path& path,
                   const DrawingOptions& options) {
  const std::string extension = path.extension().string();
  if (extension == ".dot") return write_text_file(path, draw_dot(execution, options));
  if (extension == ".txt") return write_text_file(path, draw_text(execution, options));
  if (extension == ".svg" || extension == ".png")
    return write_text_file(path, rendered(path, extension.substr(1), draw_dot(execution, options)));
  throw InputError(path.string(), {},
                   fmt::format("found the extension `{}`, expected .svg, .png, .dot or .txt", extension));
}

}  // namespace ptxmc
