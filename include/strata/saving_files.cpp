#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "../../core/rollback.hpp"
#include "saving.hpp"

#if __has_include(<unistd.h>)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace strata {
namespace {

/// Waits until the bytes of a file, or the names of the files in a folder, are on the disk. If the system has no
/// <unistd.h>, only checks that `path` exists.
/// Returns: false if the system reports an error, or if there is no such file or folder.
bool sync_to_disk(const std::filesystem::path& path) {
#if __has_include(<unistd.h>)
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_synced = ::fsync(file) == 0;
  return ::close(file) == 0 && is_synced;
#else
  return std::filesystem::exists(path);
#endif
}

std::string last_error() {
  return std::generic_category().message(errno);
}

Outcome cannot(const std::string& path, const std::string& what, const std::string& why) {
  return Outcome::refused("the file \"" + path + "\" cannot be " + what + ": " + why);
}

/// Saves a world to a file, and waits until the file is on the disk.
Outcome write_file(const World& world, const std::string& path, const SaveOptions& options) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) return cannot(path, "written", last_error());
  if (Outcome saved = save(world, out, options); !saved) return cannot(path, "written", saved.message());
  out.close();
  return out && sync_to_disk(path) ? Outcome::done() : cannot(path, "written", last_error());
}

}  // namespace

Outcome save_file(const World& world, const std::string& path, const SaveOptions& options) {
  const std::string part = path + ".part";
  std::error_code error;
  detail::Rollback remove([&] { std::filesystem::remove(part, error); });
  if (Outcome written = write_file(world, part, options); !written) return written;
  std::filesystem::rename(part, path, error);
  if (error) return cannot(path, "replaced", error.message());
  remove.dismiss();
  // Syncing the folder makes the new name of the file durable. An error is ignored, because not all systems can sync a
  // folder; the file itself is complete in any case.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  static_cast<void>(sync_to_disk(folder.empty() ? "." : folder));
  return Outcome::done();
}

LoadedWorld load_file(const std::string& path, const World& known, const LoadOptions& options) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {cannot(path, "read", last_error()), World(options.world)};
  LoadedWorld loaded = load(in, known, options);
  if (!loaded.outcome) loaded.outcome = cannot(path, "read", loaded.outcome.message());
  return loaded;
}

}  // namespace strata
