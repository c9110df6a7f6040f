// SystemAccess: what a system reads and writes. Systems whose accesses do not conflict may run at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/compiler.hpp"

namespace strata::detail {

/// A number for something that systems access: the values of a component, or a resource. Issued by AccessNames.
enum class Accessed : std::uint32_t {};

/// Gives numbers to the components and resources that systems access. A component or resource is identified by its
/// name.
class AccessNames {
 public:
  /// Returns: the number of the component or resource with this name; a new number if the name is new.
  /// Complexity: O(names).
  STRATA_API Accessed number_of(std::string_view name);
  const std::string& name_of(Accessed accessed) const { return names_[static_cast<std::size_t>(accessed)]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
};

/// Why two systems may not run at the same time.
struct AccessConflict {
  std::optional<Accessed> about;  ///< What both systems access; none if one of them may access anything.
  /// Whether the first system writes the component or resource that the conflict is about. If `about` is none: whether
  /// the first system may change anything in the world (see SystemAccess::add_write_of_all).
  bool first_writes;
  bool second_writes;  ///< Like `first_writes`, but for the second system.
};

/// What a system reads and writes: values of components and resources, or the world as a whole. Structural changes are
/// not listed: a system makes them by commands, or it writes the whole world.
class SystemAccess {
 public:
  STRATA_API void add_read(Accessed accessed);
  STRATA_API void add_write(Accessed accessed);
  /// Adds that the system may read anything in the world.
  void add_read_of_all() { reads_all_ = true; }
  /// Adds that the system may read and write anything in the world, and make structural changes.
  void add_write_of_all() { writes_all_ = true; }

  /// Adds that the system records commands. Such a system does not run at the same time as a system that may read
  /// the whole world (see `add_read_of_all`), because recording reserves handles of new entities in the world.
  void add_commands() { records_ = true; }

  bool records() const { return records_; }
  bool writes_all() const { return writes_all_; }
  bool reads_all() const { return reads_all_; }
  bool reads(Accessed accessed) const { return contains(reads_, accessed); }
  bool writes(Accessed accessed) const { return contains(writes_, accessed); }

  /// Returns: whether one of the two systems may write something that the other may read or write. A system that may
  /// write the whole world conflicts with every system. A system that may read the whole world also conflicts with each
  /// system that records commands (see `add_commands`).
  /// Complexity: O(n / 64), where n is the number of names in AccessNames.
  bool conflicts_with(const SystemAccess& other) const;
  /// Returns: the conflict between the two systems; none if they do not conflict. If one of them may read or change
  /// anything in the world, the conflict is about no single component or resource (see AccessConflict::about).
  /// Otherwise, of all components and resources for which they conflict, it is about the one with the lowest number
  /// (see AccessNames::number_of).
  std::optional<AccessConflict> find_conflict(const SystemAccess& other) const;

 private:
  using Bits = std::vector<std::uint64_t>;

  static void set(Bits& bits, Accessed accessed);
  static bool contains(const Bits& bits, Accessed accessed);
  static bool intersect(const Bits& a, const Bits& b);
  bool writes_anything() const { return writes_all_ || records_ || !writes_.empty(); }

  Bits reads_;
  Bits writes_;
  bool reads_all_ = false;
  bool records_ = false;
  bool writes_all_ = false;
};

}  // namespace strata::detail
