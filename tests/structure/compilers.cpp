#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

#include "sources.hpp"
#include "structure.hpp"

namespace strata::test {

namespace fs = std::filesystem;

namespace {

// Whether the line contains a part of the words below. Few lines do, and searching for the words takes long.
bool may_use(const std::string& line) {
  static constexpr std::array<std::string_view, 11> parts{
      "__",         "gnu::",  "clang::", "msvc::", "pragma", "_MSC_VER",
      "_MSVC_LANG", "_WIN32", "asm",     "typeid", "cxxabi"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return line.find(part) != std::string::npos; });
}

}  // namespace

Complaints check_compiler_words(const fs::path& root) {
  static const std::regex words(
      R"(__attribute__|__declspec|__builtin_\w+|\b(gnu|clang|msvc)::\w+|#\s*pragma (?!once)\w+|__PRETTY_FUNCTION__)"
      R"(|__FUNCSIG__|__extension__|__typeof\w*|__int128|__restrict\w*|\b(__)?asm(__)?\b|__assume|__forceinline)"
      R"(|__GNUC__|__clang__|_MSC_VER|_MSVC_LANG|_WIN32|__linux__|__has_builtin|\btypeid\b|cxxabi)");
  const fs::path adapter = "core/compiler.hpp";
  Complaints complaints;
  for (const std::string_view room : kRooms) {
    for (const fs::path& file : sources_in(root, room)) {
      if (file == adapter) continue;
      std::smatch found;
      for (const std::string& line : lines_of(root / file)) {
        if (!may_use(line) || !std::regex_search(line, found, words)) continue;
        complaints.push_back(file.string() + " uses " + found[0].str() + ", which belongs into " +
                             adapter.string());
      }
    }
  }
  return complaints;
}

}  // namespace strata::test
