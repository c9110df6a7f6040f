// Components whose changes are tracked, by row and by block.
#pragma once

#include "../../core/component.hpp"

namespace strata::test {

struct ByRow {
  int value = 0;
};
struct ByBlock {
  int value = 0;
};

}  // namespace strata::test

template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::ByRow> = strata::Tracking::rows;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::ByBlock> = strata::Tracking::blocks;
