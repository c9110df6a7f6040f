#include <map>
#include <regex>
#include <set>

#include "sources.hpp"
#include "structure.hpp"

namespace strata::test {

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;
// By header, as a path relative to the root.
using Surface = std::map<std::string, Names>;

// The name that a line at the outermost level of a namespace declares for the first time; empty when it declares none.
std::string declared_in(const std::string& line) {
  static const std::regex type(
      R"(^(?:template ?<.*> )?(?:class|struct|enum class|concept)(?: \[\[\w+\]\]| STRATA_API)? (\w+)(?: final)?(?: [={:].*)?)");
  static const std::regex alias(R"(^using (\w+) =.*)");
  static const std::regex constant(R"(^(?:inline )?constexpr [^(=]*\b(\w+) =.*)");
  static const std::regex function(
      R"(^(?!using|class|struct|enum|concept|requires|template|extern|static_assert)[\w\[][^=]*?[ *&](\w+)\(.*)");
  std::smatch found;
  for (const std::regex* kind : {&type, &alias, &constant, &function}) {
    if (std::regex_match(line, found, *kind)) return found[1];
  }
  return {};
}

// What a header declares in strata, but not in an inner namespace of details.
Names names_declared_in(const fs::path& header) {
  static const std::map<std::string, std::string> prefixes = {{"strata", ""},
                                                              {"strata::sorting", "sorting::"}};
  static const std::regex opening(R"(^namespace ([\w:]*) ?\{)");
  Names names;
  std::vector<std::string> namespaces;
  for (const std::string& line : lines_of(header)) {
    std::smatch found;
    if (std::regex_match(line, found, opening)) {
      namespaces.push_back(found[1]);
    } else if (line.starts_with("}  // namespace") && !namespaces.empty()) {
      namespaces.pop_back();
    } else if (namespaces.size() == 1 && prefixes.contains(namespaces.front())) {
      const std::string name = declared_in(line);
      if (!name.empty() && name != "operator") names.insert(prefixes.at(namespaces.front()) + name);
    }
  }
  return names;
}

// What the comment of strata.hpp lists: "//   core/entity.hpp: Entity, to_string".
Surface listed(const fs::path& file) {
  static const std::regex entry(R"(^//   ([\w/]+\.hpp): (.*))");
  static const std::regex word(R"([\w:]+)");
  Surface surface;
  for (const std::string& line : lines_of(file)) {
    std::smatch found;
    if (!std::regex_match(line, found, entry)) continue;
    const std::string names = found[2];
    for (std::sregex_iterator name(names.begin(), names.end(), word); name != std::sregex_iterator(); ++name)
      surface[found[1]].insert(name->str());
  }
  return surface;
}

}  // namespace

Complaints check_public_surface(const fs::path& root) {
  const fs::path list = "include/strata/strata.hpp";
  Surface written = listed(root / list);
  Complaints complaints;
  for (const std::string_view room : kRooms) {
    for (const fs::path& file : sources_in(root, room)) {
      if (!is_header(file)) continue;
      const Names names = names_declared_in(root / file);
      const Names& known = written[file.string()];
      for (const std::string& name : names) {
        if (!known.contains(name))
          complaints.push_back(file.string() + " declares strata::" + name + ", which " + list.string() +
                               " does not list: list it, or put it into strata::detail");
      }
      for (const std::string& name : known) {
        if (!names.contains(name))
          complaints.push_back(list.string() + " lists strata::" + name + ", which " + file.string() +
                               " does not declare");
      }
      written.erase(file.string());
    }
  }
  for (const auto& [header, names] : written)
    complaints.push_back(list.string() + " lists " + header + ", which is not there");
  return complaints;
}

}  // namespace strata::test
