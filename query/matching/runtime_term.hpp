// Term: what a query that is described at run time asks of an entity.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../core/component.hpp"

namespace strata {

/// What a term of a query asks of an entity.
enum class Role : std::uint8_t {
  value,     ///< It has the component; its value is handed out.
  optional,  ///< The value is handed out where it has one.
  with,      ///< It has the component.
  without,   ///< It does not have the component.
  related,   ///< The value of the entity that it relates to is handed out, where there is one.
  nearest,   ///< The same of the nearest entity, following what each relates to, that has a value.
  entity,    ///< The entity itself is handed out.
  any_of,    ///< It has this component, or that of another term of the same group.
};

constexpr std::size_t kMaxTerms = 16;

struct Term {
  Role role;
  ComponentId id;          ///< Unused for Role::entity.
  std::uint8_t group = 0;  ///< Of Role::any_of; less than kMaxTerms.
};

}  // namespace strata
