// Progress: one line on a terminal that says what is being measured.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>

namespace strata::bench {

/// Overwrites one line of standard error; silent when that is no terminal.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Goes on to the next of `total` things.
  void next(const std::string& what) {
    ++done_;
    if (terminal_) std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", done_, total_, what.c_str());
  }

  /// Takes the line away, so that other output can follow.
  void clear() {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
};

}  // namespace strata::bench
