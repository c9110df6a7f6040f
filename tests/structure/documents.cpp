#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <regex>

#include "sources.hpp"
#include "structure.hpp"

namespace strata::test {

namespace fs = std::filesystem;

namespace {

/// The examples whose page is not a file of their own name beside them.
const std::map<std::string, std::string> kOtherPages = {{"readme", "../../README.md"},
                                                        {"at_a_glance", "README.md"}};

std::string text_of(const fs::path& file) {
  std::string text;
  for (const std::string& line : lines_of(file)) text += line + '\n';
  return text;
}

std::string without_spaces(const std::string& text) {
  std::string rest;
  std::copy_if(text.begin(), text.end(), std::back_inserter(rest),
               [](unsigned char letter) { return std::isspace(letter) == 0; });
  return rest;
}

/// Returns: the lines of all blocks that begin with ```language, without empty ones.
std::vector<std::string> quoted_in(const fs::path& document, const std::string& language) {
  std::vector<std::string> quoted;
  bool inside = false;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with("```")) {
      inside = !inside && line == "```" + language;
    } else if (inside && !line.empty()) {
      quoted.push_back(line);
    }
  }
  return quoted;
}

Complaints check_quoted(const fs::path& document, const std::string& language, const fs::path& source) {
  std::vector<std::string> expected = lines_of(source);
  std::erase(expected, "");
  if (quoted_in(document, language) == expected) return {};
  return {document.filename().string() + " does not quote " + source.filename().string() + " word for word"};
}

/// Returns: the Markdown files at the top level, and in the folders for tests and benches.
std::vector<fs::path> documents_in(const fs::path& root) {
  std::vector<fs::path> found;
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.path().extension() == ".md") found.push_back(fs::relative(entry.path(), root));
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) add(entry);
  for (const char* const folder : {"bench", "tests"}) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) add(entry);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void append(Complaints& complaints, const Complaints& more) {
  complaints.insert(complaints.end(), more.begin(), more.end());
}

}  // namespace

Complaints check_quotation(const fs::path& document, const fs::path& source) {
  return check_quoted(document, "cpp", source);
}

Complaints check_examples(const fs::path& root) {
  const fs::path folder = root / "tests/examples";
  const std::string list = text_of(folder / "README.md");
  const std::string build = text_of(root / "tests/meson.build");
  Complaints complaints;
  for (const fs::path& file : sources_in(root, "tests/examples")) {
    const std::string name = file.stem().string();
    if (build.find('\'' + name + '\'') == std::string::npos)
      complaints.push_back("tests/meson.build does not run " + name);
    const auto other = kOtherPages.find(name);
    const fs::path page = folder / (other != kOtherPages.end() ? other->second : name + ".md");
    if (name != "at_a_glance") {
      append(complaints, check_quotation(page, folder / (name + ".cpp")));
      append(complaints, check_quoted(page, "text", folder / (name + ".txt")));
    }
    if (other == kOtherPages.end() && list.find("](" + name + ".md)") == std::string::npos)
      complaints.push_back("tests/examples/README.md does not list " + name + ".md");
  }
  return complaints;
}

Complaints check_tables(const fs::path& document, const fs::path& source) {
  static const std::regex row(R"(^\| .* \| (.*) \|$)");
  static const std::regex span("`([^`]+)`");
  const std::string text = without_spaces(text_of(source));
  const std::string name = document.filename().string();
  Complaints complaints;
  std::smatch cells;
  bool code = false;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with('|') && line.ends_with("| write |")) code = true;
    if (!line.starts_with('|')) code = false;
    if (!code || !std::regex_match(line, cells, row)) continue;
    const std::string cell = cells[1];
    for (std::sregex_iterator one(cell.begin(), cell.end(), span), end; one != end; ++one) {
      if (text.find(without_spaces((*one)[1])) == std::string::npos)
        complaints.push_back(name + " shows `" + (*one)[1].str() + "`, which " + source.filename().string() +
                             " does not have");
    }
  }
  return complaints;
}

Complaints check_links(const fs::path& root) {
  static const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  static const std::regex span("`[^`]*`");
  Complaints complaints;
  for (const fs::path& file : documents_in(root)) {
    bool code = false;
    for (const std::string& line : lines_of(root / file)) {
      if (line.find("```") != std::string::npos) code = !code;
      if (code) continue;
      const std::string text = std::regex_replace(line, span, "");
      for (std::sregex_iterator one(text.begin(), text.end(), link), end; one != end; ++one) {
        const std::string target = (*one)[1];
        if (target.find("://") == std::string::npos && !fs::exists(root / file.parent_path() / target))
          complaints.push_back(file.string() + " links to " + target + ", which is not there");
      }
    }
  }
  return complaints;
}

Complaints check_header_map(const fs::path& root) {
  const std::string text = text_of(root / "README.md");
  Complaints complaints;
  for (const fs::path& file : sources_in(root, "include/strata")) {
    const bool is_public = is_header(file) && file.parent_path().filename() == "strata";
    if (is_public && text.find('`' + file.filename().string() + '`') == std::string::npos)
      complaints.push_back("README.md does not say what " + file.filename().string() + " is for");
  }
  return complaints;
}

}  // namespace strata::test
