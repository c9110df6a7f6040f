// Writes a file that the user asked for.
#pragma once

#include <string>
#include <string_view>

namespace scene {

/// Errors: std::runtime_error, naming the file, if it cannot be written.
void write_file(const std::string& path, std::string_view content);

}  // namespace scene
