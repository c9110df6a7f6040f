// Values that are so large that 16 rows fill a block.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "../support/components.hpp"

namespace strata::test {

inline constexpr std::size_t kRows = 16;  // Rows of a full block.

/// Notices when it is copied as bytes, or used after it was moved.
struct Cargo {
  explicit Cargo(int number = 0) : counted(number) { space.fill(std::byte(number)); }

  int number() const {
    const bool is_whole = std::memcmp(&space[0], &space[1], space.size() - 1) == 0;  // All bytes are equal.
    return is_whole && space[0] == std::byte(counted.value()) ? counted.value() : -1;
  }

  Counted counted;
  std::array<std::byte, 20 * 1024> space;
};

/// Values that are moved as bytes.
struct Ballast {
  std::array<int, 5 * 1024> numbers{};
};

}  // namespace strata::test
