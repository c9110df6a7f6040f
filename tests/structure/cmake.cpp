#include <map>
#include <regex>
#include <set>

#include "sources.hpp"
#include "structure.hpp"

namespace strata::test {

namespace fs = std::filesystem;

namespace {

// The first group of the first line of a file that matches; empty when none does.
std::string find_in(const fs::path& file, const std::regex& pattern) {
  std::smatch found;
  for (const std::string& line : lines_of(file)) {
    if (std::regex_search(line, found, pattern)) return found[1];
  }
  return {};
}

// Where else than in meson.build the version stands.
const std::map<std::string, std::string> kVersions = {
    {"CMakeLists.txt", R"re(project\(strata VERSION ([\d.]+))re"},
    {"tests/consumers/conan/conanfile.py", R"re(^    version = "([\d.]+)")re"},
    {"tests/consumers/vcpkg/ports/strata/vcpkg.json", R"re("version-semver": "([\d.]+)")re"},
};

}  // namespace

Complaints check_cmake(const fs::path& root) {
  static const std::regex source(R"(^  (\S+\.cpp)$)");
  const std::string list = "CMakeLists.txt";
  std::set<std::string> listed;
  std::smatch found;
  for (const std::string& line : lines_of(root / list)) {
    if (std::regex_match(line, found, source)) listed.insert(found[1]);
  }
  Complaints complaints;
  for (const std::string_view room : kRooms) {
    for (const fs::path& file : sources_in(root, room)) {
      if (!is_header(file) && listed.erase(file.string()) == 0)
        complaints.push_back(list + " does not list " + file.string());
    }
  }
  for (const std::string& file : listed)
    complaints.push_back(list + " lists " + file + ", which is not there");
  const std::string expected = find_in(root / "meson.build", std::regex(R"(^  version: '([\d.]+)')"));
  for (const auto& [file, pattern] : kVersions) {
    if (!fs::exists(root / file)) continue;
    const std::string version = find_in(root / file, std::regex(pattern));
    if (version != expected)
      complaints.push_back(file + " has version \"" + version + "\", and meson.build \"" + expected + "\"");
  }
  return complaints;
}

}  // namespace strata::test
