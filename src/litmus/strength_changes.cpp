#include "src/litmus/strength_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "semantics/language/form.hpp"
#include "src/litmus/spelling.hpp"

namespace ptxmc {
namespace {

/// The parts of a spelling: "ld", ".weak", "", ".s64".
struct Spelling {
  std::string opcode;
  std::string sem;
  std::string scope;
  std::string rest;

  std::string text() const { return opcode + sem + scope + rest; }
};

constexpr std::array<std::string_view, 7> sems = {".weak",    ".relaxed", ".acquire", ".release",
                                                  ".acq_rel", ".sc",      ".volatile"};
constexpr std::array<std::string_view, 4> scopes = {".cta", ".cluster", ".gpu", ".sys"};

template <class Words>
int index_of(const Words& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

Spelling take_apart(std::string_view text) {
  Spelling result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('.', begin + 1), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (begin == 0)
      result.opcode = part;
    else if (result.sem.empty() && result.rest.empty() && index_of(sems, part) >= 0)
      result.sem = part;
    else if (result.scope.empty() && result.rest.empty() && index_of(scopes, part) >= 0)
      result.scope = part;
    else
      result.rest += part;
    begin = end;
  }
  return result;
}

/// The narrowest scope that includes all threads of the program.
std::string common_scope(const Program& program) {
  const auto same = [&](int Placement::*place) {
    return std::ranges::all_of(program.threads, [&](const Thread& thread) {
      return thread.placement.*place == program.threads.front().placement.*place;
    });
  };
  if (same(&Placement::cta)) return ".cta";
  if (same(&Placement::cluster)) return ".cluster";
  return same(&Placement::gpu) ? ".gpu" : ".sys";
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_load(const Spelling& s) { return is_one_of(s.opcode, {"ld", "tld", "suld", "cold"}); }
bool is_store(const Spelling& s) { return is_one_of(s.opcode, {"st", "sust"}); }
bool is_atomic(const Spelling& s) { return is_one_of(s.opcode, {"atom", "suatom", "red", "sured"}); }
bool is_access(const Spelling& s) { return is_load(s) || is_store(s) || is_atomic(s); }

/// The orders that are at least as strong as the written one, including it; empty if there is nothing to
/// strengthen.
std::vector<std::string> orders_above(const Spelling& s) {
  const bool is_weak = s.sem.empty() || s.sem == ".weak";
  if (is_load(s)) {
    if (s.sem == ".acquire") return {".acquire"};
    return is_weak ? std::vector<std::string>{".weak", ".relaxed", ".acquire"}
                   : std::vector<std::string>{s.sem == ".volatile" ? ".volatile" : ".relaxed", ".acquire"};
  }
  if (is_store(s)) {
    if (s.sem == ".release") return {".release"};
    return is_weak ? std::vector<std::string>{".weak", ".relaxed", ".release"}
                   : std::vector<std::string>{s.sem == ".volatile" ? ".volatile" : ".relaxed", ".release"};
  }
  const bool is_reduction = s.opcode.ends_with("red");
  if (is_atomic(s)) {
    if (s.sem == ".acq_rel" || (is_reduction && s.sem == ".release")) return {s.sem};
    if (is_reduction) return {".relaxed", ".release"};
    if (!s.sem.empty() && s.sem != ".relaxed") return {s.sem, ".acq_rel"};
    return {".relaxed", ".acquire", ".release", ".acq_rel"};
  }
  if (s.opcode != "fence" || s.rest.starts_with(".proxy")) return {};
  if (s.sem == ".sc") return {".sc"};
  if (s.sem == ".acquire" || s.sem == ".release") return {s.sem, ".acq_rel", ".sc"};
  return {".acq_rel", ".sc"};
}

int strength_of(const Spelling& s) {
  return 10 * std::max(0, index_of(sems, s.sem)) + std::max(0, index_of(scopes, s.scope));
}

/// The written text with another opcode.
std::string respelled(const std::string& text, const Spelling& from, const Spelling& to) {
  std::size_t begin = text.starts_with('@') ? text.find(' ') + 1 : 0;
  begin = std::min(text.find(from.opcode, begin), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t;", begin), text.size());
  const Spelling written = take_apart(std::string_view(text).substr(begin, end - begin));
  return text.substr(0, begin) + to.opcode + to.sem + to.scope + written.rest + text.substr(end);
}

class Changes {
 public:
  explicit Changes(const Program& program) : program_(program), scope_(common_scope(program)) {
    for (const Variable& variable : program.memory) {
      if (variable.proxy == Proxy::texture) proxy_fences_.insert("fence.proxy.texture");
      if (variable.proxy == Proxy::surface) proxy_fences_.insert("fence.proxy.surface");
      if (variable.proxy == Proxy::constant) proxy_fences_.insert("fence.proxy.constant");
      if (variable.proxy == Proxy::generic && variable.address != variable.location)
        proxy_fences_.insert("fence.proxy.alias");
    }
  }

  std::vector<Strengthening> all() {
    for (thread_ = 0; thread_ < program_.threads.size(); ++thread_) {
      bool accessed = false;
      const auto& code = program_.threads[thread_].code;
      for (at_ = 0; at_ < code.size(); ++at_) {
        const Spelling spelling = take_apart(code[at_].form->spelling);
        replace(code[at_], spelling);
        if (!is_access(spelling)) continue;
        if (accessed) insert(code[at_]);
        accessed = true;
      }
    }
    return std::move(changes_);
  }

 private:
  void add(const Instruction& original, const std::string& spelling, const std::string& text,
           std::vector<Operand> operands, int strength, bool is_inserted) {
    std::vector<OperandShape> shapes;
    for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
    const Match match = match_instruction(spelling, shapes);
    if (!match) return;
    Strengthening change{thread_, at_, original.where, original.text, text, is_inserted, original, strength};
    change.made.form = match.form;
    change.made.operands = std::move(operands);
    change.made.text = text;
    if (is_inserted) change.made.guard.reset();
    changes_.push_back(std::move(change));
  }

  void replace(const Instruction& original, const Spelling& written) {
    const std::size_t first = changes_.size();
    for (const std::string& sem : orders_above(written))
      for (const std::string& scope : {written.scope, scope_}) {
        Spelling stronger = written;
        stronger.sem = sem;
        stronger.scope = scope;
        const bool has_scope = sem != ".weak" && sem != ".volatile";
        if (has_scope == scope.empty()) continue;
        if (index_of(scopes, scope) < index_of(scopes, written.scope)) continue;
        if (scope != written.scope && is_atomic(written) && written.scope.empty() &&
            index_of(scopes, scope) < index_of(scopes, ".gpu"))
          stronger.scope = ".gpu";  // the default scope
        const bool is_same = (sem == written.sem || (written.sem.empty() && sem != ".acquire" &&
                                                     sem == orders_above(written).front())) &&
                             (stronger.scope == written.scope ||
                              (written.scope.empty() && is_atomic(written) && stronger.scope == ".gpu"));
        if (!is_same)
          add(original, stronger.text(), respelled(original.text, written, stronger), original.operands,
              strength_of(stronger), false);
      }
    const auto begin = changes_.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, changes_.end(),
                     [](const Strengthening& a, const Strengthening& b) { return a.strength < b.strength; });
    changes_.erase(
        std::unique(begin, changes_.end(),
                    [](const Strengthening& a, const Strengthening& b) { return a.after == b.after; }),
        changes_.end());
  }

  void insert(const Instruction& before) {
    for (const std::string& fence : proxy_fences_) add(before, fence, fence, {}, 25, true);
    for (const char* fence : {"fence.acq_rel", "fence.sc"}) {
      const std::string spelling = fence + scope_;
      add(before, spelling, spelling, {}, strength_of(take_apart(spelling)), true);
    }
  }

  const Program& program_;
  const std::string scope_;
  std::set<std::string> proxy_fences_;
  std::size_t thread_ = 0;
  Target at_ = 0;
  std::vector<Strengthening> changes_;
};

void insert_before(Thread& thread, Target at, const Instruction& instruction) {
  thread.code.insert(thread.code.begin() + at, instruction);
  for (Instruction& other : thread.code)
    for (Operand& operand : other.operands)
      if (auto* label = std::get_if<Operand::Label>(&operand.is); label && label->target > at)
        ++label->target;
}

}  // namespace

std::vector<Strengthening> possible_strengthenings(const Program& program) { return Changes(program).all(); }

Program with_changes(const Program& program, const std::vector<const Strengthening*>& changes) {
  Program result = program;
  auto ordered = changes;
  // Applies changes from the end, so that positions stay valid; at one position the replacement comes before
  // the insertion.
  std::sort(ordered.begin(), ordered.end(), [](const Strengthening* a, const Strengthening* b) {
    return std::pair(a->instruction, !a->is_inserted) > std::pair(b->instruction, !b->is_inserted);
  });
  for (const Strengthening* change : ordered) {
    Thread& thread = result.threads[change->thread];
    if (change->is_inserted)
      insert_before(thread, change->instruction, change->made);
    else
      thread.code[change->instruction] = change->made;
  }
  return result;
}

}  // namespace ptxmc
