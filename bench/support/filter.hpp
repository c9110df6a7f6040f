// Filter: chooses benches by their paths.
#pragma once

#include <regex.h>

#include <string>

namespace strata::bench {

/// A POSIX extended regular expression, looked for anywhere in a path; after a leading '-', paths without it.
class Filter {
 public:
  /// Errors: std::invalid_argument when `pattern` is no regular expression.
  explicit Filter(const std::string& pattern);
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter();

  bool empty() const { return empty_; }

  /// Returns: whether the filter lets `path` through; an empty one lets every path through.
  bool matches(const std::string& path) const;

 private:
  bool empty_;
  bool negated_;
  regex_t expression_;
};

}  // namespace strata::bench
