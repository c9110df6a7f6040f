// A walked scene as a world in a file, written and read by the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gltf_reader.hpp"
#include "walk.hpp"

namespace scene {

/// A scene that was read from a snapshot.
struct Snapshot {
  Scene scene;
  std::uint64_t digest;  ///< Of the world in the file.
};

/// Writes a world with an entity for each node: its number, name, and transforms.
/// Returns: the digest of the world.
/// Errors: std::runtime_error if the file cannot be written.
std::uint64_t save_snapshot(const std::string& path, const Scene& scene, const std::vector<Visit>& visits);

/// Writes the same world as JSON.
/// Errors: std::runtime_error if the file cannot be written, or if strata_json was not built.
void export_json(const std::string& path, const Scene& scene, const std::vector<Visit>& visits);

/// Returns: whether a file is named as a snapshot: it ends in ".strata".
bool is_snapshot(const std::string& path);

/// Errors: InputError, naming the file, if it cannot be read, or is another world than `save_snapshot` writes.
Snapshot read_snapshot(const std::string& path);

}  // namespace scene
