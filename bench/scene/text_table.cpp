#include "text_table.hpp"

#include <algorithm>
#include <ostream>

#include "text.hpp"

namespace scene {

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    widths.push_back(width_of(columns_[column].title));
    for (const auto& row : rows_) widths[column] = std::max(widths[column], width_of(row[column]));
  }

  const auto print_row = [&](auto cell_of) {
    std::string line;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const std::string& cell = cell_of(column);
      const std::string padding(widths[column] - width_of(cell), ' ');
      line += "  ";
      line += columns_[column].align == Align::right ? padding + cell : cell + padding;
    }
    out << line.erase(line.find_last_not_of(' ') + 1) << '\n';
  };
  print_row([&](std::size_t column) -> const std::string& { return columns_[column].title; });
  std::string rule;
  for (const std::size_t width : widths) rule += "  " + std::string(width, '-');
  out << rule << '\n';
  for (const auto& row : rows_)
    print_row([&](std::size_t column) -> const std::string& { return row[column]; });
}

}  // namespace scene
