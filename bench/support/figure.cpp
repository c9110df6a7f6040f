#include "figure.hpp"

#include <cstdio>

namespace strata::bench {

bool Bar::met_by(double value, double limit) const {
  switch (kind) {
    case Kind::none:
      return true;
    case Kind::ratio:
      return value <= most * limit;
    case Kind::above_limit:
      return value <= limit + most;
    case Kind::amount:
      return value <= most;
  }
  return false;
}

std::string Bar::text() const {
  char text[48] = "";
  switch (kind) {
    case Kind::none:
      break;
    case Kind::ratio:
      std::snprintf(text, sizeof text, "<= %.2fx", most);
      break;
    case Kind::above_limit:
      std::snprintf(text, sizeof text, "<= limit + %.0f", most);
      break;
    case Kind::amount:
      std::snprintf(text, sizeof text, "<= %.0f", most);
      break;
  }
  return text;
}

}  // namespace strata::bench
