#include "src/compiler/litmus_edits.hpp"

#include <algorithm>
#include <map>

#include "semantics/language/diagnostic.hpp"
#include "src/compiler/annotated_instruction.hpp"

namespace ptxmc {
namespace {

/// A line with a row of cells: "cell | cell ;".
struct Row {
  std::vector<std::string> cells;
  std::string end;  ///< the `;` and what stands behind it
  std::vector<std::size_t> begins;

  std::string text() const {
    std::string result;
    for (const std::string& cell : cells) result += (result.empty() ? "" : "|") + cell;
    return result + end;
  }

  bool is_blank() const {
    return std::ranges::all_of(
        cells, [](const std::string& cell) { return cell.find_first_not_of(' ') == std::string::npos; });
  }
};

Row row_of(const std::string& line) {
  Row row;
  const std::size_t end = std::min(line.rfind(';'), line.size());
  row.end = line.substr(end);
  for (std::size_t begin = 0; begin <= end;) {
    const std::size_t bar = std::min(line.find('|', begin), end);
    row.cells.push_back(line.substr(begin, bar - begin));
    row.begins.push_back(begin);
    begin = bar + 1;
  }
  return row;
}

/// Gives the cell its width again, with at least one blank at its end.
void fit(std::string& cell, std::size_t width) {
  while (cell.size() > width && cell.ends_with("  ")) cell.pop_back();
  if (cell.empty() || cell.back() != ' ') cell += ' ';
  if (cell.size() < width) cell.append(width - cell.size(), ' ');
}

/// A change of one cell: another opcode, no instruction, or fences in new rows before it.
struct CellChange {
  std::uint32_t column = 0;
  bool is_inserted = false;
  const Instruction* made = nullptr;  ///< null: the instruction is removed
};

class RowEdit {
 public:
  explicit RowEdit(const std::string& line) : row_(row_of(line)), blank_(row_) {
    for (std::string& cell : blank_.cells) cell.assign(cell.size(), ' ');
    blank_.end = ";";
  }

  void apply(const CellChange& change) {
    const std::size_t at = change.column - 1;
    const auto behind = std::ranges::upper_bound(row_.begins, at);
    const auto number = static_cast<std::size_t>(behind - row_.begins.begin()) - 1;
    std::string& cell = row_.cells[number];
    const std::size_t width = cell.size(), offset = at - row_.begins[number];
    if (offset > cell.size()) return;
    if (change.is_inserted) return insert(number, offset, change.made->text);
    if (change.made == nullptr) {
      cell.erase(offset);
    } else {
      const auto [begin, end] = opcode_range(cell, offset);
      const auto [first, last] = opcode_range(change.made->text, 0);
      cell.replace(begin, end - begin, change.made->text.substr(first, last - first));
    }
    fit(cell, width);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    for (const Row& row : inserted_) result.push_back(row.text());
    if (!row_.is_blank()) result.push_back(row_.text());
    return result;
  }

 private:
  /// Writes the fence into the first new row in which this cell and those of later rows are empty. Labels of
  /// the instruction are labels of its first fence.
  void insert(std::size_t number, std::size_t offset, const std::string& fence) {
    std::size_t row = inserted_.size();
    while (row > 0 && inserted_[row - 1].cells[number].find_first_not_of(' ') == std::string::npos) --row;
    if (row == inserted_.size()) inserted_.push_back(blank_);
    std::string& label = row_.cells[number];
    std::string& cell = inserted_[row].cells[number];
    const std::size_t width = cell.size();
    cell = label.substr(0, offset) + fence;
    fit(cell, width);
    label.replace(0, offset, offset, ' ');
  }

  Row row_;
  Row blank_;
  std::vector<Row> inserted_;
};

bool is_same_code(const Program& a, const Program& b) {
  if (a.threads.size() != b.threads.size()) return false;
  for (std::size_t thread = 0; thread < a.threads.size(); ++thread) {
    const auto& left = a.threads[thread].code;
    const auto& right = b.threads[thread].code;
    const auto is_same = [](const Instruction& one, const Instruction& other) {
      if (one.form != other.form || one.text != other.text || one.operands.size() != other.operands.size())
        return false;
      for (std::size_t i = 0; i < one.operands.size(); ++i) {
        const auto* from = std::get_if<Operand::Label>(&one.operands[i].is);
        const auto* to = std::get_if<Operand::Label>(&other.operands[i].is);
        if ((from == nullptr) != (to == nullptr) || (from != nullptr && from->target != to->target))
          return false;
      }
      return true;
    };
    if (!std::ranges::equal(left, right, is_same)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<LineEdit>> litmus_edits(const LitmusTest& test, std::string_view text,
                                                  const std::vector<StrengthPoint>& points,
                                                  const Assignment& assignment) {
  std::map<std::uint32_t, std::vector<CellChange>> by_line;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (assignment[i] == points[i].given) continue;
    const auto& made = points[i].levels[assignment[i]].made;
    by_line[points[i].where.line].push_back(
        {points[i].where.column, points[i].is_inserted, made ? &*made : nullptr});
  }
  const std::vector<std::string> lines = lines_of(text);
  std::vector<LineEdit> edits;
  for (auto& [line, changes] : by_line) {
    if (line == 0 || line > lines.size()) return std::nullopt;
    RowEdit row(lines[line - 1]);
    // Fences are inserted before their column moves, and in the order of the thread.
    std::ranges::stable_sort(changes, {}, [](const CellChange& change) { return !change.is_inserted; });
    for (const CellChange& change : changes) row.apply(change);
    edits.push_back({line, row.lines()});
  }
  try {
    const LitmusTest again = parse_litmus(with_edits(text, edits), test.file);
    if (!is_same_code(again.program, with_levels(test.program, points, assignment))) return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  return edits;
}

}  // namespace ptxmc
