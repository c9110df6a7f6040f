#include "component.hpp"

#include <bit>
#include <cstring>
#include <limits>

namespace strata {

void ComponentInfo::copy_values(void* to, const void* from, std::size_t count) const {
  if (copy != nullptr) {
    copy(to, from, count);
  } else {
    std::memcpy(to, from, size * count);
  }
}

namespace {

bool is_power_of_two_between(std::uint32_t least, std::uint32_t value, std::uint32_t most) {
  return std::has_single_bit(value) && value >= least && value <= most;
}

/// Checks the options of a component's pool, the sparse set that stores its values.
/// Returns: the first error, as the rest of a sentence that begins with the component's name ("names an unknown way of
/// removal from its pool"); empty when there is none.
std::string check_pool_options(const PoolOptions& options) {
  constexpr std::uint32_t kLeastEntries = 64;
  constexpr std::uint32_t kMostEntries = 1u << 16;
  constexpr std::uint32_t kLeastBytes = 64;
  constexpr std::uint32_t kMostBytes = 1u << 24;
  if (options.removal > Removal::stable) return "names an unknown way of removal from its pool";
  if (!is_power_of_two_between(kLeastEntries, options.entries_per_page, kMostEntries)) {
    return "asks for pages of " + std::to_string(options.entries_per_page) +
           " entries, which is not a power of two from " + std::to_string(kLeastEntries) + " to " +
           std::to_string(kMostEntries);
  }
  if (!is_power_of_two_between(kLeastBytes, options.value_page_bytes, kMostBytes)) {
    return "asks for pages of " + std::to_string(options.value_page_bytes) +
           " bytes of values, which is not a power of two from " + std::to_string(kLeastBytes) + " to " +
           std::to_string(kMostBytes);
  }
  return "";
}

/// Checks `description.value`, which describes the members of the component's values.
/// Returns: the first error, as a sentence; empty when there is none.
std::string check_values(const ComponentInfo& description) {
  if (description.value == nullptr) return "";
  const std::string subject = "component \"" + description.name + "\" ";
  if (const std::string fault = detail::find_fault(*description.value); !fault.empty())
    return subject + "is described with a fault: " + fault;
  if (description.value->size == description.size) return "";
  return subject + "has a size of " + std::to_string(description.size) +
         " bytes, and its values are described with " + std::to_string(description.value->size);
}

}  // namespace

std::string check_description(const ComponentInfo& description) {
  constexpr std::size_t kMaxSize = std::size_t{1} << 24;
  constexpr std::size_t kMaxAlignment = std::size_t{1} << 12;
  const auto complain = [&](const std::string& what) {
    return "component \"" + description.name + "\" " + what;
  };
  if (description.name.empty()) return "a component needs a name";
  if (!std::has_single_bit(description.alignment) || description.alignment > kMaxAlignment) {
    return complain("has alignment " + std::to_string(description.alignment) +
                    ", which is not a power of two up to " + std::to_string(kMaxAlignment));
  }
  if (description.size > kMaxSize) {
    return complain("has a size of " + std::to_string(description.size) + " bytes; at most " +
                    std::to_string(kMaxSize) + " are stored");
  }
  if (description.size % description.alignment != 0) {
    return complain("has size " + std::to_string(description.size) + ", not a multiple of its alignment " +
                    std::to_string(description.alignment));
  }
  if (description.storage != Storage::table && description.storage != Storage::sparse) {
    return complain("names an unknown storage");
  }
  if (const std::string wrong = check_pool_options(description.pool); !wrong.empty()) return complain(wrong);
  if (description.tracking > Tracking::rows) return complain("names an unknown tracking");
  if (description.tracking != Tracking::none && description.is_tag()) {
    return complain("is a tag, which has no value whose changes could be tracked");
  }
  if (description.tracking != Tracking::none && description.storage == Storage::sparse) {
    return complain("is in the side store, where changes are tracked by adding a mark: see Dirty");
  }
  if (description.copy != nullptr && !description.copyable) {
    return complain("has a copy operation and is not copyable: change one of the two");
  }
  return check_values(description);
}

}  // namespace strata
