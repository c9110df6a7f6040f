// What the programs have in common between their command line and their exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>

#include "text.hpp"

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

/// Calls `program()`. What it throws is printed after the program's name, as is that standard output could not be
/// written.
/// Returns: the exit status.
template <class Program>
int exit_status_of(const char* name, Program program) {
  const auto complain = [name](const std::string& message) {
    std::cerr << name << ": " << printable(message, 4'000) << '\n';
    return 1;
  };
  try {
    program();
    if (!std::cout.flush()) return complain("standard output could not be written");
    return 0;
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace scene
