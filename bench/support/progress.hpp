// Progress: one line on a terminal that says what is being measured.
#pragma once

#include <cstddef>
#include <string>

namespace strata::bench {

/// Overwrites one line of standard error; silent when that is no terminal.
class Progress {
 public:
  explicit Progress(std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Goes on to the next of `total` things.
  void next(const std::string& what);

  /// Takes the line away, so that other output can follow.
  void clear();

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
};

}  // namespace strata::bench
