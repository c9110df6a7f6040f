#include "sources.hpp"

#include <algorithm>
#include <fstream>

namespace strata::test {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_header(const fs::path& file) {
  return file.extension() == ".hpp" || file.extension() == ".h";
}

namespace {

bool is_source(const fs::path& file) {
  return is_header(file) || file.extension() == ".cpp";
}

}  // namespace

std::vector<fs::path> sources_in(const fs::path& root, std::string_view folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(root / folder)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) {
      found.push_back(fs::relative(entry.path(), root));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<Include> include_in(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return {};
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
  const std::size_t open = line.find_first_of("\"<", word);
  if (open == std::string::npos) return {};
  const std::size_t close = line.find(line[open] == '"' ? '"' : '>', open + 1);
  return Include{line.substr(open + 1, close - open - 1), line[open] == '"'};
}

std::string first_part(const fs::path& path) {
  return path.empty() ? std::string() : path.begin()->string();
}

}  // namespace strata::test
