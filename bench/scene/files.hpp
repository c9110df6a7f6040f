// Files: the bytes of a scene, the JSON text inside them, what is wrong with either, and files that are written
// or drawn.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace scene {

/// Thrown with the bare problem where it is found; `located` puts in front what its callers know: the node,
/// then the file.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs `read`, with `place()` (a string) put in front of any problem that it throws.
/// Returns: what `read` returns.
template <class Place, class Read>
auto located(Place place, Read read) {
  try {
    return read();
  } catch (const InputError& problem) {
    throw InputError(place() + ": " + problem.what());
  }
}

/// Reads a whole file.
/// Errors: InputError if it is no regular file, cannot be read or has more than 1 GiB.
std::string read_file(const std::string& path);

/// Finds the JSON of a glTF file: all of a .gltf, the first chunk of a .glb; told apart by content.
/// Errors: InputError if it is neither, or a .glb that is truncated, ill-formed or of another version than 2.
/// Source: glTF 2.0 specification, 4.4 "Binary glTF layout".
std::string_view json_text(std::string_view bytes);

/// Errors: std::runtime_error, naming the file, if it cannot be written.
void write_file(const std::string& path, std::string_view content);

/// Returns: text as a string of a gnuplot script.
std::string gnuplot_string(const std::string& text);

/// Draws an SVG file by gnuplot.
/// Returns: whether gnuplot is installed.
/// Errors: std::runtime_error if the file cannot be written or gnuplot fails.
bool draw_svg(const std::string& path, const std::string& script);

}  // namespace scene
