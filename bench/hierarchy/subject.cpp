#include "subject.hpp"

namespace strata::bench {

std::string Subject::path(const std::string& question) const {
  return "hierarchy/" + question + "/" + to_string(shape) + "/" + std::to_string(nodes);
}

Bar ShapeBars::of(Shape shape) const {
  double most = 0;
  switch (shape) {
    case Shape::wide:
      most = wide;
      break;
    case Shape::bushy:
      most = bushy;
      break;
    case Shape::binary:
      most = binary;
      break;
    case Shape::chain:
      most = chain;
      break;
    case Shape::mixed:
      most = mixed;
      break;
    case Shape::many_small:
      most = many_small;
      break;
  }
  return most > 0 ? Bar::at_most(most) : Bar{};
}

}  // namespace strata::bench
