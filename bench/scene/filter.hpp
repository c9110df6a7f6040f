// Runs another program as a filter: text in, text out.
#pragma once

#include <optional>
#include <string>

namespace scene {

/// Runs `program`, found on the PATH, without a shell and without arguments.
/// Returns: its standard output, or nothing if there is no such program.
/// Errors: std::runtime_error if it fails.
std::optional<std::string> run_filter(const std::string& program, const std::string& input);

}  // namespace scene
