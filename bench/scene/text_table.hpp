// TextTable: rows of text in aligned columns.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace scene {

/// A table for the terminal: a line of titles, a rule, the rows.
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Appends a row: one cell per column, each printable UTF-8.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  void print(std::ostream& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace scene
