#include "src/litmus/litmus_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

#include "semantics/language/text_file.hpp"
#include "src/litmus/comments.hpp"
#include "src/litmus/cpp_test.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/memory_layout.hpp"
#include "src/litmus/nvlitmus.hpp"
#include "src/litmus/question.hpp"
#include "src/litmus/resolution.hpp"
#include "src/litmus/thread_code.hpp"
#include "src/litmus/warnings.hpp"

namespace ptxmc {

namespace {

std::string plural(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void check_thread_names(const litmus_syntax::File& file, const SourceText& source, Mistakes& mistakes) {
  std::set<std::uint64_t> numbers;
  for (const litmus_syntax::ThreadHeader& header : file.threads)
    if (!numbers.insert(header.name.number).second)
      mistakes.add(InputError(
          source.file(), header.name.where,
          fmt::format("found a second thread 'P{}', expected each thread once", header.name.number)));
  for (const litmus_syntax::RegisterInitialisation& initialisation : file.registers)
    if (!numbers.contains(initialisation.target.thread.number))
      mistakes.add(InputError(source.file(), initialisation.target.thread.where,
                              fmt::format("found thread 'P{}', expected a thread of the test",
                                          initialisation.target.thread.number)));
}

/// A cluster is part of one grid. Grids have small numbers.
void check_grids(const litmus_syntax::File& file, const SourceText& source, Mistakes& mistakes) {
  constexpr std::uint64_t most_grids = 16;
  for (const litmus_syntax::ThreadHeader& header : file.threads)
    if (header.grid && header.grid->bits >= most_grids)
      return mistakes.add(InputError(
          source.file(), header.grid->where,
          fmt::format("found grid {}, expected a number below {}", header.grid->bits, most_grids)));
  const std::vector<Placement> places = place_threads(file.threads).of_thread;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto is_elsewhere = [&](const Placement& other) {
      return other.cluster == places[i].cluster && other.grid != places[i].grid;
    };
    if (file.threads[i].grid && std::ranges::any_of(places, is_elsewhere))
      mistakes.add(InputError(source.file(), file.threads[i].grid->where,
                              "found threads of one cluster in two grids, expected all of them in one"));
  }
}

std::vector<litmus_syntax::RegisterInitialisation> registers_of(const litmus_syntax::File& file,
                                                                std::uint64_t thread) {
  std::vector<litmus_syntax::RegisterInitialisation> own;
  std::copy_if(file.registers.begin(), file.registers.end(), std::back_inserter(own),
               [&](const auto& initialisation) { return initialisation.target.thread.number == thread; });
  return own;
}

}  // namespace

std::vector<litmus_syntax::Column> columns_of(const litmus_syntax::File& file, const SourceText& source) {
  const std::size_t threads = file.threads.size();
  std::vector<litmus_syntax::Column> columns(threads);
  std::size_t column = 0;
  for (std::size_t i = 0; i < file.cells.size(); ++i) {
    const litmus_syntax::Cell& cell = file.cells[i];
    columns[column].push_back(&cell);
    const bool is_last = column + 1 == threads;
    if (cell.end.text == ";" && !is_last) {
      const bool bar_follows =
          i + 1 < file.cells.size() && file.cells[i + 1].is_empty() && file.cells[i + 1].end.text == "|";
      if (bar_follows) {
        ++i;
      } else if (column > 0 || !cell.is_empty()) {
        throw InputError(source.file(), cell.end.where,
                         fmt::format("found the end of a row of {}, expected {}",
                                     plural(column + 1, "column"), plural(threads, "column")));
      } else {
        continue;  // an empty row
      }
      ++column;
    } else if (cell.end.text == "|") {
      if (is_last)
        throw InputError(source.file(), cell.end.where,
                         fmt::format("found another column, expected {}", plural(threads, "column")));
      ++column;
    } else {
      column = 0;
    }
  }
  if (column != 0)
    throw InputError(source.file(), file.cells.back().end.where,
                     "found the end of the code in a row, expected ';'");
  return columns;
}

LitmusTest resolve_threads(const litmus_syntax::File& file, const SourceText& source,
                           const TranslateThread& translate, Mistakes mistakes) {
  LitmusTest test;
  check_thread_names(file, source, mistakes);
  check_grids(file, source, mistakes);
  const Placements placements = place_threads(file.threads);
  MemoryLayout memory(file, source, placements.ctas, mistakes);
  std::vector<ThreadCode> threads;
  for (std::size_t i = 0; i < file.threads.size(); ++i) {
    const litmus_syntax::ThreadHeader& header = file.threads[i];
    threads.push_back(translate(i,
                                {header,
                                 placements.of_thread[i],
                                 placements.cta_of_thread[i],
                                 {},
                                 registers_of(file, header.name.number)},
                                memory, mistakes));
  }
  test.question = translate_question(file, threads, memory, source, mistakes);
  mistakes.throw_all();
  for (ThreadCode& made : threads) test.program.threads.push_back(std::move(made.thread));
  test.program.memory = memory.variables();
  return test;
}

LitmusTest resolve(const litmus_syntax::File& file, const std::vector<litmus_syntax::Column>& code,
                   const SourceText& source) {
  const auto translate = [&](std::size_t i, ThreadSource thread, MemoryLayout& memory, Mistakes& mistakes) {
    thread.column = code[i];
    return translate_thread(thread, memory, source, mistakes);
  };
  LitmusTest test = resolve_threads(file, source, translate, {});
  test.warnings = warnings_about(file, code, test);
  return test;
}

namespace {

/// Reads a file. After an error it skips the wrong part and continues, to find further errors.
litmus_syntax::File parse_whole(const SourceText& source) {
  constexpr int most = 100;
  Mistakes mistakes;
  std::string text = source.text();
  litmus_syntax::File file;
  std::optional<litmus_syntax::Part> wrong;
  const auto read = [&] {
    wrong.reset();
    try {
      file = litmus_syntax::parse(SourceText(source.file(), text));
    } catch (const litmus_syntax::SyntaxError& error) {
      wrong = error.part;
      throw;
    }
  };
  for (int i = 0; i < most && !mistakes.collect(read) && wrong; ++i)
    for (std::size_t at = wrong->first; at < wrong->last; ++at)
      if (text[at] != '\n') text[at] = ' ';
  mistakes.throw_all();
  return file;
}

}  // namespace

LitmusTest parse_litmus(std::string_view text, const std::string& file_name) {
  UncommentedText uncommented = remove_comments(SourceText(file_name, std::string(text)));
  const litmus_syntax::File file = parse_whole(uncommented.text);
  LitmusTest test = file.is_cpp ? resolve_cpp(file, uncommented.text)
                                : resolve(file, columns_of(file, uncommented.text), uncommented.text);
  test.file = file_name;
  test.name = file.name.text;
  test.documentation = file.documentation;
  test.expectations = std::move(uncommented.expectations);
  test.sources = std::move(uncommented.sources);
  return test;
}

std::string text_of_tests(const std::filesystem::path& path) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(path.string(), {}, "found no .litmus or .test file in this folder, expected some");
  std::string text = path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                 : text_of_input(path, "a litmus test");
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

LitmusTest read_litmus(const std::filesystem::path& path) {
  return parse_litmus(text_of_tests(path), path.string());
}

std::vector<LitmusTest> parse_tests(std::string_view text, const std::filesystem::path& path) {
  if (path.extension() == ".test") return parse_nvlitmus(std::string(text), path.string());
  std::vector<LitmusTest> tests;
  tests.push_back(parse_litmus(text, path.string()));
  return tests;
}

std::vector<LitmusTest> read_tests(const std::filesystem::path& path) {
  return parse_tests(text_of_tests(path), path);
}

}  // namespace ptxmc
