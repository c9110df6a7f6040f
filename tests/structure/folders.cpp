#include <algorithm>
#include <map>

#include "sources.hpp"
#include "structure.hpp"

namespace strata::test {

namespace fs = std::filesystem;

namespace {

// The folders of each room, from left to right. The files beside the folders are right of all of them.
const std::map<std::string_view, std::vector<std::string_view>> kFolders = {
    {"storage", {"changes", "tables", "rows", "side_store", "sorting", "observing"}},
    {"query", {"matching", "terms", "batches", "filtering", "visiting", "changes", "parallel", "systems"}},
    {"hierarchy",
     {"links", "names", "relations", "events", "states", "families", "origins", "creation", "prefabs",
      "layers", "saving", "moving"}},
};

std::size_t rank_in(const std::vector<std::string_view>& folders, const fs::path& file) {
  const std::string folder = first_part(file.parent_path());
  return static_cast<std::size_t>(std::find(folders.begin(), folders.end(), folder) - folders.begin());
}

}  // namespace

Complaints check_folders(const fs::path& root) {
  Complaints complaints;
  for (const auto& [room, folders] : kFolders) {
    for (const fs::path& file : sources_in(root, room)) {
      const fs::path inside = file.lexically_relative(room);
      const std::size_t rank = rank_in(folders, inside);
      if (rank == folders.size() && inside.has_parent_path())
        complaints.push_back(file.string() + " is in a folder that has no place in the order of " +
                             std::string(room));
      for (const std::string& line : lines_of(root / file)) {
        const std::optional<Include> include = include_in(line);
        if (!include || !include->quoted) continue;
        const fs::path target = (file.parent_path() / include->target).lexically_normal();
        if (first_part(target) != room || rank_in(folders, target.lexically_relative(room)) <= rank) continue;
        complaints.push_back(file.string() + " includes a folder to its right: \"" + include->target + '"');
      }
    }
  }
  return complaints;
}

}  // namespace strata::test
