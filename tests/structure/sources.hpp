// Sources: the files of a source tree, their lines and what they include.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::test {

/// From left to right: an include may only point to the left.
inline constexpr std::array<std::string_view, 5> kRooms = {"core", "storage", "query", "hierarchy",
                                                           "include"};

std::vector<std::string> lines_of(const std::filesystem::path& file);

bool is_header(const std::filesystem::path& file);

/// Returns: all sources below root/folder, in the order of their names, as paths relative to the root.
std::vector<std::filesystem::path> sources_in(const std::filesystem::path& root, std::string_view folder);

struct Include {
  std::string target;
  bool quoted;
};

std::optional<Include> include_in(const std::string& line);

/// Returns: the first folder of a relative path; its only part, if it has one; empty for an empty path.
std::string first_part(const std::filesystem::path& path);

}  // namespace strata::test
