// InputError: what is wrong with a scene, in one line.
#pragma once

#include <stdexcept>
#include <string>

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

}  // namespace scene
