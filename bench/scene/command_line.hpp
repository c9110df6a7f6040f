// What the command lines of the programs have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

namespace scene {

/// Has the options that were added to `app` filled in.
/// Returns: false when help was asked for instead, and printed.
/// Errors: std::runtime_error, which says what is wrong and where help is.
inline bool parse_command_line(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success& help) {
    app.exit(help);
    return false;
  } catch (const CLI::ParseError& error) {
    throw std::runtime_error(std::string(error.what()) + " (see --help)");
  }
}

}  // namespace scene
