#include "structure.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "sources.hpp"

namespace strata::test {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 2> kOtherSources = {"tests", "bench"};
constexpr std::array<std::string_view, 15> kTopLevel = {
    "core",      "storage",         "query",        "hierarchy",         "tests",
    "bench",     "include",         "meson.build",  "meson_options.txt", "CMakeLists.txt",
    "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",   "LICENSE"};
constexpr std::array<std::string_view, 5> kTestedRooms = {"core", "storage", "query", "hierarchy", "api"};
constexpr std::size_t kMostLines = 500;

std::vector<fs::path> all_sources(const fs::path& root) {
  std::vector<fs::path> found;
  for (const std::string_view folder : kRooms)
    std::ranges::copy(sources_in(root, folder), std::back_inserter(found));
  for (const std::string_view folder : kOtherSources) {
    std::ranges::copy(sources_in(root, folder), std::back_inserter(found));
  }
  return found;
}

std::optional<std::size_t> rank_of(const fs::path& room) {
  const auto found = std::find(kRooms.begin(), kRooms.end(), room.string());
  if (found == kRooms.end()) return {};
  return static_cast<std::size_t>(found - kRooms.begin());
}

// Returns: whether the text had that ending, which is gone now.
bool drop_ending(std::string& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.resize(text.size() - ending.size());
  return true;
}

// What is wrong with `include` in `file`, whose code may reach the rooms up to `limit`; empty when nothing
// is.
std::string fault(const fs::path& root, const fs::path& file, const Include& include, std::size_t limit,
                  bool in_room) {
  const std::string first = first_part(include.target);
  if (!include.quoted) {
    const bool names_us = first == "strata" || rank_of(first).has_value();
    if (names_us && in_room) return "includes <" + include.target + ">; rooms include by relative paths";
    if (first == "strata" && limit + 1 < kRooms.size())
      return "includes the public API, <" + include.target + ">";
    return {};
  }
  const fs::path target = (file.parent_path() / include.target).lexically_normal();
  const std::optional<std::size_t> rank = rank_of(first_part(target));
  if (rank && *rank > limit) return "includes upward: \"" + include.target + '"';
  if (in_room && !fs::exists(root / target)) {
    return "includes \"" + include.target + "\", which is not there relative to it";
  }
  return {};
}

void check_includes_of(const fs::path& root, const fs::path& file, std::size_t limit, bool in_room,
                       Complaints& complaints) {
  for (const std::string& line : lines_of(root / file)) {
    const std::optional<Include> include = include_in(line);
    if (!include) continue;
    const std::string what = fault(root, file, *include, limit, in_room);
    if (!what.empty()) complaints.push_back(file.string() + ' ' + what);
  }
}

}  // namespace

Complaints check_includes(const fs::path& root) {
  Complaints complaints;
  for (std::size_t rank = 0; rank < kRooms.size(); ++rank) {
    for (const fs::path& file : sources_in(root, kRooms[rank])) {
      check_includes_of(root, file, rank, true, complaints);
    }
  }
  // The rooms of the rows must be testable without the rooms to their right.
  for (std::size_t rank = 0; rank < kRooms.size(); ++rank) {
    for (const fs::path& file : sources_in(root, "tests/" + std::string(kTestedRooms[rank]))) {
      check_includes_of(root, file, rank, false, complaints);
    }
  }
  return complaints;
}

Complaints check_file_sizes(const fs::path& root) {
  Complaints complaints;
  for (const fs::path& file : all_sources(root)) {
    const std::size_t lines = lines_of(root / file).size();
    if (lines > kMostLines) complaints.push_back(file.string() + " has " + std::to_string(lines) + " lines");
  }
  return complaints;
}

Complaints check_header_openings(const fs::path& root) {
  Complaints complaints;
  for (const fs::path& file : all_sources(root)) {
    if (!is_header(file)) continue;
    const std::vector<std::string> lines = lines_of(root / file);
    if (lines.empty() || !lines.front().starts_with("// ")) {
      complaints.push_back(file.string() + " does not open with a line that says what lives there");
    }
    if (std::find(lines.begin(), lines.end(), "#pragma once") == lines.end()) {
      complaints.push_back(file.string() + " has no #pragma once");
    }
  }
  return complaints;
}

Complaints check_top_level(const fs::path& root) {
  Complaints complaints;
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.starts_with("build")) continue;
    if (std::find(kTopLevel.begin(), kTopLevel.end(), name) == kTopLevel.end()) {
      complaints.push_back(name + " has no place at the top level");
    }
  }
  std::sort(complaints.begin(), complaints.end());
  return complaints;
}

Complaints check_test_suites(const fs::path& root) {
  Complaints complaints;
  for (const std::string_view room : kTestedRooms) {
    for (const fs::path& file : sources_in(root, "tests/" + std::string(room))) {
      std::string name = file.stem().string();
      if (!drop_ending(name, "_test")) continue;
      drop_ending(name, "_model");
      const std::string suite = "TEST_SUITE(\"" + std::string(room) + '/' + name + "\")";
      std::size_t suites = 0;
      bool named = false;
      for (const std::string& line : lines_of(root / file)) {
        suites += line.starts_with("TEST_SUITE(");
        named = named || line.starts_with(suite);
      }
      if (suites != 1 || !named) complaints.push_back(file.string() + " is not one " + suite);
    }
  }
  return complaints;
}

Complaints check_tests_built(const fs::path& root) {
  const fs::path list = "tests/meson.build";
  std::set<std::string> named;
  for (const std::string& line : lines_of(root / list)) {
    const std::size_t open = line.find('\'');
    if (open != std::string::npos) named.insert(line.substr(open + 1, line.find('\'', open + 1) - open - 1));
  }
  Complaints complaints;
  for (const std::string_view room : kTestedRooms) {
    for (const fs::path& file : sources_in(root, "tests/" + std::string(room))) {
      if (file.string().ends_with("_test.cpp") && !named.contains(fs::relative(file, "tests").string()))
        complaints.push_back(list.string() + " does not name " + file.string());
    }
  }
  return complaints;
}

Complaints check_invariant_labels(const fs::path& root) {
  static const std::regex numbered("^ *///? +([A-Z][0-9]+)\\. .*");
  static const std::regex named("\"([A-Z][0-9]+): ");
  std::map<std::string, fs::path> declared;
  std::map<std::string, fs::path> checked;
  Complaints complaints;
  for (const std::string_view room : kRooms) {
    for (const fs::path& file : sources_in(root, room)) {
      for (const std::string& line : lines_of(root / file)) {
        std::smatch found;
        if (std::regex_match(line, found, numbered) && !declared.emplace(found[1], file).second) {
          complaints.push_back(file.string() + " numbers an invariant " + found[1].str() + ", as " +
                               declared[found[1]].string() + " does");
        }
        if (std::regex_search(line, found, named)) checked.emplace(found[1], file);
      }
    }
  }
  for (const auto& [label, file] : declared) {
    if (!checked.contains(label))
      complaints.push_back(file.string() + " has " + label + ", which nothing checks");
  }
  for (const auto& [label, file] : checked) {
    if (!declared.contains(label))
      complaints.push_back(file.string() + " checks " + label + ", which no header has");
  }
  return complaints;
}

}  // namespace strata::test
