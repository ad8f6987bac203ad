#include "src/library/public_errors.hpp"

#include <exception>
#include <new>

#include "semantics/language/diagnostic.hpp"
#include "solver/engine/engine.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/litmus/input_errors.hpp"

namespace ptxmc {

namespace v1 {

Error::Error(Kind kind, std::vector<Diagnostic> all)
    : std::runtime_error(all.at(0).message),
      kind(kind),
      file(all.front().file),
      line(all.front().line),
      column(all.front().column),
      diagnostics(std::move(all)) {}

}  // namespace v1

namespace {

using Kind = v1::Error::Kind;

v1::Diagnostic diagnostic(const std::string& file, SourcePosition where, const std::exception& error) {
  return {file, where.line, where.column, error.what()};
}

v1::Error of_whole(Kind kind, const std::string& file, const std::exception& error) {
  return {kind, {diagnostic(file, {}, error)}};
}

v1::Error of_input(const InputError& error) {
  std::vector<v1::Diagnostic> all;
  if (const auto* errors = dynamic_cast<const InputErrors*>(&error))
    for (const InputError& each : errors->all) all.push_back(diagnostic(each.file, each.where, each));
  else
    all.push_back(diagnostic(error.file, error.where, error));
  return {Kind::wrong_input, std::move(all)};
}

}  // namespace

v1::Error public_error(const std::string& file) {
  try {
    throw;
  } catch (const v1::Error& error) {
    return error;
  } catch (const ThrownByCallback& thrown) {
    std::rethrow_exception(thrown.exception);
  } catch (const InputError& error) {
    return of_input(error);
  } catch (const TooManyEvents& over) {
    return {Kind::limit, {diagnostic(file, over.where, over)}};
  } catch (const Unsupported& unsupported) {
    return {Kind::unsupported, {diagnostic(file, unsupported.where, unsupported)}};
  } catch (const OutOfTime& out) {
    return of_whole(Kind::limit, file, out);
  } catch (const std::bad_alloc&) {
    return {Kind::limit, {{file, 0, 0, "out of memory"}}};
  } catch (const Disagreement& disagreement) {
    return of_whole(Kind::disagreement, file, disagreement);
  } catch (const std::exception& mistake) {
    return of_whole(Kind::internal, file, mistake);
  }
}

}  // namespace ptxmc
