#include "src/cli/litmus_cuda.hpp"

#include <algorithm>
#include <cctype>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "src/cli/output.hpp"
#include "src/cuda/cuda_program.hpp"

namespace ptxmc {

namespace {

/// The name of a test as the name of a file.
std::string file_name(std::string test) {
  std::ranges::replace_if(
      test,
      [](char c) {
        const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                              std::string_view("-_+.").find(c) != std::string_view::npos;
        return !is_plain;
      },
      '_');
  return test + ".cu";
}

}  // namespace

ExitStatus write_cuda(const LitmusResult& result, const std::filesystem::path& folder) {
  if (!result.answer) return ExitStatus::success;  // the failure is reported already
  std::string text;
  try {
    text = cuda_program(*result.test, result.model, *result.answer);
  } catch (const Unsupported&) {
    const Failure failure = current_failure(result.file);
    print_error("{}", failure.text);
    return failure.status;
  }
  std::filesystem::create_directories(folder);
  write_text_file(folder / file_name(result.test->name), text);
  return ExitStatus::success;
}

}  // namespace ptxmc
