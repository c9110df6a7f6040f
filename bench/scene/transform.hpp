// Transforms: the affine maps of the benches, and what a moving scene needs beside composing them.
#pragma once

#include "../hierarchy/affine.hpp"

namespace scene {

using strata::bench::Affine;
using strata::bench::compose;

/// The column of an Affine that moves things; the three before it are the linear part.
inline constexpr int kTranslation = 3;

/// Where a root stands in a frame, given where it stands at rest: it bobs, so that no frame equals the one
/// before.
inline Affine moved(const Affine& rest, unsigned frame) {
  constexpr float kStep = 0.01F;
  constexpr unsigned kSteps = 64;
  Affine here = rest;
  here[kTranslation].y += kStep * static_cast<float>(frame % kSteps);
  return here;
}

/// Returns: whether every number of the transform is finite.
bool is_finite(const Affine& transform);

/// How far `actual` is from `expected`: the largest difference of an element, the linear part relative to its
/// own largest element, the translation relative to the largest element of all.
/// Returns: infinity if either is not finite.
double relative_difference(const Affine& expected, const Affine& actual);

}  // namespace scene
