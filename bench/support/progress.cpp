#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace strata::bench {

Progress::Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::next(const std::string& what) {
  ++done_;
  if (terminal_) std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", done_, total_, what.c_str());
}

void Progress::clear() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

}  // namespace strata::bench
