#include "filter.hpp"

#include <stdexcept>

namespace strata::bench {

Filter::Filter(const std::string& pattern)
    : empty_(pattern.empty()), negated_(!empty_ && pattern.front() == '-'), expression_{} {
  const int error = regcomp(&expression_, pattern.c_str() + (negated_ ? 1 : 0), REG_EXTENDED | REG_NOSUB);
  if (error == 0) return;
  char reason[128];
  regerror(error, &expression_, reason, sizeof reason);
  throw std::invalid_argument("the filter " + pattern + " is no regular expression: " + reason);
}

Filter::~Filter() {
  regfree(&expression_);
}

bool Filter::matches(const std::string& path) const {
  return empty_ || (regexec(&expression_, path.c_str(), 0, nullptr, 0) == 0) != negated_;
}

}  // namespace strata::bench
