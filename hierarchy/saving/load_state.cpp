#include "load_state.hpp"

#include <cstring>
#include <utility>

#include "../../core/rollback.hpp"
#include "../../core/values/value_bytes.hpp"

namespace strata::detail {

bool LoadState::refuse(std::string why) {
  fault = std::move(why);
  return false;
}

bool LoadState::refuse_entity(std::uint32_t index, const std::string& why) {
  return refuse("the entity with index " + std::to_string(index) + ' ' + why);
}

const SavedComponent* LoadState::read_number(ByteReader& from) {
  const std::uint64_t number = from.read_size();
  if (from.failed() || number >= components.size()) {
    from.fail();
    return nullptr;
  }
  return &components[static_cast<std::size_t>(number)];
}

bool LoadState::read_entity(ByteReader& from, Entity& entity) {
  const Slots& slots = parts.store.slots();
  const auto index = from.read<std::uint32_t>();
  if (from.failed()) return false;
  if (index >= slots.size() || !slots.is_live(index)) return refuse_entity(index, "is not there");
  entity = slots.handle_of(index);
  return true;
}

bool LoadState::read_value(ByteReader& from, const ComponentInfo& info, void* to) {
  info.value->make != nullptr ? info.value->make(to, 1) : static_cast<void>(std::memset(to, 0, info.size));
  Rollback destroy([&] { info.destroy_values(to, 1); });
  if (!read_values(*info.value, to, 1, from))
    return refuse("a value of " + in_quotes(info.name) + " makes no sense");
  destroy.dismiss();
  return true;
}

}  // namespace strata::detail
