#include "figure.hpp"

#include <cstdio>

namespace strata::bench {

bool Bar::met_by(double value, double limit, double others) const {
  switch (kind) {
    case Kind::none:
      return true;
    case Kind::ratio:
      return value <= most * limit;
    case Kind::others:
      return others == 0 || value <= most * others;
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
    case Kind::others:
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

std::string Figure::bar_text() const {
  if (bar.kind != Bar::Kind::others) return bar.text();
  if (others == 0) return "";
  char text[48];
  std::snprintf(text, sizeof text, "%.2fx %s", value / others, bar.text().c_str());
  return text;
}

}  // namespace strata::bench
