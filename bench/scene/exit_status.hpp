// exit_status_of: what the programs do between main and their exit status.
#pragma once

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "text.hpp"

namespace scene {

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
