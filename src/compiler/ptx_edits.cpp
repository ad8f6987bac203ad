#include "src/compiler/ptx_edits.hpp"

#include <algorithm>
#include <map>

#include "src/compiler/annotated_instruction.hpp"

namespace ptxmc {
namespace {

/// The changes at one instruction.
struct Change {
  std::vector<std::string> fences;  ///< inserted before it
  bool is_changed = false;
  const Instruction* made = nullptr;  ///< of a changed one; null: it is removed
};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

/// Changes the instruction at an offset of the last line; fences before it get lines of their own if nothing
/// else stands before it.
void apply(const Change& change, std::size_t offset, std::vector<std::string>& lines) {
  std::string& line = lines.back();
  if (change.is_changed && change.made == nullptr) {
    const std::size_t end = std::min(line.find(';', offset), line.size() - 1);
    line.erase(offset, end + 1 - offset);
  } else if (change.is_changed) {
    const auto [begin, end] = opcode_range(line, offset);
    const auto [first, last] = opcode_range(change.made->text, 0);
    line.replace(begin, end - begin, change.made->text.substr(first, last - first));
  }
  const std::string before = line.substr(0, offset);
  for (auto fence = change.fences.rbegin(); fence != change.fences.rend(); ++fence) {
    if (is_blank(before))
      lines.insert(lines.begin(), before + *fence + ";");
    else
      line.insert(offset, *fence + "; ");
  }
}

}  // namespace

std::vector<LineEdit> ptx_edits(std::string_view text, const std::vector<StrengthPoint>& points,
                                const Assignment& assignment) {
  std::map<std::uint32_t, std::map<std::uint32_t, Change>> by_place;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (assignment[i] == points[i].given) continue;
    Change& change = by_place[points[i].where.line][points[i].where.column];
    const auto& made = points[i].levels[assignment[i]].made;
    if (points[i].is_inserted) {
      change.fences.push_back(made->text);
      continue;
    }
    change.is_changed = true;
    change.made = made ? &*made : nullptr;
  }
  const std::vector<std::string> lines = lines_of(text);
  std::vector<LineEdit> edits;
  for (const auto& [line, changes] : by_place) {
    std::vector<std::string> edited = {lines.at(line - 1)};
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
      apply(change->second, change->first - 1, edited);
    if (is_blank(edited.back())) edited.pop_back();
    edits.push_back({line, std::move(edited)});
  }
  return edits;
}

}  // namespace ptxmc
